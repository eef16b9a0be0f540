#include "fileio/extents.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "tests/fileio/scratch.h"

namespace spindle::fileio {
namespace {

constexpr std::uint64_t kBytes = 1 << 20;

class Extents : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (access(GetParam(), W_OK) != 0) GTEST_SKIP() << "no " << GetParam();
    scratch_ = std::make_unique<ScratchDirectory>(GetParam());
    path_ = scratch_->path() / "file";
    write_file(path_, std::string(kBytes, 'x'));
    file_ = Descriptor(open(path_.c_str(), O_RDWR | O_CLOEXEC));
    ASSERT_TRUE(file_);
  }

  std::unique_ptr<ScratchDirectory> scratch_;
  std::filesystem::path path_;
  Descriptor file_;
};

TEST_P(Extents, AWrittenFileIsWhole) {
  const Allocation allocation = allocation_of(file_.get(), kBytes);
  EXPECT_EQ(allocation.hole_bytes, 0U);
  EXPECT_EQ(allocation.unwritten_bytes, 0U);
}

TEST_P(Extents, APunchedHoleIsFound) {
  if (fallocate(file_.get(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 65536, 131072) != 0)
    GTEST_SKIP() << "no holes";
  EXPECT_EQ(allocation_of(file_.get(), kBytes).hole_bytes, 131072U);
}

TEST_P(Extents, AHoleAtTheEndIsFound) {
  ASSERT_EQ(ftruncate(file_.get(), 2 * kBytes), 0);
  EXPECT_EQ(allocation_of(file_.get(), 2 * kBytes).hole_bytes, kBytes);
}

TEST_P(Extents, AnEmptyFileIsOneHole) {
  ASSERT_EQ(ftruncate(file_.get(), 0), 0);
  ASSERT_EQ(ftruncate(file_.get(), kBytes), 0);
  EXPECT_EQ(allocation_of(file_.get(), kBytes).hole_bytes, kBytes);
}

INSTANTIATE_TEST_SUITE_P(FileSystems, Extents, testing::Values("/var/tmp", "/tmp", "/dev/shm"),
                         [](const auto& place) { return std::to_string(place.index); });

TEST(UnwrittenExtents, AllocatedButNeverWrittenSpaceIsFound) {
  const ScratchDirectory scratch;
  const auto path = scratch.path() / "file";
  write_file(path, std::string(kBytes, 'x'));
  const Descriptor file(open(path.c_str(), O_RDWR | O_CLOEXEC));
  // FIEMAP tells written from unwritten; without it nothing does.
  if (fallocate(file.get(), FALLOC_FL_ZERO_RANGE, 0, 262144) != 0) GTEST_SKIP() << "no unwritten extents here";
  EXPECT_EQ(allocation_of(file.get(), kBytes).unwritten_bytes, 262144U);
}

}  // namespace
}  // namespace spindle::fileio
