// The test "rndrd": uniformly random aligned blocks over all files.
#include "fileio/io_job.h"
#include "fileio/test.h"

namespace spindle::fileio {
namespace {

const core::Register<TestPlugin> kRegistered{
    "rndrd", {"random read", Preparing::needed, [](const Options& options) {
                return make_access_job(options, {Operations::reads, FileNeed::full, options.block_bytes,
                                                 random_patterns(options, kOnlyReads)});
              }}};

}  // namespace
}  // namespace spindle::fileio
