// What one worker writes down: a histogram per operation, and counts. One writer; the sampler reads at any time.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/clock.h"
#include "core/histogram.h"
#include "core/job.h"

namespace spindle::core {

// Identity at the end of a run: handed_out = committed + failed + skipped + unfinished.
struct Accounts {
  std::uint64_t handed_out = 0;  // units that a worker was told to start
  std::uint64_t committed = 0;   // done: a transaction committed, a disk request completed
  std::uint64_t failed = 0;      // given up after an error that ended neither worker nor run
  std::uint64_t skipped = 0;     // due, but never started (open loop, out of time)
  // Units in flight at this moment; after the end: cut off by the deadline. Signed, because a window that opens with
  // many units in flight may close with fewer.
  std::int64_t in_flight() const {
    return static_cast<std::int64_t>(handed_out) - static_cast<std::int64_t>(committed + failed + skipped);
  }
  Accounts& operator+=(const Accounts& other);
  Accounts since(const Accounts& earlier) const;
  bool operator==(const Accounts&) const = default;
};

struct OperationData {
  HistogramData service;   // end - start
  HistogramData response;  // end - due; units of an open loop only
  std::uint64_t errors = 0;
  std::uint64_t rows = 0;   // rows read or affected
  std::uint64_t bytes = 0;  // bytes transferred, where the operation moves data
  OperationData& operator+=(const OperationData& other);
  OperationData since(const OperationData& earlier) const;
};

// Everything recorded up to a moment, or between two of them. Indices are those of the JobSchema.
struct Snapshot {
  std::vector<OperationData> operations;
  std::vector<std::uint64_t> counters;
  Accounts accounts;
  Snapshot& operator+=(const Snapshot& other);
  Snapshot since(const Snapshot& earlier) const;
};

enum class LoopKind : std::uint8_t { closed, open };

class Recorder {
 public:
  Recorder(const JobSchema& schema, LoopKind loop);

  // One finished operation. For parts of a unit `due` is `start`.
  void record(std::uint32_t operation, TimePoint due, TimePoint start, TimePoint end) noexcept {
    Slot& slot = slots_[operation];
    slot.service.record(end - start);
    if (slot.response) slot.response->record(end - due);
  }
  void record(std::uint32_t operation, TimePoint start, TimePoint end) noexcept {
    record(operation, start, start, end);
  }

  void add_error(std::uint32_t operation) noexcept { add(slots_[operation].errors, 1); }
  void add_rows(std::uint32_t operation, std::uint64_t rows) noexcept { add(slots_[operation].rows, rows); }
  void add_bytes(std::uint32_t operation, std::uint64_t bytes) noexcept { add(slots_[operation].bytes, bytes); }
  void count(std::uint32_t counter, std::uint64_t amount = 1) noexcept { add(counters_[counter], amount); }

  // The runner hands out; the worker says how each unit ended.
  void hand_out() noexcept { add(handed_out_, 1); }
  void commit() noexcept { add(committed_, 1); }
  void fail() noexcept { add(failed_, 1); }
  void skip() noexcept { add(skipped_, 1); }

  Snapshot snapshot() const;

 private:
  using Cell = std::atomic<std::uint64_t>;
  struct alignas(64) Slot {
    Histogram service;
    std::unique_ptr<Histogram> response;
    Cell errors{0}, rows{0}, bytes{0};
  };
  static void add(Cell& cell, std::uint64_t amount) noexcept {
    cell.store(cell.load(std::memory_order_relaxed) + amount, std::memory_order_relaxed);
  }

  std::vector<Slot> slots_;
  std::vector<Cell> counters_;
  alignas(64) Cell handed_out_{0};
  Cell committed_{0}, failed_{0}, skipped_{0};
};

}  // namespace spindle::core
