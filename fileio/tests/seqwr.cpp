// The test "seqwr": all threads together write the files from empty, block after block. Further laps overwrite. A run
// that ends within the first lap leaves short files, which the other tests refuse until they are prepared again.
#include "fileio/io_job.h"
#include "fileio/test.h"

namespace spindle::fileio {
namespace {

const core::Register<TestPlugin> kRegistered{
    "seqwr", {"sequential write (creation)", Preparing::needed, [](const Options& options) {
                return make_access_job(options, {Operations::writes, FileNeed::empty, options.block_bytes,
                                                 sequential_patterns(options, AccessKind::write)});
              }}};

}  // namespace
}  // namespace spindle::fileio
