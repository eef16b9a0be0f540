#include "compare/statistics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "tests/support/sample_result.h"

namespace spindle::compare {
namespace {

using results::Cell;
using results::CellKind;
using results::Difference;

const Cell kCell{CellKind::oltp, "read_write", 16};

double normal(core::Random& random) {
  return std::sqrt(-2 * std::log(1 - random.unit())) * std::cos(2 * std::numbers::pi * random.unit());
}

// Four rounds of two targets whose true ratio is `ratio`; each run's logarithm has a standard deviation of 5 %.
std::vector<RoundPair> simulate(core::Random& random, double ratio) {
  std::vector<RoundPair> pairs;
  for (int round = 0; round < 4; ++round) {
    pairs.push_back({ratio * 100 * std::exp(0.05 * normal(random)), 100 * std::exp(0.05 * normal(random))});
  }
  return pairs;
}

// ln 1, ln 2, ln 4: mean ln 2, standard deviation ln 2, t(2) = 4.30265, half width 1.72189.
TEST(PairedRatio, OfThreeRoundsIsWhatTheFormulaGives) {
  const Estimate estimate = paired_ratio(std::vector<RoundPair>{{5, 5}, {10, 5}, {4, 1}});
  EXPECT_EQ(estimate.rounds, 3U);
  EXPECT_NEAR(estimate.ratio, 2.0, 1e-12);
  EXPECT_NEAR(estimate.low, 0.357462, 1e-5);
  EXPECT_NEAR(estimate.high, 11.189997, 1e-5);
}

TEST(PairedRatio, OfFourRoundsIsWhatTheFormulaGives) {
  const Estimate estimate = paired_ratio(std::vector<RoundPair>{{3.9, 1}, {4.1, 1}, {4.0, 1}, {4.2, 1}});
  EXPECT_NEAR(estimate.ratio, 4.048456, 1e-5);
  EXPECT_NEAR(estimate.low, 3.848136, 1e-5);
  EXPECT_NEAR(estimate.high, 4.259204, 1e-5);
}

TEST(PairedRatio, OfEqualRoundsHasAnIntervalWithoutWidth) {
  const Estimate estimate = paired_ratio(std::vector<RoundPair>{{6, 3}, {8, 4}, {10, 5}});
  EXPECT_NEAR(estimate.low, 2, 1e-12);
  EXPECT_NEAR(estimate.high, 2, 1e-12);
}

TEST(PairedRatio, TakesARatioFromPairsAndNotFromMeans) {
  // The second round was slow for both. The ratio of the means would be 1.98 and its spread hopeless.
  const Estimate estimate = paired_ratio(std::vector<RoundPair>{{200, 100}, {2, 1}, {200, 100}});
  EXPECT_NEAR(estimate.ratio, 2, 1e-12);
  EXPECT_NEAR(estimate.high, 2, 1e-12);
}

TEST(PairedRatio, OfTwoRoundsHasNoInterval) {
  const Estimate estimate = paired_ratio(std::vector<RoundPair>{{4, 1}, {9, 1}});
  EXPECT_NEAR(estimate.ratio, 6, 1e-12);
  EXPECT_FALSE(estimate.has_interval());
  EXPECT_EQ(estimate.low, 0);
}

TEST(PairedRatio, LeavesOutPairsWithoutTwoPositiveNumbers) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Estimate estimate = paired_ratio(std::vector<RoundPair>{{4, 1}, {0, 1}, {1, 0}, {-2, 1}, {nan, 1}});
  EXPECT_EQ(estimate.rounds, 1U);
  EXPECT_NEAR(estimate.ratio, 4, 1e-12);
}

TEST(PairedRatio, OfNothingIsNothing) {
  const Estimate estimate = paired_ratio({});
  EXPECT_EQ(estimate.rounds, 0U);
  EXPECT_EQ(estimate.ratio, 0);
}

TEST(PairedRatio, CoversTheTrueRatioIn95PercentOfTrials) {
  core::Random random(20260101);
  int covered = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const Estimate estimate = paired_ratio(simulate(random, 4.1));
    if (estimate.low <= 4.1 && 4.1 <= estimate.high) ++covered;
  }
  EXPECT_GE(covered, 1860);  // 93 %
  EXPECT_LE(covered, 1940);  // 97 %
}

