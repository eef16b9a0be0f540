#include "results/result.h"

#include <gtest/gtest.h>

#include "tests/support/sample_result.h"

namespace spindle::results {
namespace {

using namespace std::chrono_literals;

core::RunResult measured_run() {
  core::RunResult run;
  run.schema = {{{"transaction", core::OperationClass::transaction, core::OperationRole::unit},
                 {"attempt", core::OperationClass::transaction, core::OperationRole::part},
                 {"select", core::OperationClass::read, core::OperationRole::part}},
                {"deadlock"}};
  core::Window window;
  window.begin = 1s;
  window.end = 3s;
  window.threads = 4;
  window.data.operations.resize(3);
  window.data.operations[0].service = testing::log_normal(200, 2.0);
  window.data.operations[1].errors = 7;
  window.data.operations[2].service = testing::log_normal(2800, 0.1);
  window.data.operations[2].errors = 7;
  window.data.counters = {7};
  window.data.accounts = {200, 200, 0, 0};
  run.total = window;
  run.intervals = {window};
  return run;
}

TEST(MakeRun, TakesOverHowTheRunEnded) {
  core::RunResult run = measured_run();
  run.end = core::EndReason::interrupted;
  run.error = "stopped";
  run.accounts = {9, 8, 1, 0};
  run.late = 2;
  run.client_cpu_seconds = 0.5;
  run.cut_off = true;
  const results::Run made = make_run(run);
  EXPECT_EQ(made.end, "interrupted");
  EXPECT_EQ(made.error, "stopped");
  EXPECT_EQ(made.accounts, (core::Accounts{9, 8, 1, 0}));
  EXPECT_EQ(made.late, 2U);
  EXPECT_EQ(made.client_cpu_seconds, 0.5);
  EXPECT_TRUE(made.cut_off);
}

TEST(MakeRun, KnowsAnOpenLoopByItsRate) {
  core::RunResult run = measured_run();
  EXPECT_EQ(make_run(run).loop, core::LoopKind::closed);
  run.load.rate = 50;
  EXPECT_EQ(make_run(run).loop, core::LoopKind::open);
}

TEST(MakeRun, SummarizesTheTotal) {
  const results::Run made = make_run(measured_run());
  EXPECT_DOUBLE_EQ(made.summary.units_per_second, 100);
  EXPECT_DOUBLE_EQ(made.summary.queries_per_second, 1400);
}

TEST(MakeRun, KeepsTheTimeSeries) {
  const results::Run made = make_run(measured_run());
  ASSERT_EQ(made.intervals.size(), 1U);
  EXPECT_EQ(made.intervals[0].begin_s, 1);
  EXPECT_EQ(made.intervals[0].end_s, 3);
  EXPECT_DOUBLE_EQ(made.intervals[0].units_per_second, 100);
  EXPECT_DOUBLE_EQ(made.intervals[0].queries_per_second, 1400);
  EXPECT_EQ(made.intervals[0].p95_ms, made.summary.latency.p95_ms);
}

TEST(MakeRun, CountsAnErrorOfAnIntervalOnce) { EXPECT_EQ(make_run(measured_run()).intervals[0].errors, 7U); }

TEST(MakeRun, CountsErrorsOfUnitsWhereAttemptsAreNotRecorded) {
  core::RunResult run = measured_run();
  run.schema.operations[1].type = core::OperationClass::other;
  run.intervals[0].data.operations[0].errors = 2;
  EXPECT_EQ(make_run(run).intervals[0].errors, 2U);
}

TEST(MakeRun, GivesARunThatNeverStartedAnEntryForEachOperation) {
  core::RunResult run;
  run.schema = testing::oltp_schema();
  run.end = core::EndReason::failed;
  const results::Run made = make_run(run);
  EXPECT_EQ(made.end, "failed");
  EXPECT_EQ(made.total.data.operations.size(), 5U);
  EXPECT_EQ(made.total.data.counters.size(), 3U);
  EXPECT_EQ(made.summary.units_per_second, 0);
}

}  // namespace
}  // namespace spindle::results
