#include "server/child_process.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <thread>

#include "tests/server/scratch_directory.h"

namespace spindle::server {
namespace {

using namespace std::chrono_literals;

class ChildProcessTest : public ::testing::Test {
 protected:
  Command shell(const std::string& script) const { return {{"/bin/sh", "-c", script}, log(), "/", std::nullopt, {}}; }
  std::filesystem::path log() const { return scratch_.path() / "log"; }
  std::string output() const {
    std::ifstream file(log());
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  }
  ScratchDirectory scratch_;
};

TEST_F(ChildProcessTest, BothOutputsGoToTheFile) {
  ChildProcess child(shell("echo out; echo err >&2"));
  ASSERT_TRUE(child.wait_for(10s));
  EXPECT_TRUE(child.succeeded());
  EXPECT_EQ(output(), "out\nerr\n");
}

TEST_F(ChildProcessTest, AnExitCodeIsTold) {
  ChildProcess child(shell("exit 3"));
  ASSERT_TRUE(child.wait_for(10s));
  EXPECT_FALSE(child.succeeded());
  EXPECT_EQ(child.ending(), "exit code 3");
}

TEST_F(ChildProcessTest, AKillingSignalIsTold) {
  ChildProcess child(shell("exec sleep 60"));
  EXPECT_TRUE(child.running());
  child.signal(SIGKILL);
  ASSERT_TRUE(child.wait_for(10s));
  EXPECT_EQ(child.ending(), "signal 9 (Killed)");
}

TEST_F(ChildProcessTest, AMissingProgramIsNamed) {
  EXPECT_EQ(message_of([&] {
              ChildProcess({{"/nonexistent/mysqld"}, log(), "/", std::nullopt, {}});
            }),
            "cannot run '/nonexistent/mysqld': No such file or directory");
}

TEST_F(ChildProcessTest, HasASessionOfItsOwnSoThatCtrlCDoesNotReachIt) {
  ChildProcess child(shell("exec sleep 60"));
  EXPECT_EQ(::getsid(child.id()), child.id());
}

TEST_F(ChildProcessTest, InheritsNoDescriptors) {
  const int open = ::open("/dev/null", O_RDONLY);  // without O_CLOEXEC
  ChildProcess child(shell("ls /proc/self/fd | wc -l"));
  ASSERT_TRUE(child.wait_for(10s));
  ::close(open);
  EXPECT_EQ(output(), "4\n") << "0, 1, 2, and the one that ls opens";
}

TEST_F(ChildProcessTest, IsNotReachedByTheClientsVariables) {
  ::setenv("MYSQL_HOME", "/etc/mysql", 1);
  ChildProcess child(shell("echo \"<$MYSQL_HOME>\""));
  ASSERT_TRUE(child.wait_for(10s));
  ::unsetenv("MYSQL_HOME");
  EXPECT_EQ(output(), "<>\n");
}

TEST_F(ChildProcessTest, EndsWithTheThreadThatStartedIt) {
  std::unique_ptr<ChildProcess> child;
  std::thread([&] { child = std::make_unique<ChildProcess>(shell("exec sleep 60")); }).join();
  ASSERT_TRUE(child->wait_for(10s));
  EXPECT_EQ(child->ending(), "signal 15 (Terminated)");
}

TEST_F(ChildProcessTest, RunsAsAnotherUserWhereSpindleIsRoot) {
  const auto identity = server_identity();
  if (!identity) GTEST_SKIP() << "not root";
  Command command = shell("id -u; id -g");
  command.identity = identity;
  ChildProcess child(command);
  ASSERT_TRUE(child.wait_for(10s));
  EXPECT_EQ(output(), std::to_string(identity->uid) + "\n" + std::to_string(identity->gid) + "\n");
}

TEST_F(ChildProcessTest, AnotherUserMayNotEnterAPrivateDirectory) {
  const auto identity = server_identity();
  if (!identity) GTEST_SKIP() << "not root";
  EXPECT_TRUE(may_enter(*identity, scratch_.path()));
  std::filesystem::create_directories(scratch_.path() / "private/below");
  std::filesystem::permissions(scratch_.path() / "private", std::filesystem::perms::owner_all);
  EXPECT_FALSE(may_enter(*identity, scratch_.path() / "private/below"));
}

}  // namespace
}  // namespace spindle::server
