// A monitor of something that moves while a run goes on: counters read at two moments, and the figures between them.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/clock.h"
#include "core/registry.h"

namespace spindle::core {

struct Metric {
  std::string name;  // "disk.read_iops", "server.cpu", ...
  double value = 0;
  std::string unit;  // "1/s", "MiB/s", "ms", "%", "" for a plain number
};

// What is being measured, as far as a monitor needs to know it.
struct ProbeContext {
  std::filesystem::path path;  // where the data are; empty = unknown, as with a server elsewhere
  pid_t server_pid = 0;        // 0 = no server, or not on this machine
};

// Cumulative counters at one moment; what each position means is known to the probe that took them. A group of counters
// that could not be read (a process ended) is empty.
struct ProbeSample {
  TimePoint time;
  std::vector<std::vector<std::uint64_t>> counters;
};

class Probe {
 public:
  virtual ~Probe() = default;
  virtual std::string name() const = 0;
  // From one thread at a time. Does not throw when what it observes goes away.
  virtual ProbeSample sample() = 0;
  // What happened between two samples of this probe. A figure that cannot be known is left out.
  virtual std::vector<Metric> metrics(const ProbeSample& earlier, const ProbeSample& later) const = 0;
};

// Null where there is nothing to observe (a file system in memory has no block device).
using ProbeFactory = std::function<std::unique_ptr<Probe>(const ProbeContext&)>;

// One probe of each registered kind that has something to observe here.
inline std::vector<std::unique_ptr<Probe>> make_probes(const ProbeContext& context) {
  const auto& registry = Registry<ProbeFactory>::instance();
  std::vector<std::unique_ptr<Probe>> probes;
  for (const std::string& name : registry.names()) {
    if (auto probe = (*registry.find(name))(context)) probes.push_back(std::move(probe));
  }
  return probes;
}

}  // namespace spindle::core
