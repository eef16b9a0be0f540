#include "results/result.h"

namespace spindle::results {
namespace {

const char* text_of(core::EndReason end) {
  switch (end) {
    case core::EndReason::completed:
      return "completed";
    case core::EndReason::interrupted:
      return "interrupted";
    case core::EndReason::failed:
      return "failed";
  }
  return "failed";
}

// Failed attempts of units. Where a job records its attempts as an operation of their own (a part of class
// transaction), they are counted there, because a unit that succeeds at the second attempt has no error itself.
std::uint64_t failed_attempts(const core::Summary& summary) {
  std::uint64_t of_attempts = 0, of_units = 0;
  bool has_attempts = false;
  for (const core::OperationSummary& operation : summary.operations) {
    if (operation.role == core::OperationRole::unit) {
      of_units += operation.errors;
    } else if (operation.type == core::OperationClass::transaction) {
      has_attempts = true;
      of_attempts += operation.errors;
    }
  }
  return has_attempts ? of_attempts : of_units;
}

Interval make_interval(const core::JobSchema& schema, const core::Window& window, core::LoopKind loop) {
  const core::Summary summary = core::summarize(schema, window, loop);
  Interval interval;
  interval.begin_s = core::to_seconds(window.begin);
  interval.end_s = core::to_seconds(window.end);
  interval.threads = window.threads;
  interval.units_per_second = summary.units_per_second;
  interval.queries_per_second = summary.queries_per_second;
  interval.mib_per_second = summary.mib_per_second;
  interval.reads_per_second = summary.reads_per_second;
  interval.writes_per_second = summary.writes_per_second;
  interval.others_per_second = summary.others_per_second;
  interval.mean_ms = summary.latency.mean_ms;
  interval.p50_ms = summary.latency.p50_ms;
  interval.p95_ms = summary.latency.p95_ms;
  interval.p99_ms = summary.latency.p99_ms;
  interval.max_ms = summary.latency.max_ms;
  interval.errors = failed_attempts(summary);
  interval.counters = window.data.counters;
  return interval;
}

}  // namespace

Run make_run(const core::RunResult& run) {
  Run made;
  made.end = text_of(run.end);
  made.error = run.error;
  made.loop = run.load.rate > 0 ? core::LoopKind::open : core::LoopKind::closed;
  made.schema = run.schema;
  made.total = run.total;
  // A run that failed before its start recorded nothing; a reader may still rely on one entry an operation.
  made.total.data.operations.resize(run.schema.operations.size());
  made.total.data.counters.resize(run.schema.counters.size());
  made.accounts = run.accounts;
  made.late = run.late;
  made.client_cpu_seconds = run.client_cpu_seconds;
  made.cut_off = run.cut_off;
  for (const core::Window& window : run.intervals) {
    made.intervals.push_back(make_interval(run.schema, window, made.loop));
  }
  made.summary = core::summarize(made.schema, made.total, made.loop);
  return made;
}

}  // namespace spindle::results
