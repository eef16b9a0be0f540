// Whole runs against a real server, with the troubles that real servers make.
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>

#include "core/runner.h"
#include "core/summary.h"
#include "oltp/transaction_job.h"
#include "oltp/workloads/status_balance.h"
#include "schema/check.h"
#include "schema/prepare.h"
#include "tests/oltp/worker_run.h"
#include "tests/support/server_fixture.h"

namespace spindle::oltp {
namespace {

using namespace std::chrono_literals;
using Counts = std::map<std::string, std::uint64_t>;

class OltpOnServer : public test_support::MysqlTest {
 protected:
  void SetUp() override {
    MysqlTest::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    driver_ = drivers::make_driver(drivers::kDefaultDriver);
    connection_ = connection();
    connection_.database = fresh_database();
    session_ = driver_->connect(connection_);
  }

  void prepare(const Options& options, std::string_view workload) {
    schema::prepare(*driver_, connection_, schema_options(options, workload), stop_);
  }
  Counts count(const Options& options, std::string_view workload) {
    return schema::count_rows(*session_, schema_options(options, workload));
  }
  core::RunResult run(const Options& options, std::string_view workload, const core::Load& load) {
    const auto job = make_job(options, workload, *driver_, connection_);
    return core::run(*job, load, stop_);
  }
  std::string one(const std::string& sql) { return session_->query(sql).at(0).at(0); }

  // Ends every other connection to this test's database; returns how many.
  std::size_t kill_others() {
    std::size_t killed = 0;
    for (const drivers::Row& row :
         session_->query("SELECT ID FROM information_schema.PROCESSLIST WHERE DB = DATABASE() AND ID <> "
                         "CONNECTION_ID()")) {
      try {
        session_->run("KILL " + row.at(0));
        ++killed;
      } catch (const drivers::DbError& error) {
        if (error.number() != 1094) throw;  // it has ended by itself
      }
    }
    return killed;
  }

