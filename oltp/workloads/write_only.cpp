// sysbench's oltp_write_only: by default 2 updates, a delete and an insert between BEGIN and COMMIT.
#include "oltp/workloads/sysbench.h"

namespace spindle::oltp {
namespace {

const core::Register<WorkloadFactory> kRegistered{
    "write_only",
    [](const Options& options) { return make_sysbench_workload(options, composition(options).add_writes(options)); }};

}  // namespace
}  // namespace spindle::oltp
