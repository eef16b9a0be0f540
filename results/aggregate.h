// The figures of one cell on one target over all rounds: what reports print and checks look at.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "results/result.h"

namespace spindle::results {

enum class CellState : std::uint8_t {
  missing,   // never run
  complete,  // every round that was run was completed
  partial,   // figures are there, but a round was interrupted or failed
  failed     // no figures
};

struct CellFigures {
  CellState state = CellState::missing;
  std::uint32_t rounds = 0;     // runs behind the figures
  double units_per_second = 0;  // TPS or IOPS: the mean over these runs, as are the two rates below
  double queries_per_second = 0;
  double mib_per_second = 0;
  std::uint64_t deadlocks = 0;  // sum over these runs
  // The runs as if they were one: histograms merged, counts added. Percentiles come from here, never from a mean of
  // percentiles.
  core::Summary merged;
};

// The completed runs of the cell are behind the figures; where there are none, the others that measured something.
CellFigures figures_of(const Result& result, const Cell& cell, std::size_t target);

// Those runs, in the order of the result.
std::vector<const Run*> runs_of(const Result& result, const Cell& cell, std::size_t target);

// Every cell of the result once: OLTP before fileio, workloads as they first appear, threads ascending.
std::vector<Cell> cells_of(const Result& result);
std::vector<Cell> cells_of(const Result& result, CellKind kind);

// The comparison of that cell between the first target and `other`; null when there is none.
const Comparison* comparison_of(const Result& result, const Cell& cell, std::size_t other);

// The counter that holds the deadlocks of an OLTP run.
inline constexpr const char* kDeadlockCounter = "deadlock";

}  // namespace spindle::results
