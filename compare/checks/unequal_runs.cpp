// unequal-runs: the targets were not asked for the same: other lengths, rows, loops, servers or settings.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "compare/checks/check.h"
#include "core/units.h"
#include "results/aggregate.h"
#include "results/durability.h"
#include "results/wording.h"

namespace spindle::compare {
namespace {

constexpr const char* kName = "unequal-runs";

// A run of 60 s ends within a transaction of 60 s; 5 % more or less is another length. A busy machine may wake the
// sampler late: up to a second is not what anybody asked for.
constexpr double kMostLengthRatio = 1.05;
constexpr double kMostLateSeconds = 1.0;
// Rows at the start of a run: inserts and deletes of the runs before shift them a little.
constexpr double kMostRowsRatio = 1.05;

std::vector<const results::Run*> completed_runs(const results::Result& result, const results::Cell& cell) {
  std::vector<const results::Run*> runs;
  for (const results::Run& run : result.runs) {
    if (run.cell == cell && run.end == "completed" && run.summary.seconds > 0) runs.push_back(&run);
  }
  return runs;
}

std::uint64_t rows_of(const results::Run& run) {
  std::uint64_t rows = 0;
  for (const auto& [table, count] : run.rows_before) rows += count;
  return rows;
}

void compare_lengths(const results::Cell& cell, const std::vector<const results::Run*>& runs,
                     std::vector<std::string>& findings) {
  const auto [shortest, longest] = std::minmax_element(
      runs.begin(), runs.end(), [](const auto* a, const auto* b) { return a->summary.seconds < b->summary.seconds; });
  if ((*longest)->summary.seconds <= kMostLengthRatio * (*shortest)->summary.seconds) return;
  if ((*longest)->summary.seconds - (*shortest)->summary.seconds <= kMostLateSeconds) return;
  findings.push_back(fmt::format("runs of {} took {} s to {} s", results::name_of(cell),
                                 core::format_figure((*shortest)->summary.seconds),
                                 core::format_figure((*longest)->summary.seconds)));
}

void compare_rows(const results::Cell& cell, const std::vector<const results::Run*>& runs,
                  std::vector<std::string>& findings) {
  const auto [fewest, most] = std::minmax_element(
      runs.begin(), runs.end(), [](const auto* a, const auto* b) { return rows_of(*a) < rows_of(*b); });
  const auto low = static_cast<double>(rows_of(**fewest)), high = static_cast<double>(rows_of(**most));
  if (high <= kMostRowsRatio * low) return;
  findings.push_back(fmt::format("runs of {} began with {} to {} rows", results::name_of(cell),
                                 core::format_count(rows_of(**fewest)), core::format_count(rows_of(**most))));
}

void compare_loops(const results::Cell& cell, const std::vector<const results::Run*>& runs,
                   std::vector<std::string>& findings) {
  const bool mixed = std::any_of(runs.begin(), runs.end(), [&](const auto* run) { return run->loop != runs[0]->loop; });
  if (mixed) findings.push_back(fmt::format("{} ran in a closed and in an open loop", results::name_of(cell)));
}

void compare_servers(const results::Result& result, std::vector<std::string>& findings) {
  std::set<std::string> versions;
  for (const results::Target& target : result.targets) {
    if (!target.server_version.empty()) versions.insert(target.server_version);
  }
  if (versions.size() < 2) return;
  findings.push_back("the servers differ: " + join_words({versions.begin(), versions.end()}));
}

// Set by the user for some target, and so what is compared.
bool on_purpose(const results::Result& result, const std::string& name) {
  return std::any_of(result.targets.begin(), result.targets.end(),
                     [&](const results::Target& target) { return target.overrides.count(name) > 0; });
}

// Names of places differ from target to target by nature; the version has a finding of its own.
bool is_expected(const std::string& name) {
  return name == "port" || name == "socket" || name == "hostname" || name == "pid_file" || name == "server_uuid" ||
         name == "server_id" || name.starts_with("version") || name.ends_with("dir") || name.ends_with("_path") ||
         name.ends_with("_file");
}

// Differences in durability are the durability check's.
bool is_durability(const std::string& name) {
  return std::find(std::begin(results::kDurabilityVariables), std::end(results::kDurabilityVariables), name) !=
         std::end(results::kDurabilityVariables);
}

void compare_variables(const results::Result& result, std::vector<std::string>& findings) {
  std::set<std::string> names;
  for (const results::Target& target : result.targets) {
    for (const auto& [name, value] : target.variables) names.insert(name);
  }
  for (const std::string& name : names) {
    if (is_expected(name) || is_durability(name) || on_purpose(result, name)) continue;
    std::vector<std::string> values;
    bool differ = false;
    for (const results::Target& target : result.targets) {
      const auto found = target.variables.find(name);
      if (found == target.variables.end()) continue;
      differ = differ || (!values.empty() && !values.front().starts_with(found->second + " on "));
      values.push_back(fmt::format("{} on {}", found->second, target.label));
    }
    if (differ) findings.push_back(fmt::format("{} is {}", name, join_words(values)));
  }
}

std::optional<results::Check> check(const results::Result& result) {
  std::vector<std::string> findings;
  compare_servers(result, findings);
  compare_variables(result, findings);
  for (const results::Cell& cell : results::cells_of(result)) {
    const std::vector<const results::Run*> runs = completed_runs(result, cell);
    if (runs.empty()) continue;
    compare_lengths(cell, runs, findings);
    compare_rows(cell, runs, findings);
    compare_loops(cell, runs, findings);
  }
  if (findings.empty()) return std::nullopt;
  return results::Check{
      kName, join_findings(findings),
      "give every target the same time, data, server and settings, or set the one that is compared with "
      "--set LABEL:variable=value"};
}

const core::Register<CheckFunction> kRegistered{kName, check};

}  // namespace
}  // namespace spindle::compare
