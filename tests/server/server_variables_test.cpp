#include "server/server_variables.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "server/initialise.h"
#include "tests/server/scratch_directory.h"

namespace spindle::server {
namespace {

constexpr std::uint64_t kMebibyte = 1U << 20U;
const ServerBinary kMariadb{"/usr/sbin/mariadbd", Flavour::mariadb, "10.11.6-MariaDB"};
const ServerBinary kMysql{"/usr/sbin/mysqld", Flavour::mysql, "9.7.0"};
const ServerBinary kOldMysql{"/usr/sbin/mysqld", Flavour::mysql, "8.0.28"};

// The value of a variable; "(not set)" when there is none.
std::string value_of(const Variables& variables, const std::string& name) {
  const auto found = std::find_if(variables.begin(), variables.end(), [&](const auto& v) { return v.first == name; });
  return found == variables.end() ? "(not set)" : found->second;
}

TEST(ServerVariables, DashesCaseAndALeadingPairOfDashesDoNotMatter) {
  EXPECT_EQ(normalise_variable("innodb-flush-method"), "innodb_flush_method");
  EXPECT_EQ(normalise_variable("--Innodb_Flush-Method"), "innodb_flush_method");
}

TEST(ServerVariables, ANameOfOtherCharactersIsRefused) {
  EXPECT_EQ(message_of([] { normalise_variable("a b"); }),
            "'a b' is no server variable: letters, digits, '_', '-' and '.'");
  EXPECT_EQ(message_of([] { normalise_variable(""); }), "a server variable without a name: want variable=value");
}

TEST(ServerVariables, WhatSpindleMustSetItselfIsRefused) {
  EXPECT_EQ(message_of([] { normalise_variable("data-dir"); }), "") << "another variable";
  EXPECT_EQ(message_of([] { normalise_variable("datadir"); }),
            "cannot set the server variable 'datadir': spindle sets it itself for a throwaway server");
  EXPECT_THROW(normalise_variable("bind-address"), std::invalid_argument);
  EXPECT_THROW(normalise_variable("innodb-log-group-home-dir"), std::invalid_argument);
}

TEST(ServerVariables, TheDefaultsAreDurableAndReachTheDisk) {
  const Variables variables = merge_variables(kMariadb, 512 * kMebibyte, {});
  EXPECT_EQ(value_of(variables, "innodb_buffer_pool_size"), "536870912");
  EXPECT_EQ(value_of(variables, "innodb_flush_log_at_trx_commit"), "1");
  EXPECT_EQ(value_of(variables, "sync_binlog"), "1");
  EXPECT_EQ(value_of(variables, "innodb_flush_method"), "O_DIRECT");
  EXPECT_EQ(value_of(variables, "innodb_doublewrite"), "ON");
  EXPECT_EQ(value_of(variables, "innodb_buffer_pool_load_at_startup"), "OFF");
  EXPECT_EQ(value_of(variables, "skip_log_bin"), "ON");
}

TEST(ServerVariables, RedoIsHalfTheBufferPoolUnderTheFlavoursOwnName) {
  EXPECT_EQ(value_of(merge_variables(kMariadb, 512 * kMebibyte, {}), "innodb_log_file_size"), "268435456");
  EXPECT_EQ(value_of(merge_variables(kMysql, 512 * kMebibyte, {}), "innodb_redo_log_capacity"), "268435456");
  EXPECT_EQ(value_of(merge_variables(kOldMysql, 512 * kMebibyte, {}), "innodb_log_file_size"), "134217728");
  EXPECT_EQ(value_of(merge_variables(kOldMysql, 512 * kMebibyte, {}), "innodb_redo_log_capacity"), "(not set)");
}

TEST(ServerVariables, RedoStaysBetween64MebibytesAndAGibibyte) {
  EXPECT_EQ(value_of(merge_variables(kMysql, 8 * kMebibyte, {}), "innodb_redo_log_capacity"), "67108864");
  EXPECT_EQ(value_of(merge_variables(kMysql, 65536 * kMebibyte, {}), "innodb_redo_log_capacity"), "1073741824");
}

TEST(ServerVariables, TheUsersValueReplacesSpindlesAndTheLastOneCounts) {
  const Variables variables =
      merge_variables(kMysql, kMebibyte, {{"innodb-flush-method", "fsync"}, {"a_b", "1"}, {"a-b", "2"}});
  EXPECT_EQ(value_of(variables, "innodb_flush_method"), "fsync");
  EXPECT_EQ(value_of(variables, "a_b"), "2");
  EXPECT_EQ(std::count_if(variables.begin(), variables.end(), [](const auto& v) { return v.first == "a_b"; }), 1);
}

TEST(ServerVariables, AUsersBinlogIsNotSwitchedOff) {
  EXPECT_EQ(value_of(merge_variables(kMysql, kMebibyte, {{"log-bin", "binlog"}}), "skip_log_bin"), "(not set)");
}

TEST(InitialiseCommand, MysqlInitialisesByItself) {
  const Variables variables = {{"innodb_page_size", "8192"}};
  const std::vector<std::string> expected = {"/usr/sbin/mysqld", "--no-defaults", "--initialize-insecure",
                                             "--datadir=/mnt/x/data", "--innodb_page_size=8192"};
  EXPECT_EQ(initialise_command({kMysql, "/mnt/x/data", variables, false}), expected);
}

TEST(InitialiseCommand, MariadbUsesTheScriptOfItsOwnInstallation) {
  const ScratchDirectory scratch;
  scratch.program("bin/mariadbd", "");
  const auto script = scratch.program("scripts/mariadb-install-db", "");
  const ServerBinary binary{scratch.path() / "bin/mariadbd", Flavour::mariadb, "11.4.2-MariaDB"};
  const auto arguments = initialise_command({binary, "/mnt/x y/data", {}, false});
  ASSERT_GE(arguments.size(), 4U);
  EXPECT_EQ(arguments[0], script);
  EXPECT_EQ(arguments[2], "--basedir=" + scratch.path().string());
  EXPECT_EQ(arguments[3], "--datadir=/mnt/x y/data");
}

TEST(AccountStatements, EveryRootAccountHasThePassword) {
  const std::string sql = account_statements(Flavour::mysql, "Secret1");
  EXPECT_NE(sql.find("ALTER USER 'root'@'localhost' IDENTIFIED BY 'Secret1';\n"), std::string::npos) << sql;
  EXPECT_NE(sql.find("'root'@'127.0.0.1' IDENTIFIED BY 'Secret1';\n"), std::string::npos) << sql;
}

}  // namespace
}  // namespace spindle::server
