#include <gtest/gtest.h>

#include <cstdlib>

#include "server/server.h"
#include "tests/server/scratch_directory.h"

namespace spindle::server {
namespace {

constexpr const char* kMariadb = "mariadbd  Ver 10.11.6-MariaDB-0+deb12u1 for debian-linux-gnu on x86_64 (Debian 12)";
constexpr const char* kMysql = "/usr/sbin/mysqld  Ver 8.0.36-0ubuntu0.22.04.1 for Linux on x86_64 ((Ubuntu))";

TEST(FindServer, APathToABinaryIsAskedWhatItIs) {
  const ScratchDirectory scratch;
  const auto path = scratch.program("my-own-server", kMariadb);
  const ServerBinary found = find_server(path.string());
  EXPECT_EQ(found.path, path);
  EXPECT_EQ(found.flavour, Flavour::mariadb);
  EXPECT_EQ(found.version, "10.11.6-MariaDB-0+deb12u1");
}

TEST(FindServer, ABaseDirectoryIsSearched) {
  const ScratchDirectory scratch;
  const auto path = scratch.program("mysql-8.0/bin/mysqld", kMysql);
  const ServerBinary found = find_server((scratch.path() / "mysql-8.0").string());
  EXPECT_EQ(found.path, path);
  EXPECT_EQ(found.flavour, Flavour::mysql);
  EXPECT_EQ(found.version, "8.0.36-0ubuntu0.22.04.1");
}

TEST(FindServer, TheDirectoryThatHoldsTheBinaryWillDo) {
  const ScratchDirectory scratch;
  const auto path = scratch.program("bin/mariadbd", kMariadb);
  EXPECT_EQ(find_server((scratch.path() / "bin").string()).path, path);
}

TEST(FindServer, ADirectoryWithoutAServerIsNamed) {
  const ScratchDirectory scratch;
  const std::string message = message_of([&] { find_server(scratch.path().string()); });
  EXPECT_EQ(message, "no mysqld or mariadbd in '" + scratch.path().string() + "' or its bin, sbin or libexec");
}

TEST(FindServer, AMissingPathIsNamed) {
  EXPECT_EQ(message_of([] { find_server("/nonexistent/mysqld"); }), "no server at '/nonexistent/mysqld': no such file");
}

TEST(FindServer, AFileThatCannotBeRunIsNamed) {
  const ScratchDirectory scratch;
  const auto path = scratch.write("mysqld", "text");
  EXPECT_EQ(message_of([&] { find_server(path.string()); }),
            "cannot use the server '" + path.string() + "': it is not an executable file");
}

TEST(FindServer, AProgramThatIsNoServerIsNamed) {
  const ScratchDirectory scratch;
  const auto path = scratch.program("mysqld", "hello");
  EXPECT_EQ(message_of([&] { find_server(path.string()); }),
            "cannot use the server '" + path.string() + "': it does not say its version, but 'hello'");
}

TEST(FindServer, AnUnknownNameNamesThePackagesAndTheOption) {
  const std::string message = message_of([] { find_server("no-such-server"); });
  EXPECT_NE(message.find("mariadb-server-core"), std::string::npos) << message;
  EXPECT_NE(message.find("mysql-server-core"), std::string::npos) << message;
  EXPECT_NE(message.find("--server-binary"), std::string::npos) << message;
}

}  // namespace
}  // namespace spindle::server
