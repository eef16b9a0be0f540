// The result of a comparison as plain data: what was asked, what was measured, on what. Saved as JSON and drawn by
// report/.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/probe.h"
#include "core/runner.h"
#include "core/summary.h"

namespace spindle::results {

inline constexpr int kSchemaVersion = 1;

using Settings = std::map<std::string, std::string>;

using Metric = core::Metric;  // one figure that a probe gave for a run

struct Device {
  std::string name;        // "vda", or the file system's type where there is no block device
  std::string model;       // empty where unknown
  std::string filesystem;  // "ext4", "tmpfs", ...
  std::string mount_point;
  std::string scheduler;
  std::string write_cache;  // "write back", "write through"
  bool rotational = false;
  std::uint64_t size_bytes = 0;  // of the file system
  std::string id;                // "major:minor" of the device: two targets with one id share a device
  std::vector<std::string>
      disks;  // what is beneath a stack (LVM, md, dm-crypt), down to the disks; empty where unknown
};

struct Environment {
  std::string spindle_version, driver, hostname, kernel, cpu_model;
  std::uint32_t cpus = 0;
  std::uint64_t memory_bytes = 0;
  std::string started_at, finished_at;  // ISO 8601, UTC
};

struct Target {
  std::string label;
  std::string location;  // the directory, or the server without credentials
  Device device;
  std::string server_version;      // as the server says it
  Settings overrides;              // --set LABEL:variable=value
  Settings variables;              // the server variables that decide what was measured
  std::vector<std::string> notes;  // "tmpfs: O_DIRECT has no effect", ...
};

enum class CellKind : std::uint8_t { oltp, fileio };

// One workload at one thread count: a line of the table.
struct Cell {
  CellKind kind = CellKind::oltp;
  std::string workload;  // "read_only", or for fileio "rndrd", "rndwr", "rndrw"
  std::uint32_t threads = 1;
  auto operator<=>(const Cell&) const = default;
};

struct Interval {  // of the run's time series
  double begin_s = 0, end_s = 0;
  std::uint32_t threads = 0;  // running at its end
  double units_per_second = 0, queries_per_second = 0, mib_per_second = 0;
  double reads_per_second = 0, writes_per_second = 0, others_per_second = 0;  // their sum is queries_per_second
  double mean_ms = 0, p50_ms = 0, p95_ms = 0, p99_ms = 0, max_ms = 0;         // of the unit
  std::uint64_t errors = 0;
  std::vector<std::uint64_t> counters;  // in the order of the schema; empty in an old file
};

// One run of one cell on one target in one round.
struct Run {
  std::size_t target = 0;  // index into Result::targets
  Cell cell;
  std::uint32_t round = 0;        // from 1
  std::uint32_t sequence = 0;     // order in which the runs were made, from 1
  std::string end = "completed";  // completed, interrupted, failed
  std::string error;
  core::LoopKind loop = core::LoopKind::closed;
  core::JobSchema schema;
  core::Window total;       // raw histograms and counts; everything else can be computed again
  core::Accounts accounts;  // of the whole run
  std::uint64_t late = 0;
  double client_cpu_seconds = 0;
  bool cut_off = false;
  std::vector<Interval> intervals;
  std::map<std::string, std::uint64_t> rows_before, rows_after;  // table -> rows, where the workload counts them
  std::vector<Metric> metrics;
  core::Summary summary;  // derived from total when made or loaded; not saved twice
};

enum class Difference : std::uint8_t { higher, lower, not_shown, no_interval, unmeasured };

// One cell, two targets: how many times the other's throughput the first reached. `ssd=... sas=...` gives ssd / sas.
struct Comparison {
  Cell cell;
  std::size_t first = 0, other = 0;  // indices into Result::targets; first is 0
  std::uint32_t rounds = 0;          // pairs behind the ratio
  double ratio = 0;                  // geometric mean over rounds of first / other
  double low = 0, high = 0;          // its 95 % interval; both 0 where there is none (fewer than 3 rounds)
  Difference difference = Difference::unmeasured;
};

struct Check {          // a mistake that was noticed, see docs/checks.md
  std::string name;     // "same-device", "buffer-pool", ...
  std::string message;  // what is wrong here, with the figures
  std::string remedy;
};

struct Result {
  int schema_version = kSchemaVersion;
  std::string command;  // as typed, without secrets
  Environment environment;
  Settings options;  // every option with its effective value
  std::vector<Target> targets;
  std::vector<Run> runs;
  std::vector<Comparison> comparisons;
  std::vector<Check> checks;
  std::string verdict;              // one or a few sentences, ready to print
  std::string end = "completed";    // completed, interrupted, failed
  std::vector<std::string> errors;  // what failed or was skipped, one line each
};

// A run as the runner left it -> a run of the result (summary and intervals included).
Run make_run(const core::RunResult& run);

// Both throw std::runtime_error: `cannot write 'x.json': No space left on device`. Writing replaces the file
// atomically.
void save(const Result& result, const std::string& path);
Result load(const std::string& path);

}  // namespace spindle::results
