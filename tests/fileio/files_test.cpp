#include "fileio/files.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include <set>

#include "core/device.h"
#include "fileio/extents.h"
#include "tests/fileio/scratch.h"

namespace spindle::fileio {
namespace {

namespace fs = std::filesystem;

class Files : public testing::Test {
 protected:
  std::string prepare_error() {
    return message_of<std::exception>([&] { prepare_quietly(options_); });
  }
  std::string check_error() {
    return message_of<std::runtime_error>([&] { check_files(options_); });
  }
  std::string cleanup_error() {
    return message_of<std::runtime_error>([&] { cleanup(options_); });
  }
  fs::path file(std::uint32_t index) const { return options_.directory / file_name(index); }

  ScratchDirectory scratch_;
  Options options_ = small_options(scratch_.path());
};

TEST_F(Files, PrepareMakesThemAllInFull) {
  const PrepareReport report = prepare_quietly(options_);
  EXPECT_EQ(report.outcome, Prepared::written);
  EXPECT_EQ(report.bytes_written, 1U << 20);
  EXPECT_EQ(fs::file_size(file(0)), 262144U);
  EXPECT_EQ(fs::file_size(file(3)), 262144U);
  EXPECT_FALSE(fs::exists(file(4)));
  const Descriptor last(open(file(3).c_str(), O_RDONLY | O_CLOEXEC));
  const Allocation allocation = allocation_of(last.get(), 262144);
  EXPECT_EQ(allocation.hole_bytes + allocation.unwritten_bytes, 0U);
  check_files(options_);
}

TEST_F(Files, BlocksMayBeLargerThanWhatPrepareWritesAtOnce) {
  options_.file_num = 1;
  options_.total_bytes = 6 << 20;
  options_.block_bytes = 3 << 20;
  EXPECT_EQ(prepare_quietly(options_).bytes_written, 6U << 20);
  check_files(options_);
}

TEST_F(Files, PrepareWorksWithODirect) {
  options_.caching = Caching::direct;
  try {
    prepare_quietly(options_);
  } catch (const std::runtime_error& error) {
    EXPECT_CONTAINS(error.what(), "does not support it");
    GTEST_SKIP() << error.what();
  }
  check_files(options_);
}

TEST_F(Files, TheirContentIsNeitherZerosNorRepeated) {
  prepare_quietly(options_);
  const std::string all = read_file(file(0)) + read_file(file(1)) + read_file(file(2)) + read_file(file(3));
  std::set<std::string> words;
  for (std::size_t at = 0; at < all.size(); at += 8) words.insert(all.substr(at, 8));
  EXPECT_EQ(words.size(), all.size() / 8);  // no 8 bytes occur twice in 1 MiB
}

TEST_F(Files, BytesNeededCoversWhatTheyTake) {
  prepare_quietly(options_);
  std::uint64_t taken = 0;
  for (std::uint32_t i = 0; i < 4; ++i) {
    struct stat status {};
    ASSERT_EQ(stat(file(i).c_str(), &status), 0);
    taken += static_cast<std::uint64_t>(status.st_blocks) * 512;
  }
  EXPECT_GE(bytes_needed(options_), taken);
  EXPECT_LE(bytes_needed(options_), taken + (2 << 20));
}

TEST_F(Files, FittingOnesAreReused) {
  prepare_quietly(options_);
  const std::string before = read_file(file(2));
  const PrepareReport again = prepare_quietly(options_);
  EXPECT_EQ(again.outcome, Prepared::reused);
  EXPECT_EQ(again.bytes_written, 0U);
  EXPECT_EQ(read_file(file(2)), before);
}

TEST_F(Files, OnesOfAnotherShapeAreMadeAnew) {
  prepare_quietly(options_);
  options_.file_num = 2;
  EXPECT_EQ(prepare_quietly(options_).outcome, Prepared::written);
  EXPECT_EQ(fs::file_size(file(0)), 524288U);
  EXPECT_FALSE(fs::exists(file(2)));
  check_files(options_);
}

TEST_F(Files, ADamagedSetIsMadeAnew) {
  prepare_quietly(options_);
  fs::resize_file(file(1), 100);
  EXPECT_EQ(prepare_quietly(options_).outcome, Prepared::written);
  check_files(options_);
}

TEST_F(Files, AMissingDirectoryIsMadeAndRemovedAgain) {
  options_.directory = scratch_.path() / "new";
  prepare_quietly(options_);
  EXPECT_EQ(cleanup(options_).files_removed, 4U);
  EXPECT_FALSE(fs::exists(options_.directory));
}

TEST_F(Files, AGivenDirectoryStays) {
  prepare_quietly(options_);
  const CleanupReport report = cleanup(options_);
  EXPECT_EQ(report.files_removed, 4U);
  EXPECT_EQ(report.bytes_removed, 1U << 20);
  EXPECT_TRUE(fs::is_empty(options_.directory));
}

TEST_F(Files, CleanupLeavesWhatSpindleDidNotMake) {
  options_.directory = scratch_.path() / "new";
  prepare_quietly(options_);
  write_file(options_.directory / "test_file.4", "mine");
  write_file(options_.directory / "notes.txt", "mine too");
  cleanup(options_);
  EXPECT_EQ(read_file(options_.directory / "test_file.4"), "mine");
  EXPECT_EQ(read_file(options_.directory / "notes.txt"), "mine too");
  EXPECT_FALSE(fs::exists(options_.directory / "test_file.0"));
}

TEST_F(Files, CleanupWithoutAManifestRemovesNothing) {
  write_file(file(0), "mine");
  EXPECT_EQ(cleanup(options_).files_removed, 0U);
  EXPECT_EQ(read_file(file(0)), "mine");
}

TEST_F(Files, CleanupOfAMissingDirectoryNamesIt) {
  options_.directory = "/no/such/place";
  EXPECT_EQ(cleanup_error(), "cannot open '/no/such/place': No such file or directory");
}

TEST_F(Files, PrepareRefusesForeignFilesBeforeItWrites) {
  write_file(file(3), "mine");
  EXPECT_CONTAINS(prepare_error(), "test_file.3' exists already, and spindle did not make it");
  EXPECT_EQ(read_file(file(3)), "mine");
  EXPECT_FALSE(fs::exists(file(0)));
  EXPECT_FALSE(fs::exists(options_.directory / kManifestName));
}

TEST_F(Files, PrepareRefusesWhenTheSpaceIsNotThere) {
  options_.directory = scratch_.path() / "new";
  options_.total_bytes = std::uint64_t{1} << 50;
  const std::string error = prepare_error();
  EXPECT_CONTAINS(error, " free, and the files need 1");
  EXPECT_CONTAINS(error, "--file-total-size");
  EXPECT_FALSE(fs::exists(options_.directory));
}

TEST_F(Files, PrepareNamesADirectoryItCannotUse) {
  options_.directory = "/no/such/place";
  EXPECT_EQ(prepare_error(), "cannot create directory '/no/such/place': No such file or directory");
  write_file(scratch_.path() / "plain", "");
  options_.directory = scratch_.path() / "plain";
  EXPECT_CONTAINS(prepare_error(), "plain': Not a directory");
}

TEST_F(Files, AStopRemovesEverything) {
  options_.directory = scratch_.path() / "new";
  core::StopRequest stop;
  stop.raise(SIGINT);
  EXPECT_THROW(prepare(options_, stop), core::Interrupted);
  EXPECT_FALSE(fs::exists(options_.directory));
}

TEST_F(Files, CleanupFinishesAKilledPrepare) {
  create_manifest(options_.directory, {layout_of(options_), DirectoryOrigin::given, Preparation::unfinished});
  write_file(file(0), "half");
  EXPECT_CONTAINS(check_error(), "were not finished: make them with spindle fileio prepare");
  EXPECT_EQ(cleanup(options_).files_removed, 1U);
  EXPECT_TRUE(fs::is_empty(options_.directory));
}

TEST_F(Files, PrepareFinishesAKilledPrepare) {
  create_manifest(options_.directory, {layout_of(options_), DirectoryOrigin::given, Preparation::unfinished});
  write_file(file(0), "half");
  EXPECT_EQ(prepare_quietly(options_).outcome, Prepared::written);
  check_files(options_);
}

TEST_F(Files, CheckSaysHowToMakeThem) {
  EXPECT_EQ(check_error(), "'" + options_.directory.string() +
                               "' holds no files of spindle fileio: make them with spindle fileio prepare --dir '" +
                               options_.directory.string() +
                               "' --file-num 4 --file-total-size 1048576 --file-block-size 16384 --buffered");
}

TEST_F(Files, CheckNoticesTooFewTooSmallAndMissing) {
  prepare_quietly(options_);
  options_.total_bytes = 2 << 20;
  EXPECT_CONTAINS(check_error(), "holds 4 files of 262,144 bytes, and the options ask for 4 of 524,288");
  options_.total_bytes = 1 << 20;
  fs::resize_file(file(1), 100);
  EXPECT_CONTAINS(check_error(), "test_file.1' has 100 bytes, and 262,144 are needed");
  fs::remove(file(1));
  EXPECT_CONTAINS(check_error(), "test_file.1' does not exist");
}

TEST_F(Files, AnotherBlockSizeMayUseTheSameFiles) {
  prepare_quietly(options_);
  options_.block_bytes = 4096;
  check_files(options_);
  options_.file_num = 2;
  options_.total_bytes = 512 << 10;
  check_files(options_);
}

TEST_F(Files, CheckFindsHoles) {
  prepare_quietly(options_);
  const Descriptor punched(open(file(2).c_str(), O_WRONLY | O_CLOEXEC));
  if (fallocate(punched.get(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, 65536) != 0) GTEST_SKIP() << "no holes";
  EXPECT_CONTAINS(check_error(), "test_file.2' was never written in full (64k in holes, 0 unwritten)");
}

TEST_F(Files, ALinkInPlaceOfAFileIsNeitherUsedNorRemoved) {
  prepare_quietly(options_);
  const fs::path victim = scratch_.path() / "victim";
  write_file(victim, std::string(262144, 'v'));
  fs::remove(file(1));
  fs::create_symlink(victim, file(1));
  EXPECT_CONTAINS(check_error(), "test_file.1' is not a regular file any more");
  EXPECT_THROW(open_files(options_, FileNeed::empty, FileAccess::read_write), std::runtime_error);
  EXPECT_CONTAINS(prepare_error(), "test_file.1' is not the file that spindle made");
  EXPECT_CONTAINS(cleanup_error(), "test_file.1' is not the file that spindle made and was left alone");
  EXPECT_TRUE(fs::is_symlink(file(1)));
  EXPECT_EQ(read_file(victim), std::string(262144, 'v'));
  fs::remove(file(1));
  cleanup(options_);  // the manifest was kept for this
  EXPECT_FALSE(fs::exists(options_.directory / kManifestName));
}

TEST_F(Files, ADirectoryOrPipeInPlaceOfAFileIsRefused) {
  prepare_quietly(options_);
  fs::remove(file(0));
  fs::create_directory(file(0));
  EXPECT_CONTAINS(check_error(), "is not a regular file any more");
  EXPECT_CONTAINS(cleanup_error(), "was left alone");
  fs::remove(file(0));
  ASSERT_EQ(mkfifo(file(0).c_str(), 0600), 0);
  EXPECT_THROW(open_file(file(0), O_RDONLY, options_), std::runtime_error);
}

TEST_F(Files, AHardLinkOrALargerFileIsNotWritten) {
  prepare_quietly(options_);
  write_file(scratch_.path() / "victim", std::string(262144, 'v'));
  fs::remove(file(0));
  fs::create_hard_link(scratch_.path() / "victim", file(0));
  EXPECT_CONTAINS(check_error(), "has a second name");
  fs::remove(file(0));
  write_file(file(0), std::string(262145, 'v'));
  EXPECT_CONTAINS(check_error(), "is larger than the file that spindle made");
  EXPECT_THROW(cleanup(options_), std::runtime_error);
  EXPECT_TRUE(fs::exists(file(0)));
}

TEST_F(Files, PrepareAndCleanupKeepOutOfARun) {
  prepare_quietly(options_);
  const FileSet run = open_files(options_, FileNeed::full, FileAccess::read_only);
  EXPECT_CONTAINS(cleanup_error(), "is in use by another spindle");
  options_.file_num = 2;
  EXPECT_CONTAINS(prepare_error(), "is in use by another spindle");
  EXPECT_TRUE(fs::exists(file(3)));
}

TEST_F(Files, ARemovedOrReplacedFileIsNoticed) {
  prepare_quietly(options_);
  const FileSet run = open_files(options_, FileNeed::full, FileAccess::read_only);
  run.check_present();
  fs::rename(file(1), scratch_.path() / "away");
  EXPECT_CONTAINS(message_of<std::runtime_error>([&] { run.check_present(); }), "cannot find again");
  write_file(file(1), "another");
  EXPECT_CONTAINS(message_of<std::runtime_error>([&] { run.check_present(); }), "test_file.1' was replaced");
}

TEST_F(Files, BlocksBelowASectorAreRefusedUnderODirect) {
  const core::DeviceInfo device = core::device_info(scratch_.path());
  if (device.logical_sector_bytes == 0) GTEST_SKIP() << "the sector size is unknown here";
  options_.caching = Caching::direct;
  options_.block_bytes = device.logical_sector_bytes / 2;
  EXPECT_CONTAINS(prepare_error(), ": O_DIRECT transfers whole sectors, which are ");
  options_.block_bytes = device.logical_sector_bytes + 1;
  EXPECT_CONTAINS(prepare_error(), "use a multiple of ");
  EXPECT_TRUE(fs::is_empty(scratch_.path()));
}

// A file system of its own, which only root may mount.
class MountedFiles : public Files {
 protected:
  void mount_tmpfs(const char* size) {
    if (mount("spindle-test", scratch_.path().c_str(), "tmpfs", 0, size) != 0) GTEST_SKIP() << "may not mount";
    mounted_ = true;
  }
  void TearDown() override {
    if (mounted_) umount2(scratch_.path().c_str(), MNT_DETACH);
  }
  bool mounted_ = false;
};

TEST_F(MountedFiles, AFullFileSystemEndsPrepareAndLeavesNothing) {
  mount_tmpfs("size=8m,nr_inodes=5");  // the root directory, the manifest, and three of the four files
  if (!mounted_) return;
  const std::string error = prepare_error();
  EXPECT_CONTAINS(error, "cannot create '" + scratch_.path().string() + "/test_file.");
  EXPECT_CONTAINS(error, "No space left on device");
  EXPECT_TRUE(fs::is_empty(scratch_.path()));
}

TEST_F(MountedFiles, TooSmallAFileSystemIsRefusedFirst) {
  mount_tmpfs("size=1m");
  if (!mounted_) return;
  EXPECT_CONTAINS(prepare_error(), "has 1M free, and the files need 2M");
}

TEST_F(MountedFiles, AReadOnlyFileSystemIsNamed) {
  mount_tmpfs("size=8m");
  if (!mounted_) return;
  prepare_quietly(options_);
  ASSERT_EQ(mount(nullptr, scratch_.path().c_str(), nullptr, MS_REMOUNT | MS_RDONLY, nullptr), 0);
  EXPECT_CONTAINS(message_of<std::runtime_error>([&] { open_files(options_, FileNeed::full, FileAccess::read_write); }),
                  "Read-only file system");
  EXPECT_CONTAINS(cleanup_error(), "cannot remove");
  check_files(options_);
}

TEST_F(MountedFiles, WithoutODirectTheFileSystemIsNamed) {
  // ramfs has never had O_DIRECT.
  if (mount("spindle-test", scratch_.path().c_str(), "ramfs", 0, nullptr) != 0) GTEST_SKIP() << "may not mount";
  mounted_ = true;
  options_.caching = Caching::direct;
  EXPECT_TRUE(core::is_memory_filesystem(scratch_.path()));
  write_file(scratch_.path() / "file", "text");
  EXPECT_CONTAINS(message_of<std::runtime_error>([&] { open_file(scratch_.path() / "file", O_RDONLY, options_); }),
                  "with O_DIRECT: the file system ramfs does not support it (its files are memory; use --buffered");
}

}  // namespace
}  // namespace spindle::fileio
