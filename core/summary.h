// Every figure derived from a window, computed once, here. Reports print these and derive nothing themselves.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/runner.h"

namespace spindle::core {

// Latencies are milliseconds. count is the number of samples behind them.
struct LatencySummary {
  std::uint64_t count = 0;
  double min_ms = 0, mean_ms = 0, p50_ms = 0, p95_ms = 0, p99_ms = 0, p999_ms = 0, max_ms = 0;
};

struct OperationSummary {
  std::string name;
  OperationClass type = OperationClass::other;
  OperationRole role = OperationRole::part;
  double per_second = 0;
  double mib_per_second = 0;  // 2^20 bytes
  std::uint64_t errors = 0;
  std::uint64_t rows = 0;
  LatencySummary latency;
};

struct CounterSummary {
  std::string name;
  std::uint64_t count = 0;
};

struct Summary {
  double seconds = 0;
  double units_per_second = 0;  // committed transactions (TPS), or completed disk requests (IOPS)
  double queries_per_second =
      0;  // parts of the classes read, write and other: statements (QPS); 0 where there are none
  double reads_per_second = 0, writes_per_second = 0, others_per_second = 0;  // queries_per_second by class
  double mib_per_second = 0;                                                  // over all operations
  LatencySummary latency;  // of the unit: response time in an open loop, service time in a closed one
  LatencySummary service;  // of the unit: service time always
  Accounts accounts;
  std::vector<OperationSummary> operations;
  std::vector<CounterSummary> counters;
  std::uint64_t counter(const std::string& name) const;  // 0 when there is none of that name
};

LatencySummary summarize(const HistogramData& histogram);
// `open` tells whether latency is response time (the load had a rate).
Summary summarize(const JobSchema& schema, const Window& window, LoopKind loop);
inline Summary summarize(const RunResult& result) {
  return summarize(result.schema, result.total, result.load.rate > 0 ? LoopKind::open : LoopKind::closed);
}

}  // namespace spindle::core
