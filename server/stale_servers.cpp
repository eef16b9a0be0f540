// Clears up after a spindle that was killed.
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cctype>
#include <csignal>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>
#include <thread>

#include "server/server.h"
#include "server/server_folder.h"

namespace spindle::server {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds kTermLimit{15};
constexpr std::chrono::seconds kKillLimit{30};
constexpr std::chrono::milliseconds kPoll{20};

// Whether a process was started with exactly this data directory. The folder's name is random, so that no other server
// can have it; a process id alone may have been given to another process.
bool serves(const std::string& process, const std::string& argument) {
  std::ifstream file("/proc/" + process + "/cmdline", std::ios::binary);
  const std::string line{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const std::string bounded = std::string(1, '\0') + argument + '\0';
  return line.find(bounded) != std::string::npos;
}

// The servers on a folder, and programs that initialise it. The server's pid file is not enough: there is none yet
// while the data are made, or when the server was killed while starting.
std::vector<pid_t> servers_of(const fs::path& folder) {
  const std::string argument = "--datadir=" + (folder / "data").string();
  std::vector<pid_t> found;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator("/proc", ignored)) {
    const std::string name = entry.path().filename().string();
    const bool is_process = std::all_of(name.begin(), name.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
    if (is_process && serves(name, argument)) found.push_back(static_cast<pid_t>(std::stol(name)));
  }
  return found;
}

bool end_servers(const fs::path& folder, int signal, std::chrono::milliseconds limit) {
  for (const pid_t process : servers_of(folder)) ::kill(process, signal);
  const auto end = std::chrono::steady_clock::now() + limit;
  while (!servers_of(folder).empty()) {
    if (std::chrono::steady_clock::now() >= end) return false;
    std::this_thread::sleep_for(kPoll);
  }
  return true;
}

bool is_stale(const fs::path& folder) {
  if (folder.filename().string().rfind("spindle-", 0) != 0) return false;
  const auto marker = read_marker(folder);
  return marker && marker->keep == Keep::nothing && !is_locked(folder) && !is_alive(marker->owner);
}

}  // namespace

std::vector<fs::path> remove_stale(const fs::path& directory) {
  std::vector<fs::path> removed;
  std::error_code error;
  const fs::path base = fs::canonical(directory, error);
  if (error) return removed;
  for (const auto& entry : fs::directory_iterator(base, error)) {
    const fs::path& folder = entry.path();
    if (entry.is_symlink() || !entry.is_directory() || !is_stale(folder)) continue;
    if (!end_servers(folder, SIGTERM, kTermLimit) && !end_servers(folder, SIGKILL, kKillLimit)) {
      spdlog::warn("cannot remove '{}', left by a spindle that was killed: its server does not end", folder.string());
      continue;
    }
    try {
      remove_folder(folder);
      removed.push_back(folder);
    } catch (const std::runtime_error& failure) {
      spdlog::warn("{} (left by a spindle that was killed)", failure.what());
    }
  }
  return removed;
}

}  // namespace spindle::server