  std::unique_ptr<drivers::Driver> driver_;
  drivers::ConnectionOptions connection_;
  std::unique_ptr<drivers::Session> session_;
  core::StopRequest stop_;
};

core::Load load_of(std::uint32_t threads, core::Nanoseconds duration) {
  core::Load load;
  load.threads = threads;
  load.duration = duration;
  return load;
}

core::Load events_of(std::uint32_t threads, std::uint64_t events) {
  core::Load load;
  load.threads = threads;
  load.events = events;
  return load;
}

void expect_balanced(const core::RunResult& result) {
  EXPECT_EQ(result.end, core::EndReason::completed) << result.error;
  const core::Accounts& accounts = result.accounts;
  EXPECT_EQ(accounts.handed_out, accounts.committed + accounts.failed + accounts.skipped);
}

Options small_table() {
  Options options;
  options.table_size = 100;
  options.status_rows = 500;
  return options;
}

TEST_F(OltpOnServer, EveryWorkloadRunsInBothProtocols) {
  for (const std::string& workload : WorkloadRegistry::instance().names()) {
    connection_.prepared = drivers::PreparedMode::server;
    prepare(small_table(), workload);
    require_tables(small_table(), workload, *driver_, connection_);
    const core::RunResult prepared = run(small_table(), workload, events_of(2, 200));
    expect_balanced(prepared);
    EXPECT_EQ(prepared.accounts.committed, 200u) << workload;
    connection_.prepared = drivers::PreparedMode::text;
    const core::RunResult text = run(small_table(), workload, events_of(2, 200));
    expect_balanced(text);
    EXPECT_EQ(text.accounts.committed, 200u) << workload;
    schema::cleanup(*session_, schema_options(small_table(), workload));
  }
}

TEST_F(OltpOnServer, ReadOnlyReadsTheRowsItAsksFor) {
  const Options options = [] {
    Options large;
    large.table_size = 2'000;
    large.range_size = 1;
    return large;
  }();
  prepare(options, "read_only");
  const core::RunResult result = run(options, "read_only", events_of(1, 100));
  const core::Summary summary = core::summarize(result);
  for (const core::OperationSummary& operation : summary.operations) {
    if (operation.name == "point_select") {
      EXPECT_EQ(operation.rows, 1'000u);
    }
    if (operation.name == "simple_range") {
      EXPECT_EQ(operation.rows, 100u);
    }
  }
}

TEST_F(OltpOnServer, EightThreadsOnAHundredRowsMeetDeadlocksAndKeepTheRowCount) {
  prepare(small_table(), "read_write");
  const core::RunResult result = run(small_table(), "read_write", load_of(8, 4s));
  expect_balanced(result);
  const core::Summary summary = core::summarize(result);
  EXPECT_GT(summary.counter("deadlock"), 0u);
  EXPECT_GT(summary.counter("retry"), 0u);
  EXPECT_EQ(summary.counter("other_error"), 0u);
  EXPECT_GT(result.accounts.committed, 100u);
  EXPECT_EQ(count(small_table(), "read_write"), (Counts{{"sbtest1", 100}}));
}

// The transaction adds 1 to row 1 and then waits for row 2, which somebody holds.
TEST_F(OltpOnServer, ALockWaitTimeoutCommitsNoHalfTransaction) {
  Options options;
  options.table_size = 2;
  options.index_updates = 2;
  options.non_index_updates = options.delete_inserts = 0;
  const auto first_keys_are_1_and_2 = [](std::uint64_t seed) {
    core::Random random(seed, 0);
    random.below(1);  // the table
    return random.below(2) == 0 && random.below(2) == 1;
  };
  while (!first_keys_are_1_and_2(options.seed)) ++options.seed;
  prepare(options, "write_only");
  session_->run("UPDATE sbtest1 SET k = 0");
  const std::string before = one("SELECT @@GLOBAL.innodb_lock_wait_timeout");
  session_->run("SET GLOBAL innodb_lock_wait_timeout = 1");

  const auto job = make_job(options, "write_only", *driver_, connection_);
  core::Recorder recorder(job->schema(), core::LoopKind::closed);
  const auto worker = job->make_worker(0);
  worker->open();
  session_->run("BEGIN");
  session_->run("UPDATE sbtest1 SET pad = 'held' WHERE id = 2");
  std::thread stepping([&] { worker->step(core::now(), recorder); });
  const auto timeouts = [&] { return recorder.snapshot().counters.at(1); };
  while (timeouts() == 0) std::this_thread::sleep_for(10ms);
  session_->run("ROLLBACK");
  stepping.join();
  session_->run("SET GLOBAL innodb_lock_wait_timeout = " + before);

  EXPECT_EQ(recorder.snapshot().accounts.committed, 1u);
  EXPECT_GE(timeouts(), 1u);
  EXPECT_EQ(one("SELECT GROUP_CONCAT(k ORDER BY id) FROM sbtest1"), "1,1");
}

TEST_F(OltpOnServer, KilledConnectionsAreReplacedAndTheRunGoesOn) {
  prepare(small_table(), "read_write");
  std::size_t killed = 0;
  std::thread killer([&] {
    std::this_thread::sleep_for(1s);
    killed = kill_others();
  });
  const core::RunResult result = run(small_table(), "read_write", load_of(4, 3s));
  killer.join();
  expect_balanced(result);
  const core::Summary summary = core::summarize(result);
  EXPECT_EQ(killed, 4u);
  EXPECT_EQ(summary.counter("reconnect"), 4u);
  EXPECT_EQ(summary.counter("connection_lost"), 4u);
  EXPECT_EQ(result.accounts.failed, 4u);
  ASSERT_FALSE(result.intervals.empty());
  EXPECT_GT(result.intervals.back().data.accounts.committed, 0u);
}

TEST_F(OltpOnServer, AServerThatHangsCannotMakeTheRunLongerThanItsGrace) {
  prepare(small_table(), "read_write");
  const pid_t server = test_support::shared_server().process_id();
  ASSERT_GT(server, 0);
  core::Load load = load_of(4, 2s);
  load.grace = 1s;
  std::thread stopper([&] {
    std::this_thread::sleep_for(1s);
    ::kill(server, SIGSTOP);
  });
  const core::TimePoint start = core::now();
  const core::RunResult result = run(small_table(), "read_write", load);
  const core::Nanoseconds took = core::now() - start;
  stopper.join();
  ::kill(server, SIGCONT);
  EXPECT_TRUE(result.cut_off);
  EXPECT_EQ(result.end, core::EndReason::completed) << result.error;
  EXPECT_LT(core::to_seconds(took), 4.0);
  EXPECT_EQ(result.accounts.in_flight(), 4);
  EXPECT_EQ(result.accounts.failed, 0u);
  EXPECT_GT(result.accounts.committed, 0u);
}

TEST_F(OltpOnServer, AMissingTableIsSaidBeforeTheRun) {
  const auto message_of = [](const std::function<void()>& action) -> std::string {
    try {
      action();
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "nothing was thrown";
  };
  const std::string checked = message_of([&] { require_tables(small_table(), "read_only", *driver_, connection_); });
  EXPECT_NE(checked.find("table 'sbtest1' is missing: run 'spindle oltp prepare' first"), std::string::npos) << checked;
  const core::RunResult result = run(small_table(), "read_only", load_of(1, 1s));
  EXPECT_EQ(result.end, core::EndReason::failed);
  EXPECT_NE(result.error.find("run 'spindle oltp prepare' first"), std::string::npos) << result.error;
}

TEST_F(OltpOnServer, ATableDroppedInTheRunEndsItWithTheServersMessage) {
  prepare(small_table(), "point_select");
  std::thread dropper([&] {
    std::this_thread::sleep_for(1s);
    session_->run("DROP TABLE sbtest1");
  });
  const core::RunResult result = run(small_table(), "point_select", load_of(2, 10s));
  dropper.join();
  EXPECT_EQ(result.end, core::EndReason::failed);
  EXPECT_NE(result.error.find("sbtest1"), std::string::npos) << result.error;
  EXPECT_NE(result.error.find("SELECT c FROM sbtest1 WHERE id="), std::string::npos) << result.error;
  EXPECT_LT(core::to_seconds(result.total.length()), 5.0);
  EXPECT_GT(result.total.data.accounts.committed, 0u);
}

TEST_F(OltpOnServer, AHundredThousandMixedTransactionsKeepTheStatusTable) {
  const std::string flush = one("SELECT @@GLOBAL.innodb_flush_log_at_trx_commit");
  session_->run("SET GLOBAL innodb_flush_log_at_trx_commit = 0");
  prepare(small_table(), "status_mixed");
  const core::RunResult result = run(small_table(), "status_mixed", events_of(4, 100'000));
  session_->run("SET GLOBAL innodb_flush_log_at_trx_commit = " + flush);
  expect_balanced(result);
  EXPECT_EQ(result.accounts.committed, 100'000u);
  const core::Summary summary = core::summarize(result);
  EXPECT_EQ(summary.counter("duplicate_key"), 0u);
  // Every ordinary row is back, and 4 clients leave at most 16 recent ones each.
  EXPECT_EQ(one("SELECT COUNT(*) FROM status WHERE id <= 500"), "500");
  EXPECT_LE(count(small_table(), "status_mixed").at("status"), 500 + 4 * StatusBalance::kLimit);
  // A statement that looks for time, uid or a word touches a few rows, at the end as at the start.
  for (const core::OperationSummary& operation : summary.operations) {
    if (operation.name.ends_with("_by_time") || operation.name.ends_with("_by_uid") ||
        operation.name.ends_with("_by_match")) {
      const double rows = static_cast<double>(operation.rows) / static_cast<double>(operation.latency.count);
      EXPECT_GT(rows, 0.3) << operation.name;
      EXPECT_LT(rows, 25.0) << operation.name;
    }
  }
}

TEST_F(OltpOnServer, FulltextFindsRowsThatTheRunWrote) {
  Options options = small_table();
  options.match = Match::fulltext;
  prepare(options, "status_mixed");
  const core::RunResult result = run(options, "status_mixed", events_of(4, 2'000));
  expect_balanced(result);
  for (const core::OperationSummary& operation : core::summarize(result).operations) {
    if (operation.name == "select_by_match") {
      EXPECT_GT(operation.rows, operation.latency.count);
    }
  }
}

}  // namespace
}  // namespace spindle::oltp
