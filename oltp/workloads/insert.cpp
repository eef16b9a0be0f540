// sysbench's oltp_insert: one new row. The table grows.
#include "oltp/workloads/sysbench.h"

namespace spindle::oltp {
namespace {

const core::Register<WorkloadFactory> kRegistered{
    "insert", [](const Options& options) { return make_sysbench_workload(options, single(GroupKind::inserts)); }};

}  // namespace
}  // namespace spindle::oltp
