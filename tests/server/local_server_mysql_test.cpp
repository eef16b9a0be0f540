// Throwaway servers for real: started, stopped, killed, and cleaned up after.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <string>
#include <thread>

#include "server/server.h"
#include "tests/server/scratch_directory.h"
#include "tests/support/server_fixture.h"

namespace spindle::server {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using drivers::Row;

std::unique_ptr<drivers::Session> connect(const ThrowawayServer& server) {
  return drivers::make_driver(drivers::kDefaultDriver)->connect(server.connection());
}

// A process that has ended but was not reaped yet has no command line.
bool runs(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/cmdline");
  return file.peek() != std::ifstream::traits_type::eof();
}

uid_t user_of(pid_t process) {
  struct stat status {};
  EXPECT_EQ(::stat(("/proc/" + std::to_string(process)).c_str(), &status), 0);
  return status.st_uid;
}

class LocalServerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::string reason = test_support::reason_without_server();
    if (!reason.empty()) GTEST_SKIP() << reason;
    options_.directory = scratch_.path();
    options_.name = "ssd";
    options_.binary = test_support::chosen_server_binary();
    options_.buffer_pool_bytes = 32U << 20U;
  }
  std::unique_ptr<ThrowawayServer> make() const { return make_local_server(options_, stop_); }
  std::unique_ptr<ThrowawayServer> started() const {
    auto server = make();
    server->start();
    return server;
  }

  ScratchDirectory scratch_{test_support::quick_directory()};
  ServerOptions options_;
  core::StopRequest stop_;
};

TEST_F(LocalServerTest, StartsStopsAndStartsAgainOnTheSameData) {
  auto server = started();
  EXPECT_TRUE(server->running());
  connect(*server)->run("CREATE DATABASE kept");
  const auto before = server->connection();
  server->stop();
  EXPECT_FALSE(server->running());
  EXPECT_EQ(server->process_id(), 0);
  server->start();
  EXPECT_EQ(server->connection().port, before.port);
  EXPECT_EQ(server->connection().socket, before.socket);
  EXPECT_EQ(connect(*server)->query("SHOW DATABASES LIKE 'kept'"), (std::vector<Row>{{"kept"}}));
  const pid_t process = server->process_id();
  server.reset();
  EXPECT_FALSE(runs(process));
  EXPECT_EQ(scratch_.entries(), 0U);
}

TEST_F(LocalServerTest, TakesADirectoryWithBlanks) {
  options_.directory = scratch_.path() / "a b";
  fs::create_directory(options_.directory);
  auto server = started();
  EXPECT_EQ(connect(*server)->query("SELECT 1"), (std::vector<Row>{{"1"}}));
  server.reset();
  EXPECT_TRUE(fs::is_empty(options_.directory));
}

TEST_F(LocalServerTest, TakesADirectoryTooDeepForASocket) {
  options_.directory = scratch_.path() / std::string(120, 'd');
  fs::create_directory(options_.directory);
  auto server = started();
  const fs::path socket = server->connection().socket;
  EXPECT_EQ(connect(*server)->query("SELECT 1"), (std::vector<Row>{{"1"}}));
  server.reset();
  EXPECT_FALSE(fs::exists(socket.parent_path()));
  EXPECT_TRUE(fs::is_empty(options_.directory));
}

TEST_F(LocalServerTest, AnUnknownVariableShowsTheServersOwnRefusal) {
  options_.variables = {{"no_such_variable", "1"}};
  const std::string message = message_of([&] { started(); });
  EXPECT_NE(message.find("server 'ssd'"), std::string::npos) << message;
  EXPECT_NE(message.find("no_such_variable"), std::string::npos) << message;
  EXPECT_EQ(scratch_.entries(), 0U);
}

TEST_F(LocalServerTest, AFailureOfALaterStartShowsThatStartsLog) {
  auto server = started();
  server->stop();
  fs::remove(server->data_directory() / "ibdata1");
  const std::string message = message_of([&] { server->start(); });
  EXPECT_NE(message.find("server 'ssd' did not start"), std::string::npos) << message;
  EXPECT_NE(message.find("ERROR"), std::string::npos) << message;
  EXPECT_FALSE(server->running());
  server.reset();
  EXPECT_EQ(scratch_.entries(), 0U);
}

TEST_F(LocalServerTest, AKilledServerIsNoticedAndCleanedUp) {
  auto server = started();
  ::kill(server->process_id(), SIGKILL);
  for (int i = 0; i < 500 && server->running(); ++i) std::this_thread::sleep_for(10ms);
  EXPECT_FALSE(server->running());
  server->stop();
  server->start();  // and recovers
  EXPECT_EQ(connect(*server)->query("SELECT 1"), (std::vector<Row>{{"1"}}));
  ::kill(server->process_id(), SIGKILL);
  server.reset();
  EXPECT_EQ(scratch_.entries(), 0U);
}

TEST_F(LocalServerTest, AHungServerIsKilledAfterTheTimeAllowed) {
  options_.stop_timeout = 1s;
  auto server = started();
  const pid_t process = server->process_id();
  ::kill(process, SIGSTOP);
  server->stop();
  EXPECT_FALSE(runs(process));
}

TEST_F(LocalServerTest, AStopRequestEndsAStart) {
  auto server = make();
  stop_.raise(SIGINT);
  EXPECT_THROW(server->start(), core::Interrupted);
  EXPECT_FALSE(server->running());
  server.reset();
  EXPECT_EQ(scratch_.entries(), 0U);
}

