// sysbench's oltp_read_write: by default 14 reads, 2 updates, a delete and an insert between BEGIN and COMMIT.
#include "oltp/workloads/sysbench.h"

namespace spindle::oltp {
namespace {

const core::Register<WorkloadFactory> kRegistered{
    "read_write", [](const Options& options) {
      return make_sysbench_workload(options, composition(options).add_reads(options).add_writes(options));
    }};

}  // namespace
}  // namespace spindle::oltp
