#include "core/summary.h"

namespace spindle::core {
namespace {

double ms(std::uint64_t ns) { return static_cast<double>(ns) * 1e-6; }

bool is_query(const OperationInfo& info) {
  return info.role == OperationRole::part && (info.type == OperationClass::read || info.type == OperationClass::write ||
                                              info.type == OperationClass::other);
}

// Of a query's class.
double& rate_of(OperationClass type, Summary& summary) {
  if (type == OperationClass::read) return summary.reads_per_second;
  if (type == OperationClass::write) return summary.writes_per_second;
  return summary.others_per_second;
}

}  // namespace

LatencySummary summarize(const HistogramData& histogram) {
  LatencySummary latency;
  latency.count = histogram.count;
  latency.min_ms = ms(histogram.min_ns());
  latency.mean_ms = histogram.mean_ns() * 1e-6;
  latency.p50_ms = ms(histogram.percentile_ns(50));
  latency.p95_ms = ms(histogram.percentile_ns(95));
  latency.p99_ms = ms(histogram.percentile_ns(99));
  latency.p999_ms = ms(histogram.percentile_ns(99.9));
  latency.max_ms = ms(histogram.max_ns);
  return latency;
}

Summary summarize(const JobSchema& schema, const Window& window, LoopKind loop) {
  constexpr double kMiB = 1024.0 * 1024.0;
  Summary summary;
  summary.seconds = to_seconds(window.length());
  summary.accounts = window.data.accounts;
  const double per_second = summary.seconds > 0 ? 1.0 / summary.seconds : 0.0;
  summary.units_per_second = static_cast<double>(summary.accounts.committed) * per_second;

  HistogramData response, service;
  for (std::size_t i = 0; i < schema.operations.size() && i < window.data.operations.size(); ++i) {
    const OperationInfo& info = schema.operations[i];
    const OperationData& data = window.data.operations[i];
    OperationSummary& operation = summary.operations.emplace_back();
    operation.name = info.name;
    operation.type = info.type;
    operation.role = info.role;
    operation.per_second = static_cast<double>(data.service.count) * per_second;
    operation.mib_per_second = static_cast<double>(data.bytes) / kMiB * per_second;
    operation.errors = data.errors;
    operation.rows = data.rows;
    operation.latency = summarize(data.service);
    summary.mib_per_second += operation.mib_per_second;
    if (is_query(info)) {
      summary.queries_per_second += operation.per_second;
      rate_of(info.type, summary) += operation.per_second;
    }
    if (info.role == OperationRole::unit) {
      service += data.service;
      response += data.response;
    }
  }
  summary.service = summarize(service);
  summary.latency = loop == LoopKind::open ? summarize(response) : summary.service;
  for (std::size_t i = 0; i < schema.counters.size() && i < window.data.counters.size(); ++i) {
    summary.counters.push_back({schema.counters[i], window.data.counters[i]});
  }
  return summary;
}

std::uint64_t Summary::counter(const std::string& name) const {
  for (const CounterSummary& entry : counters) {
    if (entry.name == name) return entry.count;
  }
  return 0;
}

}  // namespace spindle::core
