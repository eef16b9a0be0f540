#include "fileio/options.h"

#include "tests/fileio/scratch.h"

namespace spindle::fileio {
namespace {

Options sized(std::uint32_t file_num, std::uint64_t total_bytes, std::uint32_t block_bytes) {
  Options options;
  options.file_num = file_num;
  options.total_bytes = total_bytes;
  options.block_bytes = block_bytes;
  return options;
}

std::string refusal(const Options& options) {
  return message_of<std::invalid_argument>([&] { layout_of(options); });
}
std::string run_refusal(const Options& options) {
  return message_of<std::invalid_argument>([&] { validate_run(options); });
}

TEST(Layout, DividesEvenlyWhereItCan) {
  EXPECT_EQ(layout_of(sized(4, 1 << 20, 16384)), (Layout{4, 262144, 16384}));
  EXPECT_TRUE(layout_notes(sized(4, 1 << 20, 16384)).empty());
}

TEST(Layout, RoundsDownToWholeBlocksAndSaysSo) {
  const Options options = sized(3, 1 << 20, 16384);  // 21.33 blocks a file
  EXPECT_EQ(layout_of(options), (Layout{3, 21 * 16384, 16384}));
  const auto notes = layout_notes(options);
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_EQ(notes[0], "file-total-size 1M is rounded to 1,032,192 bytes: 3 files of 21 whole blocks of 16k");
}

TEST(Layout, CountsBlocksOverAllFiles) {
  EXPECT_EQ(layout_of(sized(3, 1 << 20, 16384)).blocks(), 63U);
  EXPECT_EQ(layout_of(sized(3, 1 << 20, 16384)).total_bytes(), 1032192U);
}

TEST(Layout, RefusesWhatCannotBe) {
  EXPECT_EQ(refusal(sized(0, 1 << 20, 16384)), "file-num 0: from 1 to 100000");
  EXPECT_EQ(refusal(sized(1, 1 << 20, 0)), "file-block-size 0: from 1 to 1G");
  EXPECT_EQ(refusal(sized(128, 1 << 20, 16384)),
            "file-total-size 1M: too small for 128 files of at least one block of 16k");
}

TEST(ValidateRun, NamesWhatIsAllowed) {
  Options options = small_options("/tmp", "rndxx");
  EXPECT_CONTAINS(run_refusal(options), "unknown file-test-mode 'rndxx': one of ");
  EXPECT_CONTAINS(run_refusal(options), "rndrd");
  options.test = "rndrd";
  options.engine = "mmmap";
  EXPECT_CONTAINS(run_refusal(options), "unknown file-io-mode 'mmmap': one of ");
}

TEST(ValidateRun, ABlockingEngineHasNoDepth) {
  Options options = small_options("/tmp");
  options.iodepth = 4;
  EXPECT_CONTAINS(run_refusal(options), "iodepth 4: the engine 'sync' has at most 1 in flight per thread");
  options.iodepth = 0;
  EXPECT_EQ(run_refusal(options), "iodepth 0: from 1 to 4096");
}

TEST(ValidateRun, RefusesARatioThatIsNone) {
  Options options = small_options("/tmp", "rndrw");
  options.read_write_ratio = -1;
  EXPECT_EQ(run_refusal(options), "file-rw-ratio -1: 0 or more");
  options.read_write_ratio = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(run_refusal(options), "file-rw-ratio nan: 0 or more");
}

TEST(PrepareCommand, IsReadyToPaste) {
  Options options = small_options("/mnt/my disk");
  EXPECT_EQ(
      prepare_command(options),
      "spindle fileio prepare --dir '/mnt/my disk' --file-num 4 --file-total-size 1048576 --file-block-size 16384 "
      "--buffered");
  options.caching = Caching::direct;
  EXPECT_TRUE(prepare_command(options).ends_with("--file-block-size 16384"));
}

}  // namespace
}  // namespace spindle::fileio
