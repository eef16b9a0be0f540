// "csv": one line a run, with the unit in each column's name. docs/figures.md says what the columns mean.
#include <fmt/format.h>

#include "report/reporter.h"
#include "results/aggregate.h"

namespace spindle::report {
namespace {

using results::Run;

constexpr const char* kColumns =
    "target,kind,workload,threads,round,sequence,end,loop,seconds,units_per_second,queries_per_second,mib_per_second,"
    "committed,failed,skipped,deadlocks,latency_min_ms,latency_mean_ms,latency_p50_ms,latency_p95_ms,latency_p99_ms,"
    "latency_p99.9_ms,latency_max_ms,client_cpu_seconds,error";

// Quoted where RFC 4180 asks for it.
std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"') result += '"';
    result += c;
  }
  return result + '"';
}

void print_run(const results::Result& result, const Run& run, std::ostream& out) {
  const core::Summary& summary = run.summary;
  const core::LatencySummary& latency = summary.latency;
  out << fmt::format("{},{},{},{},{},{},{},{},", quoted(result.targets[run.target].label),
                     run.cell.kind == results::CellKind::oltp ? "oltp" : "fileio", quoted(run.cell.workload),
                     run.cell.threads, run.round, run.sequence, run.end,
                     run.loop == core::LoopKind::open ? "open" : "closed");
  out << fmt::format("{:.3f},{:.3f},{:.3f},{:.3f},{},{},{},{},", summary.seconds, summary.units_per_second,
                     summary.queries_per_second, summary.mib_per_second, summary.accounts.committed,
                     summary.accounts.failed, summary.accounts.skipped, summary.counter(results::kDeadlockCounter));
  out << fmt::format("{:.6f},{:.6f},{:.6f},{:.6f},{:.6f},{:.6f},{:.6f},{:.3f},{}\n", latency.min_ms, latency.mean_ms,
                     latency.p50_ms, latency.p95_ms, latency.p99_ms, latency.p999_ms, latency.max_ms,
                     run.client_cpu_seconds, quoted(run.error));
}

void print_csv(const results::Result& result, std::ostream& out, const RenderOptions&) {
  out << kColumns << '\n';
  for (const Run& run : result.runs) print_run(result, run, out);
}

const core::Register<Reporter> kRegistered{"csv", print_csv};

}  // namespace
}  // namespace spindle::report
