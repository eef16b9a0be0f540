#include <gtest/gtest.h>

#include <sstream>

#include "report/reporter.h"
#include "report/text.h"
#include "results/json.h"
#include "tests/support/sample_result.h"

namespace spindle::report {
namespace {

using results::Cell;
using results::CellKind;
using results::Difference;
using results::Result;

const Cell kCell{CellKind::oltp, "read_write", 16};

std::string drawn(const Result& result, const RenderOptions& options = {}) {
  std::ostringstream out;
  render("table", result, out, options);
  return out.str();
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::size_t widest(const std::string& text) {
  std::size_t width = 0;
  for (const std::string& line : lines_of(text)) width = std::max(width, display_width(line));
  return width;
}

// The first line that holds a text, without blanks around it; empty when there is none.
std::string line_with(const std::string& text, const std::string& part) {
  for (const std::string& line : lines_of(text)) {
    if (line.find(part) != std::string::npos) return line.substr(line.find_first_not_of(' '));
  }
  return {};
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// One cell, two targets, one round.
Result small() {
  Result result = testing::make_frame();
  testing::add_run(result, {.target = 0, .cell = kCell, .per_second = 652, .deadlocks = 1234});
  testing::add_run(result, {.target = 1, .cell = kCell, .per_second = 26.7, .deadlocks = 2});
  result.comparisons = {{.cell = kCell,
                         .other = 1,
                         .rounds = 6,
                         .ratio = 24.4,
                         .low = 23.7,
                         .high = 25.2,
                         .difference = Difference::higher}};
  result.verdict = "ssd ran MySQL 24.4x faster than sas.";
  return result;
}

TEST(Table, ShowsEachTargetOfACellOnItsLine) {
  const std::string text = drawn(small(), {.charset = RenderOptions::Charset::ascii, .width = 100});
  EXPECT_EQ(line_with(text, " TPS "),
            "workload    threads  target   TPS     QPS  dead-  mean    p95    p99              ratio  TPS");
  EXPECT_EQ(line_with(text, "1/s"), "1/s     1/s  locks    ms     ms     ms          ssd / sas");
  EXPECT_EQ(line_with(text, " 652 "),
            "read_write       16  ssd      652  13,040  1,234  24.5   50.3   67.5  24.4x (23.7-25.2)  ##########");
  EXPECT_EQ(line_with(text, " 26.7 "), "sas     26.7     534      2   599  1,187  1,638                     #");
}

TEST(Table, HeadSaysWhatWasComparedAndHow) {
  const std::string text = drawn(testing::make_sample_result(1), {.width = 200});
  EXPECT_EQ(lines_of(text)[0], " spindle 0.1.0: ssd against sas  2026-02-03T09:15:00Z to 2026-02-03T10:41:12Z");
  EXPECT_EQ(line_with(text, "/mnt/sas"),
            "sas         /mnt/sas on sdc (SEAGATE ST600MP0006, rotating, write cache: write back, scheduler: "
            "mq-deadline), ext4; 10.11.14-MariaDB");
  EXPECT_EQ(
      line_with(text, "data   "),
      "data        1.2G in 4 tables of 500,000 rows, a status table of 10,000 rows, 9.6x the buffer pool of 128M");
  EXPECT_EQ(line_with(text, "durability"),
            "durability  full: every commit is flushed to the disk before it is acknowledged");
  EXPECT_EQ(line_with(text, "files"),
            "files       1G in 8 files, blocks of 16k, O_DIRECT, a sync after every 100 writes of a thread");
  EXPECT_EQ(
      line_with(text, "load "),
      "load        1, 16 and 64 threads, 60 s each after 10 s of warm-up, 4 rounds, closed loop (each thread sends "
      "as soon as it has its answer), uniform keys");
  EXPECT_EQ(line_with(text, "client"),
            "client      db-lab-3: 20 CPUs (Intel(R) Xeon(R) Silver 4210 CPU @ 2.20GHz), 64G RAM, kernel "
            "6.1.0-27-amd64; libmariadb 3.3.14");
}

TEST(Table, HeadTellsTargetsApartWhereTheyDiffer) {
  Result result = small();
  result.targets[1].overrides = {{"innodb_flush_log_at_trx_commit", "2"}};
  result.targets[1].variables["innodb_flush_log_at_trx_commit"] = "2";
  result.targets[1].notes = {"tmpfs: O_DIRECT has no effect"};
  const std::string text = drawn(result, {.width = 200});
  EXPECT_TRUE(contains(text, "; set: innodb_flush_log_at_trx_commit=2\n"));
  EXPECT_TRUE(contains(text, "durability  ssd: full; sas: relaxed (innodb_flush_log_at_trx_commit=2)\n"));
  EXPECT_TRUE(contains(text, "             tmpfs: O_DIRECT has no effect\n"));
}

TEST(Table, FitsIntoTheWidthItIsGiven) {
  const Result result = testing::make_sample_result(4);
  EXPECT_LE(widest(drawn(result, {.width = 120})), 120U);
  EXPECT_LE(widest(drawn(result, {.width = 100})), 100U);
  EXPECT_LE(widest(drawn(result, {.width = 80})), 80U);
}

TEST(Table, FitsInto80ColumnsWithIntervals) {
  Result result = small();
  result.comparisons[0].low = 2371.5;
  result.comparisons[0].high = 25201.4;
  const std::string text = drawn(result, {.width = 80});
  EXPECT_LE(widest(text), 80U);
  EXPECT_TRUE(contains(text, "24.4x"));
  EXPECT_TRUE(contains(text, "(2,372-25,201)"));
}

TEST(Table, ShowsFileioWithRequestsAndBytes) {
  Result result = testing::make_frame();
  testing::add_run(result, {.cell = {CellKind::fileio, "rndrd", 16}, .per_second = 48120, .seconds = 2});
  const std::string text = drawn(result, {.charset = RenderOptions::Charset::ascii, .width = 100});
  EXPECT_TRUE(contains(line_with(text, " IOPS "), "IOPS   data   mean    p95    p99"));
  EXPECT_TRUE(contains(line_with(text, "48,120"), "48,120    752  0.333"));
  EXPECT_TRUE(contains(text, "rndrd: random reads"));
  EXPECT_FALSE(contains(text, "TPS"));
}

TEST(Table, MarksPercentilesWithFewerThanTenSamplesBeyond) {
  Result result = testing::make_frame();
  testing::add_run(result, {.target = 0, .cell = kCell, .per_second = 16.65});  // 999 samples: 9.99 beyond p99
  testing::add_run(result, {.target = 1, .cell = kCell, .per_second = 16.67});  // 1,000
  const std::string text = drawn(result, {.charset = RenderOptions::Charset::ascii});
  EXPECT_TRUE(contains(line_with(text, "  ssd  "), "~"));
  EXPECT_EQ(line_with(text, "~ rough"), "~ rough: fewer than 10 samples lie beyond this percentile");
  std::size_t marks = 0;
  for (const char c : text) marks += c == '~' ? 1 : 0;
  EXPECT_EQ(marks, 2U);  // one figure and the footnote
}

TEST(Table, ShowsAFailedCellAsFailedAndAMissingOneAsDash) {
  Result result = testing::make_frame();
  testing::add_run(result, {.target = 0, .cell = kCell, .per_second = 652});
  testing::add_run(result, {.target = 1, .cell = kCell, .per_second = 0}).end = "failed";
  result.targets.push_back(testing::make_target("nvme", "nvme0n1", false));
  const std::string text = drawn(result);
  EXPECT_EQ(line_with(text, "failed"), "sas     failed       -      -     -     -     -           -");
  EXPECT_EQ(line_with(text, "nvme       "),
            "nvme        /mnt/nvme on nvme0n1 (SAMSUNG MZ7L31T9, not rotating, write cache: write back,");
  EXPECT_TRUE(contains(text, "nvme         -       -      -     -     -     -           -\n"));
}

TEST(Table, MarksFiguresOfAnInterruptedCell) {
  Result result = testing::make_frame();
  testing::add_run(result, {.target = 0, .cell = kCell, .per_second = 652}).end = "interrupted";
  const std::string text = drawn(result);
  EXPECT_TRUE(contains(text, " !652 "));
  EXPECT_TRUE(contains(text, "! a round was interrupted or failed: the figures are of what did run"));
}

TEST(Table, MarksARatioThatShowsNoDifference) {
  Result result = small();
  result.comparisons[0] = {.cell = kCell,
                           .other = 1,
                           .rounds = 6,
                           .ratio = 1.01,
                           .low = 0.97,
                           .high = 1.04,
                           .difference = Difference::not_shown};
  const std::string text = drawn(result);
  EXPECT_TRUE(contains(text, "= 1.01x (0.97-1.04)"));
  EXPECT_TRUE(contains(text, "= no difference shown: the interval contains 1, or the ratio is within 2 % of it"));
}

TEST(Table, ShowsARatioWithoutAnIntervalAlone) {
  Result result = small();
  result.comparisons[0] = {
      .cell = kCell, .other = 1, .rounds = 1, .ratio = 24.4, .difference = Difference::no_interval};
  const std::string text = drawn(result);
  EXPECT_TRUE(contains(text, "24.4x"));
  EXPECT_FALSE(contains(text, "95 % interval"));
}

TEST(Table, OfOneTargetHasNoRatio) {
  Result result = testing::make_frame();
  result.targets.resize(1);
  testing::add_run(result, {.cell = kCell, .per_second = 652});
  const std::string text = drawn(result);
  EXPECT_TRUE(contains(text, " 652 "));
  EXPECT_FALSE(contains(text, "ratio"));
}

TEST(Table, OfThreeTargetsGivesEachOtherItsRatio) {
  Result result = small();
  result.targets.push_back(testing::make_target("nvme", "nvme0n1", false));
  testing::add_run(result, {.target = 2, .cell = kCell, .per_second = 1304});
  result.comparisons.push_back({.cell = kCell,
                                .other = 2,
                                .rounds = 6,
                                .ratio = 0.5,
                                .low = 0.49,
                                .high = 0.51,
                                .difference = Difference::lower});
  const std::string text = drawn(result, {.charset = RenderOptions::Charset::ascii});
  EXPECT_TRUE(contains(text, "ssd / this"));
  EXPECT_TRUE(contains(line_with(text, " 26.7 "), "24.4x (23.7-25.2)"));
  EXPECT_TRUE(contains(line_with(text, "26,080"), "0.50x (0.49-0.51)"));
}

TEST(Table, ListsWhatIsInNoFigure) {
  Result result = small();
  result.runs[1].accounts = {110, 100, 3, 0};
  EXPECT_TRUE(contains(drawn(result),
                       " Not in the figures above\n"
                       "   read_write at 16 threads on sas: 3 failed and 7 unfinished at the end (transactions)\n"));
}

TEST(Table, EndsWithErrorsWarningsAndVerdict) {
  Result result = small();
  result.errors = {"read_only on sas: server has gone away"};
  result.checks = {{"buffer-pool", "the data fit", "more data"}};
  EXPECT_TRUE(
      drawn(result).ends_with("\n Errors\n   read_only on sas: server has gone away\n"
                              "\n Warnings\n   buffer-pool: the data fit\n     cure: more data\n"
                              "\n Verdict\n   ssd ran MySQL 24.4x faster than sas.\n"));
}

TEST(Table, IsPlainTextUnlessColourIsAskedFor) {
  EXPECT_FALSE(contains(drawn(testing::make_sample_result(1)), "\x1b"));
  EXPECT_TRUE(contains(drawn(small(), {.color = RenderOptions::Color::always}), "\x1b[32m24.4x (23.7-25.2)\x1b[0m"));
}

TEST(Table, IsAsciiWhereThatIsAskedFor) {
  for (const char c : drawn(testing::make_sample_result(1), {.charset = RenderOptions::Charset::ascii})) {
    ASSERT_GE(c, 0);
  }
}

TEST(Table, DoesNotLetAResultSteerTheTerminal) {
  Result result = small();
  result.targets[0].label = "s\x1b[2Jd";
  result.targets[0].notes = {"\x1b]0;title\x07",
                             "\xc2\x9b"
                             "2J"};
  result.runs[0].cell.workload = "\x1b[31m";
  result.errors = {"line\nbreak \x1b[0m"};
  result.checks = {{"n\x1b", "m\x1b", "r\x1b"}};
  result.verdict = "v\x1b";
  result.environment.spindle_version = "\x1b";
  result.environment.started_at = "\x1b";
  result.runs[0].schema.operations[0].name = "\x1b";
  result.runs[0].metrics = {{"\x1b", 1, "\x1b"}};
  const std::string text = drawn(result, {.detail = RenderOptions::Detail::full});
  EXPECT_FALSE(contains(text, "\x1b"));
  EXPECT_FALSE(contains(text, "\xc2\x9b"));
}

TEST(Table, DetailShowsEveryStatementAndWhatHappenedMeanwhile) {
  Result result = small();
  result.runs[0].metrics = {{"disk.read_iops", 1234.4, "1/s"}, {"server.cpu", 85, "%"}};
  result.runs[0].rows_before = {{"status", 10000}};
  result.runs[0].rows_after = {{"status", 10012}};
  const std::string text = drawn(result, {.detail = RenderOptions::Detail::full});
  EXPECT_TRUE(contains(text, " read_write at 16 threads on ssd (1 round)\n"));
  EXPECT_EQ(line_with(text, "select  ").substr(0, 36), "select       547,680  9,128   1.23  ");
  EXPECT_TRUE(contains(text, "   units     39,120 done, 0 failed\n"));
  EXPECT_TRUE(contains(text, "   events    deadlock 1,234\n"));
  EXPECT_TRUE(contains(text, "   meanwhile disk.read_iops 1,234/s, server.cpu 85.0 %\n"));
  EXPECT_TRUE(contains(text, "   rows      round 1: status 10,000 -> 10,012\n"));
  EXPECT_FALSE(contains(drawn(result), "Details"));
}

TEST(Table, IsTheSameAfterTheResultWasSavedAndLoaded) {
  const Result result = testing::make_sample_result(2);
  const Result loaded = results::from_json(results::to_json(result));
  EXPECT_EQ(drawn(loaded, {.detail = RenderOptions::Detail::full}),
            drawn(result, {.detail = RenderOptions::Detail::full}));
}

}  // namespace
}  // namespace spindle::report
