// client-bound: the load generator ran out of CPU, so that its speed was measured and not the server's.
#include <fmt/format.h>

#include "compare/checks/check.h"
#include "results/wording.h"

namespace spindle::compare {
namespace {

constexpr const char* kName = "client-bound";

// spindle's own choice, not a published limit: above it workers often wait for a CPU before they can send, and a server
// on the same machine is left with next to nothing.
constexpr double kMostShare = 0.80;

std::optional<results::Check> check(const results::Result& result) {
  if (result.environment.cpus == 0) return std::nullopt;
  std::vector<std::string> findings;
  for (const results::Run& run : result.runs) {
    const double available = run.summary.seconds * result.environment.cpus;
    if (available <= 0 || run.client_cpu_seconds <= kMostShare * available) continue;
    findings.push_back(fmt::format("{} on {}, round {}: {:.0f} % of the CPUs", results::name_of(run.cell),
                                   result.targets[run.target].label, run.round,
                                   100 * run.client_cpu_seconds / available));
  }
  if (findings.empty()) return std::nullopt;
  return results::Check{
      kName, "spindle itself was short of CPU: " + join_findings(findings),
      "run spindle on a machine of its own or with fewer threads; take these figures as lower bounds"};
}

const core::Register<CheckFunction> kRegistered{kName, check};

}  // namespace
}  // namespace spindle::compare
