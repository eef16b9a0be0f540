// durability: a server does not flush at commit, or the targets differ in it. A commit is then not the same work.
#include "results/durability.h"

#include <fmt/format.h>

#include "compare/checks/check.h"

namespace spindle::compare {
namespace {

constexpr const char* kName = "durability";

// "innodb_flush_log_at_trx_commit is 1 on ssd and 2 on sas"; empty when the targets agree or do not say.
std::string difference_in(const results::Result& result, const char* name) {
  std::vector<std::string> values;
  bool differ = false;
  std::string known;
  for (const results::Target& target : result.targets) {
    const std::string value = results::variable(target.variables, name);
    if (value.empty()) continue;
    differ = differ || (!known.empty() && value != known);
    known = value;
    values.push_back(fmt::format("{} on {}", value, target.label));
  }
  return differ ? fmt::format("{} is {}", name, join_words(values)) : std::string();
}

std::optional<results::Check> check(const results::Result& result) {
  if (!has_runs(result, results::CellKind::oltp)) return std::nullopt;
  std::vector<std::string> findings;
  for (const char* name : results::kDurabilityVariables) {
    if (const std::string difference = difference_in(result, name); !difference.empty()) findings.push_back(difference);
  }
  for (const results::Target& target : result.targets) {
    for (const std::string& setting : results::relaxed_settings(target.variables)) {
      findings.push_back(fmt::format("{} has {}", target.label, setting));
    }
  }
  if (findings.empty()) return std::nullopt;
  return results::Check{
      kName, join_findings(findings),
      "compare with innodb_flush_log_at_trx_commit=1, sync_binlog=1 and innodb_doublewrite=ON on every "
      "target, or say with the figures that commits are not durable"};
}

const core::Register<CheckFunction> kRegistered{kName, check};

}  // namespace
}  // namespace spindle::compare
