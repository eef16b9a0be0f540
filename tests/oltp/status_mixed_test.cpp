#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "oltp/workloads/status_balance.h"
#include "tests/oltp/recording_driver.h"
#include "tests/oltp/status_model.h"
#include "tests/oltp/worker_run.h"

namespace spindle::oltp {
namespace {

using test_support::Executed;
using test_support::RecordingDriver;
using test_support::StatusModel;
using test_support::WorkerRun;

constexpr std::uint64_t kRows = 500;
constexpr std::uint64_t kTransactions = 100'000;

Options small_table() {
  Options options;
  options.status_rows = kRows;
  return options;
}

StatusWeights weights(std::uint32_t insert, std::uint32_t delete_by_id, std::uint32_t delete_by_time) {
  StatusWeights w;
  w.insert = insert;
  w.delete_by_id = delete_by_id;
  w.delete_by_time = delete_by_time;
  return w;
}

// The table after 100,000 transactions of one client.
StatusModel after_long_run(const Options& options) {
  StatusModel model(kRows);
  const RecordingDriver driver([&](const Executed& executed) { return model.execute(executed); });
  WorkerRun run(options, "status_mixed", driver);
  run.open();
  run.steps(kTransactions);
  EXPECT_EQ(run.accounts(), (core::Accounts{.handed_out = kTransactions, .committed = kTransactions}));
  EXPECT_EQ(run.counter("duplicate_key"), 0u);
  return model;
}

void expect_stable(const StatusModel& model) {
  EXPECT_GE(model.smallest(), kRows - StatusBalance::kLimit);
  EXPECT_LE(model.largest(), kRows + StatusBalance::kLimit);
  EXPECT_LE(model.most_touched(), 80u);
}

TEST(StatusMixed, ALongRunNeitherDrainsNorGrowsTheTable) {
  const StatusModel model = after_long_run(small_table());
  expect_stable(model);
  EXPECT_GT(model.deleted_by_time(), kTransactions / 20);  // a tenth of all statements, one row each on average
  EXPECT_LT(model.deleted_by_time(), kTransactions / 7);
}

TEST(StatusMixed, InsertsThatOutweighDeletesDoNotGrowTheTable) {
  Options options = small_table();
  options.weights = weights(50, 1, 1);
  expect_stable(after_long_run(options));
}

TEST(StatusMixed, DeletesThatOutweighInsertsDoNotDrainTheTable) {
  Options options = small_table();
  options.weights = weights(1, 50, 1);
  expect_stable(after_long_run(options));
}

TEST(StatusMixed, DeletesByTimeAloneBalanceTheInserts) {
  Options options = small_table();
  options.weights = weights(5, 0, 1);
  expect_stable(after_long_run(options));
}

TEST(StatusMixed, DeletesByIdAloneBalanceTheInserts) {
  Options options = small_table();
  options.weights = weights(3, 1, 0);
  expect_stable(after_long_run(options));
}

TEST(StatusMixed, AfterTheLastTransactionTheHolesAreFilled) {
  StatusModel model(kRows);
  std::string restored;
  const RecordingDriver driver([&](const Executed& executed) {
    if (executed.sql.starts_with("INSERT") && executed.parameters.empty()) {
      restored = executed.sql;
      return drivers::ExecuteOutcome{};
    }
    return model.execute(executed);
  });
  WorkerRun run(small_table(), "status_mixed", driver);
  run.open();
  run.steps(1'000);
  const std::uint64_t holes = kRows - model.ordinary();
  ASSERT_GT(holes, 0u);
  run.drain();
  EXPECT_TRUE(restored.starts_with("INSERT INTO status (id, time, uid, status) VALUES ("));
  EXPECT_EQ(static_cast<std::uint64_t>(std::count(restored.begin(), restored.end(), '(')), holes + 1);
}

TEST(StatusMixed, TheSharesAreTheWeights) {
  StatusModel model(kRows);
  const RecordingDriver driver([&](const Executed& executed) { return model.execute(executed); });
  WorkerRun run(small_table(), "status_mixed", driver);
  run.open();
  run.steps(20'000);
  EXPECT_NEAR(static_cast<double>(run.operation("insert").service.count), 4'000, 400);
  EXPECT_NEAR(static_cast<double>(run.operation("update_by_id").service.count), 2'000, 200);
  EXPECT_NEAR(static_cast<double>(run.operation("update_by_match").service.count), 2'000, 200);
  EXPECT_NEAR(static_cast<double>(run.operation("delete_by_id").service.count), 2'000, 200);
  EXPECT_NEAR(static_cast<double>(run.operation("delete_by_time").service.count), 2'000, 200);
  EXPECT_NEAR(static_cast<double>(run.operation("select_by_time").service.count), 2'000, 200);
  EXPECT_NEAR(static_cast<double>(run.operation("select_by_id").service.count), 2'000, 200);
  EXPECT_NEAR(static_cast<double>(run.operation("select_by_match").service.count), 2'000, 200);
  EXPECT_NEAR(static_cast<double>(run.operation("select_by_uid").service.count), 2'000, 200);
}

TEST(StatusMixed, AWeightOfZeroLeavesAStatementOut) {
  Options options = small_table();
  options.weights.select_by_match = 0;
  const auto kinds = make_workload("status_mixed", options)->statements();
  ASSERT_EQ(kinds.size(), 8u);
  EXPECT_EQ(kinds[6].name, "select_by_id");
  EXPECT_EQ(kinds[7].name, "select_by_uid");
}

// The statements and parameters of one kind only.
std::string first_statement(Match match, StatusWeights only) {
  Options options = small_table();
  options.match = match;
  options.weights = only;
  const RecordingDriver driver;
  WorkerRun run(options, "status_mixed", driver);
  run.open();
  run.steps(1);
  return driver.log().at(0);
}

constexpr StatusWeights kSelectByMatch{0, 0, 0, 0, 0, 0, 0, 1, 0};
constexpr StatusWeights kUpdateByMatch{0, 0, 1, 0, 0, 0, 0, 0, 0};

TEST(StatusMixed, MatchLikeLooksForFourCharactersAnywhere) {
  EXPECT_TRUE(first_statement(Match::like, kSelectByMatch)
                  .starts_with("SELECT id, time, uid, status FROM status WHERE status LIKE ? ['%"));
  EXPECT_EQ(first_statement(Match::like, kSelectByMatch).size(),
            std::string("SELECT id, time, uid, status FROM status WHERE status LIKE ? ['%word%']").size());
  EXPECT_TRUE(
      first_statement(Match::like, kUpdateByMatch).starts_with("UPDATE status SET uid=? WHERE status LIKE ? ["));
}

TEST(StatusMixed, MatchFulltextUsesTheIndex) {
  EXPECT_EQ(first_statement(Match::fulltext, kSelectByMatch).size(),
            std::string("SELECT id, time, uid, status FROM status WHERE MATCH(status) AGAINST (?) ['word']").size());
  EXPECT_TRUE(first_statement(Match::fulltext, kUpdateByMatch)
                  .starts_with("UPDATE status SET uid=? WHERE MATCH(status) AGAINST (?) ["));
}

TEST(StatusMixed, AMixThatOnlyDeletesOrOnlyInsertsIsRefused) {
  Options options = small_table();
  options.weights = weights(0, 1, 1);
  EXPECT_THROW(make_workload("status_mixed", options), std::invalid_argument);
  options.weights = weights(1, 0, 0);
  EXPECT_THROW(make_workload("status_mixed", options), std::invalid_argument);
  options.weights = StatusWeights{0, 0, 0, 0, 0, 0, 0, 0, 0};
  EXPECT_THROW(make_workload("status_mixed", options), std::invalid_argument);
}

TEST(StatusMixed, AHoleWhoseInsertWasLostWithItsConnectionIsForgotten) {
  StatusBalance balance(weights(1, 1, 0));
  core::Random random(1);
  balance.deleted(7);
  balance.deleted(9);
  StatusBalance::Choice choice = balance.choose(random);
  while (choice.kind != StatusKind::insert) choice = balance.choose(random);
  EXPECT_EQ(choice.hole, 7);
  balance.filling(choice);
  balance.connection_replaced();
  EXPECT_EQ(balance.holes(), std::vector<std::int64_t>{9});
}

TEST(StatusMixed, AnInsertThatFailedIsTriedAgainWithTheSameHole) {
  std::vector<std::int64_t> tried;
  const RecordingDriver driver([&](const Executed& executed) {
    if (executed.sql.starts_with("INSERT INTO status (id")) {
      tried.push_back(executed.number(0));
      if (tried.size() == 1) throw drivers::DbError(1213, "40001", "Deadlock found");
    }
    return drivers::ExecuteOutcome{0, 1};
  });
  Options options = small_table();
  options.weights = StatusWeights{1, 0, 0, 1, 0, 0, 0, 0, 0};
  WorkerRun run(options, "status_mixed", driver);
  run.open();
  while (tried.empty()) run.steps(1);
  ASSERT_EQ(tried.size(), 2u);
  EXPECT_EQ(tried[0], tried[1]);
}

}  // namespace
}  // namespace spindle::oltp
