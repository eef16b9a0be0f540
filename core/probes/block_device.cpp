#include "core/probes/block_device.h"

#include <algorithm>
#include <charconv>

#include "core/device.h"
#include "core/text_file.h"

namespace spindle::core {
namespace {

class BlockDeviceProbe final : public Probe {
 public:
  explicit BlockDeviceProbe(std::filesystem::path stat_file) : stat_file_(std::move(stat_file)) {}

  std::string name() const override { return "block_device"; }

  ProbeSample sample() override {
    ProbeSample sample{now(), {{}}};
    if (const auto c = parse_block_stat(read_text(stat_file_))) {
      sample.counters[0] = {c->reads,         c->read_sectors, c->read_ms, c->writes,
                            c->write_sectors, c->write_ms,     c->busy_ms, c->weighted_ms};
      if (c->flushes) sample.counters[0].push_back(*c->flushes);
    }
    return sample;
  }

  std::vector<Metric> metrics(const ProbeSample& earlier, const ProbeSample& later) const override {
    if (earlier.counters[0].empty() || later.counters[0].empty()) return {};
    return block_metrics(unpack(earlier.counters[0]), unpack(later.counters[0]), later.time - earlier.time);
  }

 private:
  static BlockCounters unpack(const std::vector<std::uint64_t>& values) {
    BlockCounters c{values[0], values[1], values[2], values[3], values[4], values[5], values[6], values[7], {}};
    if (values.size() > 8) c.flushes = values[8];
    return c;
  }

  std::filesystem::path stat_file_;
};

std::unique_ptr<Probe> make_block_device_probe(const ProbeContext& context) {
  std::error_code error;
  if (context.path.empty() || !std::filesystem::exists(context.path, error)) return nullptr;
  const DeviceInfo device = device_info(context.path);
  if (!device.block_device) return nullptr;
  return std::make_unique<BlockDeviceProbe>("/sys/dev/block/" + device.id + "/stat");
}

const Register<ProbeFactory> kRegistered{"block_device", make_block_device_probe};

// What a counter gained; 0 when it went backwards (the device was replaced, or a counter of 32 bits went round).
double gain(std::uint64_t earlier, std::uint64_t later) {
  return later > earlier ? static_cast<double>(later - earlier) : 0.0;
}

}  // namespace

std::optional<BlockCounters> parse_block_stat(std::string_view text) {
  std::vector<std::uint64_t> v;
  const char* position = text.data();
  const char* const end = text.data() + text.size();
  while (position != end) {
    if (*position == ' ' || *position == '\t' || *position == '\n') {
      ++position;
      continue;
    }
    std::uint64_t value = 0;
    const auto [next, status] = std::from_chars(position, end, value);
    if (status != std::errc{}) return std::nullopt;
    v.push_back(value);
    position = next;
  }
  if (v.size() < 11) return std::nullopt;
  // reads merged sectors ms, the same of writes, in flight, busy ms, weighted ms, four of discards, flushes, ms of
  // these
  BlockCounters counters{v[0], v[2], v[3], v[4], v[6], v[7], v[9], v[10], {}};
  if (v.size() > 15) counters.flushes = v[15];
  return counters;
}

std::vector<Metric> block_metrics(const BlockCounters& earlier, const BlockCounters& later, Nanoseconds elapsed) {
  const double seconds = to_seconds(elapsed);
  if (seconds <= 0) return {};
  constexpr double kSectorsPerMib = 2048;
  const double reads = gain(earlier.reads, later.reads);
  const double writes = gain(earlier.writes, later.writes);
  std::vector<Metric> metrics{
      {"disk.read_iops", reads / seconds, "1/s"},
      {"disk.write_iops", writes / seconds, "1/s"},
      {"disk.read_rate", gain(earlier.read_sectors, later.read_sectors) / kSectorsPerMib / seconds, "MiB/s"},
      {"disk.write_rate", gain(earlier.write_sectors, later.write_sectors) / kSectorsPerMib / seconds, "MiB/s"},
  };
  if (reads > 0) metrics.push_back({"disk.read_await", gain(earlier.read_ms, later.read_ms) / reads, "ms"});
  if (writes > 0) metrics.push_back({"disk.write_await", gain(earlier.write_ms, later.write_ms) / writes, "ms"});
  metrics.push_back({"disk.queue", gain(earlier.weighted_ms, later.weighted_ms) / 1000 / seconds, ""});
  // The kernel counts busy time in ticks, so that a fully busy device can show a little more than the time that passed.
  const double busy = gain(earlier.busy_ms, later.busy_ms) / 10 / seconds;
  metrics.push_back({"disk.utilisation", std::min(busy, 100.0), "%"});
  if (earlier.flushes && later.flushes) {
    metrics.push_back({"disk.flushes", gain(*earlier.flushes, *later.flushes) / seconds, "1/s"});
  }
  return metrics;
}

}  // namespace spindle::core
