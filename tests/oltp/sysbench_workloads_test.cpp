#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "tests/oltp/recording_driver.h"
#include "tests/oltp/worker_run.h"

namespace spindle::oltp {
namespace {

using test_support::RecordingDriver;
using test_support::WorkerRun;

// One transaction of a workload, without the parameters.
std::vector<std::string> transaction_of(std::string_view workload, const Options& options) {
  const RecordingDriver driver;
  WorkerRun run(options, workload, driver);
  run.open();
  run.steps(1);
  std::vector<std::string> statements;
  for (const std::string& line : driver.log()) statements.push_back(line.substr(0, line.find(" [")));
  return statements;
}

constexpr const char* kPoint = "SELECT c FROM sbtest1 WHERE id=?";
constexpr const char* kSimple = "SELECT c FROM sbtest1 WHERE id BETWEEN ? AND ?";
constexpr const char* kSum = "SELECT SUM(k) FROM sbtest1 WHERE id BETWEEN ? AND ?";
constexpr const char* kOrder = "SELECT c FROM sbtest1 WHERE id BETWEEN ? AND ? ORDER BY c";
constexpr const char* kDistinct = "SELECT DISTINCT c FROM sbtest1 WHERE id BETWEEN ? AND ? ORDER BY c";
constexpr const char* kIndexUpdate = "UPDATE sbtest1 SET k=k+1 WHERE id=?";
constexpr const char* kNonIndexUpdate = "UPDATE sbtest1 SET c=? WHERE id=?";
constexpr const char* kDelete = "DELETE FROM sbtest1 WHERE id=?";
constexpr const char* kInsert = "INSERT INTO sbtest1 (id, k, c, pad) VALUES (?, ?, ?, ?)";

TEST(SysbenchWorkloads, ReadOnlyIsTenPointSelectsAndFourRangesInOneTransaction) {
  const std::vector<std::string> expected{"BEGIN", kPoint, kPoint, kPoint,  kPoint, kPoint, kPoint,    kPoint,
                                          kPoint,  kPoint, kPoint, kSimple, kSum,   kOrder, kDistinct, "COMMIT"};
  EXPECT_EQ(transaction_of("read_only", {}), expected);
}

TEST(SysbenchWorkloads, ReadWriteAddsTwoUpdatesADeleteAndAnInsert) {
  const std::vector<std::string> expected{"BEGIN",   kPoint,       kPoint,          kPoint,  kPoint,  kPoint,  kPoint,
                                          kPoint,    kPoint,       kPoint,          kPoint,  kSimple, kSum,    kOrder,
                                          kDistinct, kIndexUpdate, kNonIndexUpdate, kDelete, kInsert, "COMMIT"};
  EXPECT_EQ(transaction_of("read_write", {}), expected);
}

TEST(SysbenchWorkloads, WriteOnlyIsSixStatements) {
  const std::vector<std::string> expected{"BEGIN", kIndexUpdate, kNonIndexUpdate, kDelete, kInsert, "COMMIT"};
  EXPECT_EQ(transaction_of("write_only", {}), expected);
}

TEST(SysbenchWorkloads, PointSelectIsOneStatementWhateverPointSelectsSays) {
  Options options;
  options.point_selects = 7;
  EXPECT_EQ(transaction_of("point_select", options), std::vector<std::string>{kPoint});
}

TEST(SysbenchWorkloads, SkipTrxDropsBeginAndCommit) {
  Options options;
  options.skip_trx = true;
  const std::vector<std::string> expected{kIndexUpdate, kNonIndexUpdate, kDelete, kInsert};
  EXPECT_EQ(transaction_of("write_only", options), expected);
}

TEST(SysbenchWorkloads, EveryCountIsAnOption) {
  Options options;
  options.point_selects = 0;
  options.simple_ranges = 2;
  options.sum_ranges = 0;
  options.order_ranges = 0;
  options.distinct_ranges = 3;
  const std::vector<std::string> expected{"BEGIN", kSimple, kSimple, kDistinct, kDistinct, kDistinct, "COMMIT"};
  EXPECT_EQ(transaction_of("read_only", options), expected);
}

TEST(SysbenchWorkloads, OnlyUsedStatementKindsAreReported) {
  Options options;
  options.point_selects = 1;
  options.simple_ranges = options.sum_ranges = options.order_ranges = 0;
  const auto kinds = make_workload("read_only", options)->statements();
  ASSERT_EQ(kinds.size(), 4u);
  EXPECT_EQ(kinds[0].name, "begin");
  EXPECT_EQ(kinds[1].name, "point_select");
  EXPECT_EQ(kinds[2].name, "distinct_range");
  EXPECT_EQ(kinds[3].name, "commit");
}

TEST(SysbenchWorkloads, EachStatementKindIsCountedUnderItsOwnName) {
  const RecordingDriver driver([](const test_support::Executed&) { return drivers::ExecuteOutcome{5, 0}; });
  WorkerRun run({}, "read_write", driver);
  run.open();
  run.steps(3);
  EXPECT_EQ(run.operation("point_select").service.count, 30u);
  EXPECT_EQ(run.operation("point_select").rows, 150u);
  EXPECT_EQ(run.operation("sum_range").service.count, 3u);
  EXPECT_EQ(run.operation("insert").service.count, 3u);
  EXPECT_EQ(run.operation("begin").service.count, 3u);
  EXPECT_EQ(run.operation("commit").service.count, 3u);
  EXPECT_EQ(run.operation("transaction").service.count, 3u);
  EXPECT_EQ(run.operation("attempt").service.count, 3u);
}

TEST(SysbenchWorkloads, StatementTimesAddUpToTheTransaction) {
  const RecordingDriver driver;
  WorkerRun run({}, "write_only", driver);
  run.open();
  run.steps(1);
  const std::uint64_t statements =
      run.operation("begin").service.sum_ns + run.operation("index_update").service.sum_ns +
      run.operation("non_index_update").service.sum_ns + run.operation("delete").service.sum_ns +
      run.operation("insert").service.sum_ns + run.operation("commit").service.sum_ns;
  EXPECT_EQ(statements, run.operation("transaction").service.sum_ns);
  EXPECT_GT(statements, 0u);
}

TEST(SysbenchWorkloads, RangesSpanRangeSizeKeys) {
  std::vector<std::int64_t> lengths;
  const RecordingDriver driver([&](const test_support::Executed& executed) {
    if (executed.sql == kSimple) lengths.push_back(executed.number(1) - executed.number(0) + 1);
    return drivers::ExecuteOutcome{};
  });
  Options options;
  options.range_size = 42;
  options.simple_ranges = 2;
  WorkerRun run(options, "read_only", driver);
  run.open();
  run.steps(1);
  EXPECT_EQ(lengths, (std::vector<std::int64_t>{42, 42}));
}

TEST(SysbenchWorkloads, TheInsertTakesTheIdOfTheDelete) {
  std::vector<std::int64_t> ids;
  const RecordingDriver driver([&](const test_support::Executed& executed) {
    if (executed.sql == kDelete || executed.sql == kInsert) ids.push_back(executed.number(0));
    return drivers::ExecuteOutcome{};
  });
  WorkerRun run({}, "write_only", driver);
  run.open();
  run.steps(2);
  ASSERT_EQ(ids.size(), 4u);
  EXPECT_EQ(ids[0], ids[1]);
  EXPECT_EQ(ids[2], ids[3]);
  EXPECT_NE(ids[0], ids[2]);
}

TEST(SysbenchWorkloads, KeysStayInTheTable) {
  std::int64_t lowest = 1'000, highest = 0;
  const RecordingDriver driver([&](const test_support::Executed& executed) {
    lowest = std::min(lowest, executed.number(0));
    highest = std::max(highest, executed.number(0));
    return drivers::ExecuteOutcome{};
  });
  Options options;
  options.table_size = 10;
  WorkerRun run(options, "point_select", driver);
  run.open();
  run.steps(1'000);
  EXPECT_EQ(lowest, 1);
  EXPECT_EQ(highest, 10);
}

TEST(SysbenchWorkloads, AGroupStaysInOneTableAndAllTablesAreUsed) {
  Options options;
  options.tables = 3;
  const RecordingDriver driver;
  WorkerRun run(options, "read_only", driver);
  run.open();
  run.steps(50);
  std::vector<std::uint64_t> uses(4);
  for (std::size_t transaction = 0; transaction < 50; ++transaction) {
    const std::string first = driver.log()[transaction * 16 + 1];
    const std::string last = driver.log()[transaction * 16 + 10];
    const std::string table = first.substr(0, first.find(" WHERE"));
    EXPECT_EQ(last.substr(0, last.find(" WHERE")), table);
    ++uses[static_cast<std::size_t>(table.back() - '0')];
  }
  EXPECT_GT(uses[1], 5u);
  EXPECT_GT(uses[2], 5u);
  EXPECT_GT(uses[3], 5u);
}

TEST(SysbenchWorkloads, TheSameSeedAndThreadRepeatTheSameKeys) {
  const auto log_of = [](std::uint64_t seed, std::uint32_t thread) {
    const RecordingDriver driver;
    Options options;
    options.seed = seed;
    WorkerRun run(options, "read_write", driver, thread);
    run.open();
    run.steps(20);
    return driver.log();
  };
  EXPECT_EQ(log_of(1, 0), log_of(1, 0));
  EXPECT_NE(log_of(1, 0), log_of(1, 1));
  EXPECT_NE(log_of(1, 0), log_of(2, 0));
}

TEST(SysbenchWorkloads, ATransactionOfNothingIsRefused) {
  Options options;
  options.index_updates = options.non_index_updates = options.delete_inserts = 0;
  EXPECT_THROW(make_workload("write_only", options), std::invalid_argument);
}

TEST(SysbenchWorkloads, AnUnknownNameListsTheWorkloads) {
  try {
    make_workload("read_mostly", {});
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(),
                 "no workload is called 'read_mostly': there are bulk_insert, delete, insert, mix, "
                 "point_select, read_only, read_write, select_random_points, select_random_ranges, status_mixed, "
                 "sysbench_04, update_index, update_non_index, write_only");
  }
}

}  // namespace
}  // namespace spindle::oltp
