#include "compare/verdict.h"

#include <gtest/gtest.h>

#include "tests/support/sample_result.h"

namespace spindle::compare {
namespace {

using results::Cell;
using results::CellKind;

const Cell kWrites{CellKind::oltp, "read_write", 16};
const Cell kReads{CellKind::oltp, "read_only", 1};
const Cell kDisk{CellKind::fileio, "rndrd", 16};

// Adds as many rounds of a cell as there are numbers: the first target's throughput, and 100 for the other.
void add_rounds(results::Result& result, const Cell& cell, const std::vector<double>& first, std::size_t other = 1) {
  std::uint32_t round = 0;
  for (const double rate : first) {
    ++round;
    testing::add_run(result, {.target = 0, .cell = cell, .round = round, .per_second = rate});
    testing::add_run(result, {.target = other, .cell = cell, .round = round, .per_second = 100});
  }
}

TEST(Verdict, SaysHowMuchFasterWithItsInterval) {
  results::Result result = testing::make_frame();
  add_rounds(result, kWrites, {390, 410, 400, 420});
  EXPECT_EQ(make_verdict(result),
            "ssd ran MySQL 4.0x faster than sas (95 % interval 3.8 to 4.3; read_write at 16 threads).");
}

TEST(Verdict, PutsTheFasterTargetFirst) {
  results::Result result = testing::make_frame();
  add_rounds(result, kWrites, {25, 25, 25});
  add_rounds(result, kReads, {50, 50, 50});
  EXPECT_EQ(
      make_verdict(result),
      "sas ran MySQL 2.8x faster than ssd (95 % interval 2.8 to 2.8; geometric mean over 2 cells, 2.0x to 4.0x).");
}

TEST(Verdict, SaysHowMuchOfTheDiskReachedTheTransactions) {
  results::Result result = testing::make_frame();
  add_rounds(result, kWrites, {400, 400, 400});
  add_rounds(result, kDisk, {2000, 2000, 2000});
  EXPECT_EQ(
      make_verdict(result),
      "ssd ran MySQL 4.0x faster than sas (95 % interval 4.0 to 4.0; read_write at 16 threads). ssd did raw disk "
      "I/O 20.0x faster than sas (95 % interval 20.0 to 20.0; fileio rndrd at 16 threads). So of the disk's 20.0x, "
      "4.0x reached the transactions.");
}

TEST(Verdict, SaysWhenTheFasterDiskIsTheSlowerOneUnderMySQL) {
  results::Result result = testing::make_frame();
  add_rounds(result, kWrites, {50, 50, 50});
  add_rounds(result, kDisk, {2000, 2000, 2000});
  EXPECT_NE(make_verdict(result).find(" The faster disk is the slower one under MySQL."), std::string::npos);
}

TEST(Verdict, ClaimsNothingWhereTheIntervalContainsOne) {
  results::Result result = testing::make_frame();
  add_rounds(result, kWrites, {97, 104, 101, 99});
  EXPECT_EQ(make_verdict(result),
            "No difference shown between ssd and sas in MySQL: 1.00x (95 % interval 0.96 to 1.05; read_write at 16 "
            "threads).");
}

TEST(Verdict, OfOneRoundSaysThatThereIsNoInterval) {
  results::Result result = testing::make_frame();
  add_rounds(result, kWrites, {410});
  EXPECT_EQ(
      make_verdict(result),
      "ssd ran MySQL 4.1x faster than sas (read_write at 16 threads). 1 round gives no interval, so chance is not "
      "ruled out: --rounds 4 or more gives one.");
}

TEST(Verdict, OfOneRoundWithEqualTargetsNamesNoWinner) {
  results::Result result = testing::make_frame();
  add_rounds(result, kWrites, {101});
  EXPECT_TRUE(
      make_verdict(result).starts_with("ssd and sas ran MySQL about equally fast: 1.01x (read_write at 16 threads)."));
}

TEST(Verdict, CountsCellsThatCouldNotBeCompared) {
  results::Result result = testing::make_frame();
  add_rounds(result, kWrites, {400, 400, 400});
  testing::add_run(result, {.target = 0, .cell = kReads, .per_second = 50});
  EXPECT_EQ(
      make_verdict(result),
      "ssd ran MySQL 4.0x faster than sas (95 % interval 4.0 to 4.0; read_write at 16 threads). 1 of 2 cells could "
      "not be compared.");
}

TEST(Verdict, SaysWhenNothingCouldBeCompared) {
  results::Result result = testing::make_frame();
  testing::add_run(result, {.target = 0, .cell = kReads, .per_second = 50});
  EXPECT_EQ(make_verdict(result),
            "MySQL could not be compared between ssd and sas: no cell was completed by both in one round.");
}

TEST(Verdict, NamesTheRoundsThatAreLeftOut) {
  results::Result result = testing::make_frame();
  add_rounds(result, kWrites, {400, 400, 400, 400});
  result.runs[3].end = "failed";
  EXPECT_EQ(make_verdict(result),
            "ssd ran MySQL 4.0x faster than sas (95 % interval 4.0 to 4.0; read_write at 16 threads). Left out of the "
            "ratios: read_write at 16 threads, round 2 (sas failed).");
}

TEST(Verdict, TellsCellsThatDisagreeWithTheWhole) {
  results::Result result = testing::make_frame();
  add_rounds(result, kWrites, {400, 400, 400});
  add_rounds(result, kReads, {100, 100, 100});
  EXPECT_NE(make_verdict(result).find(" In 1 of 2 cells no difference is shown."), std::string::npos);
}

TEST(Verdict, OfFilesAloneSpeaksOfTheDiskAlone) {
  results::Result result = testing::make_frame();
  add_rounds(result, kDisk, {2000, 2000, 2000});
  EXPECT_EQ(make_verdict(result),
            "ssd did raw disk I/O 20.0x faster than sas (95 % interval 20.0 to 20.0; fileio rndrd at 16 threads).");
}

TEST(Verdict, HasALineForEachFurtherTarget) {
  results::Result result = testing::make_frame();
  result.targets.push_back(testing::make_target("nvme", "nvme0n1", false));
  add_rounds(result, kWrites, {400, 400, 400});
  for (std::uint32_t round = 1; round <= 3; ++round) {
    testing::add_run(result, {.target = 2, .cell = kWrites, .round = round, .per_second = 800});
  }
  EXPECT_EQ(make_verdict(result),
            "ssd ran MySQL 4.0x faster than sas (95 % interval 4.0 to 4.0; read_write at 16 threads).\n"
            "nvme ran MySQL 2.0x faster than ssd (95 % interval 2.0 to 2.0; read_write at 16 threads).");
}

TEST(Verdict, OfAnInterruptedComparisonSaysSo) {
  results::Result result = testing::make_frame();
  add_rounds(result, kWrites, {400, 400, 400});
  result.end = "interrupted";
  EXPECT_TRUE(make_verdict(result).starts_with("Interrupted: this rests on what was measured until then. ssd ran"));
}

TEST(Verdict, OfAComparisonWithAFailedPartSaysSo) {
  results::Result result = testing::make_frame();
  add_rounds(result, kWrites, {400, 400, 400, 400});
  result.runs[3].end = "failed";
  result.end = "failed";
  EXPECT_TRUE(
      make_verdict(result).starts_with("A part of the comparison failed: this rests on what was measured. ssd "));
}

TEST(Verdict, OfOneTargetAsksForASecond) {
  results::Result result = testing::make_frame();
  result.targets.resize(1);
  EXPECT_EQ(make_verdict(result), "One target was measured: name a second one, and spindle compares them.");
}

TEST(Verdict, WithoutRunsSaysThatNothingWasMeasured) {
  EXPECT_EQ(make_verdict(testing::make_frame()), "Nothing was measured.");
}

TEST(Conclude, FillsComparisonsChecksAndVerdict) {
  results::Result result = testing::make_frame();
  add_rounds(result, kWrites, {400, 400, 400});
  result.targets[1].device.id = result.targets[0].device.id;
  conclude(result);
  ASSERT_EQ(result.comparisons.size(), 1U);
  ASSERT_EQ(result.checks.size(), 1U);
  EXPECT_EQ(result.checks[0].name, "same-device");
  EXPECT_TRUE(result.verdict.ends_with(" Read this with the warning: same-device."));
}

TEST(Conclude, CanBeCalledAgain) {
  results::Result result = testing::make_frame();
  add_rounds(result, kWrites, {400, 400, 400});
  conclude(result);
  const std::string verdict = result.verdict;
  conclude(result);
  EXPECT_EQ(result.comparisons.size(), 1U);
  EXPECT_EQ(result.verdict, verdict);
}

}  // namespace
}  // namespace spindle::compare
