// What every driver promises, on a real server: each registered driver that speaks to one, in both modes.
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstdint>
#include <limits>
#include <string>
#include <thread>
#include <tuple>

#include "tests/support/server_fixture.h"

namespace spindle::drivers {
namespace {

using namespace std::chrono_literals;
using namespace std::string_literals;

constexpr auto kSmallest = std::numeric_limits<std::int64_t>::min();
constexpr auto kLargest = std::numeric_limits<std::int64_t>::max();

template <class Call>
DbError error_of(Call&& call) {
  try {
    call();
  } catch (const DbError& error) {
    return error;
  }
  ADD_FAILURE() << "no error";
  return DbError(0, "", "no error");
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::vector<std::string> drivers_with_a_server() {
  std::vector<std::string> names = DriverRegistry::instance().names();
  std::erase(names, "null");
  return names;
}

class DriverContract : public test_support::MysqlTest,
                       public ::testing::WithParamInterface<std::tuple<std::string, PreparedMode>> {
 protected:
  void SetUp() override {
    MysqlTest::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    driver_ = make_driver(std::get<0>(GetParam()));
    options_ = connection();
    options_.prepared = std::get<1>(GetParam());
    static const std::string database = fresh_database();
    options_.database = database;
    session_ = connect();
    session_->run("DROP TABLE IF EXISTS t");
    session_->run("CREATE TABLE t (id BIGINT PRIMARY KEY, s VARCHAR(200), b BLOB) CHARACTER SET utf8mb4");
  }

  std::unique_ptr<Session> connect() const { return driver_->connect(options_); }
  ConnectionOptions over_tcp() const {
    ConnectionOptions options = options_;
    options.socket.clear();
    return options;
  }
  static ExecuteOutcome execute(Session& session, StatementId statement, std::vector<Parameter> parameters = {}) {
    EXPECT_TRUE(session.start(statement, parameters));
    return session.take_outcome();
  }
  ExecuteOutcome execute(StatementId statement, std::vector<Parameter> parameters = {}) {
    return execute(*session_, statement, std::move(parameters));
  }

  std::unique_ptr<Driver> driver_;
  ConnectionOptions options_;
  std::unique_ptr<Session> session_;
};

INSTANTIATE_TEST_SUITE_P(Registered, DriverContract,
                         ::testing::Combine(::testing::ValuesIn(drivers_with_a_server()),
                                            ::testing::Values(PreparedMode::server, PreparedMode::text)),
                         [](const auto& parameter) {
                           return std::get<0>(parameter.param) +
                                  (std::get<1>(parameter.param) == PreparedMode::server ? "_server" : "_text");
                         });
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(DriverContract);

TEST_P(DriverContract, IntegersArriveWithAll64BitsAndTheirSign) {
  const StatementId insert = session_->prepare("INSERT INTO t (id) VALUES (?)");
  execute(insert, {kSmallest});
  execute(insert, {std::int64_t{-5}});
  execute(insert, {kLargest});
  EXPECT_EQ(session_->query("SELECT id FROM t ORDER BY id"),
            (std::vector<Row>{{"-9223372036854775808"}, {"-5"}, {"9223372036854775807"}}));
}

TEST_P(DriverContract, StringsArriveUnchanged) {
  const StatementId insert = session_->prepare("INSERT INTO t (id, s) VALUES (?, ?)");
  execute(insert, {std::int64_t{1}, std::string_view("it's a \\ \"b\" `c` ? -- /* % _")});
  execute(insert, {std::int64_t{2}, std::string_view("")});
  execute(insert, {std::int64_t{3}, std::string_view("\xd1\x8f \xe2\x82\xac \xf0\x9f\x90\xac")});
  EXPECT_EQ(session_->query("SELECT s FROM t ORDER BY id"),
            (std::vector<Row>{{"it's a \\ \"b\" `c` ? -- /* % _"}, {""}, {"\xd1\x8f \xe2\x82\xac \xf0\x9f\x90\xac"}}));
}

TEST_P(DriverContract, BytesArriveUnchanged) {
  const std::string bytes = "\0\x01\x1a\n\r\\'\"\xff\xfe\xc3"s;
  execute(session_->prepare("INSERT INTO t (id, b) VALUES (1, ?)"), {std::string_view(bytes)});
  EXPECT_EQ(session_->query("SELECT HEX(b) FROM t"), (std::vector<Row>{{"00011A0A0D5C2722FFFEC3"}}));
}

TEST_P(DriverContract, AStringMayGrowAndChangeItsTypeBetweenExecutions) {
  const StatementId insert = session_->prepare("INSERT INTO t (id, s) VALUES (?, ?)");
  execute(insert, {std::int64_t{1}, std::string_view("short")});
  const std::string longer(200, 'x');
  execute(insert, {std::int64_t{2}, std::string_view(longer)});
  execute(insert, {std::string_view("3"), std::int64_t{-7}});
  execute(insert, {std::int64_t{4}, std::string_view("b")});
  EXPECT_EQ(session_->query("SELECT s FROM t ORDER BY id"), (std::vector<Row>{{"short"}, {longer}, {"-7"}, {"b"}}));
}

TEST_P(DriverContract, QuestionMarksInQuotesAreNoPlaceholders) {
  const StatementId select = session_->prepare("SELECT '?' FROM (SELECT ? AS a) x WHERE a <> '?'");
  EXPECT_EQ(execute(select, {std::string_view("b")}).rows, 1U);
  EXPECT_EQ(execute(select, {std::string_view("?")}).rows, 0U);
}

TEST_P(DriverContract, RowsAreDrainedAndCounted) {
  session_->run("INSERT INTO t (id, s) VALUES (1,'a'),(2,NULL),(3,REPEAT('x',200))");
  const StatementId select = session_->prepare("SELECT * FROM t WHERE id >= ?");
  EXPECT_EQ(execute(select, {std::int64_t{1}}).rows, 3U);
  EXPECT_EQ(execute(select, {std::int64_t{3}}).rows, 1U);
  EXPECT_EQ(execute(select, {std::int64_t{4}}).rows, 0U);
  EXPECT_EQ(session_->run("SELECT * FROM t").rows, 3U);
  EXPECT_EQ(execute(select, {std::int64_t{1}}).affected, 0U);
}

TEST_P(DriverContract, ChangedRowsAreCounted) {
  session_->run("INSERT INTO t (id, s) VALUES (1,'a'),(2,'b'),(3,'c')");
  const StatementId update = session_->prepare("UPDATE t SET s = ? WHERE id >= ?");
  EXPECT_EQ(execute(update, {std::string_view("c"), std::int64_t{1}}).affected, 2U) << "one held it already";
  EXPECT_EQ(execute(update, {std::string_view("d"), std::int64_t{9}}).affected, 0U);
  EXPECT_EQ(session_->run("DELETE FROM t").affected, 3U);
}

TEST_P(DriverContract, QueryReadsNullAsText) {
  EXPECT_EQ(session_->query("SELECT NULL, 1, ''"), (std::vector<Row>{{"NULL", "1", ""}}));
}

TEST_P(DriverContract, EveryResultSetOfACallIsDrained) {
  session_->run("DROP PROCEDURE IF EXISTS two_results");
  session_->run("CREATE PROCEDURE two_results() BEGIN SELECT 1 UNION SELECT 2; SELECT 3; END");
  const StatementId call = session_->prepare("CALL two_results()");
  EXPECT_EQ(execute(call).rows, 3U);
  EXPECT_EQ(execute(call).rows, 3U);
  EXPECT_EQ(session_->run("CALL two_results()").rows, 3U);
  EXPECT_EQ(session_->query("CALL two_results()"), (std::vector<Row>{{"1"}, {"2"}}));
  EXPECT_EQ(session_->query("SELECT 4"), (std::vector<Row>{{"4"}}));
}

TEST_P(DriverContract, BeginAndCommitCanBeStatements) {
  const StatementId begin = session_->prepare("BEGIN");
  const StatementId rollback = session_->prepare("ROLLBACK");
  execute(begin);
  session_->run("INSERT INTO t (id) VALUES (1)");
  execute(rollback);
  EXPECT_EQ(session_->query("SELECT COUNT(*) FROM t"), (std::vector<Row>{{"0"}}));
}

TEST_P(DriverContract, AnErrorKeepsNumberStateAndStatementAndTheSessionLives) {
  const StatementId insert = session_->prepare("INSERT INTO t (id) VALUES (?)");
  execute(insert, {std::int64_t{1}});
  const DbError duplicate = error_of([&] { execute(insert, {std::int64_t{1}}); });
  EXPECT_EQ(duplicate.number(), 1062U);
  EXPECT_EQ(duplicate.sqlstate(), "23000");
  EXPECT_TRUE(contains(duplicate.statement(), "INSERT INTO t (id) VALUES (")) << duplicate.statement();
  EXPECT_TRUE(contains(duplicate.what(), "Duplicate entry '1'")) << duplicate.what();
  execute(insert, {std::int64_t{2}});
}

TEST_P(DriverContract, AnErrorWhileRowsArriveLeavesTheSessionUsable) {
  session_->run("INSERT INTO t (id) VALUES (1),(2)");
  const StatementId select =
      session_->prepare("SELECT (SELECT x.id FROM t x WHERE x.id >= t.id) FROM t ORDER BY id DESC");
  EXPECT_EQ(error_of([&] { execute(select); }).number(), 1242U);
  EXPECT_EQ(error_of([&] { execute(select); }).number(), 1242U);
  EXPECT_EQ(session_->query("SELECT 1"), (std::vector<Row>{{"1"}}));
}

TEST_P(DriverContract, AWrongNumberOfParametersIsAnErrorAndTheSessionLives) {
  const StatementId insert = session_->prepare("INSERT INTO t (id) VALUES (?)");
  EXPECT_EQ(error_of([&] { execute(insert); }).number(), 2031U);
  EXPECT_EQ(execute(insert, {std::int64_t{1}}).affected, 1U);
}

TEST_P(DriverContract, WorksOverTcp) {
  const auto session = driver_->connect(over_tcp());
  EXPECT_EQ(execute(*session, session->prepare("SELECT ?"), {std::int64_t{1}}).rows, 1U);
}

TEST_P(DriverContract, SpeaksUtf8mb4AndRefusesLocalFiles) {
  EXPECT_EQ(session_->query("SELECT @@character_set_client, @@character_set_results"),
            (std::vector<Row>{{"utf8mb4", "utf8mb4"}}));
  EXPECT_NE(error_of([&] { session_->run("LOAD DATA LOCAL INFILE '/etc/hostname' INTO TABLE t (s)"); }).number(), 0U);
}

TEST_P(DriverContract, NamesTheServersVersion) {
  EXPECT_EQ(session_->server_version(), session_->query("SELECT VERSION()")[0][0]);
}

TEST_P(DriverContract, AnInterruptEndsABlockingCallWithinASecond) {
  const StatementId sleep = session_->prepare("SELECT SLEEP(30)");
  const auto start = std::chrono::steady_clock::now();
  std::jthread interrupter([&] {
    std::this_thread::sleep_for(100ms);
    session_->interrupt();
  });
  EXPECT_EQ(error_of([&] { execute(sleep); }).number(), 2013U);
  EXPECT_LT(std::chrono::steady_clock::now() - start, 1100ms);
  session_->interrupt();  // again, on a lost session
}

TEST_P(DriverContract, AReadTimeoutEndsABlockingCall) {
  options_.read_timeout = 1s;
  const auto session = connect();
  EXPECT_EQ(error_of([&] { session->run("SELECT SLEEP(30)"); }).number(), 2013U);
}

TEST_P(DriverContract, AKilledConnectionIsLostForGoodAndClosesQuietly) {
  auto victim = connect();
  const StatementId select = victim->prepare("SELECT id FROM t");
  victim->prepare("SELECT s FROM t");
  session_->run("KILL " + victim->query("SELECT CONNECTION_ID()")[0][0]);
  const unsigned first = error_of([&] { execute(*victim, select); }).number();
  EXPECT_TRUE(first == 2006 || first == 2013) << first;
  EXPECT_EQ(error_of([&] { execute(*victim, select); }).number(), 2006U);
  EXPECT_EQ(error_of([&] { victim->prepare("SELECT 1"); }).number(), 2006U);
  victim.reset();
  EXPECT_EQ(session_->query("SELECT 1"), (std::vector<Row>{{"1"}}));
}

TEST_P(DriverContract, AWrongPasswordNamesUserAndPlaceButNotThePassword) {
  options_.password = "tops3cret";
  const DbError error = error_of([&] { connect(); });
  EXPECT_EQ(error.number(), 1045U);
  EXPECT_TRUE(contains(error.what(), "root@" + options_.socket)) << error.what();
  EXPECT_FALSE(contains(error.what(), "tops3cret")) << error.what();
}

TEST_P(DriverContract, AMissingSocketIsNamed) {
  options_.socket = "/nonexistent/mysql.sock";
  const DbError error = error_of([&] { connect(); });
  EXPECT_EQ(error.number(), 2002U);
  EXPECT_TRUE(contains(error.what(), "/nonexistent/mysql.sock")) << error.what();
}

TEST_P(DriverContract, AClosedPortIsNamed) {
  options_ = over_tcp();
  options_.port = 1;
  const DbError error = error_of([&] { connect(); });
  EXPECT_TRUE(error.number() == 2002 || error.number() == 2003) << error.number();
  EXPECT_TRUE(contains(error.what(), "root@127.0.0.1:1")) << error.what();
}

TEST_P(DriverContract, RequiredEncryptionIsUsedOrFails) {
  options_ = over_tcp();
  options_.ssl_mode = SslMode::required;
  const bool server_can = session_->query("SHOW VARIABLES LIKE 'have_ssl'") == std::vector<Row>{{"have_ssl", "YES"}} ||
                          !contains(session_->server_version(), "MariaDB");
  if (server_can) {
    EXPECT_NE(connect()->query("SHOW STATUS LIKE 'Ssl_cipher'")[0][1], "");
  } else {
    EXPECT_EQ(error_of([&] { connect(); }).number(), 2026U);
  }
}

TEST_P(DriverContract, DisabledEncryptionIsNotUsed) {
  options_ = over_tcp();
  options_.ssl_mode = SslMode::disabled;
  EXPECT_EQ(connect()->query("SHOW STATUS LIKE 'Ssl_cipher'")[0][1], "");
}

TEST_P(DriverContract, ACancelledConnectToAHungServerGivesUpSoon) {
  const pid_t server = test_support::shared_server().process_id();
  core::StopRequest cancel;
  ASSERT_EQ(::kill(server, SIGSTOP), 0);
  std::jthread canceller([&] {
    std::this_thread::sleep_for(100ms);
    cancel.raise(SIGINT);
  });
  const auto start = std::chrono::steady_clock::now();
  const DbError error = error_of([&] { driver_->connect(options_, &cancel); });
  EXPECT_LT(std::chrono::steady_clock::now() - start, 1100ms);
  ::kill(server, SIGCONT);
  EXPECT_EQ(error.number(), 2013U);
  EXPECT_TRUE(contains(error.what(), "interrupted")) << error.what();
}

TEST_P(DriverContract, AConnectThatIsNotCancelledSucceeds) {
  const core::StopRequest cancel;
  EXPECT_EQ(driver_->connect(options_, &cancel)->query("SELECT 1"), (std::vector<Row>{{"1"}}));
}

TEST_P(DriverContract, AHungServerCannotHoldAConnectBeyondItsTimeout) {
  const pid_t server = test_support::shared_server().process_id();
  options_.connect_timeout = 1s;
  ASSERT_EQ(::kill(server, SIGSTOP), 0);
  const auto start = std::chrono::steady_clock::now();
  const DbError error = error_of([&] { connect(); });
  ::kill(server, SIGCONT);
  EXPECT_LT(std::chrono::steady_clock::now() - start, 3s);
  EXPECT_TRUE(error.number() == 2013 || error.number() == 2003) << error.what();
}

}  // namespace
}  // namespace spindle::drivers
