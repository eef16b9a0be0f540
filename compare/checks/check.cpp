#include "compare/checks/check.h"

#include <fmt/format.h>

#include <algorithm>

namespace spindle::compare {

std::vector<results::Check> run_checks(const results::Result& result) {
  std::vector<results::Check> fired;
  const CheckRegistry& registry = CheckRegistry::instance();
  for (const std::string& name : registry.names()) {
    if (std::optional<results::Check> check = (*registry.find(name))(result)) fired.push_back(std::move(*check));
  }
  return fired;
}

bool has_runs(const results::Result& result, results::CellKind kind) {
  return std::any_of(result.runs.begin(), result.runs.end(), [&](const results::Run& run) {
    return run.cell.kind == kind && run.summary.accounts.committed > 0;
  });
}

std::string join_words(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " and " : ", ";
    text += words[i];
  }
  return text;
}

std::string join_findings(const std::vector<std::string>& findings) {
  constexpr std::size_t kShown = 3;
  std::string text;
  for (std::size_t i = 0; i < std::min(kShown, findings.size()); ++i) text += (i > 0 ? "; " : "") + findings[i];
  if (findings.size() > kShown) text += fmt::format("; and {} more", findings.size() - kShown);
  return text;
}

}  // namespace spindle::compare