TEST(Judge, ClaimsADifferenceBetweenEqualTargetsInAtMost6PercentOfTrials) {
  core::Random random(7);
  int claimed = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    if (judge(paired_ratio(simulate(random, 1))) != Difference::not_shown) ++claimed;
  }
  EXPECT_LE(claimed, 120);
  EXPECT_GT(claimed, 40);  // a judge that never claims anything would pass the line above
}

TEST(Judge, NeedsAnIntervalWithoutOne) {
  EXPECT_EQ(judge({6, 4.1, 3.9, 4.3}), Difference::higher);
  EXPECT_EQ(judge({6, 0.24, 0.23, 0.26}), Difference::lower);
  EXPECT_EQ(judge({6, 1.1, 0.97, 1.24}), Difference::not_shown);
  EXPECT_EQ(judge({6, 0.9, 0.8, 1.01}), Difference::not_shown);
}
TEST(Judge, CallsTwoPercentNoDifference) {
  EXPECT_EQ(judge({6, 1.015, 1.01, 1.02}), Difference::not_shown);
  EXPECT_EQ(judge({6, 0.985, 0.98, 0.99}), Difference::not_shown);
  EXPECT_EQ(judge({6, 1.03, 1.02, 1.04}), Difference::higher);
}
TEST(Judge, SaysWhenThereIsNoIntervalOrNothing) {
  EXPECT_EQ(judge({2, 4.1, 0, 0}), Difference::no_interval);
  EXPECT_EQ(judge({}), Difference::unmeasured);
}

TEST(GeometricMean, OfRatiosAndTheirInversesIsOne) {
  EXPECT_NEAR(geometric_mean(std::vector<double>{4, 0.25}), 1, 1e-12);
  EXPECT_NEAR(geometric_mean(std::vector<double>{2, 8}), 4, 1e-12);
}
TEST(GeometricMean, LeavesOutWhatHasNoLogarithm) {
  EXPECT_NEAR(geometric_mean(std::vector<double>{2, 0, 8, -1}), 4, 1e-12);
  EXPECT_EQ(geometric_mean({}), 0);
}

// Rounds of kCell, one throughput of each target a round.
results::Result rounds_of(const std::vector<RoundPair>& pairs) {
  results::Result result = testing::make_frame();
  std::uint32_t round = 0;
  for (const RoundPair& pair : pairs) {
    ++round;
    testing::add_run(result, {.target = 0, .cell = kCell, .round = round, .per_second = pair.first});
    testing::add_run(result, {.target = 1, .cell = kCell, .round = round, .per_second = pair.other});
  }
  return result;
}

TEST(CompareCell, PairsTheRunsOfARound) {
  const results::Comparison comparison = compare_cell(rounds_of({{200, 100}, {20, 10}, {400, 200}}), kCell, 0, 1);
  EXPECT_EQ(comparison.cell, kCell);
  EXPECT_EQ(comparison.rounds, 3U);
  EXPECT_NEAR(comparison.ratio, 2, 1e-9);
  EXPECT_NEAR(comparison.low, 2, 1e-6);
  EXPECT_EQ(comparison.difference, Difference::higher);
}

TEST(CompareCell, LeavesOutARoundThatOneSideLacksAndSaysWhy) {
  results::Result result = rounds_of({{200, 100}, {200, 0}, {200, 100}, {200, 100}, {200, 100}});
  result.runs[5].end = "failed";
  result.runs[6].end = "interrupted";
  result.runs.pop_back();
  const results::Comparison comparison = compare_cell(result, kCell, 0, 1);
  EXPECT_EQ(comparison.rounds, 1U);
  EXPECT_EQ(comparison.difference, Difference::no_interval);
  EXPECT_EQ(excluded_rounds(result, comparison),
            (std::vector<std::string>{"round 2 (sas committed nothing)", "round 3 (sas failed)",
                                      "round 4 (ssd was interrupted)", "round 5 (sas was not run)"}));
}

