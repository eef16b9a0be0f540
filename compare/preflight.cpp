#include "compare/preflight.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <map>
#include <stdexcept>
#include <system_error>

#include "core/device.h"
#include "core/units.h"
#include "fileio/options.h"
#include "oltp/workload.h"
#include "results/environment.h"
#include "schema/check.h"
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

// Targets with other server variables may share a device: then the variables are compared.
std::vector<std::string> shared_devices(const Options& options) {
  struct Place {
    const TargetSpec* target;
    results::Device device;
  };
  std::vector<std::string> warnings;
  std::vector<Place> places;
  for (const TargetSpec& target : options.targets) {
    if (target.kind != TargetKind::directory) continue;
    const results::Device device = results::device_of(core::device_info(target.directory));
    const auto shared = std::find_if(places.begin(), places.end(), [&](const Place& place) {
      return results::share_disk(place.device, device) && place.target->variables == target.variables;
    });
    if (shared == places.end()) {
      places.push_back({&target, device});
    } else {
      warnings.push_back(fmt::format("{} and {} are on one device ({}): two names for one disk are compared",
                                     shared->target->label, target.label, device.name));
    }
  }
  return warnings;
}

std::string cure_of(unsigned number) {
  switch (number) {
    case 1044:  // ER_DBACCESS_DENIED_ERROR
    case 1045:  // ER_ACCESS_DENIED_ERROR
    case 1698:  // ER_ACCESS_DENIED_NO_PASSWORD_ERROR
      return "; check the user, the password and the grants: mysql://user:password@host:port/database";
    case 2002:  // CR_CONNECTION_ERROR
    case 2003:  // CR_CONN_HOST_ERROR
    case 2005:  // CR_UNKNOWN_HOST
      return "; check that the server runs, and its host, port or socket";
    default:
      return "";
  }
}

// A server that exists must let spindle in: other targets take minutes to prepare.
void check_server(const drivers::Driver& driver, const TargetSpec& target, const schema::SchemaOptions& tables) {
  try {
    const auto session = schema::connect(driver, target.connection);
    for (const schema::TableDefinition& table : schema::define_tables(tables)) {
      if (!schema::read_structure(*session, table.name)) continue;
      throw std::runtime_error(
          fmt::format("target {}: table '{}' exists in {} already, and spindle makes its own; name an "
                      "empty database, or remove the table",
                      target.label, table.name, target.connection.describe()));
    }
  } catch (const drivers::DbError& error) {
    throw std::runtime_error(fmt::format("target {}: {}{}", target.label, error.what(), cure_of(error.number())));
  }
}

// A cell is known by its name: twice the same would be one cell with two runs a round.
template <class Value>
void refuse_twice(const char* option, std::vector<Value> values) {
  std::sort(values.begin(), values.end());
  const auto twice = std::adjacent_find(values.begin(), values.end());
  if (twice == values.end()) return;
  throw std::invalid_argument(fmt::format("{} names {} twice: once is enough, --rounds repeats it", option, *twice));
}

void check_cells(const Options& options, const Plan& plan) {
  if (options.time.count() <= 0) throw std::invalid_argument("--time 0: no run would ever end; give more, such as 10s");
  refuse_twice("--threads", options.threads);
  refuse_twice("--workloads", options.workloads);
  refuse_twice("--fileio", options.fileio);
  if (plan.steps.empty()) {
    throw std::invalid_argument("nothing to measure: --workloads and --fileio leave no cell that a target can run");
  }
}

}  // namespace

std::vector<std::string> preflight(const Options& options, const Plan& plan) {
  check_labels(options.targets);
  check_cells(options, plan);
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
  const auto driver = drivers::make_driver(options.driver);
  for (const TargetSpec& target : options.targets) {
    if (target.kind == TargetKind::server && !options.workloads.empty())
      check_server(*driver, target, options.schema());
  }
  return shared_devices(options);
}

}  // namespace spindle::compare
