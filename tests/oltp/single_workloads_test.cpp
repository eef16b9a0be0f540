// The workloads of one statement, and sysbench 0.4's.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "drivers/null_driver.h"
#include "tests/oltp/recording_driver.h"
#include "tests/oltp/worker_run.h"

namespace spindle::oltp {
namespace {

using test_support::Executed;
using test_support::RecordingDriver;
using test_support::WorkerRun;

// The statements of `count` transactions, with parameters.
std::vector<std::string> log_of(std::string_view workload, const Options& options, std::uint64_t count = 1,
                                std::uint32_t thread = 0) {
  const RecordingDriver driver;
  WorkerRun run(options, workload, driver, thread);
  run.open();
  run.steps(count);
  return driver.log();
}
std::vector<std::string> transaction_of(std::string_view workload, const Options& options) {
  std::vector<std::string> statements;
  for (const std::string& line : log_of(workload, options)) statements.push_back(line.substr(0, line.find(" [")));
  return statements;
}

TEST(SingleWorkloads, UpdateIndexRepeatsAsOftenAsIndexUpdatesSays) {
  Options options;
  options.index_updates = 2;
  const std::string update = "UPDATE sbtest1 SET k=k+1 WHERE id=?";
  EXPECT_EQ(transaction_of("update_index", options), (std::vector<std::string>{update, update}));
}

TEST(SingleWorkloads, UpdateNonIndexSetsC) {
  EXPECT_EQ(transaction_of("update_non_index", {}), std::vector<std::string>{"UPDATE sbtest1 SET c=? WHERE id=?"});
}

TEST(SingleWorkloads, DeleteDeletesByKey) {
  EXPECT_EQ(transaction_of("delete", {}), std::vector<std::string>{"DELETE FROM sbtest1 WHERE id=?"});
}

TEST(SingleWorkloads, InsertLetsTheServerGiveTheId) {
  const std::vector<std::string> log = log_of("insert", {});
  ASSERT_EQ(log.size(), 1u);
  EXPECT_EQ(log[0].find("INSERT INTO sbtest1 (id, k, c, pad) VALUES (?, ?, ?, ?) [0] ["), 0u) << log[0];
}

std::int64_t inserted_id(const std::string& line) { return std::stoll(line.substr(line.find('[') + 1)); }

TEST(SingleWorkloads, InsertWithoutAutoIncNeverUsesAnIdTwiceAcrossThreads) {
  Options options;
  options.auto_inc = false;
  const RecordingDriver driver;
  const auto job = make_job(options, "insert", driver, {});
  core::Recorder recorder(job->schema(), core::LoopKind::closed);
  for (std::uint32_t thread = 0; thread < 3; ++thread) {
    const auto worker = job->make_worker(thread);
    worker->open();
    for (int i = 0; i < 300; ++i) {
      recorder.hand_out();
      worker->step(core::now(), recorder);
    }
  }
  std::set<std::int64_t> ids;
  for (const std::string& line : driver.log()) ids.insert(inserted_id(line));
  EXPECT_EQ(ids.size(), 900u);
  EXPECT_LE(*ids.rbegin(), 0) << "loaded rows have ids from 1 on";
}

TEST(SingleWorkloads, RandomPointsAsksForAsManyKeysAsItIsTold) {
  Options options;
  options.random_points = 3;
  EXPECT_EQ(transaction_of("select_random_points", options),
            std::vector<std::string>{"SELECT id, k, c, pad FROM sbtest1 WHERE k IN (?, ?, ?)"});
  const std::string line = log_of("select_random_points", options)[0];
  EXPECT_EQ(std::count(line.begin(), line.end(), '['), 3);
}

TEST(SingleWorkloads, RandomRangesEndDeltaAfterTheirBegin) {
  Options options;
  options.number_of_ranges = 2;
  options.delta = 7;
  const RecordingDriver driver([](const Executed& executed) {
    EXPECT_EQ(executed.number(1) - executed.number(0), 7);
    EXPECT_EQ(executed.number(3) - executed.number(2), 7);
    return drivers::ExecuteOutcome{1, 0};
  });
  WorkerRun run(options, "select_random_ranges", driver);
  run.open();
  run.steps(1);
  ASSERT_EQ(driver.log().size(), 1u);
  EXPECT_EQ(driver.log()[0].find("SELECT count(k) FROM sbtest1 WHERE k BETWEEN ? AND ? OR k BETWEEN ? AND ? ["), 0u);
}

TEST(SingleWorkloads, BulkInsertPutsManyRowsInOneStatement) {
  Options options;
  options.bulk_rows = 3;
  options.tables = 2;
  EXPECT_EQ(log_of("bulk_insert", options, 2, 1),
            (std::vector<std::string>{"INSERT INTO bulk2 (id, k) VALUES (1,1),(2,2),(3,3)",
                                      "INSERT INTO bulk2 (id, k) VALUES (4,4),(5,5),(6,6)"}));
}

TEST(SingleWorkloads, RangeSelectsOffLeavesThePointSelects) {
  Options options;
  options.point_selects = 1;
  options.range_selects = false;
  EXPECT_EQ(transaction_of("read_only", options),
            (std::vector<std::string>{"BEGIN", "SELECT c FROM sbtest1 WHERE id=?", "COMMIT"}));
}

TEST(Workloads, SysbenchsNamesAreUnderstood) {
  EXPECT_EQ(canonical_workload("oltp_read_only"), "read_only");
  EXPECT_EQ(canonical_workload("read_only"), "read_only");
  EXPECT_EQ(canonical_workload("oltp_nothing"), "oltp_nothing");
  EXPECT_NO_THROW(make_workload("oltp_point_select", {}));
}

TEST(Workloads, TheSameSeedAndThreadRepeatTheKeysOfEveryDistribution) {
  for (const std::string& name : core::key_distribution_names()) {
    Options options;
    options.keys.kind = core::parse_key_distribution(name);
    options.tables = 3;
    EXPECT_EQ(log_of("read_write", options, 20, 4), log_of("read_write", options, 20, 4)) << name;
    EXPECT_NE(log_of("read_write", options, 20, 4), log_of("read_write", options, 20, 5)) << name;
    Options other = options;
    other.seed = 2;
    EXPECT_NE(log_of("read_write", options, 20, 4), log_of("read_write", other, 20, 4)) << name;
  }
}

TEST(Workloads, KeysFollowTheDistributionAskedFor) {
  Options options;
  options.table_size = 1000;
  options.keys.kind = core::KeyDistributionKind::pareto;
  std::uint64_t low = 0, all = 0;
  const RecordingDriver driver([&](const Executed& executed) {
    low += executed.number(0) <= 200;
    ++all;
    return drivers::ExecuteOutcome{1, 0};
  });
  WorkerRun run(options, "point_select", driver);
  run.open();
  run.steps(5'000);
  EXPECT_NEAR(static_cast<double>(low) / static_cast<double>(all), 0.8, 0.02);
}

// --- sysbench 0.4 --------------------------------------------------------------------------------------------------

struct Kinds {
  std::size_t reads = 0, writes = 0, others = 0;
  bool operator==(const Kinds&) const = default;
};
Kinds kinds_of(const Options& options) {
  Kinds kinds;
  for (const std::string& line : log_of("sysbench_04", options)) {
    if (line.starts_with("SELECT")) {
      ++kinds.reads;
    } else if (line == "BEGIN" || line == "COMMIT") {
      ++kinds.others;
    } else {
      ++kinds.writes;
    }
  }
  return kinds;
}

// As a published report has it: 100,000 transactions with 1,400,000 reads, 500,000 writes and 200,000 others.
TEST(Sysbench04, AReadWriteTransactionHasFourteenReadsFiveWritesAndTwoOthers) {
  EXPECT_EQ(kinds_of({}), (Kinds{14, 5, 2}));
}

TEST(Sysbench04, AReadOnlyTransactionHasFourteenReadsAndTwoOthers) {
  Options options;
  options.statements = Statements::read_only;
  EXPECT_EQ(kinds_of(options), (Kinds{14, 0, 2}));
}

TEST(Sysbench04, SimpleIsOnePointSelect) {
  Options options;
  options.test_mode = ClassicMode::simple;
  EXPECT_EQ(transaction_of("sysbench_04", options), std::vector<std::string>{"SELECT c from sbtest where id=?"});
}

TEST(Sysbench04, NontrxIsOneStatementOfTheModeAskedFor) {
  Options options;
  options.test_mode = ClassicMode::nontrx;
  EXPECT_EQ(transaction_of("sysbench_04", options), std::vector<std::string>{"SELECT pad from sbtest where id=?"});
  options.nontrx_mode = NontrxMode::update_key;
  EXPECT_EQ(transaction_of("sysbench_04", options), std::vector<std::string>{"UPDATE sbtest set k=k+1 where id=?"});
  options.nontrx_mode = NontrxMode::update_nokey;
  EXPECT_EQ(transaction_of("sysbench_04", options), std::vector<std::string>{"UPDATE sbtest set c=? where id=?"});
  options.nontrx_mode = NontrxMode::remove;
  EXPECT_EQ(transaction_of("sysbench_04", options), std::vector<std::string>{"DELETE from sbtest where id=?"});
  options.nontrx_mode = NontrxMode::insert;
  EXPECT_EQ(transaction_of("sysbench_04", options).at(0).find("INSERT INTO sbtest (k,c,pad) values("), 0u);
}

TEST(Sysbench04, TheRowThatIsDeletedIsUpdatedBeforeAndInsertedAfter) {
  Options options;
  options.point_selects = options.index_updates = options.non_index_updates = 0;
  options.range_selects = false;
  const std::vector<std::string> log = log_of("sysbench_04", options);
  ASSERT_EQ(log.size(), 5u);
  const std::string id = log[1].substr(log[1].find(" ["));
  EXPECT_EQ(log[1], "UPDATE sbtest set k=k+1 where id=?" + id);
  EXPECT_EQ(log[2], "DELETE from sbtest where id=?" + id);
  EXPECT_EQ(log[3], "INSERT INTO sbtest values(?,0,' ','aaaaaaaaaaffffffffffrrrrrrrrrreeeeeeeeeeyyyyyyyyyy')" + id);
}

// --- mixes ---------------------------------------------------------------------------------------------------------

TEST(Mix, SharesHoldWithinOnePercentAfterTenThousandTransactions) {
  Options options;
  options.mix = {{"point_select", 8}, {"update_index", 4}, {"insert", 2}, {"delete", 1}};
  const drivers::NullDriver driver;
  std::map<std::string, std::uint64_t> counts;
  for (std::uint32_t thread = 0; thread < 16; ++thread) {
    WorkerRun run(options, "mix", driver, thread);
    run.open();
    run.steps(625);
    for (const MixShare& share : options.mix) {
      counts[share.workload] += run.operation(share.workload).service.count;
    }
  }
  EXPECT_NEAR(static_cast<double>(counts["point_select"]), 10'000 * 8 / 15.0, 10'000 * 8 / 15.0 * 0.01);
  EXPECT_NEAR(static_cast<double>(counts["update_index"]), 10'000 * 4 / 15.0, 10'000 * 4 / 15.0 * 0.01);
  EXPECT_NEAR(static_cast<double>(counts["insert"]), 10'000 * 2 / 15.0, 10'000 * 2 / 15.0 * 0.01);
  EXPECT_NEAR(static_cast<double>(counts["delete"]), 10'000 * 1 / 15.0, 10'000 * 1 / 15.0 * 0.01);
}

TEST(Mix, StatementsAreCountedUnderTheirMember) {
  Options options;
  options.mix = {{"read_only", 1}, {"oltp_point_select", 1}};
  const drivers::NullDriver driver;
  WorkerRun run(options, "mix", driver);
  run.open();
  run.steps(10);
  EXPECT_EQ(run.operation("read_only").service.count, 5u);
  EXPECT_EQ(run.operation("read_only.point_select").service.count, 50u);
  EXPECT_EQ(run.operation("read_only.commit").service.count, 5u);
  EXPECT_EQ(run.operation("point_select.point_select").service.count, 5u);
}

TEST(Mix, ATransactionThatIsRunAgainIsTheSameOne) {
  Options options;
  options.mix = {{"update_index", 1}, {"update_non_index", 1}};
  const auto script = std::make_shared<drivers::NullScript>();
  drivers::NullFault deadlock;
  deadlock.statement = "UPDATE";
  deadlock.count = 3;
  script->add(deadlock);
  const drivers::NullDriver driver(script);
  WorkerRun run(options, "mix", driver);
  run.open();
  run.steps(1);
  std::set<std::string> updates;
  for (const std::string& entry : script->journal()) {
    if (entry.starts_with("UPDATE")) updates.insert(entry);
  }
  EXPECT_EQ(updates.size(), 1u);
  EXPECT_EQ(run.accounts().committed, 1u);
}

std::string refusal(const std::vector<MixShare>& mix) {
  Options options;
  options.mix = mix;
  try {
    make_workload("mix", options);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Mix, BadMixesAreRefused) {
  EXPECT_EQ(refusal({}), "--mix: give at least one workload a weight above 0");
  EXPECT_EQ(refusal({{"read_only", 0}}), "--mix: give at least one workload a weight above 0");
  EXPECT_EQ(refusal({{"mix", 1}}), "--mix: a mix cannot contain a mix");
  EXPECT_EQ(refusal({{"read_only", 1}, {"oltp_read_only", 1}}), "--mix: read_only is there twice");
  EXPECT_NE(refusal({{"read_mostly", 1}}).find("no workload is called 'read_mostly'"), std::string::npos);
}

}  // namespace
}  // namespace spindle::oltp
