// The test "seqrd": all threads together read the files, block after block, lap after lap.
#include "fileio/io_job.h"
#include "fileio/test.h"

namespace spindle::fileio {
namespace {

const core::Register<TestPlugin> kRegistered{
    "seqrd", {"sequential read", Preparing::needed, [](const Options& options) {
                return make_access_job(options, {Operations::reads, FileNeed::full, options.block_bytes,
                                                 sequential_patterns(options, AccessKind::read)});
              }}};

}  // namespace
}  // namespace spindle::fileio
