// A latency histogram with HdrHistogram's bucket layout, for one writer and any number of readers.
//
// Values are nanoseconds. Up to 2,047 ns each value has a bucket; above, every octave is cut into 1,024 equal buckets,
// so a bucket is at most 0.1 % wide (3 significant digits). Buckets end at 2^42 ns (73 minutes); longer values are
// counted as overflow. Count, sum and maximum include them and are exact.
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/clock.h"

namespace spindle::core {

// The arithmetic between a value and its bucket.
struct HistogramLayout {
  static constexpr unsigned kLinearBits = 11;
  static constexpr unsigned kMaxBits = 42;
  static constexpr std::uint32_t kHalf = 1U << (kLinearBits - 1);
  static constexpr std::uint32_t kBuckets = (kMaxBits - kLinearBits) * kHalf + 2 * kHalf;
  static constexpr std::uint64_t kLimit = std::uint64_t{1} << kMaxBits;

  // The bucket of a value below kLimit.
  static constexpr std::uint32_t index_of(std::uint64_t value) {
    const auto width = static_cast<unsigned>(std::bit_width(value));
    const unsigned shift = width > kLinearBits ? width - kLinearBits : 0;
    return shift * kHalf + static_cast<std::uint32_t>(value >> shift);
  }
  // The smallest and largest value that fall into a bucket.
  static constexpr std::uint64_t lowest(std::uint32_t index) {
    const unsigned shift = shift_of(index);
    return static_cast<std::uint64_t>(index - shift * kHalf) << shift;
  }
  static constexpr std::uint64_t highest(std::uint32_t index) {
    return lowest(index) + (std::uint64_t{1} << shift_of(index)) - 1;
  }

 private:
  static constexpr unsigned shift_of(std::uint32_t index) { return index < 2 * kHalf ? 0 : index / kHalf - 1; }
};

// What a histogram held at one moment, or gained between two: plain data, sparse, sorted by bucket.
struct HistogramData {
  struct Bucket {
    std::uint32_t index;
    std::uint64_t count;
    bool operator==(const Bucket&) const = default;
  };
  std::vector<Bucket> buckets;
  std::uint64_t count = 0;     // identity: sum of bucket counts + overflow
  std::uint64_t overflow = 0;  // values of 2^42 ns and more
  std::uint64_t sum_ns = 0;
  std::uint64_t max_ns = 0;

  HistogramData& operator+=(const HistogramData& other);
  // What was added since an earlier snapshot of the same histogram. The maximum is exact if it was reached since;
  // otherwise it is the upper edge of the highest bucket that gained a value.
  HistogramData since(const HistogramData& earlier) const;

  // The smallest recorded value that at least `percent` % of the values do not exceed, rounded up to its bucket's upper
  // edge and never above the maximum. 0 when empty.
  std::uint64_t percentile_ns(double percent) const;
  double mean_ns() const { return count == 0 ? 0.0 : static_cast<double>(sum_ns) / static_cast<double>(count); }
  std::uint64_t min_ns() const;
  bool operator==(const HistogramData&) const = default;
};

class Histogram {
 public:
  Histogram();
  ~Histogram();
  Histogram(const Histogram&) = delete;
  Histogram& operator=(const Histogram&) = delete;

  // Called by the one writer only. Negative durations count as 0.
  void record(Nanoseconds duration) noexcept {
    const std::uint64_t value = duration.count() > 0 ? static_cast<std::uint64_t>(duration.count()) : 0;
    if (value < HistogramLayout::kLimit) {
      const std::uint32_t index = HistogramLayout::index_of(value);
      add(buckets_[index], 1);
      const std::uint64_t block = std::uint64_t{1} << (index / HistogramLayout::kHalf);
      const std::uint64_t used = used_blocks_.load(std::memory_order_relaxed);
      if ((used & block) == 0) used_blocks_.store(used | block, std::memory_order_relaxed);
    } else {
      add(overflow_, 1);
    }
    add(sum_ns_, value);
    if (value > max_ns_.load(std::memory_order_relaxed)) max_ns_.store(value, std::memory_order_relaxed);
  }

  // Any thread, at any time. A value that is being recorded meanwhile is in this snapshot or in the next.
  HistogramData snapshot() const;

 private:
  using Cell = std::atomic<std::uint64_t>;
  static void add(Cell& cell, std::uint64_t amount) noexcept {
    cell.store(cell.load(std::memory_order_relaxed) + amount, std::memory_order_relaxed);
  }

  static_assert(HistogramLayout::kBuckets / HistogramLayout::kHalf <= 64);

  Cell* buckets_;        // mapped lazily by the kernel: only the octaves in use take memory
  Cell used_blocks_{0};  // bit i: one of the buckets i * kHalf ... was used, so that a snapshot visits only those
  Cell overflow_{0};
  Cell sum_ns_{0};
  Cell max_ns_{0};
};

}  // namespace spindle::core