TEST(CompareCell, IsUnmeasuredWhereNoRoundIsComplete) {
  const results::Comparison comparison = compare_cell(rounds_of({{200, 0}}), kCell, 0, 1);
  EXPECT_EQ(comparison.difference, Difference::unmeasured);
  EXPECT_EQ(comparison.ratio, 0);
}

TEST(CompareTargets, ComparesTheFirstWithEveryOther) {
  results::Result result = rounds_of({{200, 100}});
  result.targets.push_back(testing::make_target("nvme", "nvme0n1", false));
  testing::add_run(result, {.target = 2, .cell = kCell, .per_second = 800});
  const std::vector<results::Comparison> comparisons = compare_targets(result);
  ASSERT_EQ(comparisons.size(), 2U);
  EXPECT_EQ(comparisons[0].other, 1U);
  EXPECT_EQ(comparisons[1].other, 2U);
  EXPECT_NEAR(comparisons[1].ratio, 0.25, 1e-9);
}

TEST(CompareTargets, OfOneTargetIsEmpty) {
  results::Result result = testing::make_frame();
  result.targets.resize(1);
  testing::add_run(result, {.cell = kCell});
  EXPECT_TRUE(compare_targets(result).empty());
}

const Cell kOtherCell{CellKind::oltp, "read_only", 1};

TEST(OverallRatio, IsTheGeometricMeanOverCells) {
  results::Result result = rounds_of({{200, 100}, {200, 100}, {200, 100}});
  for (std::uint32_t round = 1; round <= 3; ++round) {
    testing::add_run(result, {.target = 0, .cell = kOtherCell, .round = round, .per_second = 800});
    testing::add_run(result, {.target = 1, .cell = kOtherCell, .round = round, .per_second = 100});
  }
  const Overall overall = overall_ratio(result, CellKind::oltp, 0, 1);
  EXPECT_NEAR(overall.estimate.ratio, 4, 1e-9);
  EXPECT_NEAR(overall.estimate.low, 4, 1e-6);
  EXPECT_EQ(overall.cells, 2U);
  EXPECT_EQ(overall.shown, 2U);
  EXPECT_NEAR(overall.lowest, 2, 1e-9);
  EXPECT_NEAR(overall.highest, 8, 1e-9);
  EXPECT_EQ(overall_ratio(result, CellKind::fileio, 0, 1).cells, 0U);
}

TEST(OverallRatio, HasNoIntervalWhereCellsHaveOtherRounds) {
  results::Result result = rounds_of({{200, 100}, {200, 100}, {200, 100}});
  testing::add_run(result, {.target = 0, .cell = kOtherCell, .round = 1, .per_second = 800});
  testing::add_run(result, {.target = 1, .cell = kOtherCell, .round = 1, .per_second = 100});
  const Overall overall = overall_ratio(result, CellKind::oltp, 0, 1);
  EXPECT_NEAR(overall.estimate.ratio, 4, 1e-9);
  EXPECT_FALSE(overall.estimate.has_interval());
}

TEST(OverallRatio, CountsCellsWithoutARatio) {
  results::Result result = rounds_of({{200, 100}});
  testing::add_run(result, {.target = 0, .cell = kOtherCell, .per_second = 800});
  const Overall overall = overall_ratio(result, CellKind::oltp, 0, 1);
  EXPECT_EQ(overall.cells, 2U);
  EXPECT_EQ(overall.unmeasured, 1U);
  EXPECT_NEAR(overall.estimate.ratio, 2, 1e-9);
}

}  // namespace
}  // namespace spindle::compare
