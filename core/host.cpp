#include "core/host.h"

#include <sys/utsname.h>
#include <unistd.h>

#include "core/text_file.h"

namespace spindle::core {

std::string parse_cpu_model(std::string_view cpuinfo) {
  for (const std::string_view key : {"model name", "cpu\t", "Model"}) {
    std::size_t begin = 0;
    while (begin < cpuinfo.size()) {
      const std::size_t end = std::min(cpuinfo.find('\n', begin), cpuinfo.size());
      const std::string_view line = cpuinfo.substr(begin, end - begin);
      begin = end + 1;
      const std::size_t colon = line.find(':');
      if (!line.starts_with(key) || colon == std::string_view::npos) continue;
      const std::string_view value = line.substr(colon + 1);
      const std::size_t first = value.find_first_not_of(" \t");
      if (first != std::string_view::npos) return std::string(value.substr(first));
    }
  }
  return {};
}

HostInfo host_info() {
  HostInfo host;
  utsname names{};
  if (uname(&names) == 0) {
    host.hostname = names.nodename;
    host.kernel = std::string(names.sysname) + " " + names.release + " " + names.machine;
  }
  host.cpu_model = parse_cpu_model(read_text("/proc/cpuinfo"));
  if (host.cpu_model.empty()) {  // device trees (ARM boards) name the machine instead, with a NUL at its end
    const std::string model = read_line("/proc/device-tree/model");
    host.cpu_model = model.substr(0, model.find('\0'));
  }
  const long cpus = sysconf(_SC_NPROCESSORS_ONLN);
  host.cpus = cpus > 0 ? static_cast<std::uint32_t>(cpus) : 0;
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page = sysconf(_SC_PAGESIZE);
  if (pages > 0 && page > 0) host.memory_bytes = static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page);
  return host;
}

}  // namespace spindle::core
