// Finds the server binary, and asks it what it is.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <optional>
#include <sstream>
#include <stdexcept>

#include "server/child_process.h"
#include "server/scratch_file.h"
#include "server/server.h"

namespace spindle::server {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds kVersionTimeout{20};
// mysqld first: on a machine with MariaDB only, it is a link to mariadbd.
constexpr std::array<std::string_view, 2> kNames = {"mysqld", "mariadbd"};
constexpr std::array<std::string_view, 4> kBelowBase = {"bin", "sbin", "libexec", "usr/sbin"};

bool is_program(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored) && ::access(path.c_str(), X_OK) == 0;
}

std::vector<fs::path> path_directories() {
  std::vector<fs::path> directories;
  const char* path = std::getenv("PATH");
  std::istringstream parts(path == nullptr ? "" : path);
  for (std::string part; std::getline(parts, part, ':');) {
    if (!part.empty()) directories.emplace_back(part);
  }
  return directories;
}

// PATH (which seldom has sbin for ordinary users), the distributions' places, and where archives are unpacked.
std::vector<fs::path> usual_directories() {
  std::vector<fs::path> directories = path_directories();
  for (const char* place : {"/usr/sbin", "/usr/libexec", "/usr/bin", "/usr/local/sbin", "/usr/local/bin",
                            "/usr/local/libexec", "/usr/local/mysql/bin", "/usr/local/mariadb/bin"}) {
    directories.emplace_back(place);
  }
  std::error_code ignored;
  std::vector<fs::path> optional_software;
  for (const auto& entry : fs::directory_iterator("/opt", ignored)) optional_software.push_back(entry.path());
  std::sort(optional_software.begin(), optional_software.end());
  for (const fs::path& base : optional_software) directories.push_back(base / "bin");
  return directories;
}

std::optional<fs::path> search(const std::vector<fs::path>& directories, std::string_view name) {
  for (const fs::path& directory : directories) {
    for (const std::string_view candidate : kNames) {
      if (!name.empty() && candidate != name) continue;
      if (is_program(directory / candidate)) return directory / candidate;
    }
    if (!name.empty() && is_program(directory / name)) return directory / name;
  }
  return std::nullopt;
}

fs::path find_path(const std::string& binary) {
  constexpr std::string_view kCure =
      "install the package mariadb-server-core or mysql-server-core, or name a binary with --server-binary";
  std::error_code ignored;
  if (binary.find('/') == std::string::npos) {
    if (const auto found = search(usual_directories(), binary)) return *found;
    if (binary.empty()) throw std::runtime_error(fmt::format("no MySQL or MariaDB server is installed: {}", kCure));
    throw std::runtime_error(fmt::format("no server '{}' in PATH or the usual places: {}", binary, kCure));
  }
  const fs::path path = fs::absolute(binary);
  if (!fs::exists(path, ignored)) throw std::runtime_error(fmt::format("no server at '{}': no such file", binary));
  if (!fs::is_directory(path, ignored)) {
    if (is_program(path)) return path;
    throw std::runtime_error(fmt::format("cannot use the server '{}': it is not an executable file", binary));
  }
  std::vector<fs::path> directories = {path};
  for (const std::string_view below : kBelowBase) directories.push_back(path / below);
  if (const auto found = search(directories, "")) return *found;
  throw std::runtime_error(fmt::format("no mysqld or mariadbd in '{}' or its bin, sbin or libexec", binary));
}

// "mariadbd  Ver 10.11.6-MariaDB-0+deb12u1 for ..." or "/usr/sbin/mysqld  Ver 8.0.36 for Linux on x86_64 ..."
ServerBinary parse_version(const fs::path& path, const std::string& text) {
  constexpr std::string_view kMark = " Ver ";
  const std::size_t mark = text.find(kMark);
  const std::size_t begin = mark == std::string::npos ? text.size() : mark + kMark.size();
  const std::string version = text.substr(begin, text.find_first_of(" \t\n", begin) - begin);
  if (version.empty() || std::isdigit(static_cast<unsigned char>(version.front())) == 0) {
    throw std::runtime_error(fmt::format("cannot use the server '{}': it does not say its version, but '{}'",
                                         path.string(), text.substr(0, text.find('\n'))));
  }
  const bool mariadb = text.find("MariaDB") != std::string::npos;
  return {path, mariadb ? Flavour::mariadb : Flavour::mysql, version};
}

}  // namespace

ServerBinary find_server(const std::string& binary) {
  const fs::path path = find_path(binary);
  const ScratchFile output;
  ChildProcess child({{path.string(), "--no-defaults", "--version"}, output.path(), "/", std::nullopt, {}});
  if (!child.wait_for(kVersionTimeout)) {
    throw std::runtime_error(fmt::format("cannot use the server '{}': no answer to --version", path.string()));
  }
  return parse_version(path, output.read());
}

}  // namespace spindle::server
