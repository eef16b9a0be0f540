// The main job with the real binary on a real server: small, but whole.
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <regex>

#include "results/aggregate.h"
#include "results/result.h"
#include "tests/support/command.h"
#include "tests/support/server_fixture.h"

namespace spindle::test_support {
namespace {

using namespace std::chrono_literals;

// Two directories to compare, one for the result, and a comparison of a few seconds.
class Compare : public testing::Test {
 protected:
  void SetUp() override {
    const std::string reason = reason_without_server();
    if (!reason.empty()) GTEST_SKIP() << reason;
  }
  void TearDown() override {
    EXPECT_EQ(first_.entries(), std::vector<std::string>{}) << "left behind";
    EXPECT_EQ(second_.entries(), std::vector<std::string>{}) << "left behind";
  }

  std::vector<std::string> arguments(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> all = {
        "compare",        "one=" + first_.path(), "two=" + second_.path(),     "--quick",           "--threads=2",
        "--rounds=1",     "--tables=1",           "--table-size=2000",         "--status-rows=500", "--time=400ms",
        "--warmup=100ms", "--file-total-size=4M", "--output=" + output_.path()};
    const std::string binary = chosen_server_binary();
    if (!binary.empty()) all.push_back("--server-binary=" + binary);
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  std::vector<std::string> command(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> all = arguments(more);
    all.insert(all.begin(), SPINDLE_BINARY);
    return all;
  }
  std::string saved() const {
    const std::vector<std::string> files = output_.entries();
    return files.size() == 1 ? output_.path() + "/" + files[0] : "";
  }

  ScratchDirectory first_{"/var/tmp"}, second_{"/dev/shm"}, output_{"/var/tmp"};
};

// The process that serves the data below `directory`, from /proc; 0 when there is none.
pid_t server_of(const std::string& directory) {
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    if (!std::all_of(name.begin(), name.end(), [](unsigned char c) { return std::isdigit(c); })) continue;
    std::ifstream file(entry.path() / "cmdline");
    const std::string line((std::istreambuf_iterator<char>(file)), {});
    if (line.find("--datadir=" + directory) != std::string::npos) return std::stoi(name);
  }
  return 0;
}

TEST_F(Compare, MeasuresEveryCellOnEveryTargetAndSavesIt) {
  const Finished finished = spindle(arguments());
  ASSERT_EQ(finished.code, 0) << finished.err;
  ASSERT_NE(saved(), "");
  const results::Result result = results::load(saved());
  EXPECT_EQ(result.end, "completed");
  ASSERT_EQ(result.targets.size(), 2U);
  EXPECT_EQ(result.runs.size(), 12U);  // 6 cells on 2 targets
  EXPECT_EQ(result.comparisons.size(), 6U);
  for (const results::Run& run : result.runs) {
    EXPECT_EQ(run.end, "completed");
    EXPECT_GT(run.summary.units_per_second, 0) << run.cell.workload;
    EXPECT_EQ(run.accounts.handed_out, run.accounts.committed + run.accounts.failed + run.accounts.skipped +
                                           static_cast<std::uint64_t>(run.accounts.in_flight()));
  }
  EXPECT_NE(result.targets[0].variables.at("innodb_flush_log_at_trx_commit"), "0");
  EXPECT_NE(finished.out.find("read_write"), std::string::npos);
  EXPECT_NE(finished.out.find("rndrw"), std::string::npos);
  EXPECT_NE(finished.out.find("Verdict"), std::string::npos);
  EXPECT_NE(finished.out.find("Saved in " + saved()), std::string::npos);
}

TEST_F(Compare, ReportPrintsTheSameTableAgain) {
  const Finished measured = spindle(arguments({"--workloads=point_select", "--fileio=rndrd"}));
  ASSERT_EQ(measured.code, 0) << measured.err;
  const Finished again = spindle({"report", saved()});
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(measured.out.substr(0, measured.out.find("\nSaved in")), again.out);
}

TEST_F(Compare, StatusTableNeitherDrainsNorGrowsAndItsRowsAreInTheResult) {
  const Finished finished = spindle(arguments({"--workloads=status_mixed", "--fileio=none", "--time=2s"}));
  ASSERT_EQ(finished.code, 0) << finished.err;
  for (const results::Run& run : results::load(saved()).runs) {
    EXPECT_EQ(run.rows_before.at("status"), 500U);
    EXPECT_NEAR(static_cast<double>(run.rows_after.at("status")), 500, 100);
    EXPECT_GE(run.summary.operations.size(), 9U);
  }
}

TEST_F(Compare, SettingsReachOneServerOnly) {
  const Finished finished =
      spindle(arguments({"--workloads=point_select", "--fileio=none", "--set=two:innodb_flush_log_at_trx_commit=2"}));
  ASSERT_EQ(finished.code, 0) << finished.err;
  const results::Result result = results::load(saved());
  EXPECT_EQ(result.targets[0].variables.at("innodb_flush_log_at_trx_commit"), "1");
  EXPECT_EQ(result.targets[1].variables.at("innodb_flush_log_at_trx_commit"), "2");
  EXPECT_NE(finished.out.find("durability"), std::string::npos);
}

TEST_F(Compare, ASettingTheServerRefusesShowsTheServersOwnWords) {
  const Finished finished = spindle(arguments({"--set=one:innodb_no_such_variable=1"}));
  EXPECT_EQ(finished.code, 1);
  EXPECT_NE(finished.err.find("innodb_no_such_variable"), std::string::npos) << finished.err;
  EXPECT_TRUE(output_.entries().empty());
}

TEST_F(Compare, TwoLabelsOnOneDeviceAreAWarningAndTheRunGoesOn) {
  const ScratchDirectory third("/var/tmp");
  std::vector<std::string> all = arguments({"--workloads=none", "--fileio=rndrd"});
  all[2] = "two=" + third.path();
  const Finished finished = spindle(all);
  EXPECT_EQ(finished.code, 0) << finished.err;
  EXPECT_NE(finished.err.find("on one device"), std::string::npos);
  EXPECT_NE(finished.out.find("same-device"), std::string::npos);
}

TEST_F(Compare, CtrlCWhileMeasuringReportsAndSavesWhatThereIs) {
  Command run(command({"--time=3s"}));
  ASSERT_TRUE(run.wait_for([&] { return run.err_so_far().find("[1/12]") != std::string::npos; }, 120s))
      << run.err_so_far();
  run.signal(SIGINT);
  const Finished finished = run.wait(60s);
  EXPECT_EQ(finished.code, 130) << finished.err;
  EXPECT_EQ(results::load(saved()).end, "interrupted");
  EXPECT_NE(finished.out.find("Interrupted"), std::string::npos);
  EXPECT_NE(finished.out.find("read_only"), std::string::npos);
}

TEST_F(Compare, CtrlCWhileStartingAServerLeavesNothing) {
  Command run(command());
  ASSERT_TRUE(run.wait_for([&] { return run.err_so_far().find("starting a server") != std::string::npos; }, 60s));
  run.signal(SIGINT);
  EXPECT_EQ(run.wait(60s).code, 130);
  EXPECT_TRUE(output_.entries().empty());
}

TEST_F(Compare, TermWhileLoadingTablesLeavesNothing) {
  Command run(command({"--table-size=3000000"}));
  ASSERT_TRUE(run.wait_for([&] { return run.err_so_far().find("loading tables") != std::string::npos; }, 60s));
  run.signal(SIGTERM);
  EXPECT_EQ(run.wait(60s).code, 143);
}

TEST_F(Compare, CtrlCWhileWritingFilesLeavesNothing) {
  Command run(command({"--workloads=none", "--file-total-size=2G"}));
  ASSERT_TRUE(run.wait_for([&] { return run.err_so_far().find("writing files") != std::string::npos; }, 60s));
  run.signal(SIGINT);
  EXPECT_EQ(run.wait(60s).code, 130);
}

TEST_F(Compare, AServerKilledInARunIsReportedAndTheRestGoesOn) {
  Command run(command({"--time=3s", "--workloads=read_write,point_select", "--fileio=none"}));
  ASSERT_TRUE(run.wait_for([&] { return run.err_so_far().find("two: loading tables") != std::string::npos; }, 120s));
  const pid_t server = server_of(first_.path());
  ASSERT_GT(server, 0);
  ASSERT_TRUE(run.wait_for([&] { return run.err_so_far().find("about") != std::string::npos; }, 10s));
  std::this_thread::sleep_for(2s);
  ::kill(server, SIGKILL);
  const Finished finished = run.wait(120s);
  EXPECT_EQ(finished.code, 1) << finished.err;
  EXPECT_NE(finished.err.find("the server of target one has died"), std::string::npos) << finished.err;
  const results::Result result = results::load(saved());
  EXPECT_EQ(result.end, "failed");
  EXPECT_EQ(result.runs.size(), 4U);
  EXPECT_EQ(result.runs[0].end, "failed");
  EXPECT_EQ(result.runs[3].end, "completed");
}

TEST_F(Compare, AFrozenServerIsNoticedAndReplaced) {
  Command run(command({"--time=6s", "--workloads=point_select", "--fileio=none", "--rounds=2"}));
  ASSERT_TRUE(run.wait_for([&] { return run.err_so_far().find("two: loading tables") != std::string::npos; }, 120s));
  const pid_t server = server_of(first_.path());
  ASSERT_GT(server, 0);
  std::this_thread::sleep_for(3s);  // well within the first run
  ::kill(server, SIGSTOP);
  const Finished finished = run.wait(120s);
  EXPECT_EQ(finished.code, 1) << finished.err;
  EXPECT_NE(finished.err.find("the server of target one does not answer any more"), std::string::npos) << finished.err;
  EXPECT_EQ(results::load(saved()).runs.back().end, "completed");
}

TEST_F(Compare, AnExistingTableOfAServerIsRefusedBeforeAnythingStarts) {
  const std::string database = fresh_database();
  drivers::ConnectionOptions connection = shared_connection();
  connection.database = database;
  const auto session = drivers::make_driver(drivers::kDefaultDriver)->connect(connection);
  session->run("CREATE TABLE sbtest1 (mine INT)");
  session->run("INSERT INTO sbtest1 VALUES (42)");
  std::vector<std::string> all = arguments({"--workloads=point_select", "--fileio=none"});
  all[2] = "two=mysql://" + connection.user + ":" + connection.password +
           "@127.0.0.1:" + std::to_string(connection.port) + "/" + database;
  const Finished finished = spindle(all);
  EXPECT_EQ(finished.code, 1);
  EXPECT_NE(finished.err.find("table 'sbtest1' exists"), std::string::npos) << finished.err;
  EXPECT_EQ(session->query("SELECT mine FROM sbtest1").at(0).at(0), "42");
}

TEST_F(Compare, WhatAKilledSpindleLeftIsRemovedByTheNext) {
  {
    Command killed(command({"--time=30s"}));
    ASSERT_TRUE(killed.wait_for([&] { return killed.err_so_far().find("writing files") != std::string::npos; }, 120s));
    killed.signal(SIGKILL);
    killed.wait(10s);
    EXPECT_FALSE(first_.entries().empty());
  }
  const Finished finished = spindle(arguments({"--workloads=point_select", "--fileio=rndrd"}));
  EXPECT_EQ(finished.code, 0) << finished.err;
  EXPECT_NE(finished.err.find("left by a spindle that was killed"), std::string::npos) << finished.err;
}

TEST_F(Compare, FilesOfAKilledSpindleAreRemovedByARunWithAnotherLabelAndWithoutFileio) {
  {
    Command killed(command({"--workloads=none", "--time=30s"}));
    ASSERT_TRUE(
        killed.wait_for([&] { return killed.err_so_far().find("two: writing files") != std::string::npos; }, 60s));
    killed.signal(SIGKILL);
    killed.wait(10s);
    ASSERT_FALSE(first_.entries().empty());
  }
  std::vector<std::string> all = arguments({"--workloads=point_select", "--fileio=none"});
  all[1] = "other=" + first_.path();
  const Finished finished = spindle(all);
  EXPECT_EQ(finished.code, 0) << finished.err;
  EXPECT_NE(finished.err.find("-files, left by a spindle that was killed"), std::string::npos) << finished.err;
}

TEST_F(Compare, FilesOfALivingSpindleStayWhileAnotherOneStarts) {
  Command living(command({"--workloads=none", "--fileio=rndrd", "--time=5s"}));
  ASSERT_TRUE(living.wait_for([&] { return living.err_so_far().find("[1/2]") != std::string::npos; }, 60s));
  std::vector<std::string> all = arguments({"--workloads=none", "--fileio=rndrd"});
  all[1] = "other=" + first_.path();
  const Finished second = spindle(all);
  EXPECT_EQ(second.code, 1);  // on the second target they have one label: the files are in use
  EXPECT_NE(second.err.find("is in use by another spindle"), std::string::npos) << second.err;
  const Finished first = living.wait(60s);
  EXPECT_EQ(first.code, 0) << first.err;
}

TEST_F(Compare, AServerAllowsAsManyConnectionsAsThePlanOpensUnlessTheUserSaysOtherwise) {
  const Finished finished =
      spindle(arguments({"--workloads=point_select", "--fileio=none", "--set=two:max_connections=99"}));
  ASSERT_EQ(finished.code, 0) << finished.err;
  const results::Result result = results::load(saved());
  EXPECT_EQ(result.targets[0].variables.at("max_connections"), "2048");
  EXPECT_EQ(result.targets[1].variables.at("max_connections"), "99");
}

TEST_F(Compare, KeepLeavesTheDataAndForeignFilesAreNeverTouched) {
  const ScratchDirectory kept("/var/tmp");
  std::ofstream(kept.path() + "/precious.txt") << "mine";
  std::vector<std::string> all = arguments({"--workloads=point_select", "--fileio=rndrd", "--keep"});
  all.erase(all.begin() + 2);
  all[1] = "one=" + kept.path();
  const Finished finished = spindle(all);
  EXPECT_EQ(finished.code, 0) << finished.err;
  EXPECT_EQ(kept.entries().size(), 3U);  // the server's folder, the files' folder, and the user's file
  EXPECT_EQ(server_of(kept.path()), 0);
  EXPECT_NE(finished.err.find("target one: kept " + kept.path() + "/spindle-one-"), std::string::npos) << finished.err;
  EXPECT_TRUE(std::filesystem::exists(kept.path() + "/precious.txt"));
}

TEST_F(Compare, AnExistingServerIsATargetAndItsOwnTablesStay) {
  const std::string database = fresh_database();
  const drivers::ConnectionOptions& connection = shared_connection();
  const std::string uri = "mysql://" + connection.user + ":" + connection.password +
                          "@127.0.0.1:" + std::to_string(connection.port) + "/" + database;
  std::vector<std::string> all = arguments({"--workloads=point_select", "--fileio=none"});
  all[2] = "two=" + uri;
  const Finished finished = spindle(all);
  ASSERT_EQ(finished.code, 0) << finished.err;
  if (!connection.password.empty()) {
    EXPECT_EQ((finished.out + finished.err).find(connection.password), std::string::npos);
    std::ifstream file(saved());
    const std::string text((std::istreambuf_iterator<char>(file)), {});
    EXPECT_EQ(text.find(connection.password), std::string::npos);
  }
  EXPECT_EQ(results::load(saved()).runs.size(), 2U);
}

TEST_F(Compare, AnOutputThatCannotBeWrittenIsRefusedAtOnce) {
  const Finished finished = spindle(arguments({"--workloads=point_select", "--fileio=none", "--output=/proc/spindle"}));
  EXPECT_EQ(finished.code, 1);
  EXPECT_NE(finished.err.find("cannot save results in '/proc/spindle'"), std::string::npos) << finished.err;
}

}  // namespace
}  // namespace spindle::test_support
