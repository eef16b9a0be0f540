// sysbench's oltp_read_only: by default 10 point selects and 4 ranges between BEGIN and COMMIT.
#include "oltp/workloads/sysbench.h"

namespace spindle::oltp {
namespace {

const core::Register<WorkloadFactory> kRegistered{
    "read_only",
    [](const Options& options) { return make_sysbench_workload(options, composition(options).add_reads(options)); }};

}  // namespace
}  // namespace spindle::oltp
