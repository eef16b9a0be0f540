#include "server/confinement.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <string_view>

namespace spindle::server {
namespace {

namespace fs = std::filesystem;

// "usr.sbin.mysqld" for /usr/sbin/mysqld: the name of its profile's file.
std::string profile_file(const fs::path& binary) {
  std::string name = binary.relative_path().string();
  std::replace(name.begin(), name.end(), '/', '.');
  return name;
}

enum class Listed { enforced, not_enforced, unknown };

// The kernel's own list ("/usr/sbin/mysqld (enforce)", or a profile name in place of the path), readable by root only.
Listed kernel_says(const fs::path& binary, const fs::path& root) {
  std::ifstream profiles(root / "sys/kernel/security/apparmor/profiles");
  if (!profiles) return Listed::unknown;
  for (std::string line; std::getline(profiles, line);) {
    const std::string_view profile = std::string_view(line).substr(0, line.rfind(" ("));
    const bool names_it = profile == binary.string() || profile == binary.filename().string();
    if (names_it && line.find("(enforce)") != std::string::npos) return Listed::enforced;
  }
  return Listed::not_enforced;
}

bool files_say(const fs::path& binary, const fs::path& root) {
  std::string enabled;
  std::getline(std::ifstream(root / "sys/module/apparmor/parameters/enabled") >> std::ws, enabled);
  const fs::path profiles = root / "etc/apparmor.d";
  std::error_code ignored;
  return enabled == "Y" && fs::exists(profiles / profile_file(binary), ignored) &&
         !fs::exists(profiles / "disable" / profile_file(binary), ignored);
}

}  // namespace

std::optional<std::string> confinement_hint(const fs::path& binary, const fs::path& root) {
  std::error_code ignored;
  const fs::path resolved = fs::canonical(binary, ignored);
  for (const fs::path& path : {binary, resolved}) {
    if (path.empty()) continue;
    const Listed listed = kernel_says(path, root);
    if (listed == Listed::not_enforced || (listed == Listed::unknown && !files_say(path, root))) continue;
    return fmt::format(
        "AppArmor confines {0} to its own directories: run 'sudo aa-complain {0}' (package apparmor-utils) or 'sudo ln "
        "-s "
        "/etc/apparmor.d/{1} /etc/apparmor.d/disable/ && sudo apparmor_parser -R /etc/apparmor.d/{1}', or name another "
        "server with --server-binary",
        path.string(), profile_file(path));
  }
  return std::nullopt;
}

}  // namespace spindle::server
