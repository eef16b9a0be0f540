// The test "rndwr": overwrites uniformly random aligned blocks over all files.
#include "fileio/io_job.h"
#include "fileio/test.h"

namespace spindle::fileio {
namespace {

const core::Register<TestPlugin> kRegistered{
    "rndwr", {"random write", Preparing::needed, [](const Options& options) {
                return make_access_job(options, {Operations::writes, FileNeed::full, options.block_bytes,
                                                 random_patterns(options, kOnlyWrites)});
              }}};

}  // namespace
}  // namespace spindle::fileio
