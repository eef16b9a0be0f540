// The test "seqrewr": all threads together overwrite the files, block after block, lap after lap.
#include "fileio/io_job.h"
#include "fileio/test.h"

namespace spindle::fileio {
namespace {

const core::Register<TestPlugin> kRegistered{
    "seqrewr", {"sequential rewrite", Preparing::needed, [](const Options& options) {
                  return make_access_job(options, {Operations::writes, FileNeed::full, options.block_bytes,
                                                   sequential_patterns(options, AccessKind::write)});
                }}};

}  // namespace
}  // namespace spindle::fileio
