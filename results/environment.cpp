#include "results/environment.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <stdexcept>
#include <system_error>

#include "core/host.h"

namespace spindle::results {
namespace {

namespace fs = std::filesystem;

std::tm utc_now() { return fmt::gmtime(std::chrono::system_clock::to_time_t(std::chrono::system_clock::now())); }

}  // namespace

Environment current_environment(const std::string& driver) {
  const core::HostInfo host = core::host_info();
  Environment environment;
  environment.spindle_version = SPINDLE_VERSION;
  environment.driver = driver;
  environment.hostname = host.hostname;
  environment.kernel = host.kernel;
  environment.cpu_model = host.cpu_model;
  environment.cpus = host.cpus;
  environment.memory_bytes = host.memory_bytes;
  environment.started_at = utc_timestamp();
  return environment;
}

Device device_of(const core::DeviceInfo& info) {
  return {info.name,       info.model,
          info.filesystem, info.mount_point,
          info.scheduler,  info.write_cache,
          info.rotational, info.size_bytes,
          info.id,         info.block_device ? info.disks : std::vector<std::string>{}};
}

bool share_disk(const Device& a, const Device& b) {
  if (!a.id.empty() && a.id == b.id) return true;
  return std::find_first_of(a.disks.begin(), a.disks.end(), b.disks.begin(), b.disks.end()) != a.disks.end();
}

std::string utc_timestamp() { return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", utc_now()); }

void require_writable(const std::string& directory) {
  const auto refuse = [&](const std::string& reason) {
    throw std::runtime_error(
        fmt::format("cannot save results in '{}': {}; give another directory with --output", directory, reason));
  };
  std::error_code error;
  const bool existed = fs::exists(directory, error);
  fs::create_directories(directory, error);
  if (error) refuse(error.message());
  std::string probe = (fs::path(directory) / ".spindle-XXXXXX").string();
  const int descriptor = ::mkstemp(probe.data());
  if (descriptor < 0) refuse(std::generic_category().message(errno));
  ::close(descriptor);
  fs::remove(probe, error);
  if (!existed) fs::remove(directory, error);
}

std::string new_result_path(const std::string& directory, const std::string& stem) {
  std::error_code error;
  fs::create_directories(directory, error);
  if (error) {
    throw std::runtime_error(fmt::format("cannot make the directory '{}' for results: {}", directory, error.message()));
  }
  const std::string name = fmt::format("{}-{:%Y%m%d-%H%M%S}", stem, utc_now());
  fs::path path = fs::path(directory) / (name + ".json");
  for (int i = 2; fs::exists(path); ++i) path = fs::path(directory) / fmt::format("{}-{}.json", name, i);
  return path.string();
}

}  // namespace spindle::results
