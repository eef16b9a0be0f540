#include "core/probes/cpu.h"

#include <unistd.h>

#include <sstream>

#include "core/text_file.h"

namespace spindle::core {
namespace {

enum Group : std::size_t { kMachine, kServer, kClient, kGroups };

std::vector<std::uint64_t> process_counters(const std::string& pid) {
  const auto ticks = parse_process_ticks(read_text("/proc/" + pid + "/stat"));
  return ticks ? std::vector<std::uint64_t>{*ticks} : std::vector<std::uint64_t>{};
}

class CpuProbe final : public Probe {
 public:
  explicit CpuProbe(pid_t server_pid) : server_pid_(server_pid) {}

  std::string name() const override { return "cpu"; }

  ProbeSample sample() override {
    ProbeSample sample{now(), std::vector<std::vector<std::uint64_t>>(kGroups)};
    if (const auto machine = parse_machine_ticks(read_text("/proc/stat"))) {
      sample.counters[kMachine] = {machine->busy, machine->steal, machine->total};
    }
    if (server_pid_ > 0) sample.counters[kServer] = process_counters(std::to_string(server_pid_));
    sample.counters[kClient] = process_counters("self");
    return sample;
  }

  std::vector<Metric> metrics(const ProbeSample& earlier, const ProbeSample& later) const override {
    std::vector<Metric> metrics;
    const auto& from = earlier.counters;
    const auto& to = later.counters;
    if (!from[kMachine].empty() && !to[kMachine].empty() && to[kMachine][2] > from[kMachine][2]) {
      const auto total = static_cast<double>(to[kMachine][2] - from[kMachine][2]);
      metrics.push_back({"host.cpu", 100.0 * gain(from[kMachine][0], to[kMachine][0]) / total, "%"});
      metrics.push_back({"host.steal", 100.0 * gain(from[kMachine][1], to[kMachine][1]) / total, "%"});
    }
    add_process("server.cpu", from[kServer], to[kServer], later.time - earlier.time, metrics);
    add_process("client.cpu", from[kClient], to[kClient], later.time - earlier.time, metrics);
    return metrics;
  }

 private:
  static double gain(std::uint64_t earlier, std::uint64_t later) {
    return later > earlier ? static_cast<double>(later - earlier) : 0.0;
  }
  static void add_process(const char* name, const std::vector<std::uint64_t>& from,
                          const std::vector<std::uint64_t>& to, Nanoseconds elapsed, std::vector<Metric>& metrics) {
    if (from.empty() || to.empty() || elapsed.count() <= 0) return;
    const auto ticks_per_second = static_cast<double>(sysconf(_SC_CLK_TCK));
    metrics.push_back({name, 100.0 * gain(from[0], to[0]) / ticks_per_second / to_seconds(elapsed), "%"});
  }

  pid_t server_pid_;
};

const Register<ProbeFactory> kRegistered{
    "cpu", [](const ProbeContext& context) { return std::make_unique<CpuProbe>(context.server_pid); }};

}  // namespace

std::optional<MachineTicks> parse_machine_ticks(std::string_view text) {
  std::istringstream fields{std::string(text.substr(0, text.find('\n')))};
  std::string label;
  std::uint64_t user = 0, nice = 0, system = 0, idle = 0, iowait = 0, irq = 0, softirq = 0, steal = 0;
  if (!(fields >> label >> user >> nice >> system >> idle) || label != "cpu") return std::nullopt;
  fields >> iowait >> irq >> softirq >> steal;  // guest time follows, and is part of user and nice already
  const std::uint64_t busy = user + nice + system + irq + softirq;
  return MachineTicks{busy, steal, busy + idle + iowait + steal};
}

std::optional<std::uint64_t> parse_process_ticks(std::string_view text) {
  // The program's name stands in brackets and may itself contain blanks and brackets.
  const std::size_t bracket = text.rfind(')');
  if (bracket == std::string_view::npos) return std::nullopt;
  std::istringstream fields{std::string(text.substr(bracket + 1))};
  std::string skipped;
  for (int field = 3; field < 14; ++field) fields >> skipped;
  std::uint64_t user = 0, system = 0;
  if (!(fields >> user >> system)) return std::nullopt;
  return user + system;
}

}  // namespace spindle::core
