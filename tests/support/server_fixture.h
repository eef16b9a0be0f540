// A real server that all tests of one process share: started by the first that asks, stopped when the process ends.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>

#include "drivers/driver.h"
#include "server/server.h"

namespace spindle::test_support {

// Base of tests that need a server: skipped with the reason where there is none, or failed if SPINDLE_REQUIRE_SERVERS=1.
// Which one: SPINDLE_TEST_SERVER=mysql|mariadb (ctest runs every test with both), SPINDLE_TEST_MYSQL=PATH of the former,
// SPINDLE_TEST_SERVER_BINARY=PATH of whichever.
class MysqlTest : public ::testing::Test {
 protected:
  void SetUp() override;

  // As root over the Unix socket, without a database; host and port are set too, for tests that clear `socket`.
  static const drivers::ConnectionOptions& connection();
  static std::string fresh_database();  // the name of a new, empty schema; it stays until the process ends
  static std::unique_ptr<drivers::Session> connect();  // a new session with the default driver
};

// The same for tests that have no fixture class of their own.
const drivers::ConnectionOptions& shared_connection();
std::string fresh_database();
// Where servers of tests live: SPINDLE_TEST_DIRECTORY, else memory where there is enough, else the temporary directory.
std::filesystem::path quick_directory();
std::string chosen_server_binary();        // a path or name for --server-binary, or empty: the first that is found
std::string reason_without_server();       // empty where it is there; throws where it has to be and is not
server::ThrowawayServer& shared_server();  // throws when it cannot be started

}  // namespace spindle::test_support
