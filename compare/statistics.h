// From runs to ratios: how many times the throughput of one target another reached, and how sure that is.
//
// The unit is the round: both targets run each cell once in it, and their ratio is one sample. The samples' logarithms
// are averaged, with a 95 % interval from Student's t. Method, assumptions and sources: docs/statistics.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "results/result.h"

namespace spindle::compare {

inline constexpr std::uint32_t kMinRoundsForInterval = 3;
inline constexpr double kConfidence = 0.95;
// A ratio within 2 % of 1 is called no difference even when its interval excludes 1: nobody would change a disk for it.
inline constexpr double kPracticalMargin = 1.02;

// The throughput of two targets in one round.
struct RoundPair {
  double first = 0;
  double other = 0;
};

struct Estimate {
  std::uint32_t rounds = 0;  // pairs behind it
  double ratio = 0;          // geometric mean of first / other; 0 when there are no pairs
  double low = 0, high = 0;  // 95 % interval; both 0 where there is none
  bool has_interval() const { return high > 0; }
};

// Pairs in which a side is not a positive number are left out.
Estimate paired_ratio(std::span<const RoundPair> pairs);

// Of positive numbers; 0 when there are none.
double geometric_mean(std::span<const double> values);

results::Difference judge(const Estimate& estimate);

// One cell, `first` / `other`. Rounds count in which both targets completed the cell and committed something.
results::Comparison compare_cell(const results::Result& result, const results::Cell& cell, std::size_t first,
                                 std::size_t other);

// Every cell, the first target against each other one; empty with one target.
std::vector<results::Comparison> compare_targets(const results::Result& result);

// Why rounds of a cell are not behind its ratio: "round 2 (sas failed)". Empty when all are.
std::vector<std::string> excluded_rounds(const results::Result& result, const results::Comparison& comparison);

// All cells of one kind taken together.
struct Overall {
  // The geometric mean over the measured cells. Its interval comes from the means of the rounds, and exists only where
  // the same three or more rounds are behind every one of these cells.
  Estimate estimate;
  std::uint32_t cells = 0;         // cells of that kind
  std::uint32_t unmeasured = 0;    // of them without a ratio
  std::uint32_t shown = 0;         // of them with a difference shown
  std::uint32_t not_shown = 0;     // of them with an interval, but no difference shown
  double lowest = 0, highest = 0;  // ratios of single cells
};
Overall overall_ratio(const results::Result& result, results::CellKind kind, std::size_t first, std::size_t other);

}  // namespace spindle::compare
