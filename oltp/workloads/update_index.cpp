// sysbench's oltp_update_index: --index-updates updates of an indexed column, each a transaction of its own.
#include "oltp/workloads/sysbench.h"

namespace spindle::oltp {
namespace {

const core::Register<WorkloadFactory> kRegistered{
    "update_index", [](const Options& options) {
      return make_sysbench_workload(options, single(GroupKind::index_updates, options.index_updates));
    }};

}  // namespace
}  // namespace spindle::oltp
