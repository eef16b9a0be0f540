// The machine that a measurement ran on, as a result records it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace spindle::core {

struct HostInfo {
  std::string hostname;
  std::string kernel;              // "Linux 6.1.0-18-amd64 x86_64"
  std::string cpu_model;           // empty where the kernel does not tell
  std::uint32_t cpus = 0;          // online
  std::uint64_t memory_bytes = 0;  // installed, as far as the kernel uses it
};

HostInfo host_info();

// From the text of /proc/cpuinfo. x86 and POWER name a model; ARM gives only numbers, and the result is empty.
std::string parse_cpu_model(std::string_view cpuinfo);

}  // namespace spindle::core
