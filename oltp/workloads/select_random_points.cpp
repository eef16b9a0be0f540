// sysbench's select_random_points: one SELECT of the rows with any of --random-points values of k.
#include "oltp/workloads/sysbench.h"

namespace spindle::oltp {
namespace {

const core::Register<WorkloadFactory> kRegistered{
    "select_random_points",
    [](const Options& options) { return make_sysbench_workload(options, single(GroupKind::random_points)); }};

}  // namespace
}  // namespace spindle::oltp
