// The test "rndrw": uniformly random aligned blocks over all files, read and written at the ratio of the options.
#include "fileio/io_job.h"
#include "fileio/test.h"

namespace spindle::fileio {
namespace {

const core::Register<TestPlugin> kRegistered{
    "rndrw", {"random read and write", Preparing::needed, [](const Options& options) {
                return make_access_job(options, {Operations::both, FileNeed::full, options.block_bytes,
                                                 random_patterns(options, options.read_write_ratio)});
              }}};

}  // namespace
}  // namespace spindle::fileio
