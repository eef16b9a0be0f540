#include "fileio/manifest.h"

#include <sys/stat.h>

#include "tests/fileio/scratch.h"

namespace spindle::fileio {
namespace {

const Manifest kManifest{{2, 32768, 16384}, DirectoryOrigin::made, Preparation::complete};
constexpr const char* kText =
    "spindle fileio 1\n"
    "block_bytes 16384\n"
    "file_num 2\n"
    "file_bytes 32768\n"
    "directory made\n"
    "file test_file.0 32768\n"
    "file test_file.1 32768\n"
    "complete\n";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

TEST(Manifest, ListsEveryFileWithItsSize) { EXPECT_EQ(format_manifest(kManifest), kText); }
TEST(Manifest, ReadsWhatItWrites) { EXPECT_EQ(parse_manifest(kText), kManifest); }

TEST(Manifest, KnowsAnUnfinishedPreparation) {
  EXPECT_EQ(parse_manifest(replaced(kText, "complete\n", "")).preparation, Preparation::unfinished);
}

TEST(Manifest, AForeignNameIsRefused) {
  EXPECT_THROW(parse_manifest(replaced(kText, "test_file.1", "../../etc/passwd")), std::runtime_error);
}

TEST(Manifest, ADamagedListIsRefused) {
  EXPECT_THROW(parse_manifest(""), std::runtime_error);
  EXPECT_THROW(parse_manifest("spindle fileio 2\n"), std::runtime_error);
  EXPECT_THROW(parse_manifest(replaced(kText, "file test_file.1 32768\n", "")), std::runtime_error);
  EXPECT_THROW(parse_manifest(replaced(kText, "file_num 2", "file_num 4000000000")), std::runtime_error);
  EXPECT_THROW(parse_manifest(replaced(kText, "file_num 2", "file_num x")), std::runtime_error);
  EXPECT_THROW(parse_manifest(std::string(kText) + "more\n"), std::runtime_error);
}

TEST(Manifest, ADirectoryWithoutOneHasNone) {
  const ScratchDirectory scratch;
  EXPECT_FALSE(open_manifest(scratch.path(), LockKind::shared));
}

TEST(Manifest, CompletingItIsSeenByTheNextReader) {
  const ScratchDirectory scratch;
  Manifest unfinished = kManifest;
  unfinished.preparation = Preparation::unfinished;
  {
    OpenManifest open = create_manifest(scratch.path(), unfinished);
    complete_manifest(scratch.path(), open);
  }
  EXPECT_EQ(open_manifest(scratch.path(), LockKind::shared)->manifest, kManifest);
}

TEST(Manifest, ARunKeepsCleanupOutButNotAnotherRun) {
  const ScratchDirectory scratch;
  create_manifest(scratch.path(), kManifest);
  const auto run = open_manifest(scratch.path(), LockKind::shared);
  EXPECT_TRUE(open_manifest(scratch.path(), LockKind::shared));
  EXPECT_CONTAINS(message_of<std::runtime_error>([&] { open_manifest(scratch.path(), LockKind::exclusive); }),
                  "is in use by another spindle");
}

TEST(Manifest, ALinkOrAPipeUnderItsNameIsRefused) {
  const ScratchDirectory scratch;
  std::filesystem::create_symlink("/etc/passwd", scratch.path() / kManifestName);
  EXPECT_THROW(open_manifest(scratch.path(), LockKind::shared), std::runtime_error);
  std::filesystem::remove(scratch.path() / kManifestName);
  ASSERT_EQ(mkfifo((scratch.path() / kManifestName).c_str(), 0600), 0);
  EXPECT_CONTAINS(message_of<std::runtime_error>([&] { open_manifest(scratch.path(), LockKind::shared); }),
                  "is not a regular file");
}

}  // namespace
}  // namespace spindle::fileio
