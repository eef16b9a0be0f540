// Which block comes next: the order of a test's requests.
#pragma once

#include <atomic>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>

#include "core/random.h"
#include "fileio/options.h"

namespace spindle::fileio {

enum class AccessKind : std::uint8_t { read, write, sync };

struct Access {
  AccessKind kind = AccessKind::read;
  std::uint32_t file = 0;    // index of the file
  std::uint32_t length = 0;  // bytes; 0 for a sync
  std::uint64_t offset = 0;  // within the file
  bool operator==(const Access&) const = default;
};

// The requests of one worker, without end. Used by that worker's thread only; neither locks nor allocates.
class AccessPattern {
 public:
  virtual ~AccessPattern() = default;
  virtual Access next() = 0;
};

using PatternFactory = std::function<std::unique_ptr<AccessPattern>(std::uint32_t worker)>;

// The block of that number, counted over all files one after the other.
inline Access block_at(const Layout& layout, AccessKind kind, std::uint64_t block) {
  const std::uint64_t per_file = layout.blocks_per_file();
  return {kind, static_cast<std::uint32_t>(block / per_file), layout.block_bytes,
          block % per_file * layout.block_bytes};
}

// Mixes reads and writes at a fixed ratio of reads to one write, evenly spread: at 1.5 the order is R W R W R, again
// and again.
class KindSequence {
 public:
  explicit KindSequence(double reads_per_write)
      : read_share_(std::isinf(reads_per_write)
                        ? kOne
                        : static_cast<std::uint64_t>(std::llround(reads_per_write / (reads_per_write + 1) * kOne))) {}

  AccessKind next() {
    credit_ += read_share_;
    if (credit_ < kOne) return AccessKind::write;
    credit_ -= kOne;
    return AccessKind::read;
  }

 private:
  static constexpr std::uint64_t kOne = std::uint64_t{1} << 32;
  std::uint64_t read_share_;         // of 2^32
  std::uint64_t credit_ = kOne / 2;  // starts half full, so that rounding never shifts a request
};

// Uniformly random blocks over all files. The same seed and worker give the same blocks and kinds.
class RandomPattern final : public AccessPattern {
 public:
  RandomPattern(const Layout& layout, double reads_per_write, std::uint64_t seed, std::uint32_t worker)
      : layout_(layout), blocks_(layout.blocks()), kinds_(reads_per_write), random_(seed, worker) {}

  Access next() override { return block_at(layout_, kinds_.next(), random_.below(blocks_)); }

 private:
  const Layout layout_;
  const std::uint64_t blocks_;
  KindSequence kinds_;
  core::Random random_;
};

// Ratios for tests of one kind.
inline constexpr double kOnlyReads = std::numeric_limits<double>::infinity();
inline constexpr double kOnlyWrites = 0;

// The place that all workers of a sequential test share: together they go over the files once per lap.
struct alignas(64) SequentialCursor {
  std::atomic<std::uint64_t> block{0};
};

class SequentialPattern final : public AccessPattern {
 public:
  SequentialPattern(const Layout& layout, AccessKind kind, std::shared_ptr<SequentialCursor> cursor)
      : layout_(layout), blocks_(layout.blocks()), kind_(kind), cursor_(std::move(cursor)) {}

  Access next() override {
    return block_at(layout_, kind_, cursor_->block.fetch_add(1, std::memory_order_relaxed) % blocks_);
  }

 private:
  const Layout layout_;
  const std::uint64_t blocks_;
  const AccessKind kind_;
  const std::shared_ptr<SequentialCursor> cursor_;
};

// For the tests' registrations.
inline PatternFactory random_patterns(const Options& options, double reads_per_write) {
  return [layout = layout_of(options), reads_per_write, seed = options.seed](std::uint32_t worker) {
    return std::make_unique<RandomPattern>(layout, reads_per_write, seed, worker);
  };
}
inline PatternFactory sequential_patterns(const Options& options, AccessKind kind) {
  return [layout = layout_of(options), kind, cursor = std::make_shared<SequentialCursor>()](std::uint32_t) {
    return std::make_unique<SequentialPattern>(layout, kind, cursor);
  };
}

}  // namespace spindle::fileio
