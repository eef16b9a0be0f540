#include "core/histogram.h"

#include <sys/mman.h>

#include <algorithm>
#include <cmath>
#include <new>

namespace spindle::core {
namespace {

constexpr std::size_t kBytes = HistogramLayout::kBuckets * sizeof(std::atomic<std::uint64_t>);

// Combines two sorted bucket lists; `combine(mine, theirs)` gives the count to keep, 0 drops the bucket.
template <class Combine>
std::vector<HistogramData::Bucket> merge(const std::vector<HistogramData::Bucket>& mine,
                                         const std::vector<HistogramData::Bucket>& theirs, Combine combine) {
  std::vector<HistogramData::Bucket> merged;
  merged.reserve(mine.size() + theirs.size());
  auto left = mine.begin();
  auto right = theirs.begin();
  while (left != mine.end() || right != theirs.end()) {
    const bool take_left = right == theirs.end() || (left != mine.end() && left->index <= right->index);
    const bool take_right = left == mine.end() || (right != theirs.end() && right->index <= left->index);
    const std::uint32_t index = take_left ? left->index : right->index;
    const std::uint64_t count = combine(take_left ? left->count : 0, take_right ? right->count : 0);
    if (count > 0) merged.push_back({index, count});
    if (take_left) ++left;
    if (take_right) ++right;
  }
  return merged;
}

}  // namespace

HistogramData& HistogramData::operator+=(const HistogramData& other) {
  buckets = merge(buckets, other.buckets, [](std::uint64_t a, std::uint64_t b) { return a + b; });
  count += other.count;
  overflow += other.overflow;
  sum_ns += other.sum_ns;
  max_ns = std::max(max_ns, other.max_ns);
  return *this;
}

HistogramData HistogramData::since(const HistogramData& earlier) const {
  HistogramData gained;
  gained.buckets =
      merge(buckets, earlier.buckets, [](std::uint64_t later, std::uint64_t before) { return later - before; });
  gained.count = count - earlier.count;
  gained.overflow = overflow - earlier.overflow;
  gained.sum_ns = sum_ns - earlier.sum_ns;
  if (gained.count == 0) return gained;
  if (max_ns > earlier.max_ns || gained.overflow > 0 || gained.buckets.empty()) {
    gained.max_ns = max_ns;
  } else {
    gained.max_ns = std::min(max_ns, HistogramLayout::highest(gained.buckets.back().index));
  }
  return gained;
}

std::uint64_t HistogramData::percentile_ns(double percent) const {
  if (count == 0) return 0;
  const double wanted = std::ceil(std::clamp(percent, 0.0, 100.0) / 100.0 * static_cast<double>(count));
  const std::uint64_t rank = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(wanted));
  std::uint64_t seen = 0;
  for (const Bucket& bucket : buckets) {
    seen += bucket.count;
    if (seen >= rank) return std::min(max_ns, HistogramLayout::highest(bucket.index));
  }
  return max_ns;
}

std::uint64_t HistogramData::min_ns() const {
  if (count == 0) return 0;
  return buckets.empty() ? max_ns : std::min(max_ns, HistogramLayout::lowest(buckets.front().index));
}

Histogram::Histogram() {
  void* memory = ::mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  buckets_ = static_cast<Cell*>(memory);  // zero pages are valid lock-free atomics that hold 0
}

Histogram::~Histogram() { ::munmap(buckets_, kBytes); }

HistogramData Histogram::snapshot() const {
  HistogramData data;
  for (std::uint64_t used = used_blocks_.load(std::memory_order_relaxed); used != 0; used &= used - 1) {
    const std::uint32_t begin = static_cast<std::uint32_t>(std::countr_zero(used)) * HistogramLayout::kHalf;
    for (std::uint32_t index = begin; index < begin + HistogramLayout::kHalf; ++index) {
      const std::uint64_t count = buckets_[index].load(std::memory_order_relaxed);
      if (count == 0) continue;
      data.buckets.push_back({index, count});
      data.count += count;
    }
  }
  data.overflow = overflow_.load(std::memory_order_relaxed);
  data.count += data.overflow;
  data.sum_ns = sum_ns_.load(std::memory_order_relaxed);
  data.max_ns = max_ns_.load(std::memory_order_relaxed);
  if (!data.buckets.empty()) {
    data.max_ns = std::max(data.max_ns, HistogramLayout::lowest(data.buckets.back().index));
  }
  return data;
}

}  // namespace spindle::core
