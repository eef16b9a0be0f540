// What the disk did between two moments, from the kernel's counters of its block device.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/probe.h"

namespace spindle::core {

// Counters of /sys/block/DISK/stat, since the machine started. Sectors are 512 bytes, whatever the disk's own are.
struct BlockCounters {
  std::uint64_t reads = 0, read_sectors = 0, read_ms = 0;
  std::uint64_t writes = 0, write_sectors = 0, write_ms = 0;
  std::uint64_t busy_ms = 0;             // time with at least one request in the device
  std::uint64_t weighted_ms = 0;         // time summed over requests: divided by real time, the mean queue length
  std::optional<std::uint64_t> flushes;  // cache flushes; kernels before 5.5 do not count them
  bool operator==(const BlockCounters&) const = default;
};

// Nothing when the text is not such a line.
std::optional<BlockCounters> parse_block_stat(std::string_view text);

// disk.read_iops, disk.write_iops (1/s), disk.read_rate, disk.write_rate (MiB/s), disk.read_await, disk.write_await (ms
// from queueing to completion; only where there were such requests), disk.queue (mean number of requests waiting or
// served), disk.utilisation (% of the time with a request in the device), disk.flushes (1/s).
std::vector<Metric> block_metrics(const BlockCounters& earlier, const BlockCounters& later, Nanoseconds elapsed);

}  // namespace spindle::core
