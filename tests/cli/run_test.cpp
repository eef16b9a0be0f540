// Single runs with the real binary, on files and on a server.
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <filesystem>

#include "results/result.h"
#include "tests/support/command.h"
#include "tests/support/server_fixture.h"

namespace spindle::test_support {
namespace {

using namespace std::chrono_literals;

class FileioRun : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(spindle(arguments("prepare")).code, 0); }

  std::vector<std::string> arguments(const std::string& command, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> all = {"fileio", command};
    if (command == "run") all.push_back("rndwr");
    const std::vector<std::string> files = {"--dir=" + files_.path(), "--file-num=2", "--file-total-size=1M",
                                            "--buffered"};
    all.insert(all.end(), files.begin(), files.end());
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }

  ScratchDirectory files_, output_;
};

TEST_F(FileioRun, SavesEveryOptionWithItsEffectiveValue) {
  const std::string path = output_.path() + "/new/result.json";
  const Finished finished = spindle(arguments("run", {"--time=100ms", "--file-fsync-scope=all", "--output=" + path}));
  ASSERT_EQ(finished.code, 0) << finished.err;
  const results::Settings options = results::load(path).options;
  EXPECT_EQ(options.at("file_fsync_scope"), "all");
  EXPECT_EQ(options.at("file_caching"), "buffered");
  EXPECT_EQ(options.at("time_s"), "0.1");
  EXPECT_EQ(options.at("grace_s"), "5");
}

TEST_F(FileioRun, AnOutputThatCannotBeWrittenIsRefusedBeforeTheRun) {
  const Finished finished = spindle(arguments("run", {"--time=1h", "--output=/proc/spindle/result.json"}));
  EXPECT_EQ(finished.code, 1);
  EXPECT_NE(finished.err.find("cannot save results in '/proc/spindle'"), std::string::npos) << finished.err;
}

TEST_F(FileioRun, ClosedStandardDescriptorsAreNeverTakenByFiles) {
  const std::string path = output_.path() + "/result.json";
  std::vector<std::string> command = {"/bin/sh", "-c", "exec \"$0\" \"$@\" <&- >&- 2>&-", SPINDLE_BINARY};
  const std::vector<std::string> run = arguments("run", {"--time=300ms", "--output=" + path});
  command.insert(command.end(), run.begin(), run.end());
  EXPECT_EQ(Command(command).wait(60s).code, 1);  // the table could not be written
  EXPECT_EQ(results::load(path).end, "completed");
  EXPECT_EQ(spindle(arguments("prepare")).out.find("wrote"), std::string::npos);  // the files are as they were
}

TEST_F(FileioRun, AHangUpIsIgnoredUnderNohup) {
  std::vector<std::string> command = {"/bin/sh", "-c", "trap '' HUP; exec \"$0\" \"$@\"", SPINDLE_BINARY};
  const std::vector<std::string> run = arguments("run", {"--time=1s", "--report-interval=100ms"});
  command.insert(command.end(), run.begin(), run.end());
  Command started(command);
  ASSERT_TRUE(started.wait_for([&] { return started.err_so_far().find("threads") != std::string::npos; }, 30s));
  started.signal(SIGHUP);
  EXPECT_EQ(started.wait(60s).code, 0);
}

class OltpRun : public testing::Test {
 protected:
  void SetUp() override {
    const std::string reason = reason_without_server();
    if (!reason.empty()) GTEST_SKIP() << reason;
    database_ = fresh_database();
  }

  Finished oltp(const std::string& command, const std::vector<std::string>& more = {}) const {
    const drivers::ConnectionOptions& server = shared_connection();
    std::vector<std::string> all = {"oltp",
                                    command,
                                    "status_mixed",
                                    "--host=127.0.0.1",
                                    "--port=" + std::to_string(server.port),
                                    "--user=" + server.user,
                                    "--database=" + database_,
                                    "--status-rows=500"};
    all.insert(all.end(), more.begin(), more.end());
    return spindle(all, {"MYSQL_PWD=" + server.password});
  }

  std::string database_;
  ScratchDirectory output_;
};

TEST(NullDriver, RunsWithoutAServerToMeasureSpindleItself) {
  const Finished finished = spindle({"oltp", "run", "read_write", "--driver=null", "--time=300ms", "--threads=2"});
  EXPECT_EQ(finished.code, 0) << finished.err;
  EXPECT_NE(finished.out.find("point_select"), std::string::npos) << finished.out;
}

TEST_F(OltpRun, PreparesRunsChecksAndCleansUp) {
  EXPECT_EQ(oltp("prepare").code, 0);
  const std::string path = output_.path() + "/result.json";
  const Finished finished = oltp("run", {"--threads=2", "--time=500ms", "--output=" + path});
  ASSERT_EQ(finished.code, 0) << finished.err;
  const results::Result result = results::load(path);
  EXPECT_EQ(result.options.at("weight_insert"), "2");
  ASSERT_EQ(result.runs.size(), 1U);
  EXPECT_EQ(result.runs[0].rows_before.at("status"), 500U);
  EXPECT_NEAR(static_cast<double>(result.runs[0].rows_after.at("status")), 500, 100);
  EXPECT_EQ(oltp("check").code, 0);
  const Finished cleaned = oltp("cleanup");
  EXPECT_EQ(cleaned.code, 0) << cleaned.err;
  EXPECT_EQ(cleaned.out, "dropped status\n");
}

TEST_F(OltpRun, AMissingTableIsSaidWithItsCure) {
  const Finished finished = oltp("run", {"--time=1s"});
  EXPECT_EQ(finished.code, 1);
  EXPECT_NE(finished.err.find("table 'status' is missing: run 'spindle oltp prepare' first"), std::string::npos)
      << finished.err;
}

}  // namespace
}  // namespace spindle::test_support
