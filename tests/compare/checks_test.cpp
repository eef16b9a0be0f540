#include <gtest/gtest.h>

#include "compare/checks/check.h"
#include "tests/support/sample_result.h"

namespace spindle::compare {
namespace {

using results::Cell;
using results::CellKind;
using results::Result;

const Cell kCell{CellKind::oltp, "read_write", 16};
const Cell kDisk{CellKind::fileio, "rndwr", 16};

// Three steady rounds in which the first target is four times as fast: no mistake in it.
Result clean(const Cell& cell = kCell) {
  Result result = testing::make_frame();
  for (std::uint32_t round = 1; round <= 3; ++round) {
    testing::add_run(result, {.target = 0, .cell = cell, .round = round, .per_second = 400});
    testing::add_run(result, {.target = 1, .cell = cell, .round = round, .per_second = 100});
  }
  return result;
}

// The message of one check; empty when it stays silent.
std::string message_of(const char* name, const Result& result) {
  const CheckFunction* check = CheckRegistry::instance().find(name);
  if (!check) return "no such check";
  const std::optional<results::Check> fired = (*check)(result);
  if (!fired) return {};
  EXPECT_EQ(fired->name, name);
  EXPECT_FALSE(fired->remedy.empty());
  return fired->message;
}

TEST(Checks, AreAllRegistered) {
  EXPECT_EQ(CheckRegistry::instance().names(),
            (std::vector<std::string>{"buffer-pool", "client-bound", "durability", "little", "noisy", "same-device",
                                      "unequal-runs"}));
}

TEST(Checks, StaySilentOnACleanComparison) {
  EXPECT_TRUE(run_checks(clean()).empty());
  EXPECT_TRUE(run_checks(clean(kDisk)).empty());
  EXPECT_TRUE(run_checks(testing::make_sample_result()).empty());
}

TEST(Checks, StaySilentOnAResultWithoutRunsOrTargets) {
  EXPECT_TRUE(run_checks(testing::make_frame()).empty());
  EXPECT_TRUE(run_checks(Result{}).empty());
}

TEST(Checks, FireInTheOrderOfTheirNames) {
  Result result = clean();
  result.targets[1].device.id = result.targets[0].device.id;
  result.options["data_bytes"] = "1000";
  const std::vector<results::Check> checks = run_checks(result);
  ASSERT_EQ(checks.size(), 2U);
  EXPECT_EQ(checks[0].name, "buffer-pool");
  EXPECT_EQ(checks[1].name, "same-device");
}

TEST(SameDevice, FiresOnTwoLabelsOfOneDevice) {
  Result result = clean();
  result.targets[1].device = result.targets[0].device;
  EXPECT_EQ(message_of("same-device", result),
            "ssd and sas are on one device, sdb (8:16): one disk was compared with itself");
}
TEST(SameDevice, FiresOnTwoVolumesOfOneDisk) {
  Result result = clean();
  result.targets[0].device.disks = {"sda"};
  result.targets[1].device.disks = {"sdb", "sda"};
  EXPECT_NE(message_of("same-device", result), "");
}
TEST(SameDevice, StaysSilentWhereSettingsAreCompared) {
  Result result = clean();
  result.targets[1].device = result.targets[0].device;
  result.targets[1].overrides = {{"innodb_io_capacity", "2000"}};
  EXPECT_EQ(message_of("same-device", result), "");
}
TEST(SameDevice, StaysSilentWhereTheDeviceIsUnknown) {
  Result result = clean();
  result.targets[0].device = {};
  result.targets[1].device = {};
  EXPECT_EQ(message_of("same-device", result), "");
}

TEST(BufferPool, FiresBelowTwiceThePool) {
  Result result = clean();
  result.options["data_bytes"] = "268435455";
  EXPECT_EQ(
      message_of("buffer-pool", result),
      "the data (256.0M) are 2.0x the buffer pool of ssd (128M); 2.0x the buffer pool of sas (128M): much of what "
      "was measured is memory, not the disk");
}
TEST(BufferPool, StaysSilentFromTwiceThePoolOn) {
  Result result = clean();
  result.options["data_bytes"] = "268435456";
  EXPECT_EQ(message_of("buffer-pool", result), "");
}
TEST(BufferPool, LooksAtEachServersOwnPool) {
  Result result = clean();
  result.targets[1].variables["innodb_buffer_pool_size"] = "1073741824";
  EXPECT_EQ(message_of("buffer-pool", result),
            "the data (1.2G) are 1.2x the buffer pool of sas (1G): much of what was measured is memory, not the disk");
}
TEST(BufferPool, TakesTheOptionWhereTheServerDoesNotSay) {
  Result result = clean();
  result.targets[0].variables.clear();
  result.targets[1].variables.clear();
  result.options["buffer_pool"] = "1073741824";
  EXPECT_NE(message_of("buffer-pool", result), "");
}
TEST(BufferPool, StaysSilentWithoutTransactions) {
  Result result = clean(kDisk);
  result.options["data_bytes"] = "1000";
  EXPECT_EQ(message_of("buffer-pool", result), "");
}

TEST(Durability, FiresWhereTheTargetsDiffer) {
  Result result = clean();
  result.targets[1].variables["innodb_flush_method"] = "fsync";
  EXPECT_EQ(message_of("durability", result), "innodb_flush_method is O_DIRECT on ssd and fsync on sas");
}
TEST(Durability, FiresWhereCommitsAreNotFlushed) {
  Result result = clean();
  result.targets[0].variables["innodb_flush_log_at_trx_commit"] = "2";
  result.targets[1].variables["innodb_flush_log_at_trx_commit"] = "2";
  EXPECT_EQ(message_of("durability", result),
            "ssd has innodb_flush_log_at_trx_commit=2: the log is flushed once a second, not at commit; sas has "
            "innodb_flush_log_at_trx_commit=2: the log is flushed once a second, not at commit");
}
TEST(Durability, StaysSilentWithoutTransactions) {
  Result result = clean(kDisk);
  result.targets[1].variables["innodb_flush_log_at_trx_commit"] = "0";
  EXPECT_EQ(message_of("durability", result), "");
}

TEST(ClientBound, FiresAbove80PercentOfTheCpus) {
  Result result = clean();
  result.environment.cpus = 2;
  result.runs[1].client_cpu_seconds = 97;  // of 120
  EXPECT_EQ(message_of("client-bound", result),
            "spindle itself was short of CPU: read_write at 16 threads on sas, round 1: 81 % of the CPUs");
}
TEST(ClientBound, StaysSilentAt80PercentOfTheCpus) {
  Result result = clean();
  result.environment.cpus = 2;
  result.runs[1].client_cpu_seconds = 96;
  EXPECT_EQ(message_of("client-bound", result), "");
}
TEST(ClientBound, StaysSilentWhereTheCpusAreUnknown) {
  Result result = clean();
  result.environment.cpus = 0;
  result.runs[1].client_cpu_seconds = 1000;
  EXPECT_EQ(message_of("client-bound", result), "");
}

// One cell of two targets, one throughput of each a round.
Result rounds_of(const std::vector<std::pair<double, double>>& rates) {
  Result result = testing::make_frame();
  std::uint32_t round = 0;
  for (const auto& [first, other] : rates) {
    ++round;
    testing::add_run(result, {.target = 0, .cell = kCell, .round = round, .per_second = first});
    testing::add_run(result, {.target = 1, .cell = kCell, .round = round, .per_second = other});
  }
  return result;
}

TEST(Noisy, FiresWhereRoundsDifferMoreThanTargets) {
  EXPECT_EQ(message_of("noisy", rounds_of({{100, 100}, {150, 110}})),
            "read_write at 16 threads: rounds of ssd differ by 1.50x, the targets by 1.17x");
}
TEST(Noisy, StaysSilentWhereTargetsDifferMore) {
  EXPECT_EQ(message_of("noisy", rounds_of({{400, 100}, {600, 110}})), "");
}
TEST(Noisy, StaysSilentOnEqualTargetsWithSteadyRounds) {
  EXPECT_EQ(message_of("noisy", rounds_of({{100, 100}, {103, 101}, {99, 102}})), "");
}
TEST(Noisy, StaysSilentOnOneRound) { EXPECT_EQ(message_of("noisy", rounds_of({{100, 100}})), ""); }

TEST(Little, FiresWhereLatenciesAccountForTooFewThreads) {
  Result result = clean();
  result.runs[0].cell.threads = 20;  // 400/s x 40 ms = 16 threads
  EXPECT_EQ(
      message_of("little", result),
      "throughput and latency contradict the number of threads: read_write at 20 threads on ssd, round 1: 400/s x "
      "40.0 ms account for 16.0 threads");
}
TEST(Little, StaysSilentWithin15Percent) {
  Result result = clean();
  result.runs[0].cell.threads = 18;
  EXPECT_EQ(message_of("little", result), "");
}
TEST(Little, StaysSilentOnTooFewSamples) {
  Result result = testing::make_frame();
  testing::add_run(result, {.cell = {CellKind::oltp, "read_write", 64}, .per_second = 10}).cell.threads = 128;
  EXPECT_EQ(message_of("little", result), "");
}
TEST(Little, StaysSilentInAnOpenLoop) {
  Result result = clean();
  result.runs[0].cell.threads = 64;
  result.runs[0].loop = core::LoopKind::open;
  EXPECT_EQ(message_of("little", result), "");
}
TEST(Little, CountsTheTimeOfSyncsBetweenRequests) {
  Result result = clean(kDisk);
  results::Run& run = result.runs[0];
  run.cell.threads = 32;  // 16 in writes
  EXPECT_NE(message_of("little", result), "");
  run.total.data.operations[2].service = testing::log_normal(240, 4000);  // 4 fsyncs a second of 4 s: 16 more
  run.summary = core::summarize(run.schema, run.total, run.loop);
  EXPECT_EQ(message_of("little", result), "");
}

TEST(UnequalRuns, FiresOnAnotherLength) {
  Result result = testing::make_frame();
  testing::add_run(result, {.target = 0, .cell = kCell, .seconds = 60});
  testing::add_run(result, {.target = 1, .cell = kCell, .seconds = 120});
  EXPECT_EQ(message_of("unequal-runs", result), "runs of read_write at 16 threads took 60.0 s to 120 s");
}
TEST(UnequalRuns, AllowsTheLengthOfALastTransaction) {
  Result result = testing::make_frame();
  testing::add_run(result, {.target = 0, .cell = kCell, .seconds = 60});
  testing::add_run(result, {.target = 1, .cell = kCell, .seconds = 62});
  EXPECT_EQ(message_of("unequal-runs", result), "");
}
TEST(UnequalRuns, AllowsASamplerThatWokeLate) {
  Result result = testing::make_frame();
  testing::add_run(result, {.target = 0, .cell = kCell, .seconds = 1});
  testing::add_run(result, {.target = 1, .cell = kCell, .seconds = 1.42});
  EXPECT_EQ(message_of("unequal-runs", result), "");
}
TEST(UnequalRuns, LooksAtCompletedRunsOnly) {
  Result result = testing::make_frame();
  testing::add_run(result, {.target = 0, .cell = kCell, .seconds = 60});
  testing::add_run(result, {.target = 1, .cell = kCell, .seconds = 5}).end = "interrupted";
  EXPECT_EQ(message_of("unequal-runs", result), "");
}
TEST(UnequalRuns, FiresOnOtherRows) {
  Result result = clean();
  result.runs[0].rows_before = {{"status", 10000}};
  result.runs[1].rows_before = {{"status", 20000}};
  result.runs.resize(2);
  EXPECT_EQ(message_of("unequal-runs", result), "runs of read_write at 16 threads began with 10,000 to 20,000 rows");
}
TEST(UnequalRuns, FiresOnAnotherServer) {
  Result result = clean();
  result.targets[1].server_version = "9.7.0";
  EXPECT_EQ(message_of("unequal-runs", result), "the servers differ: 10.11.14-MariaDB and 9.7.0");
}
TEST(UnequalRuns, FiresOnAnotherSettingThatNobodyAskedFor) {
  Result result = clean();
  result.targets[0].variables["innodb_io_capacity"] = "200";
  result.targets[1].variables["innodb_io_capacity"] = "2000";
  EXPECT_EQ(message_of("unequal-runs", result), "innodb_io_capacity is 200 on ssd and 2000 on sas");
}
TEST(UnequalRuns, StaysSilentOnASettingThatIsCompared) {
  Result result = clean();
  result.targets[0].variables["innodb_io_capacity"] = "200";
  result.targets[1].variables["innodb_io_capacity"] = "2000";
  result.targets[1].overrides = {{"innodb_io_capacity", "2000"}};
  EXPECT_EQ(message_of("unequal-runs", result), "");
}
TEST(UnequalRuns, StaysSilentOnPlaces) {
  Result result = clean();
  result.targets[0].variables["datadir"] = "/mnt/ssd/data";
  result.targets[1].variables["datadir"] = "/mnt/sas/data";
  EXPECT_EQ(message_of("unequal-runs", result), "");
}
TEST(UnequalRuns, FiresOnAnotherLoop) {
  Result result = clean();
  result.runs[1].loop = core::LoopKind::open;
  EXPECT_EQ(message_of("unequal-runs", result), "read_write at 16 threads ran in a closed and in an open loop");
}

}  // namespace
}  // namespace spindle::compare
