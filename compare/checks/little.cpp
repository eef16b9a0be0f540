// little: in a closed loop threads = throughput x time in the system (Little, 1961). Figures that break it are wrong.
#include <fmt/format.h>

#include <cmath>

#include "compare/checks/check.h"
#include "core/units.h"
#include "results/wording.h"

namespace spindle::compare {
namespace {

constexpr const char* kName = "little";

constexpr double kMostDeviation = 0.15;
// What is in flight when a window opens and closes shifts the product by up to one unit a thread: with 20 units a
// thread that is 5 %, well below the threshold.
constexpr std::uint64_t kLeastUnitsPerThread = 20;

// Threads that the recorded latencies account for: the units', and with files the fsyncs', which lie between them.
double busy_threads(const results::Run& run) {
  double busy = 0;
  for (const core::OperationSummary& operation : run.summary.operations) {
    const bool between_units =
        run.cell.kind == results::CellKind::fileio && operation.type == core::OperationClass::sync;
    if (operation.role != core::OperationRole::unit && !between_units) continue;
    busy += operation.per_second * operation.latency.mean_ms / 1000;
  }
  return busy;
}

bool applies_to(const results::Run& run) {
  return run.end == "completed" && run.loop == core::LoopKind::closed && run.cell.threads > 0 &&
         run.summary.service.count >= kLeastUnitsPerThread * run.cell.threads;
}

std::optional<results::Check> check(const results::Result& result) {
  std::vector<std::string> findings;
  for (const results::Run& run : result.runs) {
    if (!applies_to(run)) continue;
    const double busy = busy_threads(run);
    if (std::abs(busy - run.cell.threads) <= kMostDeviation * run.cell.threads) continue;
    findings.push_back(fmt::format("{} on {}, round {}: {}/s x {} ms account for {} threads",
                                   results::name_of(run.cell), result.targets[run.target].label, run.round,
                                   core::format_figure(run.summary.units_per_second),
                                   core::format_figure(run.summary.service.mean_ms), core::format_figure(busy)));
  }
  if (findings.empty()) return std::nullopt;
  return results::Check{kName, "throughput and latency contradict the number of threads: " + join_findings(findings),
                        "threads waited for something that is not measured (a CPU on the client, reconnects, failed "
                        "transactions): see the errors and the client's CPU, and do not use these latencies"};
}

const core::Register<CheckFunction> kRegistered{kName, check};

}  // namespace
}  // namespace spindle::compare
