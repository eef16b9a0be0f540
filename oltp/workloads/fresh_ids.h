// Ids that no row has yet, handed to the clients of a workload in blocks.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>

namespace spindle::oltp {

// Shared by all clients of a table; thread-safe.
class FreshIds {
 public:
  // Only the first call counts: `first` asks the server where free ids begin. What it throws leaves the next call
  // first.
  void start(const std::function<std::int64_t()>& first) {
    const std::lock_guard lock(mutex_);
    if (started_) return;
    next_.store(first(), std::memory_order_relaxed);
    started_ = true;
  }
  // The first of `count` ids that follow one another.
  std::int64_t take(std::int64_t count) { return next_.fetch_add(count, std::memory_order_relaxed); }

 private:
  std::mutex mutex_;
  bool started_ = false;
  std::atomic<std::int64_t> next_{0};
};

}  // namespace spindle::oltp
