#include "server/server_folder.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "tests/server/scratch_directory.h"

namespace spindle::server {
namespace {

namespace fs = std::filesystem;

// A folder as a spindle leaves it that was killed: made by a child process that ends without cleaning up.
fs::path leave_folder(const fs::path& directory, Keep keep) {
  const pid_t child = ::fork();
  if (child == 0) {
    new ServerFolder(directory, "ssd", keep, std::nullopt);
    ::_exit(0);
  }
  ::waitpid(child, nullptr, 0);
  for (const auto& entry : fs::directory_iterator(directory)) return entry.path();
  return {};
}

TEST(ServerFolder, IsPrivateAndNamedAfterTheServer) {
  const ScratchDirectory scratch;
  const ServerFolder folder(scratch.path(), "my ssd/1", Keep::nothing, std::nullopt);
  EXPECT_EQ(folder.path().filename().string().rfind("spindle-my_ssd_1-", 0), 0U) << folder.path();
  EXPECT_EQ(fs::status(folder.path()).permissions(), fs::perms::owner_all);
  EXPECT_TRUE(fs::is_directory(folder.data()));
  EXPECT_EQ(folder.socket(), folder.path() / "server.sock");
}

TEST(ServerFolder, ItsMarkerNamesThisProcess) {
  const ScratchDirectory scratch;
  const ServerFolder folder(scratch.path(), "ssd", Keep::data, std::nullopt);
  const auto marker = read_marker(folder.path());
  ASSERT_TRUE(marker);
  EXPECT_EQ(marker->owner, this_process());
  EXPECT_EQ(marker->owner.process, ::getpid());
  EXPECT_EQ(marker->keep, Keep::data);
  EXPECT_TRUE(is_locked(folder.path()));
}

TEST(ServerFolder, AMissingDirectoryIsNamed) {
  EXPECT_EQ(message_of([] { ServerFolder("/nonexistent", "ssd", Keep::nothing, std::nullopt); }),
            "cannot use the directory '/nonexistent': No such file or directory");
}

TEST(ServerFolder, ADeepDirectoryGetsItsSocketBelowTmp) {
  const ScratchDirectory scratch;
  const fs::path deep = scratch.path() / std::string(100, 'd');
  fs::create_directory(deep);
  fs::path socket;
  {
    const ServerFolder folder(deep, "ssd", Keep::nothing, std::nullopt);
    socket = folder.socket();
    EXPECT_LE(socket.string().size(), 107U);
    EXPECT_EQ(socket.string().rfind("/tmp/spindle-socket-", 0), 0U);
    EXPECT_EQ(fs::status(socket.parent_path()).permissions(), fs::perms::owner_all);
    scratch.write(socket, "");
    remove_folder(folder.path());
  }
  EXPECT_FALSE(fs::exists(socket.parent_path()));
  EXPECT_TRUE(fs::is_empty(deep));
}

TEST(ServerFolder, PrivateFilesAreReadByTheirOwnerOnly) {
  const ScratchDirectory scratch;
  const ServerFolder folder(scratch.path(), "ssd", Keep::nothing, std::nullopt);
  folder.write_private(folder.init_file(), "SELECT 1;\n", ServerFolder::Reader::server);
  EXPECT_EQ(fs::status(folder.init_file()).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST(RemoveFolder, RemovesAMarkedFolderWithAllInIt) {
  const ScratchDirectory scratch;
  const ServerFolder folder(scratch.path(), "ssd", Keep::nothing, std::nullopt);
  scratch.write(folder.data() / "sbtest/sbtest1.ibd", "rows");
  remove_folder(folder.path());
  EXPECT_EQ(scratch.entries(), 0U);
}

TEST(RemoveFolder, LeavesAFolderWithoutAMarker) {
  const ScratchDirectory scratch;
  scratch.write("spindle-ssd-abcdef/data/precious", "rows");
  remove_folder(scratch.path() / "spindle-ssd-abcdef");
  EXPECT_TRUE(fs::exists(scratch.path() / "spindle-ssd-abcdef/data/precious"));
}

TEST(RemoveFolder, DoesNotFollowLinksOutOfTheFolder) {
  const ScratchDirectory scratch;
  const ServerFolder folder(scratch.path(), "ssd", Keep::nothing, std::nullopt);
  const auto precious = scratch.write("elsewhere/precious", "rows");
  fs::create_directory_symlink(scratch.path() / "elsewhere", folder.data() / "link");
  remove_folder(folder.path());
  EXPECT_FALSE(fs::exists(folder.path()));
  EXPECT_TRUE(fs::exists(precious));
}

TEST(Marker, AFileOfOtherContentsIsNone) {
  const ScratchDirectory scratch;
  scratch.write("spindle-x/.spindle-server", "something else\nprocess=1\n");
  EXPECT_FALSE(read_marker(scratch.path() / "spindle-x"));
}

TEST(Marker, ALinkToOneIsNone) {
  const ScratchDirectory scratch;
  const ServerFolder folder(scratch.path(), "ssd", Keep::nothing, std::nullopt);
  fs::create_directory(scratch.path() / "spindle-x");
  fs::create_symlink(folder.path() / ".spindle-server", scratch.path() / "spindle-x/.spindle-server");
  EXPECT_FALSE(read_marker(scratch.path() / "spindle-x"));
}

TEST(Marker, AnotherUsersIsNone) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give a file away";
  const ScratchDirectory scratch;
  const ServerFolder folder(scratch.path(), "ssd", Keep::nothing, std::nullopt);
  ASSERT_EQ(::chown((folder.path() / ".spindle-server").c_str(), 65534, 65534), 0);
  EXPECT_FALSE(read_marker(folder.path()));
}

TEST(Owner, ThisProcessIsAlive) { EXPECT_TRUE(is_alive(this_process())); }

TEST(Owner, AnotherStartTimeIsAnotherProcess) {
  Owner owner = this_process();
  ++owner.start_time;
  EXPECT_FALSE(is_alive(owner));
}

TEST(Owner, AnotherBootIsAnotherProcess) {
  Owner owner = this_process();
  owner.boot = "00000000-0000-0000-0000-000000000000";
  EXPECT_FALSE(is_alive(owner));
}

TEST(RemoveStale, RemovesWhatAnEndedProcessLeft) {
  const ScratchDirectory scratch;
  const fs::path left = leave_folder(scratch.path(), Keep::nothing);
  ASSERT_TRUE(fs::exists(left / "data"));
  EXPECT_EQ(remove_stale(scratch.path()), (std::vector<fs::path>{left}));
  EXPECT_EQ(scratch.entries(), 0U);
}

TEST(RemoveStale, LeavesLiveFolders) {
  const ScratchDirectory scratch;
  const ServerFolder folder(scratch.path(), "ssd", Keep::nothing, std::nullopt);
  EXPECT_TRUE(remove_stale(scratch.path()).empty());
  EXPECT_TRUE(fs::exists(folder.data()));
}

TEST(RemoveStale, LeavesKeptFolders) {
  const ScratchDirectory scratch;
  const fs::path left = leave_folder(scratch.path(), Keep::data);
  EXPECT_TRUE(remove_stale(scratch.path()).empty());
  EXPECT_TRUE(fs::exists(left / "data"));
}

TEST(RemoveStale, LeavesFoldersOfOtherNames) {
  const ScratchDirectory scratch;
  const fs::path left = leave_folder(scratch.path(), Keep::nothing);
  fs::rename(left, scratch.path() / "mine");
  EXPECT_TRUE(remove_stale(scratch.path()).empty());
  EXPECT_TRUE(fs::exists(scratch.path() / "mine/data"));
}

TEST(RemoveStale, LeavesLinksToFolders) {
  const ScratchDirectory scratch;
  const fs::path left = leave_folder(scratch.path(), Keep::nothing);
  fs::rename(left, scratch.path() / "mine");
  fs::create_directory_symlink(scratch.path() / "mine", scratch.path() / "spindle-ssd-abcdef");
  EXPECT_TRUE(remove_stale(scratch.path()).empty());
  EXPECT_TRUE(fs::exists(scratch.path() / "mine/data"));
}

TEST(RemoveStale, OfAMissingDirectoryIsNothing) { EXPECT_TRUE(remove_stale("/nonexistent").empty()); }

}  // namespace
}  // namespace spindle::server
