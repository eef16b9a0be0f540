// sysbench's oltp_update_non_index: --non-index-updates updates of another column, each a transaction of its own.
#include "oltp/workloads/sysbench.h"

namespace spindle::oltp {
namespace {

const core::Register<WorkloadFactory> kRegistered{
    "update_non_index", [](const Options& options) {
      return make_sysbench_workload(options, single(GroupKind::non_index_updates, options.non_index_updates));
    }};

}  // namespace
}  // namespace spindle::oltp
