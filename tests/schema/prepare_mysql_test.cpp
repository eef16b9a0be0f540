#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "schema/check.h"
#include "schema/prepare.h"
#include "tests/support/server_fixture.h"

namespace spindle::schema {
namespace {

class PrepareOnServer : public test_support::MysqlTest {
 protected:
  void SetUp() override {
    MysqlTest::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    driver_ = drivers::make_driver(drivers::kDefaultDriver);
    connection_ = connection();
    connection_.database = fresh_database();
    session_ = driver_->connect(connection_);
  }

  void prepare(const SchemaOptions& options) { schema::prepare(*driver_, connection_, options, stop_); }
  std::string one(const std::string& sql) { return session_->query(sql).at(0).at(0); }
  std::vector<std::string> tables() {
    std::vector<std::string> names;
    for (const drivers::Row& row : session_->query("SHOW TABLES")) names.push_back(row.at(0));
    return names;
  }
  static SchemaOptions both_kinds() {
    SchemaOptions options;
    options.kinds = {"sbtest", "status"};
    options.tables = 2;
    options.table_size = 1'000;
    options.status_rows = 2'000;
    return options;
  }
  static std::string message_of(const std::function<void()>& action) {
    try {
      action();
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "nothing was thrown";
  }

  std::unique_ptr<drivers::Driver> driver_;
  drivers::ConnectionOptions connection_;
  std::unique_ptr<drivers::Session> session_;
  core::StopRequest stop_;
};

// Without display widths, quotes around 0 apart, engine options and collation: servers differ in these.
std::string plain(std::string create) {
  create.erase(std::remove(create.begin(), create.end(), '`'), create.end());
  create.erase(std::remove(create.begin(), create.end(), '\n'), create.end());
  for (const std::string& noise : {std::string("(11)"), std::string("(10)")}) {
    for (std::size_t at = create.find(noise); at != std::string::npos; at = create.find(noise)) {
      create.erase(at, noise.size());
    }
  }
  for (std::size_t at = create.find("'0'"); at != std::string::npos; at = create.find("'0'"))
    create.replace(at, 3, "0");
  for (std::size_t at = create.find("  "); at != std::string::npos; at = create.find("  ")) create.erase(at, 1);
  return create;
}

TEST_F(PrepareOnServer, SbtestHasExactlySysbenchsStructure) {
  prepare(both_kinds());
  const std::string create = plain(session_->query("SHOW CREATE TABLE sbtest2").at(0).at(1));
  EXPECT_TRUE(
      create.starts_with("CREATE TABLE sbtest2 ( id int NOT NULL AUTO_INCREMENT, k int NOT NULL DEFAULT 0, c "
                         "char(120) NOT NULL DEFAULT '', pad char(60) NOT NULL DEFAULT '', PRIMARY KEY (id), "
                         "KEY k_2 (k)) ENGINE=InnoDB AUTO_INCREMENT=1001 "))
      << create;
}

TEST_F(PrepareOnServer, StatusHasTheFulltextKeyAndTheCharset) {
  prepare(both_kinds());
  const std::string create = plain(session_->query("SHOW CREATE TABLE status").at(0).at(1));
  EXPECT_TRUE(create.starts_with(
      "CREATE TABLE status ( id int unsigned NOT NULL AUTO_INCREMENT, time int NOT NULL, uid int NOT NULL, status "
      "varchar(32) NOT NULL, PRIMARY KEY (id), FULLTEXT KEY status (status)) ENGINE=InnoDB AUTO_INCREMENT=2001 DEFAULT "
      "CHARSET=cp1251"))
      << create;
}

TEST_F(PrepareOnServer, EveryRowIsThere) {
  prepare(both_kinds());
  const std::map<std::string, std::uint64_t> expected{{"sbtest1", 1'000}, {"sbtest2", 1'000}, {"status", 2'000}};
  EXPECT_EQ(count_rows(*session_, both_kinds()), expected);
  EXPECT_EQ(one("SELECT MIN(id) + MAX(id) FROM sbtest1"), "1001");
  EXPECT_TRUE(check(*session_, both_kinds(), CheckDepth::row_counts).empty());
}

TEST_F(PrepareOnServer, OneAndFourThreadsLoadTheSameRows) {
  SchemaOptions options = both_kinds();
  options.table_size = 25'000;
  options.threads = 1;
  const std::string checksum = "CHECKSUM TABLE sbtest1, sbtest2, status";
  prepare(options);
  const auto serial = session_->query(checksum);
  cleanup(*session_, options);
  options.threads = 4;
  prepare(options);
  EXPECT_EQ(session_->query(checksum), serial);
  EXPECT_EQ(serial.size(), 3u);
  EXPECT_NE(serial.at(0).at(1), serial.at(1).at(1));
}

TEST_F(PrepareOnServer, LikeAndFulltextFindTheSameRows) {
  SchemaOptions options = both_kinds();
  prepare(options);
  const std::string word = one("SELECT SUBSTRING(status, 6, 4) FROM status WHERE id = 77");
  const std::string like = one("SELECT COUNT(*) FROM status WHERE status LIKE '%" + word + "%'");
  EXPECT_EQ(one("SELECT COUNT(*) FROM status WHERE MATCH(status) AGAINST ('" + word + "')"), like);
  EXPECT_GE(std::stoi(like), 1);
  EXPECT_LE(std::stoi(like), 40);
}

TEST_F(PrepareOnServer, AnExistingTableIsNamedAndLeftAlone) {
  session_->run("CREATE TABLE sbtest2 (x int)");
  session_->run("INSERT INTO sbtest2 VALUES (1), (2), (3)");
  const std::string message = message_of([&] { prepare(both_kinds()); });
  EXPECT_NE(message.find("table 'sbtest2' exists in "), std::string::npos) << message;
  EXPECT_NE(message.find("has 3 rows"), std::string::npos) << message;
  EXPECT_NE(message.find("spindle oltp cleanup"), std::string::npos) << message;
  EXPECT_EQ(tables(), std::vector<std::string>{"sbtest2"});
  EXPECT_EQ(one("SELECT COUNT(*) FROM sbtest2"), "3");
}

TEST_F(PrepareOnServer, AMissingDatabaseIsSaidWithTheCure) {
  connection_.database = "no_such_database";
  const std::string message = message_of([&] { prepare(both_kinds()); });
  EXPECT_NE(message.find("create it first: CREATE DATABASE no_such_database"), std::string::npos) << message;
}

TEST_F(PrepareOnServer, ProgressEndsAtTheTotal) {
  std::atomic<std::uint64_t> highest{0}, total{0};
  schema::prepare(*driver_, connection_, both_kinds(), stop_, [&](const LoadProgress& progress) {
    total = progress.rows_total;
    std::uint64_t seen = highest;
    while (seen < progress.rows_done && !highest.compare_exchange_weak(seen, progress.rows_done)) {
    }
  });
  EXPECT_EQ(highest, 4'000u);
  EXPECT_EQ(total, 4'000u);
}

TEST_F(PrepareOnServer, AStopRequestEndsTheLoadAndDropsItsTables) {
  SchemaOptions options = both_kinds();
  options.table_size = 1'000'000;
  session_->run("CREATE TABLE bystander (x int)");
  EXPECT_THROW(
      schema::prepare(*driver_, connection_, options, stop_, [&](const LoadProgress&) { stop_.raise(SIGINT); }),
      core::Interrupted);
  EXPECT_EQ(tables(), std::vector<std::string>{"bystander"});
}

TEST_F(PrepareOnServer, AStopRequestEndsTheBuildingOfAnIndex) {
  SchemaOptions options = both_kinds();
  options.kinds = {"status"};
  options.status_rows = 60'000;
  const auto stop_at_the_last_row = [&](const LoadProgress& progress) {
    if (progress.rows_done == progress.rows_total) stop_.raise(SIGINT);
  };
  EXPECT_THROW(schema::prepare(*driver_, connection_, options, stop_, stop_at_the_last_row), core::Interrupted);
  EXPECT_TRUE(tables().empty());
}

TEST_F(PrepareOnServer, AnErrorOfOneLoadingThreadEndsAllAndIsThrown) {
  SchemaOptions options = both_kinds();
  options.table_size = 1'000'000;
  const auto fail = [](const LoadProgress&) { throw std::runtime_error("the disk is full"); };
  EXPECT_EQ(message_of([&] { schema::prepare(*driver_, connection_, options, stop_, fail); }), "the disk is full");
  EXPECT_TRUE(tables().empty());
}

TEST_F(PrepareOnServer, AFailureDropsOnlyWhatThisLoadMade) {
  SchemaOptions options = both_kinds();
  options.charset = "no_such_charset";
  session_->run("CREATE TABLE bystander (x int)");
  EXPECT_THROW(prepare(options), drivers::DbError);
  EXPECT_EQ(tables(), std::vector<std::string>{"bystander"});
}

TEST_F(PrepareOnServer, StatementsStayBelowASmallPacketLimit) {
  const std::string before = one("SELECT @@GLOBAL.max_allowed_packet");
  session_->run("SET GLOBAL max_allowed_packet = 16384");
  const std::string message = message_of([&] { prepare(both_kinds()); });
  session_->run("SET GLOBAL max_allowed_packet = " + before);
  EXPECT_EQ(message, "nothing was thrown");
  EXPECT_EQ(one("SELECT COUNT(*) FROM sbtest1"), "1000");
}

TEST_F(PrepareOnServer, CheckNamesWhatIsMissingShortOrDifferent) {
  prepare(both_kinds());
  session_->run("DROP TABLE sbtest1");
  session_->run("DELETE FROM sbtest2 WHERE id = 5");
  session_->run("ALTER TABLE status DROP KEY status");
  const std::vector<std::string> problems = check(*session_, both_kinds(), CheckDepth::row_counts);
  ASSERT_EQ(problems.size(), 3u);
  EXPECT_EQ(problems[0], "table 'sbtest1' is missing: run 'spindle oltp prepare' first");
  EXPECT_TRUE(problems[1].starts_with("table 'sbtest2' has 999 rows, 999 of the 1,000 wanted: ")) << problems[1];
  EXPECT_TRUE(problems[2].starts_with(
      "table 'status' has the indexes [PRIMARY (id)] instead of [PRIMARY (id), status (status) fulltext]: "))
      << problems[2];
}

TEST_F(PrepareOnServer, CheckCallsRowsThatRunsHaveAddedANoteAndNoProblem) {
  prepare(both_kinds());
  session_->run("INSERT INTO sbtest1 (id, k, c, pad) VALUES (-7, 1, 'c', 'pad'), (5000, 1, 'c', 'pad')");
  session_->run("DELETE FROM sbtest2 WHERE id = 5");
  session_->run("INSERT INTO sbtest2 (id, k, c, pad) VALUES (-7, 1, 'c', 'pad')");
  std::vector<std::string> notes;
  const std::vector<std::string> problems = check(*session_, both_kinds(), CheckDepth::row_counts, &notes);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_TRUE(problems[0].starts_with("table 'sbtest2' has 1,000 rows, 999 of the 1,000 wanted: ")) << problems[0];
  EXPECT_EQ(notes, std::vector<std::string>{"table 'sbtest1' has 2 more rows than prepared, and all 1,000 that were"});
}

TEST_F(PrepareOnServer, CheckSeesATableThatIsSmallerThanTheOptionsSay) {
  prepare(both_kinds());
  SchemaOptions larger = both_kinds();
  larger.kinds = {"sbtest"};
  larger.tables = 1;
  larger.table_size = 5'000;
  const std::vector<std::string> problems = check(*session_, larger, CheckDepth::structure);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_TRUE(problems[0].starts_with("table 'sbtest1' ends at id 1,000, and 5,000 rows are wanted: ")) << problems[0];
}

TEST_F(PrepareOnServer, CleanupDropsItsTablesAndNoOther) {
  prepare(both_kinds());
  session_->run("CREATE TABLE sbtest3 (x int)");
  EXPECT_EQ(cleanup(*session_, both_kinds()), (std::vector<std::string>{"sbtest1", "sbtest2", "status"}));
  EXPECT_EQ(tables(), std::vector<std::string>{"sbtest3"});
  EXPECT_TRUE(cleanup(*session_, both_kinds()).empty());
}

TEST_F(PrepareOnServer, CleanupTakesATableThatSysbenchMadeWithoutItsIndex) {
  session_->run(
      "CREATE TABLE sbtest1 (id INTEGER NOT NULL, k INTEGER DEFAULT '0' NOT NULL, c CHAR(120) DEFAULT '' NOT NULL, pad "
      "CHAR(60) DEFAULT '' NOT NULL, PRIMARY KEY (id))");
  EXPECT_EQ(cleanup(*session_, both_kinds()), std::vector<std::string>{"sbtest1"});
}

TEST_F(PrepareOnServer, CleanupRefusesAForeignTableAndDropsNothing) {
  SchemaOptions options = both_kinds();
  prepare(options);
  session_->run("DROP TABLE sbtest2");
  session_->run("CREATE TABLE sbtest2 (id INTEGER NOT NULL PRIMARY KEY, invoices CHAR(120))");
  const std::string message = message_of([&] { cleanup(*session_, options); });
  EXPECT_TRUE(message.starts_with("table 'sbtest2' was made by neither spindle nor sysbench")) << message;
  EXPECT_EQ(tables(), (std::vector<std::string>{"sbtest1", "sbtest2", "status"}));
}

TEST_F(PrepareOnServer, CleanupRefusesAView) {
  session_->run("CREATE VIEW sbtest1 AS SELECT 1 AS id");
  const std::string message = message_of([&] { cleanup(*session_, both_kinds()); });
  EXPECT_TRUE(message.starts_with("table 'sbtest1' was made by neither spindle nor sysbench")) << message;
  EXPECT_EQ(tables(), std::vector<std::string>{"sbtest1"});
}

}  // namespace
}  // namespace spindle::schema