TEST_F(LocalServerTest, KeptDataStayAndCanBeOpenedWithTheFileBesideThem) {
  options_.keep = Keep::data;
  auto server = started();
  const fs::path folder = server->directory();
  server.reset();
  EXPECT_TRUE(fs::exists(folder / "data/ibdata1"));
  EXPECT_TRUE(fs::exists(folder / "client.cnf"));
  EXPECT_TRUE(remove_stale(scratch_.path()).empty());
}

TEST_F(LocalServerTest, RunByRootInADirectoryOfItsOwnItRunsAsRoot) {
  if (::geteuid() != 0) GTEST_SKIP() << "not root";
  fs::permissions(scratch_.path(), fs::perms::owner_all);
  EXPECT_EQ(user_of(started()->process_id()), 0U);
}

// A spindle that starts a server and is killed, as `kill -9` does it.
class KilledOwner {
 public:
  explicit KilledOwner(const ServerOptions& options) {
    int ends[2];
    if (::pipe(ends) != 0) return;
    const pid_t owner = ::fork();
    if (owner == 0) run(options, ends[1]);
    ::close(ends[1]);
    if (::read(ends[0], &server_, sizeof server_) != static_cast<ssize_t>(sizeof server_)) server_ = 0;
    ::close(ends[0]);
    ::kill(owner, SIGKILL);
    ::waitpid(owner, nullptr, 0);
  }
  pid_t server() const { return server_; }

 private:
  [[noreturn]] static void run(const ServerOptions& options, int report) {
    const core::StopRequest stop;
    const auto server = make_local_server(options, stop);
    server->start();
    const pid_t process = server->process_id();
    if (::write(report, &process, sizeof process) < 0) ::_exit(1);
    for (;;) ::pause();
  }
  pid_t server_ = 0;
};

TEST_F(LocalServerTest, AKilledSpindleTakesItsServerAlongAndTheNextOneCleansUp) {
  const KilledOwner owner(options_);
  ASSERT_GT(owner.server(), 0);
  ASSERT_EQ(scratch_.entries(), 1U);
  EXPECT_EQ(remove_stale(scratch_.path()).size(), 1U);
  EXPECT_EQ(scratch_.entries(), 0U);
  EXPECT_FALSE(runs(owner.server()));
}

TEST_F(LocalServerTest, AServerThatOutlivedItsKilledSpindleIsStopped) {
  const KilledOwner owner(options_);
  ASSERT_GT(owner.server(), 0);
  // A stopped process gets the SIGTERM of its owner's death only when it goes on.
  ::kill(owner.server(), SIGSTOP);
  if (!runs(owner.server())) GTEST_SKIP() << "the server had ended already";
  std::jthread goes_on([&] {
    std::this_thread::sleep_for(200ms);
    ::kill(owner.server(), SIGCONT);
  });
  EXPECT_EQ(remove_stale(scratch_.path()).size(), 1U);
  EXPECT_FALSE(runs(owner.server()));
}

// What is true of any running server, of one that these tests share.
class RunningServerTest : public LocalServerTest {
 protected:
  static void TearDownTestSuite() { shared_.reset(); }
  void SetUp() override {
    LocalServerTest::SetUp();
    if (IsSkipped() || shared_ != nullptr) return;
    shared_ = std::make_unique<Shared>();
    options_.directory = shared_->scratch.path();
    options_.variables = {{"innodb-flush-log-at-trx-commit", "2"}, {"max_connections", "77"}};
    shared_->server = make_local_server(options_, shared_->stop);
    shared_->server->start();
  }
  static ThrowawayServer& server() { return *shared_->server; }

  struct Shared {
    ScratchDirectory scratch{test_support::quick_directory()};
    core::StopRequest stop;
    std::unique_ptr<ThrowawayServer> server;
  };
  static inline std::unique_ptr<Shared> shared_;
};

TEST_F(RunningServerTest, HasTheVariablesThatWereAskedForAndSpindlesForTheRest) {
  EXPECT_EQ(connect(server())->query("SELECT @@max_connections, @@innodb_flush_log_at_trx_commit, "
                                     "@@innodb_buffer_pool_size, @@innodb_flush_method, @@log_bin"),
            (std::vector<Row>{{"77", "2", "33554432", "O_DIRECT", "0"}}));
}

TEST_F(RunningServerTest, NamesItsVersion) {
  EXPECT_EQ(server().version(), connect(server())->query("SELECT VERSION()")[0][0]);
}

TEST_F(RunningServerTest, KeepsItsFilesInItsFolder) {
  EXPECT_EQ(connect(server())->query("SELECT @@datadir, @@tmpdir"),
            (std::vector<Row>{{server().data_directory().string() + "/", (server().directory() / "tmp").string()}}));
}

TEST_F(RunningServerTest, ListensOnLoopbackAndLetsNobodyInWithoutThePassword) {
  auto options = server().connection();
  options.socket.clear();
  EXPECT_EQ(options.host, "127.0.0.1");
  const auto driver = drivers::make_driver(drivers::kDefaultDriver);
  EXPECT_EQ(driver->connect(options)->query("SELECT 1"), (std::vector<Row>{{"1"}}));
  options.password.clear();
  EXPECT_THROW(driver->connect(options), drivers::DbError);
  options.user = "anybody";
  EXPECT_THROW(driver->connect(options), drivers::DbError);
}

TEST_F(RunningServerTest, StartedByRootIsAnotherUsersProcess) {
  if (::geteuid() != 0) GTEST_SKIP() << "not root";
  EXPECT_NE(user_of(server().process_id()), 0U);
}

TEST_F(RunningServerTest, IsNotStale) {
  EXPECT_TRUE(remove_stale(server().directory().parent_path()).empty());
  EXPECT_TRUE(server().running());
}

}  // namespace
}  // namespace spindle::server
