#include "compare/leftovers.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <string>
#include <system_error>

#include "fileio/files.h"
#include "server/server.h"

namespace spindle::compare {
namespace {

namespace fs = std::filesystem;

bool is_files_folder(const fs::directory_entry& entry) {
  const std::string name = entry.path().filename().string();
  std::error_code ignored;
  return name.starts_with("spindle-") && name.ends_with("-files") && !entry.is_symlink(ignored) &&
         entry.is_directory(ignored);
}

// A living spindle holds the manifest's lock, from the end of its preparation to its clean-up; whether one does shows
// when the lock is asked for.
bool is_leftover(const fs::path& folder) {
  try {
    const auto found = fileio::open_manifest(folder, fileio::LockKind::exclusive);
    return found && found->manifest.directory == fileio::DirectoryOrigin::made;
  } catch (const std::exception& error) {
    spdlog::debug("{} is left alone: {}", folder.string(), error.what());
    return false;
  }
}

void remove_files(const fs::path& folder) {
  fileio::Options options;
  options.directory = folder;
  try {
    fileio::cleanup(options);
    spdlog::info("removed {}, left by a spindle that was killed", folder.string());
  } catch (const std::exception& error) {
    spdlog::warn("{} (left by a spindle that was killed)", error.what());
  }
}

}  // namespace

fs::path files_folder(const TargetSpec& target, Removal removal) {
  return fs::path(target.directory) /
         fmt::format("spindle-{}-files{}", target.label, removal == Removal::keep ? ".kept" : "");
}

void remove_leftovers(const std::vector<TargetSpec>& targets) {
  for (const TargetSpec& target : targets) {
    if (target.kind != TargetKind::directory) continue;
    for (const fs::path& folder : server::remove_stale(target.directory)) {
      spdlog::info("removed {}, left by a spindle that was killed", folder.string());
    }
    std::error_code none;  // a directory that cannot be read is preflight's to refuse
    std::vector<fs::path> folders;
    for (const auto& entry : fs::directory_iterator(target.directory, none)) {
      if (is_files_folder(entry) && is_leftover(entry.path())) folders.push_back(entry.path());
    }
    for (const fs::path& folder : folders) remove_files(folder);
  }
}

}  // namespace spindle::compare
