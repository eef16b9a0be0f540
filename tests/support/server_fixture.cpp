#include "tests/support/server_fixture.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <stdexcept>

namespace spindle::test_support {
namespace {

struct SharedServer {
  core::StopRequest stop;
  std::unique_ptr<server::ThrowawayServer> server;
  drivers::ConnectionOptions connection;
  int databases = 0;
};

std::unique_ptr<SharedServer>& slot() {
  static std::unique_ptr<SharedServer> shared;
  return shared;
}

SharedServer& shared() {
  auto& current = slot();
  if (current == nullptr) {
    auto made = std::make_unique<SharedServer>();
    server::ServerOptions options;
    options.directory = quick_directory();
    options.name = "tests";
    options.binary = chosen_server_binary();
    options.buffer_pool_bytes = std::uint64_t{64} << 20U;
    server::remove_stale(options.directory);
    made->server = server::make_local_server(options, made->stop);
    made->server->start();
    made->connection = made->server->connection();
    current = std::move(made);
  }
  return *current;
}

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

struct Choice {
  std::string binary;  // as server::find_server takes it
  std::string reason;  // why there is none
};

// SPINDLE_TEST_SERVER asks for a flavour. A mysqld in the usual places may be MariaDB under its old name.
Choice choose_server() {
  const std::string flavour = environment("SPINDLE_TEST_SERVER");
  std::string binary = environment("SPINDLE_TEST_SERVER_BINARY");
  if (flavour == "mysql" && !environment("SPINDLE_TEST_MYSQL").empty()) binary = environment("SPINDLE_TEST_MYSQL");
  if (binary.empty() && !flavour.empty()) binary = flavour == "mysql" ? "mysqld" : "mariadbd";
  try {
    const server::ServerBinary found = server::find_server(binary);
    drivers::make_driver(drivers::kDefaultDriver);
    const bool is_mysql = found.flavour == server::Flavour::mysql;
    if (flavour.empty() || is_mysql == (flavour == "mysql")) return {binary, {}};
    return {binary, "the server " + found.path.string() + " is not " + flavour};
  } catch (const std::exception& error) {
    return {binary, error.what()};
  }
}

class StopsSharedServer : public ::testing::Environment {
 public:
  void TearDown() override { slot().reset(); }
};

[[maybe_unused]] const auto* const kEnvironment = ::testing::AddGlobalTestEnvironment(new StopsSharedServer);

}  // namespace

std::filesystem::path quick_directory() {
  constexpr std::uintmax_t kEnough = std::uintmax_t{2} << 30U;
  if (const char* directory = std::getenv("SPINDLE_TEST_DIRECTORY")) return directory;
  std::error_code failed;
  const auto space = std::filesystem::space("/dev/shm", failed);
  if (!failed && space.available >= kEnough && ::access("/dev/shm", W_OK) == 0) return "/dev/shm";
  return std::filesystem::temp_directory_path();
}

std::string chosen_server_binary() {
  static const Choice choice = choose_server();
  return choice.binary;
}

std::string reason_without_server() {
  static const std::string reason = [] {
    Choice choice = choose_server();
    if (!choice.reason.empty() && environment("SPINDLE_REQUIRE_SERVERS") == "1") {
      throw std::runtime_error("SPINDLE_REQUIRE_SERVERS is set: " + choice.reason);
    }
    return choice.reason;
  }();
  return reason;
}

server::ThrowawayServer& shared_server() { return *shared().server; }
const drivers::ConnectionOptions& shared_connection() { return shared().connection; }

std::string fresh_database() {
  const std::string name = "spindle_test_" + std::to_string(++shared().databases);
  drivers::make_driver(drivers::kDefaultDriver)->connect(shared_connection())->run("CREATE DATABASE " + name);
  return name;
}

void MysqlTest::SetUp() {
  const std::string reason = reason_without_server();
  if (!reason.empty()) GTEST_SKIP() << reason;
  ASSERT_TRUE(shared_server().running()) << "the shared server has ended:\n" << shared_server().error_log_tail(15);
}

const drivers::ConnectionOptions& MysqlTest::connection() { return shared_connection(); }
std::string MysqlTest::fresh_database() { return test_support::fresh_database(); }
std::unique_ptr<drivers::Session> MysqlTest::connect() {
  return drivers::make_driver(drivers::kDefaultDriver)->connect(connection());
}

}  // namespace spindle::test_support
