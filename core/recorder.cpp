#include "core/recorder.h"

#include <algorithm>

namespace spindle::core {

Accounts& Accounts::operator+=(const Accounts& other) {
  handed_out += other.handed_out;
  committed += other.committed;
  failed += other.failed;
  skipped += other.skipped;
  return *this;
}

Accounts Accounts::since(const Accounts& earlier) const {
  return {handed_out - earlier.handed_out, committed - earlier.committed, failed - earlier.failed,
          skipped - earlier.skipped};
}

OperationData& OperationData::operator+=(const OperationData& other) {
  service += other.service;
  response += other.response;
  errors += other.errors;
  rows += other.rows;
  bytes += other.bytes;
  return *this;
}

OperationData OperationData::since(const OperationData& earlier) const {
  return {service.since(earlier.service), response.since(earlier.response), errors - earlier.errors,
          rows - earlier.rows, bytes - earlier.bytes};
}

Snapshot& Snapshot::operator+=(const Snapshot& other) {
  operations.resize(std::max(operations.size(), other.operations.size()));
  for (std::size_t i = 0; i < other.operations.size(); ++i) operations[i] += other.operations[i];
  counters.resize(std::max(counters.size(), other.counters.size()));
  for (std::size_t i = 0; i < other.counters.size(); ++i) counters[i] += other.counters[i];
  accounts += other.accounts;
  return *this;
}

Snapshot Snapshot::since(const Snapshot& earlier) const {
  Snapshot gained;
  for (std::size_t i = 0; i < operations.size(); ++i) {
    gained.operations.push_back(i < earlier.operations.size() ? operations[i].since(earlier.operations[i])
                                                              : operations[i]);
  }
  for (std::size_t i = 0; i < counters.size(); ++i) {
    gained.counters.push_back(counters[i] - (i < earlier.counters.size() ? earlier.counters[i] : 0));
  }
  gained.accounts = accounts.since(earlier.accounts);
  return gained;
}

Recorder::Recorder(const JobSchema& schema, LoopKind loop)
    : slots_(schema.operations.size()), counters_(schema.counters.size()) {
  if (loop == LoopKind::closed) return;
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    if (schema.operations[i].role == OperationRole::unit) slots_[i].response = std::make_unique<Histogram>();
  }
}

Snapshot Recorder::snapshot() const {
  Snapshot data;
  data.operations.reserve(slots_.size());
  for (const Slot& slot : slots_) {
    OperationData& operation = data.operations.emplace_back();
    operation.service = slot.service.snapshot();
    if (slot.response) operation.response = slot.response->snapshot();
    operation.errors = slot.errors.load(std::memory_order_relaxed);
    operation.rows = slot.rows.load(std::memory_order_relaxed);
    operation.bytes = slot.bytes.load(std::memory_order_relaxed);
  }
  for (const Cell& counter : counters_) data.counters.push_back(counter.load(std::memory_order_relaxed));
  // Outcomes before hand-outs, so that no unit is seen finished that was not yet handed out.
  data.accounts.committed = committed_.load(std::memory_order_acquire);
  data.accounts.failed = failed_.load(std::memory_order_acquire);
  data.accounts.skipped = skipped_.load(std::memory_order_acquire);
  data.accounts.handed_out = handed_out_.load(std::memory_order_acquire);
  return data;
}

}  // namespace spindle::core
