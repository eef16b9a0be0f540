// noisy: the rounds of one target differ by more than the targets do.
#include <fmt/format.h>

#include <algorithm>

#include "compare/checks/check.h"
#include "compare/statistics.h"
#include "results/aggregate.h"
#include "results/wording.h"

namespace spindle::compare {
namespace {

constexpr const char* kName = "noisy";

// spindle's own choice: rounds that agree within 5 % are steady enough, so that two equal disks do not count as noisy.
// That platform noise can exceed what is looked for: Daly and Ingo, "Reducing Variability in Performance Tests on EC2",
// 2019.
constexpr double kLeastSpread = 1.05;

// Fastest round / slowest round; 1 with fewer than two.
double spread_of(const results::Result& result, const results::Cell& cell, std::size_t target) {
  double low = 0, high = 0;
  for (const results::Run& run : result.runs) {
    const double rate = run.summary.units_per_second;
    if (run.target != target || run.cell != cell || run.end != "completed" || rate <= 0) continue;
    low = low == 0 ? rate : std::min(low, rate);
    high = std::max(high, rate);
  }
  return low > 0 ? high / low : 1;
}

void look_at(const results::Result& result, const results::Cell& cell, std::size_t other,
             std::vector<std::string>& findings) {
  const results::Comparison comparison = compare_cell(result, cell, 0, other);
  if (comparison.rounds < 2) return;
  const double difference = std::max(comparison.ratio, 1 / comparison.ratio);
  const double mine = spread_of(result, cell, 0), theirs = spread_of(result, cell, other);
  const double spread = std::max(mine, theirs);
  if (spread <= difference || spread <= kLeastSpread) return;
  findings.push_back(fmt::format("{}: rounds of {} differ by {}, the targets by {}", results::name_of(cell),
                                 result.targets[mine >= theirs ? 0 : other].label, results::format_times(spread),
                                 results::format_times(difference)));
}

std::optional<results::Check> check(const results::Result& result) {
  std::vector<std::string> findings;
  for (const results::Cell& cell : results::cells_of(result)) {
    for (std::size_t other = 1; other < result.targets.size(); ++other) look_at(result, cell, other, findings);
  }
  if (findings.empty()) return std::nullopt;
  return results::Check{kName, join_findings(findings),
                        "more rounds or longer ones (--rounds, --time), on a machine that does nothing else"};
}

const core::Register<CheckFunction> kRegistered{kName, check};

}  // namespace
}  // namespace spindle::compare
