#include <gtest/gtest.h>

#include <sstream>
#include <stdexcept>

#include "report/reporter.h"
#include "report/text.h"
#include "tests/support/sample_result.h"

namespace spindle::report {
namespace {

using results::Cell;
using results::CellKind;
using results::Result;

const Cell kCell{CellKind::oltp, "read_write", 16};

std::string drawn(std::string_view format, const Result& result) {
  std::ostringstream out;
  render(format, result, out, {});
  return out.str();
}

Result small() {
  Result result = testing::make_frame();
  testing::add_run(result, {.target = 0, .cell = kCell, .per_second = 652, .deadlocks = 12});
  testing::add_run(result, {.target = 1, .cell = kCell, .per_second = 26.7});
  result.comparisons = {
      {.cell = kCell, .other = 1, .rounds = 1, .ratio = 24.4, .difference = results::Difference::no_interval}};
  result.verdict = "ssd ran read_write 24.4x faster.";
  return result;
}

TEST(Render, ListsTheFormatsWhenThereIsNoneOfThatName) {
  try {
    drawn("pdf", small());
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "there is no format 'pdf': give csv, md, table");
  }
}

TEST(Render, DrawsAnEmptyResultInEveryFormat) {
  for (const std::string& format : ReporterRegistry::instance().names()) EXPECT_FALSE(drawn(format, Result{}).empty());
}

TEST(Csv, HasALineForEachRun) {
  Result result = testing::make_frame();
  results::Run& run =
      testing::add_run(result, {.target = 1, .cell = kCell, .round = 2, .per_second = 100, .deadlocks = 3});
  run.total.data.operations[0].service = {{{1000, 6000}}, 6000, 0, 6'000'000, 1000};
  run.summary = core::summarize(run.schema, run.total, run.loop);
  EXPECT_EQ(drawn("csv", result),
            "target,kind,workload,threads,round,sequence,end,loop,seconds,units_per_second,queries_per_second,"
            "mib_per_second,committed,failed,skipped,deadlocks,latency_min_ms,latency_mean_ms,latency_p50_ms,"
            "latency_p95_ms,latency_p99_ms,latency_p99.9_ms,latency_max_ms,client_cpu_seconds,error\n"
            "sas,oltp,read_write,16,2,1,completed,closed,60.000,100.000,2000.000,0.000,6000,0,0,3,0.001000,0.001000,"
            "0.001000,0.001000,0.001000,0.001000,0.001000,3.000,\n");
}

TEST(Csv, QuotesWhatWouldBreakALine) {
  Result result = small();
  result.runs[0].error = "a, \"b\"\nc";
  EXPECT_NE(drawn("csv", result).find(",\"a, \"\"b\"\"\nc\"\n"), std::string::npos);
}

TEST(Markdown, HasTheVerdictFirstAndThenTheTable) {
  const std::string text = drawn("md", small());
  EXPECT_TRUE(
      text.starts_with("# ssd against sas\n\n**ssd ran read\\_write 24.4x faster.**\n\n## MySQL\n\n"
                       "| workload | threads | target | TPS, 1/s | QPS, 1/s | deadlocks | mean, ms | p95, ms | "
                       "p99, ms | ratio, ssd / sas |\n"
                       "| :--- | ---: | :--- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n"
                       "| read\\_write | 16 | ssd | 652 | 13,040 | 12 | 24.5 | "));
  EXPECT_NE(text.find("| read\\_write | 16 | sas | 26.7 | 534 | 0 | 599 | "), std::string::npos);
}

TEST(Markdown, LeavesNoMarkupInTexts) {
  Result result = small();
  result.errors = {"<script> | *x*"};
  EXPECT_NE(drawn("md", result).find("- &lt;script> \\| \\*x\\*\n"), std::string::npos);
}

TEST(Text, WrapsAtWordsAndIndentsTheRest) {
  EXPECT_EQ(wrap("ab: ", "one two three", 11), "ab: one two\n    three\n");
  EXPECT_EQ(wrap("ab: ", "unbreakable-word", 8), "ab: unbreakable-word\n");
  EXPECT_EQ(wrap("ab: ", "", 8), "ab: \n");
}
TEST(Text, CountsColumnsAndNotBytes) {
  EXPECT_EQ(display_width("диск"), 4U);
  EXPECT_EQ(shorten("диски", 4), "ди..");
  EXPECT_EQ(shorten("диск", 4), "диск");
}
TEST(Text, SplitsListsWithoutEmptyParts) {
  EXPECT_EQ(split_list("1, 16,,64 "), (std::vector<std::string>{"1", "16", "64"}));
}
TEST(Text, EnumeratesWithAnd) {
  EXPECT_EQ(enumerate({"1"}), "1");
  EXPECT_EQ(enumerate({"1", "16", "64"}), "1, 16 and 64");
}

}  // namespace
}  // namespace spindle::report
