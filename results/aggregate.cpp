#include "results/aggregate.h"

#include <algorithm>

namespace spindle::results {
namespace {

bool is_of(const Run& run, const Cell& cell, std::size_t target) { return run.target == target && run.cell == cell; }

bool measured(const Run& run) { return run.summary.accounts.committed > 0; }

bool same_schema(const core::JobSchema& a, const core::JobSchema& b) {
  const auto same_operation = [](const core::OperationInfo& x, const core::OperationInfo& y) {
    return x.name == y.name && x.type == y.type && x.role == y.role;
  };
  return a.counters == b.counters &&
         std::equal(a.operations.begin(), a.operations.end(), b.operations.begin(), b.operations.end(), same_operation);
}

// One window as long as all runs together, which holds what all of them recorded.
core::Summary merge(const std::vector<const Run*>& runs) {
  const Run& first = *runs.front();
  core::Window all;
  for (const Run* run : runs) {
    all.end += run->total.length();
    all.threads = std::max(all.threads, run->total.threads);
    if (same_schema(run->schema, first.schema)) all.data += run->total.data;
  }
  return core::summarize(first.schema, all, first.loop);
}

CellState state_of(const Result& result, const Cell& cell, std::size_t target, std::size_t behind) {
  std::size_t made = 0, completed = 0;
  for (const Run& run : result.runs) {
    if (!is_of(run, cell, target)) continue;
    ++made;
    if (run.end == "completed") ++completed;
  }
  if (made == 0) return CellState::missing;
  if (behind == 0) return CellState::failed;
  return completed == made ? CellState::complete : CellState::partial;
}

}  // namespace

std::vector<const Run*> runs_of(const Result& result, const Cell& cell, std::size_t target) {
  std::vector<const Run*> completed, others;
  for (const Run& run : result.runs) {
    if (!is_of(run, cell, target)) continue;
    if (run.end == "completed") {
      completed.push_back(&run);
    } else if (measured(run)) {
      others.push_back(&run);
    }
  }
  return completed.empty() ? others : completed;
}

CellFigures figures_of(const Result& result, const Cell& cell, std::size_t target) {
  CellFigures figures;
  const std::vector<const Run*> runs = runs_of(result, cell, target);
  figures.state = state_of(result, cell, target, runs.size());
  figures.rounds = static_cast<std::uint32_t>(runs.size());
  if (runs.empty()) return figures;
  for (const Run* run : runs) {
    figures.units_per_second += run->summary.units_per_second;
    figures.queries_per_second += run->summary.queries_per_second;
    figures.mib_per_second += run->summary.mib_per_second;
    figures.deadlocks += run->summary.counter(kDeadlockCounter);
  }
  const auto count = static_cast<double>(runs.size());
  figures.units_per_second /= count;
  figures.queries_per_second /= count;
  figures.mib_per_second /= count;
  figures.merged = merge(runs);
  return figures;
}

std::vector<Cell> cells_of(const Result& result) {
  std::vector<Cell> cells = cells_of(result, CellKind::oltp);
  const std::vector<Cell> fileio = cells_of(result, CellKind::fileio);
  cells.insert(cells.end(), fileio.begin(), fileio.end());
  return cells;
}

std::vector<Cell> cells_of(const Result& result, CellKind kind) {
  std::vector<std::string> workloads;
  std::vector<Cell> cells;
  for (const Run& run : result.runs) {
    if (run.cell.kind != kind) continue;
    if (std::find(workloads.begin(), workloads.end(), run.cell.workload) == workloads.end()) {
      workloads.push_back(run.cell.workload);
    }
    if (std::find(cells.begin(), cells.end(), run.cell) == cells.end()) cells.push_back(run.cell);
  }
  const auto position = [&](const Cell& cell) {
    return std::find(workloads.begin(), workloads.end(), cell.workload) - workloads.begin();
  };
  std::stable_sort(cells.begin(), cells.end(), [&](const Cell& a, const Cell& b) {
    return std::pair(position(a), a.threads) < std::pair(position(b), b.threads);
  });
  return cells;
}

const Comparison* comparison_of(const Result& result, const Cell& cell, std::size_t other) {
  for (const Comparison& comparison : result.comparisons) {
    if (comparison.cell == cell && comparison.other == other) return &comparison;
  }
  return nullptr;
}

}  // namespace spindle::results
