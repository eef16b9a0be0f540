#include "compare/plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/units.h"
#include "schema/table.h"

namespace spindle::compare {
namespace {

using namespace std::chrono_literals;
using results::Cell;
using results::CellKind;

constexpr core::Nanoseconds kServerStart = 6s;      // initialise and start, MariaDB 10.11 on two cores
constexpr core::Nanoseconds kStepOverhead = 300ms;  // connecting, preparing statements, draining
constexpr double kRowsPerSecond = 40'000;           // loading with an index, on two cores
constexpr double kFileBytesPerSecond = 200.0 * 1024 * 1024;
constexpr std::uint64_t kServerBytes = 400ULL << 20;  // redo and undo logs, system tables, temporary space

std::vector<Cell> cells_of(const Options& options) {
  std::vector<Cell> cells;
  for (const std::string& workload : options.workloads) {
    for (const std::uint32_t threads : options.threads) cells.push_back({CellKind::oltp, workload, threads});
  }
  for (const std::string& test : options.fileio) {
    for (const std::uint32_t threads : options.threads) cells.push_back({CellKind::fileio, test, threads});
  }
  return cells;
}

bool runs_on(const Cell& cell, const TargetSpec& target) {
  return cell.kind == CellKind::oltp || target.kind == TargetKind::directory;
}

core::Nanoseconds seconds_of(double work, double per_second) { return core::from_seconds(work / per_second); }

}  // namespace

Plan make_plan(const Options& options) {
  Plan plan;
  const std::vector<Cell> cells = cells_of(options);
  for (std::uint32_t round = 1; round <= options.rounds; ++round) {
    for (const Cell& cell : cells) {
      for (std::size_t place = 0; place < options.targets.size(); ++place) {
        const std::size_t target = round % 2 == 1 ? place : options.targets.size() - 1 - place;
        if (runs_on(cell, options.targets[target])) plan.steps.push_back({target, round, cell});
      }
    }
  }
  plan.measuring = (options.time + options.warmup + kStepOverhead) * static_cast<std::int64_t>(plan.steps.size());

  const std::uint64_t file_bytes = options.fileio.empty() ? 0 : options.files.total_bytes;
  if (!options.workloads.empty()) {
    plan.data_bytes = schema::data_bytes(options.schema());
    const double rows = static_cast<double>(options.oltp.tables) * static_cast<double>(options.oltp.table_size);
    for (const TargetSpec& target : options.targets) {
      if (target.kind == TargetKind::directory) plan.preparing += kServerStart;
      plan.preparing += seconds_of(rows, kRowsPerSecond);
    }
    plan.bytes_needed += plan.data_bytes + plan.data_bytes / 2 + kServerBytes;  // half more while the index is built
  }
  plan.bytes_needed += file_bytes;
  plan.preparing +=
      seconds_of(static_cast<double>(file_bytes) * static_cast<double>(options.targets.size()), kFileBytesPerSecond);
  return plan;
}

std::string describe(const Plan& plan, const Options& options) {
  std::string text;
  auto line = std::back_inserter(text);
  for (const TargetSpec& target : options.targets) {
    fmt::format_to(line, "target    {}  {}{}\n", target.label, target.location(),
                   target.kind == TargetKind::server ? "  (existing server: no fileio)" : "");
    for (const auto& [variable, value] : target.variables)
      fmt::format_to(line, "          with {}={}\n", variable, value);
  }
  if (!options.workloads.empty()) {
    fmt::format_to(line, "oltp      {}\n", fmt::join(options.workloads, ", "));
    fmt::format_to(line, "data      {} tables of {} rows and a status table of {} rows: about {}; buffer pool {}\n",
                   options.oltp.tables, core::format_count(options.oltp.table_size),
                   core::format_count(options.oltp.status_rows), core::format_size(plan.data_bytes),
                   core::format_size(options.buffer_pool_bytes));
  }
  if (!options.fileio.empty()) {
    fmt::format_to(line, "fileio    {}, blocks of {}, {} in {} files, O_DIRECT\n", fmt::join(options.fileio, ", "),
                   core::format_size(options.files.block_bytes), core::format_size(options.files.total_bytes),
                   options.files.file_num);
  }
  fmt::format_to(line, "threads   {}\n", fmt::join(options.threads, ", "));
  fmt::format_to(line,
                 "rounds    {} of {} measured (after {} warm-up) per cell, order of targets reversed each round\n",
                 options.rounds, core::format_duration(options.time), core::format_duration(options.warmup));
  fmt::format_to(line, "runs      {}\n", plan.steps.size());
  fmt::format_to(line, "duration  about {} ({} preparing, {} measuring)\n", core::format_duration(plan.duration()),
                 core::format_duration(plan.preparing), core::format_duration(plan.measuring));
  fmt::format_to(line, "space     about {} in each directory, removed at the end{}\n",
                 core::format_size(plan.bytes_needed), options.removal == Removal::keep ? " unless kept (--keep)" : "");
  return text;
}

}  // namespace spindle::compare
