// sysbench's oltp_delete: one row by its key. The table drains: the rows counted tell how many deletes found one.
#include "oltp/workloads/sysbench.h"

namespace spindle::oltp {
namespace {

const core::Register<WorkloadFactory> kRegistered{
    "delete", [](const Options& options) { return make_sysbench_workload(options, single(GroupKind::deletes)); }};

}  // namespace
}  // namespace spindle::oltp
