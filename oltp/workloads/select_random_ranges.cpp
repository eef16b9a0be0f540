// sysbench's select_random_ranges: one SELECT COUNT over --number-of-ranges ranges of k, each --delta wide.
#include "oltp/workloads/sysbench.h"

namespace spindle::oltp {
namespace {

const core::Register<WorkloadFactory> kRegistered{
    "select_random_ranges",
    [](const Options& options) { return make_sysbench_workload(options, single(GroupKind::random_ranges)); }};

}  // namespace
}  // namespace spindle::oltp
