// sysbench's oltp_point_select: one select by primary key, whatever --point-selects says, and no BEGIN or COMMIT.
#include "oltp/workloads/sysbench.h"

namespace spindle::oltp {
namespace {

const core::Register<WorkloadFactory> kRegistered{
    "point_select",
    [](const Options& options) { return make_sysbench_workload(options, single(GroupKind::point_selects)); }};

}  // namespace
}  // namespace spindle::oltp
