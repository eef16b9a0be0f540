// What every driver promises, on the null driver; and what its script can do to a session.
#include <gtest/gtest.h>

#include <future>
#include <string>

#include "drivers/null_driver.h"

namespace spindle::drivers {
namespace {

ExecuteOutcome execute(Session& session, StatementId statement, std::vector<Parameter> parameters = {}) {
  EXPECT_TRUE(session.start(statement, parameters));
  return session.take_outcome();
}

// The number of the DbError that `call` throws; 0 when it throws none.
template <class Call>
unsigned error_of(Call&& call) {
  try {
    call();
  } catch (const DbError& error) {
    return error.number();
  }
  return 0;
}

class NullDriverTest : public ::testing::Test {
 protected:
  std::unique_ptr<Session> connect() const { return NullDriver(script_).connect({}); }
  std::shared_ptr<NullScript> script_ = std::make_shared<NullScript>();
};

TEST(NullDriverContract, IsRegistered) { EXPECT_EQ(make_driver("null")->describe(), "null"); }

TEST(NullDriverContract, StatementIdsCountFromZero) {
  const auto session = make_driver("null")->connect({});
  EXPECT_EQ(session->prepare("SELECT 1"), 0U);
  EXPECT_EQ(session->prepare("SELECT 2"), 1U);
}

TEST(NullDriverContract, ASelectFindsOneRowAndAChangeHitsOne) {
  const auto session = make_driver("null")->connect({});
  EXPECT_EQ(execute(*session, session->prepare("SELECT c FROM t WHERE id=?"), {std::int64_t{7}}).rows, 1U);
  EXPECT_EQ(execute(*session, session->prepare("delete from t where id=?"), {std::int64_t{7}}).affected, 1U);
  EXPECT_EQ(execute(*session, session->prepare("BEGIN")).affected, 0U);
}

TEST(NullDriverContract, AWrongNumberOfParametersIsAnError) {
  const auto session = make_driver("null")->connect({});
  const StatementId statement = session->prepare("SELECT c FROM t WHERE id=?");
  EXPECT_EQ(error_of([&] { execute(*session, statement); }), 2031U);
  EXPECT_EQ(error_of([&] { execute(*session, statement, {std::int64_t{1}, std::int64_t{2}}); }), 2031U);
}

TEST(NullDriverContract, AnInterruptedSessionIsLost) {
  const auto session = make_driver("null")->connect({});
  session->interrupt();
  EXPECT_EQ(error_of([&] { session->run("SELECT 1"); }), 2013U);
}

TEST_F(NullDriverTest, AFaultHitsTheExecutionsItNames) {
  script_->add({.statement = "UPDATE", .first = 2, .count = 2, .number = 1213});
  const auto session = connect();
  const StatementId update = session->prepare("UPDATE t SET k=k+1");
  EXPECT_EQ(error_of([&] { execute(*session, update); }), 0U);
  EXPECT_EQ(error_of([&] { session->run("SELECT 1"); }), 0U);
  EXPECT_EQ(error_of([&] { execute(*session, update); }), 1213U);
  EXPECT_EQ(error_of([&] { execute(*session, update); }), 1213U);
  EXPECT_EQ(error_of([&] { execute(*session, update); }), 0U);
}

TEST_F(NullDriverTest, AFaultKeepsItsStatement) {
  script_->add({.statement = "COMMIT", .number = 1205, .sqlstate = "HY000", .message = "Lock wait timeout"});
  const auto session = connect();
  try {
    session->run("COMMIT");
    FAIL();
  } catch (const DbError& error) {
    EXPECT_EQ(error.statement(), "COMMIT");
    EXPECT_EQ(error.sqlstate(), "HY000");
    EXPECT_STREQ(error.what(), "Lock wait timeout (error 1205, SQLSTATE HY000) in: COMMIT");
  }
}

TEST_F(NullDriverTest, ALostConnectionEndsTheSession) {
  script_->add({.statement = "UPDATE", .number = 2013});
  const auto session = connect();
  EXPECT_EQ(error_of([&] { session->run("UPDATE t SET k=1"); }), 2013U);
  EXPECT_EQ(error_of([&] { session->run("SELECT 1"); }), 2013U);
}

TEST_F(NullDriverTest, ABlockedExecutionEndsWhenInterrupted) {
  script_->add({.statement = "SELECT SLEEP", .action = NullAction::block});
  const auto session = connect();
  auto blocked = std::async(std::launch::async, [&] { return error_of([&] { session->run("SELECT SLEEP(30)"); }); });
  session->interrupt();
  EXPECT_EQ(blocked.get(), 2013U);
}

TEST_F(NullDriverTest, ConnectsFailAsOftenAsTold) {
  script_->fail_connects(2, 2003);
  EXPECT_EQ(error_of([&] { connect(); }), 2003U);
  EXPECT_EQ(error_of([&] { connect(); }), 2003U);
  EXPECT_EQ(error_of([&] { connect(); }), 0U);
  EXPECT_EQ(script_->connects(), 3U);
}

TEST_F(NullDriverTest, ABlockedConnectEndsWhenCancelled) {
  script_->block_connects(1);
  core::StopRequest cancel;
  auto blocked =
      std::async(std::launch::async, [&] { return error_of([&] { NullDriver(script_).connect({}, &cancel); }); });
  cancel.raise(2);
  EXPECT_EQ(blocked.get(), 2013U);
}

TEST_F(NullDriverTest, TheLatestAnswerThatFitsCounts) {
  script_->answer("SELECT", std::vector<Row>{{"1"}, {"2"}});
  script_->answer("COUNT", std::vector<Row>{{"42"}});
  script_->answer("UPDATE", ExecuteOutcome{.rows = 0, .affected = 5});
  const auto session = connect();
  EXPECT_EQ(session->query("SELECT id FROM t"), (std::vector<Row>{{"1"}, {"2"}}));
  EXPECT_EQ(session->query("SELECT COUNT(*) FROM t"), (std::vector<Row>{{"42"}}));
  EXPECT_EQ(session->run("UPDATE t SET k=1").affected, 5U);
  EXPECT_EQ(execute(*session, session->prepare("SELECT id FROM t")).rows, 2U);
}

TEST_F(NullDriverTest, TheJournalKeepsTheOrder) {
  {
    const auto session = connect();
    session->run("BEGIN");
    execute(*session, session->prepare("SELECT ?"), {std::int64_t{1}});
  }
  EXPECT_EQ(script_->journal(), (std::vector<std::string>{"CONNECT", "BEGIN", "SELECT ?", "DISCONNECT"}));
  EXPECT_EQ(script_->executions("SELECT"), 1U);
}

}  // namespace
}  // namespace spindle::drivers
