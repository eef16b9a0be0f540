// What wrong input gets: exit code 2 (usage) or 1, one line that names the cure, and nothing left behind.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/command.h"

namespace spindle::test_support {
namespace {

using testing::AssertionFailure;
using testing::AssertionResult;
using testing::AssertionSuccess;

// The command ends with `code` and says `text` in exactly one line on stderr, and nothing on stdout.
AssertionResult refused(const std::vector<std::string>& arguments, int code, const std::string& text) {
  const Finished finished = spindle(arguments);
  if (finished.code != code) return AssertionFailure() << "exit code " << finished.code << ": " << finished.err;
  if (finished.err.find(text) == std::string::npos) return AssertionFailure() << "stderr: " << finished.err;
  if (std::count(finished.err.begin(), finished.err.end(), '\n') != 1) return AssertionFailure() << finished.err;
  if (!finished.out.empty()) return AssertionFailure() << "stdout: " << finished.out;
  return AssertionSuccess();
}

TEST(Usage, HelpAndVersionGoToStdoutAndSucceed) {
  const Finished help = spindle({"--help"});
  EXPECT_EQ(help.code, 0);
  EXPECT_NE(help.out.find("compare"), std::string::npos);
  EXPECT_TRUE(help.err.empty());
  const Finished version = spindle({"--version"});
  EXPECT_EQ(version.code, 0);
  EXPECT_EQ(version.out.find("spindle "), 0U);
  EXPECT_NE(version.out.find("driver libmysqlclient: "), std::string::npos);
  EXPECT_NE(version.out.find("driver null: "), std::string::npos);
}

TEST(Usage, NothingToDoShowsTheHelpAndFails) {
  EXPECT_EQ(spindle({}).code, 2);
  EXPECT_NE(spindle({}).out.find("compare"), std::string::npos);
}

TEST(Usage, UnknownNamesGetTheNearestAsAHint) {
  EXPECT_TRUE(refused({"compare", "a=/tmp", "--tabel-size", "5"}, 2, "did you mean --table-size?"));
  EXPECT_TRUE(refused({"compair", "a=/tmp"}, 2, "did you mean compare?"));
  EXPECT_TRUE(refused({"compare", "a=/tmp", "--workloads", "read_onyl"}, 2, "did you mean 'read_only'?"));
  EXPECT_TRUE(refused({"fileio", "run", "rndrx"}, 2, "did you mean 'rndr"));
}

TEST(Usage, WrongValuesNameOptionValueAndWhatIsAllowed) {
  EXPECT_TRUE(
      refused({"compare", "a=/tmp", "--threads", "0"}, 2, "--threads: '0' is not allowed: give a whole number from 1"));
  EXPECT_TRUE(refused({"compare", "a=/tmp", "--threads", "1,many"}, 2, "--threads: 'many' is not allowed"));
  EXPECT_TRUE(refused({"compare", "a=/tmp", "--time", "soon"}, 2, "--time: 'soon' is not a duration"));
  EXPECT_TRUE(refused({"compare", "a=/tmp", "--buffer-pool", "huge"}, 2, "--buffer-pool: 'huge' is not a size"));
  EXPECT_TRUE(refused({"compare", "a=/tmp", "--rounds=-1"}, 2, "--rounds: '-1' is not allowed"));
  EXPECT_TRUE(refused({"compare", "a=/tmp", "--time=0"}, 2, "--time 0: no run would ever end"));
  EXPECT_TRUE(refused({"compare", "a=/tmp", "--threads=1,16,1"}, 2, "--threads names 1 twice"));
  EXPECT_TRUE(refused({"oltp", "run", "read_only", "--threads", "x"}, 2, "--threads: 'x' is not allowed"));
  EXPECT_TRUE(refused({"fileio", "run", "rndrd", "--rate", "1e300"}, 2, "--rate: '1e300' is not allowed"));
  EXPECT_TRUE(refused({"fileio", "run", "rndrd", "--rate", "nan"}, 2, "--rate: 'nan' is not allowed"));
}

TEST(Usage, TargetsMustBeLabelledDirectories) {
  EXPECT_TRUE(refused({"compare"}, 2, "targets"));
  EXPECT_TRUE(refused({"compare", "/tmp"}, 2, "'/tmp' is not a target: give LABEL=DIRECTORY"));
  EXPECT_TRUE(refused({"compare", "a=/nonexistent"}, 2, "directory '/nonexistent' does not exist"));
  EXPECT_TRUE(refused({"compare", "a=/etc/passwd"}, 2, "'/etc/passwd' is not a directory"));
  EXPECT_TRUE(refused({"compare", "a=/tmp", "a=/var/tmp"}, 2, "label 'a' is used twice"));
  EXPECT_TRUE(refused({"compare", "a=/proc", "--dry-run"}, 1, "target a:"));
}

TEST(Usage, APlanThatDoesNotFitIsRefusedBeforeAnythingStarts) {
  const ScratchDirectory directory;
  EXPECT_TRUE(refused({"compare", "a=" + directory.path(), "--file-total-size", "900T", "--workloads", "none"}, 1,
                      "the plan needs about 900T"));
  EXPECT_TRUE(directory.entries().empty());
}

TEST(Usage, AServerThatCannotBeReachedIsSaidBeforeAnythingStarts) {
  const ScratchDirectory directory;
  EXPECT_TRUE(refused({"compare", "a=" + directory.path(), "b=mysql://u@127.0.0.1:1/db", "--quick", "--fileio=none"}, 1,
                      "check that the server runs"));
  EXPECT_TRUE(directory.entries().empty());
}

TEST(Usage, OneDeviceUnderTwoSettingsIsNoWarning) {
  const ScratchDirectory directory;
  const std::string path = directory.path();
  const std::vector<std::string> both = {"compare", "a=" + path, "b=" + path, "--quick", "--dry-run"};
  EXPECT_NE(spindle(both).err.find("on one device"), std::string::npos);
  std::vector<std::string> set = both;
  set.push_back("--set=b:innodb_flush_log_at_trx_commit=2");
  EXPECT_EQ(spindle(set).err, "");
}

TEST(Usage, NoServerInstalledNamesPackagesAndOption) {
  const ScratchDirectory directory;
  EXPECT_TRUE(refused({"compare", "a=" + directory.path(), "--quick", "--server-binary", "/nonexistent/mysqld"}, 1,
                      "/nonexistent/mysqld"));
  EXPECT_TRUE(directory.entries().empty());
}

TEST(Usage, APasswordIsNeverShown) {
  const Finished finished = spindle({"compare", "a=mysql://u:hunter2@127.0.0.1:1/db", "--quick", "--fileio", "none"});
  EXPECT_EQ(finished.code, 1);
  EXPECT_EQ((finished.out + finished.err).find("hunter2"), std::string::npos);
  EXPECT_NE(finished.err.find("127.0.0.1"), std::string::npos) << finished.err;
  const Finished wrong = spindle({"oltp", "run", "read_only", "--pasword=hunter2"});
  EXPECT_EQ((wrong.out + wrong.err).find("hunter2"), std::string::npos) << wrong.err;
}

TEST(Usage, AHostThatIsNamedIsNotReplacedByTheLocalSocket) {
  const Finished finished =
      spindle({"oltp", "run", "read_only", "--host=127.0.0.1", "--port=1"}, {"MYSQL_UNIX_PORT=/nonexistent.sock"});
  EXPECT_EQ(finished.code, 1);
  EXPECT_NE(finished.err.find("127.0.0.1:1"), std::string::npos) << finished.err;
}

TEST(Usage, DryRunPrintsThePlanAndMakesNothing) {
  const ScratchDirectory directory;
  const Finished finished = spindle({"compare", "a=" + directory.path(), "--quick", "--dry-run"});
  EXPECT_EQ(finished.code, 0);
  EXPECT_EQ(
      difference(finished.out,
                 "target    a  %s\n"
                 "oltp      read_only, read_write, status_mixed\n"
                 "data      4 tables of %n rows and a status table of %n rows: about %s buffer pool 32M\n"
                 "fileio    rndrd, rndwr, rndrw, blocks of 16k, 256M in 8 files, O_DIRECT\n"
                 "threads   1, 16, 64\n"
                 "rounds    4 of 1s measured (after 250ms warm-up) per cell, order of targets reversed each round\n"
                 "runs      72\n"
                 "duration  about %*\n"
                 "space     about %s in each directory, removed at the end\n"),
      "");
  EXPECT_TRUE(directory.entries().empty());
}

TEST(Usage, GeneralOptionsMayFollowTheSubcommand) {
  const ScratchDirectory directory;
  const std::string target = "a=" + directory.path();
  EXPECT_EQ(spindle({"compare", target, "--dry-run", "--color", "never"}).code, 0);
  EXPECT_EQ(spindle({"--color=never", "compare", target, "--dry-run"}).code, 0);
  EXPECT_TRUE(refused({"compare", target, "--color", "pink"}, 2, "--color"));
}

TEST(Usage, UnderscoresAndDashesAreAlike) {
  const ScratchDirectory directory;
  const Finished finished = spindle({"compare", "a=" + directory.path(), "--table_size=1000", "--dry-run"});
  EXPECT_EQ(finished.code, 0) << finished.err;
  EXPECT_NE(finished.out.find("4 tables of 1,000 rows"), std::string::npos);
}

TEST(Usage, SettingsNameATargetThatExists) {
  const ScratchDirectory directory;
  EXPECT_TRUE(refused({"compare", "a=" + directory.path(), "--set", "b:x=1"}, 2, "there is no target 'b'"));
}

TEST(Usage, ReportRefusesWhatIsNoResult) {
  EXPECT_TRUE(refused({"report", "/nonexistent.json"}, 1, "cannot read '/nonexistent.json'"));
  EXPECT_TRUE(refused({"report", "/etc/passwd"}, 1, "/etc/passwd"));
}

}  // namespace
}  // namespace spindle::test_support
