#include "compare/verdict.h"

#include <fmt/format.h>

#include <algorithm>

#include "compare/checks/check.h"
#include "compare/statistics.h"
#include "results/aggregate.h"
#include "results/wording.h"

namespace spindle::compare {
namespace {

using results::CellKind;
using results::Difference;
using results::format_ratio;
using results::format_times;
using results::Result;

// A ratio, the two targets it is of, and the extremes of its cells. `faster` is so only after faster_first().
struct Oriented {
  std::string faster, slower;
  double ratio = 1, low = 0, high = 0, lowest = 0, highest = 0;
};

Oriented as_given(const Result& result, const Overall& overall, std::size_t other) {
  const Estimate& estimate = overall.estimate;
  return {
      result.targets[0].label, result.targets[other].label, estimate.ratio, estimate.low, estimate.high, overall.lowest,
      overall.highest};
}

Oriented faster_first(const Oriented& given) {
  if (given.ratio >= 1 || given.ratio <= 0) return given;
  const bool interval = given.high > 0;
  return {
      given.slower,      given.faster,    1 / given.ratio, interval ? 1 / given.high : 0, interval ? 1 / given.low : 0,
      1 / given.highest, 1 / given.lowest};
}

// "95 % interval 3.9 to 4.3; geometric mean over 9 cells, 1.2x to 8.3x"
std::string evidence(const Result& result, CellKind kind, const Overall& overall, const Oriented& oriented,
                     std::size_t other) {
  std::string text;
  if (overall.estimate.has_interval()) {
    text = fmt::format("95 % interval {} to {}; ", format_ratio(oriented.low), format_ratio(oriented.high));
  }
  const std::uint32_t measured = overall.cells - overall.unmeasured;
  if (measured > 1) {
    return text + fmt::format("geometric mean over {} cells, {} to {}", measured, format_times(oriented.lowest),
                              format_times(oriented.highest));
  }
  for (const results::Cell& cell : results::cells_of(result, kind)) {
    if (compare_cell(result, cell, 0, other).rounds > 0) return text + results::name_of(cell);
  }
  return text + "1 cell";
}

// What the cells say that their mean does not.
std::string remarks(const Overall& overall) {
  std::string text;
  const bool shown = judge(overall.estimate) != Difference::not_shown;
  if (shown && overall.not_shown > 0) {
    text += fmt::format(" In {} of {} cells no difference is shown.", overall.not_shown, overall.cells);
  }
  if (!shown && overall.shown > 0) {
    text += fmt::format(" In {} of {} cells a difference is shown; see the table.", overall.shown, overall.cells);
  }
  if (overall.unmeasured > 0) {
    text += fmt::format(" {} of {} cells could not be compared.", overall.unmeasured, overall.cells);
  }
  return text;
}

// One sentence about MySQL or the raw disk; `did` is "ran MySQL" or "did raw disk I/O".
std::string sentence(const Result& result, CellKind kind, const Overall& overall, std::size_t other) {
  const char* did = kind == CellKind::oltp ? "ran MySQL" : "did raw disk I/O";
  const char* what = kind == CellKind::oltp ? "MySQL" : "raw disk I/O";
  const Oriented given = as_given(result, overall, other);
  const Oriented oriented = faster_first(given);
  const Difference difference = judge(overall.estimate);
  if (difference == Difference::unmeasured) {
    return fmt::format("{} could not be compared between {} and {}: no cell was completed by both in one round.",
                       kind == CellKind::oltp ? "MySQL" : "Raw disk I/O", given.faster, given.slower);
  }
  if (difference == Difference::not_shown) {
    return fmt::format("No difference shown between {} and {} in {}: {} ({}).{}", given.faster, given.slower, what,
                       format_times(given.ratio), evidence(result, kind, overall, given, other), remarks(overall));
  }
  if (difference == Difference::no_interval && oriented.ratio <= kPracticalMargin) {
    return fmt::format("{} and {} {} about equally fast: {} ({}).{}", given.faster, given.slower, did,
                       format_times(given.ratio), evidence(result, kind, overall, given, other), remarks(overall));
  }
  return fmt::format("{} {} {} faster than {} ({}).{}", oriented.faster, did, format_times(oriented.ratio),
                     oriented.slower, evidence(result, kind, overall, oriented, other), remarks(overall));
}

bool is_difference(const Overall& overall) {
  const double ratio = overall.estimate.ratio;
  const Difference difference = judge(overall.estimate);
  if (difference == Difference::no_interval) return ratio > kPracticalMargin || ratio < 1 / kPracticalMargin;
  return difference == Difference::higher || difference == Difference::lower;
}

// How much of the disk's advantage the transactions see; empty when the two ratios do not say it.
std::string reach(const Overall& oltp, const Overall& raw) {
  if (!is_difference(oltp) || !is_difference(raw)) return {};
  const bool same_side = (oltp.estimate.ratio > 1) == (raw.estimate.ratio > 1);
  if (!same_side) return " The faster disk is the slower one under MySQL.";
  const double mysql = std::max(oltp.estimate.ratio, 1 / oltp.estimate.ratio);
  const double disk = std::max(raw.estimate.ratio, 1 / raw.estimate.ratio);
  if (disk <= mysql * kPracticalMargin) return {};
  return fmt::format(" So of the disk's {}, {} reached the transactions.", format_times(disk), format_times(mysql));
}

// Why there is no interval, and how to get one; empty when there is one.
std::string missing_interval(const Result& result, const Overall& oltp, const Overall& raw) {
  const auto lacks = [](const Overall& overall) { return judge(overall.estimate) == Difference::no_interval; };
  if (!lacks(oltp) && !lacks(raw)) return {};
  std::uint32_t rounds = 0;
  for (const results::Run& run : result.runs) rounds = std::max(rounds, run.round);
  if (rounds >= kMinRoundsForInterval) {
    return " Not every cell has the same three or more complete rounds, so there is no interval over all of them.";
  }
  return fmt::format(" {} {} no interval, so chance is not ruled out: --rounds 4 or more gives one.",
                     results::counted(rounds, "round"), rounds == 1 ? "gives" : "give");
}

// Rounds that one side did not complete and so are behind no ratio; the first few by name.
std::string left_out(const Result& result, std::size_t other) {
  constexpr std::size_t kNamed = 3;
  std::vector<std::string> rounds;
  for (const results::Cell& cell : results::cells_of(result)) {
    const results::Comparison comparison = compare_cell(result, cell, 0, other);
    if (comparison.rounds == 0) continue;  // counted among the cells that could not be compared
    for (const std::string& round : excluded_rounds(result, comparison)) {
      rounds.push_back(fmt::format("{}, {}", results::name_of(cell), round));
    }
  }
  if (rounds.empty()) return {};
  std::string named;
  for (std::size_t i = 0; i < std::min(kNamed, rounds.size()); ++i) named += (i > 0 ? "; " : "") + rounds[i];
  if (rounds.size() > kNamed) named += fmt::format("; and {} more", rounds.size() - kNamed);
  return fmt::format(" Left out of the ratios: {}.", named);
}

std::string verdict_against(const Result& result, std::size_t other) {
  const Overall oltp = overall_ratio(result, CellKind::oltp, 0, other);
  const Overall raw = overall_ratio(result, CellKind::fileio, 0, other);
  std::string text;
  if (oltp.cells > 0) text += sentence(result, CellKind::oltp, oltp, other);
  if (raw.cells > 0) text += (text.empty() ? "" : " ") + sentence(result, CellKind::fileio, raw, other);
  return text + reach(oltp, raw) + missing_interval(result, oltp, raw) + left_out(result, other);
}

}  // namespace

std::string make_verdict(const Result& result) {
  if (result.targets.size() < 2) return "One target was measured: name a second one, and spindle compares them.";
  if (result.runs.empty()) return "Nothing was measured.";
  std::string text;
  if (result.end == "interrupted") text = "Interrupted: this rests on what was measured until then. ";
  if (result.end == "failed") text = "A part of the comparison failed: this rests on what was measured. ";
  for (std::size_t other = 1; other < result.targets.size(); ++other) {
    text += (other > 1 ? "\n" : "") + verdict_against(result, other);
  }
  if (result.checks.empty()) return text;
  std::vector<std::string> names;
  for (const results::Check& check : result.checks) names.push_back(check.name);
  return text +
         fmt::format(" Read this with the {}: {}.", names.size() == 1 ? "warning" : "warnings", join_words(names));
}

void conclude(results::Result& result) {
  result.comparisons = compare_targets(result);
  result.checks = run_checks(result);
  result.verdict = make_verdict(result);
}

}  // namespace spindle::compare
