#include "compare/plan.h"

#include <gtest/gtest.h>

namespace spindle::compare {
namespace {

using namespace std::chrono_literals;
using results::CellKind;

Options two_targets() {
  Options options;
  options.targets = {parse_target("a=/x"), parse_target("b=/y")};
  options.workloads = {"read_only"};
  options.fileio = {"rndrd"};
  options.threads = {1, 16};
  options.rounds = 2;
  return options;
}

std::string order(const Plan& plan) {
  std::string text;
  for (const Step& step : plan.steps) text += step.target == 0 ? 'A' : 'B';
  return text;
}

TEST(Plan, TargetsAlternateWithinEachCellAndTurnAroundEachRound) {
  EXPECT_EQ(order(make_plan(two_targets())),
            "ABABABAB"
            "BABABABA");
}

TEST(Plan, EveryCellRunsOnceARoundOnEachTarget) {
  const Plan plan = make_plan(two_targets());
  ASSERT_EQ(plan.steps.size(), 16U);
  EXPECT_EQ(plan.steps[0].cell, (results::Cell{CellKind::oltp, "read_only", 1}));
  EXPECT_EQ(plan.steps[3].cell, (results::Cell{CellKind::oltp, "read_only", 16}));
  EXPECT_EQ(plan.steps[7].cell, (results::Cell{CellKind::fileio, "rndrd", 16}));
  EXPECT_EQ(plan.steps[7].round, 1U);
  EXPECT_EQ(plan.steps[8].round, 2U);
}

TEST(Plan, AServerThatExistsGetsNoFileio) {
  Options options = two_targets();
  options.targets[1] = parse_target("b=mysql://h/db");
  EXPECT_EQ(order(make_plan(options)),
            "ABABAA"
            "BABAAA");
}

TEST(Plan, DurationGrowsWithTimeAndSpaceWithRows) {
  Options options = two_targets();
  const Plan small = make_plan(options);
  options.time = 20s;
  options.oltp.table_size *= 2;
  const Plan large = make_plan(options);
  EXPECT_EQ(large.measuring - small.measuring, 160s);
  EXPECT_GT(large.bytes_needed, small.bytes_needed);
  EXPECT_GT(large.preparing, small.preparing);
}

TEST(Plan, ByDefaultTheDataAreSeveralTimesTheBufferPool) {
  const Options options = two_targets();
  EXPECT_GE(make_plan(options).data_bytes, 3 * options.buffer_pool_bytes);
  Options quick = two_targets();
  make_quick(quick);
  EXPECT_GE(make_plan(quick).data_bytes, 3 * quick.buffer_pool_bytes);
}

TEST(Plan, DescriptionNamesWhatItWillCost) {
  const Options options = two_targets();
  const std::string text = describe(make_plan(options), options);
  EXPECT_NE(text.find("runs      16"), std::string::npos);
  EXPECT_NE(text.find("duration  about"), std::string::npos);
  EXPECT_NE(text.find("space     about"), std::string::npos);
}

}  // namespace
}  // namespace spindle::compare
