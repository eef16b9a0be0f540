#include "compare/preflight.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <map>
#include <stdexcept>
#include <system_error>

#include "core/device.h"
#include "core/units.h"
#include "fileio/options.h"
#include "oltp/workload.h"
#include "server/server.h"

namespace spindle::compare {
namespace {

void check_directory(const TargetSpec& target) {
  struct stat status {};
  if (::stat(target.directory.c_str(), &status) != 0) {
    if (errno == ENOENT) {
      throw std::invalid_argument(
          fmt::format("target {}: directory '{}' does not exist; make it, or mount the disk there", target.label,
                      target.directory));
    }
    throw std::runtime_error(fmt::format("target {}: cannot use '{}': {}", target.label, target.directory,
                                         std::system_category().message(errno)));
  }
  if (!S_ISDIR(status.st_mode)) {
    throw std::invalid_argument(fmt::format("target {}: '{}' is not a directory; name a directory on the disk",
                                            target.label, target.directory));
  }
  if (::access(target.directory.c_str(), W_OK | X_OK) != 0) {
    throw std::runtime_error(
        fmt::format("target {}: cannot write to '{}': {}; change its owner or mode, or run as another user",
                    target.label, target.directory, std::system_category().message(errno)));
  }
}

// Targets that share a file system share its space as well.
void check_space(const Options& options, const Plan& plan) {
  struct Demand {
    std::uint64_t needed = 0, free = 0;
    std::string labels, mount_point;
  };
  std::map<std::string, Demand> demands;
  for (const TargetSpec& target : options.targets) {
    if (target.kind != TargetKind::directory) continue;
    const core::DeviceInfo device = core::device_info(target.directory);
    Demand& demand = demands[device.mount_point];
    demand.needed += plan.bytes_needed;
    demand.free = device.free_bytes;
    demand.mount_point = device.mount_point;
    demand.labels += (demand.labels.empty() ? "" : ", ") + target.label;
  }
  for (const auto& [mount_point, demand] : demands) {
    if (demand.needed <= demand.free) continue;
    throw std::runtime_error(
        fmt::format("target {}: the plan needs about {} on {}, and {} are free; free some space, or ask for less with "
                    "--table-size, "
                    "--file-total-size or --quick",
                    demand.labels, core::format_size(demand.needed), mount_point, core::format_size(demand.free)));
  }
}

std::vector<std::string> shared_devices(const Options& options) {
  std::vector<std::string> warnings;
  std::map<std::string, std::string> owner;  // device id -> label
  for (const TargetSpec& target : options.targets) {
    if (target.kind != TargetKind::directory) continue;
    const core::DeviceInfo device = core::device_info(target.directory);
    const auto [entry, is_new] = owner.emplace(device.id, target.label);
    if (is_new) continue;
    warnings.push_back(fmt::format("{} and {} are on one device ({}): two names for one disk are compared",
                                   entry->second, target.label, device.name));
  }
  return warnings;
}

}  // namespace

std::vector<std::string> preflight(const Options& options, const Plan& plan) {
  check_labels(options.targets);
  if (plan.steps.empty()) {
    throw std::invalid_argument("nothing to measure: --workloads and --fileio leave no cell that a target can run");
  }
  bool needs_server = false;
  for (const TargetSpec& target : options.targets) {
    if (target.kind != TargetKind::directory) continue;
    check_directory(target);
    needs_server = true;
  }
  for (const std::string& workload : options.workloads) oltp::make_workload(workload, options.oltp);
  if (!options.fileio.empty()) fileio::layout_of(options.files);
  if (needs_server && !options.workloads.empty()) server::find_server(options.server_binary);
  check_space(options, plan);
  return shared_devices(options);
}

}  // namespace spindle::compare
