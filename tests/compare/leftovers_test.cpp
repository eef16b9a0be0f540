#include "compare/leftovers.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <fstream>

#include "fileio/files.h"

namespace spindle::compare {
namespace {

namespace fs = std::filesystem;

class Leftovers : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "spindle-leftovers-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    target_.label = "ssd";
    target_.directory = pattern;
  }
  void TearDown() override { fs::remove_all(target_.directory); }

  fs::path make_files(const fs::path& folder) const {
    fileio::Options options;
    options.directory = folder;
    options.file_num = 2;
    options.total_bytes = 1 << 20;
    options.caching = fileio::Caching::buffered;
    fileio::prepare(options, core::StopRequest());
    return folder;
  }
  fs::path below(const std::string& name) const { return fs::path(target_.directory) / name; }

  TargetSpec target_;
};

TEST_F(Leftovers, FilesThatNobodyHoldsAreRemovedWhateverTheirLabel) {
  const fs::path same = make_files(files_folder(target_, Removal::remove));
  const fs::path other = make_files(below("spindle-renamed-files"));
  remove_leftovers({target_});
  EXPECT_FALSE(fs::exists(same));
  EXPECT_FALSE(fs::exists(other));
}

TEST_F(Leftovers, FilesInUseStay) {
  const fs::path used = make_files(files_folder(target_, Removal::remove));
  const auto held = fileio::open_manifest(used, fileio::LockKind::shared);
  remove_leftovers({target_});
  EXPECT_TRUE(fs::exists(used / "test_file.1"));
}

TEST_F(Leftovers, KeptFilesStay) {
  const fs::path kept = make_files(files_folder(target_, Removal::keep));
  remove_leftovers({target_});
  EXPECT_TRUE(fs::exists(kept / "test_file.1"));
}

TEST_F(Leftovers, AFolderOfTheUsersStaysThoughItsNameFits) {
  fs::create_directory(below("spindle-my-files"));
  std::ofstream(below("spindle-my-files") / "test_file.0") << "mine";
  fs::create_directory(below("spindle-given-files"));
  make_files(below("spindle-given-files"));  // made by hand, in a folder that was there
  remove_leftovers({target_});
  EXPECT_TRUE(fs::exists(below("spindle-my-files") / "test_file.0"));
  EXPECT_TRUE(fs::exists(below("spindle-given-files") / "test_file.0"));
}

TEST_F(Leftovers, ADirectoryThatIsMissingIsNoError) {
  TargetSpec missing = target_;
  missing.directory += "/missing";
  EXPECT_NO_THROW(remove_leftovers({missing}));
}

}  // namespace
}  // namespace spindle::compare
