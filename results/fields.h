// The one list of what is saved of each type, walked by the writer and by the reader, so that they cannot disagree.
// `archive("name", field)` must be in the file; `archive.optional("name", field)` may be missing from an older file, and
// the field keeps its default then.
#pragma once

#include <array>
#include <concepts>
#include <string_view>
#include <type_traits>
#include <utility>

#include "results/result.h"

namespace spindle::results {

// The text that stands for each value of an enum in a saved result.
template <class Enum>
struct EnumText;

template <>
struct EnumText<CellKind> {
  static constexpr std::array<std::pair<CellKind, std::string_view>, 2> kNames{
      {{CellKind::oltp, "oltp"}, {CellKind::fileio, "fileio"}}};
};
template <>
struct EnumText<core::LoopKind> {
  static constexpr std::array<std::pair<core::LoopKind, std::string_view>, 2> kNames{
      {{core::LoopKind::closed, "closed"}, {core::LoopKind::open, "open"}}};
};
template <>
struct EnumText<core::OperationRole> {
  static constexpr std::array<std::pair<core::OperationRole, std::string_view>, 2> kNames{
      {{core::OperationRole::unit, "unit"}, {core::OperationRole::part, "part"}}};
};
template <>
struct EnumText<core::OperationClass> {
  static constexpr std::array<std::pair<core::OperationClass, std::string_view>, 5> kNames{
      {{core::OperationClass::transaction, "transaction"},
       {core::OperationClass::read, "read"},
       {core::OperationClass::write, "write"},
       {core::OperationClass::sync, "sync"},
       {core::OperationClass::other, "other"}}};
};
template <>
struct EnumText<Difference> {
  static constexpr std::array<std::pair<Difference, std::string_view>, 5> kNames{
      {{Difference::higher, "higher"},
       {Difference::lower, "lower"},
       {Difference::not_shown, "not_shown"},
       {Difference::no_interval, "no_interval"},
       {Difference::unmeasured, "unmeasured"}}};
};

// `archive(name, field)` is a field of every result; `archive.optional(name, field)` one that older results lack, which
// then keeps its default. `Object` is T when reading and const T when writing.
template <class Object, class T>
concept Is = std::same_as<std::remove_const_t<Object>, T>;

void fields(auto& archive, Is<Metric> auto& metric) {
  archive("name", metric.name);
  archive("value", metric.value);
  archive("unit", metric.unit);
}

void fields(auto& archive, Is<Device> auto& device) {
  archive("name", device.name);
  archive("model", device.model);
  archive("filesystem", device.filesystem);
  archive("mount_point", device.mount_point);
  archive("scheduler", device.scheduler);
  archive("write_cache", device.write_cache);
  archive("rotational", device.rotational);
  archive("size_bytes", device.size_bytes);
  archive("id", device.id);
  archive("disks", device.disks);
}

void fields(auto& archive, Is<Environment> auto& environment) {
  archive("spindle_version", environment.spindle_version);
  archive("driver", environment.driver);
  archive("hostname", environment.hostname);
  archive("kernel", environment.kernel);
  archive("cpu_model", environment.cpu_model);
  archive("cpus", environment.cpus);
  archive("memory_bytes", environment.memory_bytes);
  archive("started_at", environment.started_at);
  archive("finished_at", environment.finished_at);
}

void fields(auto& archive, Is<Target> auto& target) {
  archive("label", target.label);
  archive("location", target.location);
  archive("device", target.device);
  archive("server_version", target.server_version);
  archive("overrides", target.overrides);
  archive("variables", target.variables);
  archive("notes", target.notes);
}

void fields(auto& archive, Is<Cell> auto& cell) {
  archive("kind", cell.kind);
  archive("workload", cell.workload);
  archive("threads", cell.threads);
}

void fields(auto& archive, Is<Interval> auto& interval) {
  archive("begin_s", interval.begin_s);
  archive("end_s", interval.end_s);
  archive.optional("threads", interval.threads);
  archive("units_per_second", interval.units_per_second);
  archive("queries_per_second", interval.queries_per_second);
  archive.optional("mib_per_second", interval.mib_per_second);
  archive.optional("reads_per_second", interval.reads_per_second);
  archive.optional("writes_per_second", interval.writes_per_second);
  archive.optional("others_per_second", interval.others_per_second);
  archive.optional("mean_ms", interval.mean_ms);
  archive.optional("p50_ms", interval.p50_ms);
  archive("p95_ms", interval.p95_ms);
  archive.optional("p99_ms", interval.p99_ms);
  archive.optional("max_ms", interval.max_ms);
  archive("errors", interval.errors);
  archive.optional("counters", interval.counters);
}

void fields(auto& archive, Is<core::OperationInfo> auto& operation) {
  archive("name", operation.name);
  archive("class", operation.type);
  archive("role", operation.role);
}

void fields(auto& archive, Is<core::JobSchema> auto& schema) {
  archive("operations", schema.operations);
  archive("counters", schema.counters);
}

void fields(auto& archive, Is<core::Accounts> auto& accounts) {
  archive("handed_out", accounts.handed_out);
  archive("committed", accounts.committed);
  archive("failed", accounts.failed);
  archive("skipped", accounts.skipped);
}

void fields(auto& archive, Is<core::OperationData> auto& operation) {
  archive("service", operation.service);
  archive("response", operation.response);
  archive("errors", operation.errors);
  archive("rows", operation.rows);
  archive("bytes", operation.bytes);
}

void fields(auto& archive, Is<core::Snapshot> auto& snapshot) {
  archive("operations", snapshot.operations);
  archive("counters", snapshot.counters);
  archive("accounts", snapshot.accounts);
}

void fields(auto& archive, Is<core::Window> auto& window) {
  archive("begin_ns", window.begin);
  archive("end_ns", window.end);
  archive("threads", window.threads);
  archive("data", window.data);
}

void fields(auto& archive, Is<Run> auto& run) {
  archive("target", run.target);
  archive("cell", run.cell);
  archive("round", run.round);
  archive("sequence", run.sequence);
  archive("end", run.end);
  archive("error", run.error);
  archive("loop", run.loop);
  archive("schema", run.schema);
  archive("total", run.total);
  archive("accounts", run.accounts);
  archive("late", run.late);
  archive("client_cpu_seconds", run.client_cpu_seconds);
  archive("cut_off", run.cut_off);
  archive("intervals", run.intervals);
  archive("rows_before", run.rows_before);
  archive("rows_after", run.rows_after);
  archive("metrics", run.metrics);
}

void fields(auto& archive, Is<Comparison> auto& comparison) {
  archive("cell", comparison.cell);
  archive("first", comparison.first);
  archive("other", comparison.other);
  archive("rounds", comparison.rounds);
  archive("ratio", comparison.ratio);
  archive("low", comparison.low);
  archive("high", comparison.high);
  archive("difference", comparison.difference);
}

void fields(auto& archive, Is<Check> auto& check) {
  archive("name", check.name);
  archive("message", check.message);
  archive("remedy", check.remedy);
}

void fields(auto& archive, Is<Result> auto& result) {
  archive("command", result.command);
  archive("environment", result.environment);
  archive("options", result.options);
  archive("targets", result.targets);
  archive("runs", result.runs);
  archive("comparisons", result.comparisons);
  archive("checks", result.checks);
  archive("verdict", result.verdict);
  archive("end", result.end);
  archive("errors", result.errors);
}

}  // namespace spindle::results
