#include "compare/statistics.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <map>
#include <set>

#include "results/aggregate.h"

namespace spindle::compare {
namespace {

using results::Cell;
using results::Result;
using results::Run;

// The run of a cell on a target in a round; null when there is none.
const Run* find_run(const Result& result, const Cell& cell, std::size_t target, std::uint32_t round) {
  for (const Run& run : result.runs) {
    if (run.target == target && run.round == round && run.cell == cell) return &run;
  }
  return nullptr;
}

// Why a run cannot stand in a ratio; empty when it can.
std::string objection(const Run* run) {
  if (!run) return "was not run";
  if (run->end == "interrupted") return "was interrupted";
  if (run->end != "completed") return "failed";
  if (!(run->summary.units_per_second > 0)) return "committed nothing";
  return {};
}

std::set<std::uint32_t> rounds_of(const Result& result) {
  std::set<std::uint32_t> rounds;
  for (const Run& run : result.runs) rounds.insert(run.round);
  return rounds;
}

std::map<std::uint32_t, RoundPair> pairs_of(const Result& result, const Cell& cell, std::size_t first,
                                            std::size_t other) {
  std::map<std::uint32_t, RoundPair> pairs;
  for (const std::uint32_t round : rounds_of(result)) {
    const Run* mine = find_run(result, cell, first, round);
    const Run* theirs = find_run(result, cell, other, round);
    if (!objection(mine).empty() || !objection(theirs).empty()) continue;
    pairs[round] = {mine->summary.units_per_second, theirs->summary.units_per_second};
  }
  return pairs;
}

bool usable(const RoundPair& pair) {
  return std::isfinite(pair.first) && std::isfinite(pair.other) && pair.first > 0 && pair.other > 0;
}

double log_ratio(const RoundPair& pair) { return std::log(pair.first) - std::log(pair.other); }

double mean_of(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

// Mean +- t(n-1) * s / sqrt(n) on the logarithms, taken back to ratios.
Estimate estimate_from_logs(std::span<const double> logs) {
  Estimate estimate;
  estimate.rounds = static_cast<std::uint32_t>(logs.size());
  if (logs.empty()) return estimate;
  const double mean = mean_of(logs);
  estimate.ratio = std::exp(mean);
  if (estimate.rounds < kMinRoundsForInterval) return estimate;
  double squares = 0;
  for (const double value : logs) squares += (value - mean) * (value - mean);
  const auto count = static_cast<double>(logs.size());
  const double standard_error = std::sqrt(squares / (count - 1) / count);
  const boost::math::students_t distribution(count - 1);
  const double half_width = boost::math::quantile(distribution, 0.5 + kConfidence / 2) * standard_error;
  estimate.low = std::exp(mean - half_width);
  estimate.high = std::exp(mean + half_width);
  return estimate;
}

}  // namespace

Estimate paired_ratio(std::span<const RoundPair> pairs) {
  std::vector<double> logs;
  for (const RoundPair& pair : pairs) {
    if (usable(pair)) logs.push_back(log_ratio(pair));
  }
  return estimate_from_logs(logs);
}

double geometric_mean(std::span<const double> values) {
  std::vector<double> logs;
  for (const double value : values) {
    if (std::isfinite(value) && value > 0) logs.push_back(std::log(value));
  }
  return logs.empty() ? 0 : std::exp(mean_of(logs));
}

results::Difference judge(const Estimate& estimate) {
  using results::Difference;
  if (estimate.rounds == 0) return Difference::unmeasured;
  if (!estimate.has_interval()) return Difference::no_interval;
  if (estimate.low > 1 && estimate.ratio > kPracticalMargin) return Difference::higher;
  if (estimate.high < 1 && estimate.ratio < 1 / kPracticalMargin) return Difference::lower;
  return Difference::not_shown;
}

results::Comparison compare_cell(const Result& result, const Cell& cell, std::size_t first, std::size_t other) {
  std::vector<RoundPair> pairs;
  for (const auto& [round, pair] : pairs_of(result, cell, first, other)) pairs.push_back(pair);
  const Estimate estimate = paired_ratio(pairs);
  return {.cell = cell,
          .first = first,
          .other = other,
          .rounds = estimate.rounds,
          .ratio = estimate.ratio,
          .low = estimate.low,
          .high = estimate.high,
          .difference = judge(estimate)};
}

std::vector<results::Comparison> compare_targets(const Result& result) {
  std::vector<results::Comparison> comparisons;
  for (const Cell& cell : results::cells_of(result)) {
    for (std::size_t other = 1; other < result.targets.size(); ++other) {
      comparisons.push_back(compare_cell(result, cell, 0, other));
    }
  }
  return comparisons;
}

std::vector<std::string> excluded_rounds(const Result& result, const results::Comparison& comparison) {
  std::vector<std::string> excluded;
  for (const std::uint32_t round : rounds_of(result)) {
    std::string reason;
    for (const std::size_t target : {comparison.first, comparison.other}) {
      const std::string why = objection(find_run(result, comparison.cell, target, round));
      if (!why.empty()) reason += fmt::format("{}{} {}", reason.empty() ? "" : ", ", result.targets[target].label, why);
    }
    if (!reason.empty()) excluded.push_back(fmt::format("round {} ({})", round, reason));
  }
  return excluded;
}

Overall overall_ratio(const Result& result, results::CellKind kind, std::size_t first, std::size_t other) {
  Overall overall;
  std::vector<double> ratios;
  std::map<std::uint32_t, std::vector<double>> logs_by_round;
  for (const Cell& cell : results::cells_of(result, kind)) {
    ++overall.cells;
    const results::Comparison comparison = compare_cell(result, cell, first, other);
    if (comparison.difference == results::Difference::unmeasured) {
      ++overall.unmeasured;
      continue;
    }
    if (comparison.difference == results::Difference::not_shown) ++overall.not_shown;
    if (comparison.difference == results::Difference::higher || comparison.difference == results::Difference::lower) {
      ++overall.shown;
    }
    ratios.push_back(comparison.ratio);
    for (const auto& [round, pair] : pairs_of(result, cell, first, other)) {
      if (usable(pair)) logs_by_round[round].push_back(log_ratio(pair));
    }
  }
  if (ratios.empty()) return overall;
  overall.lowest = *std::min_element(ratios.begin(), ratios.end());
  overall.highest = *std::max_element(ratios.begin(), ratios.end());
  std::vector<double> round_means;
  bool balanced = true;
  for (const auto& [round, logs] : logs_by_round) {
    balanced = balanced && logs.size() == ratios.size();
    round_means.push_back(mean_of(logs));
  }
  overall.estimate = estimate_from_logs(round_means);
  if (!balanced) overall.estimate = {overall.estimate.rounds, geometric_mean(ratios), 0, 0};
  return overall;
}

}  // namespace spindle::compare
