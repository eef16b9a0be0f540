// How busy the machine was between two moments, and how much of a CPU the server and this process took.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/probe.h"

namespace spindle::core {

// Of all CPUs together, in clock ticks since the machine started.
struct MachineTicks {
  std::uint64_t busy = 0;   // neither idle nor waiting for I/O; stolen time is not in it
  std::uint64_t steal = 0;  // taken by the hypervisor for other guests
  std::uint64_t total = 0;
  bool operator==(const MachineTicks&) const = default;
};

// From the text of /proc/stat.
std::optional<MachineTicks> parse_machine_ticks(std::string_view text);
// User and system time of all threads of a process, from the text of /proc/PID/stat.
std::optional<std::uint64_t> parse_process_ticks(std::string_view text);

// The probe "cpu" gives host.cpu and host.steal (% of all CPUs together), server.cpu and client.cpu (% of one CPU: 250
// is two and a half CPUs).

}  // namespace spindle::core
