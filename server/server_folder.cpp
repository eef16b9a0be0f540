#include "server/server_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cctype>
#include <cerrno>
#include <csignal>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <system_error>

namespace spindle::server {
namespace {

namespace fs = std::filesystem;

constexpr const char* kMarkerName = ".spindle-server";
constexpr std::string_view kMarkerTitle = "spindle throwaway server, format 1";
constexpr std::size_t kNameLimit = 40;
constexpr std::size_t kSocketPathLimit = 107;  // sun_path without its terminator
constexpr const char* kSocketName = "server.sock";
constexpr const char* kSocketDirectory = "/tmp/spindle-socket-XXXXXX";

[[noreturn]] void fail(const std::string& what, const fs::path& path, int error) {
  throw std::runtime_error(fmt::format("{} '{}': {}", what, path.string(), std::generic_category().message(error)));
}

std::string first_line(const fs::path& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

std::string link_target(const fs::path& path) {
  std::error_code ignored;
  return fs::read_symlink(path, ignored).string();
}

// Field 22 of /proc/PID/stat; the second field, the program's name, may hold blanks and brackets. 0: no such process.
std::uint64_t start_time_of(pid_t process) {
  const std::string line = first_line(fmt::format("/proc/{}/stat", process));
  const std::size_t name_end = line.rfind(')');
  if (name_end == std::string::npos) return 0;
  std::istringstream fields(line.substr(name_end + 1));
  std::string skipped;
  for (int field = 3; field < 22; ++field) fields >> skipped;
  std::uint64_t ticks = 0;
  fields >> ticks;
  return ticks;
}

std::string file_name_part(const std::string& name) {
  std::string part = name.substr(0, kNameLimit);
  for (char& character : part) {
    if (std::isalnum(static_cast<unsigned char>(character)) == 0 && character != '-' && character != '.')
      character = '_';
  }
  return part.empty() ? "server" : part;
}

fs::path make_directory(const fs::path& pattern) {
  std::string path = pattern.string();
  if (::mkdtemp(path.data()) == nullptr) fail("cannot create a folder in", pattern.parent_path(), errno);
  return path;
}

void write_marker(int descriptor, const fs::path& path, const Marker& marker) {
  const std::string text =
      fmt::format("{}\nprocess={}\nstart_time={}\nboot={}\nprocess_namespace={}\nkeep={}\nsocket_directory={}\n",
                  kMarkerTitle, marker.owner.process, marker.owner.start_time, marker.owner.boot,
                  marker.owner.process_namespace, marker.keep == Keep::data ? 1 : 0, marker.socket_directory.string());
  if (::write(descriptor, text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
    fail("cannot write", path, errno);
  }
}

// Only what spindle puts there is deleted, never a tree: the path comes from a file.
void remove_socket_directory(const fs::path& directory) {
  const std::string pattern(kSocketDirectory);
  const std::string prefix = pattern.substr(0, pattern.size() - 6);
  if (directory.string().rfind(prefix, 0) != 0 || directory.parent_path() != fs::path(prefix).parent_path()) return;
  std::error_code ignored;
  fs::remove(directory / kSocketName, ignored);
  fs::remove(directory / (std::string(kSocketName) + ".lock"), ignored);
  fs::remove(directory, ignored);
}

}  // namespace

Owner this_process() {
  return {::getpid(), start_time_of(::getpid()), first_line("/proc/sys/kernel/random/boot_id"),
          link_target("/proc/self/ns/pid")};
}

bool is_alive(const Owner& owner) {
  const Owner here = this_process();
  if (owner.boot != here.boot) return false;
  // Another namespace's processes are not visible from here: the lock on the marker decides.
  if (owner.process_namespace != here.process_namespace) return false;
  return owner.process > 0 && start_time_of(owner.process) == owner.start_time;
}

std::optional<Marker> read_marker(const fs::path& folder) {
  const fs::path path = folder / kMarkerName;
  struct stat status {};
  // Another user's marker, or a link to one, could send the deletion anywhere.
  if (::lstat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode) || status.st_uid != ::geteuid() ||
      status.st_nlink != 1) {
    return std::nullopt;
  }
  std::ifstream file(path);
  std::string line;
  if (!std::getline(file, line) || line != kMarkerTitle) return std::nullopt;
  Marker marker;
  while (std::getline(file, line)) {
    const std::size_t equals = line.find('=');
    if (equals == std::string::npos) continue;
    const std::string key = line.substr(0, equals);
    const std::string value = line.substr(equals + 1);
    std::istringstream number(value);
    if (key == "process") number >> marker.owner.process;
    if (key == "start_time") number >> marker.owner.start_time;
    if (key == "boot") marker.owner.boot = value;
    if (key == "process_namespace") marker.owner.process_namespace = value;
    if (key == "keep") marker.keep = value == "1" ? Keep::data : Keep::nothing;
    if (key == "socket_directory") marker.socket_directory = value;
  }
  return marker;
}

ServerFolder::ServerFolder(const fs::path& directory, const std::string& name, Keep keep,
                           const std::optional<Identity>& identity)
    : identity_(identity) {
  std::error_code error;
  const fs::path base = fs::canonical(directory, error);
  if (error) fail("cannot use the directory", directory, error.value());
  path_ = make_directory(base / fmt::format("spindle-{}-XXXXXX", file_name_part(name)));
  socket_ = path_ / kSocketName;
  Marker marker{this_process(), keep, {}};
  try {
    if (socket_.string().size() > kSocketPathLimit) {
      marker.socket_directory = make_directory(kSocketDirectory);
      socket_ = marker.socket_directory / kSocketName;
    }
    const fs::path file = path_ / kMarkerName;
    lock_ = ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (lock_ < 0) fail("cannot create", file, errno);
    ::flock(lock_, LOCK_EX | LOCK_NB);  // where the file system has no locks, the process id decides
    write_marker(lock_, file, marker);
    for (const fs::path& sub : {data(), temporary()}) {
      if (::mkdir(sub.c_str(), 0700) != 0) fail("cannot create", sub, errno);
      give_to_server(sub);
    }
    if (!marker.socket_directory.empty()) give_to_server(marker.socket_directory);
    give_to_server(path_);
  } catch (...) {
    remove_folder(path_);
    remove_socket_directory(marker.socket_directory);
    fs::remove(path_, error);  // there may be no marker yet
    if (lock_ >= 0) ::close(lock_);
    throw;
  }
}

ServerFolder::~ServerFolder() {
  if (lock_ >= 0) ::close(lock_);
}

void ServerFolder::give_to_server(const fs::path& path) const {
  if (identity_ && ::chown(path.c_str(), identity_->uid, identity_->gid) != 0) {
    fail("cannot give to user " + identity_->name, path, errno);
  }
}

void ServerFolder::write_private(const fs::path& file, const std::string& text, Reader reader) const {
  ::unlink(file.c_str());
  const int descriptor = ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (descriptor < 0) fail("cannot create", file, errno);
  const ssize_t written = ::write(descriptor, text.data(), text.size());
  const int error = errno;
  ::close(descriptor);
  if (written != static_cast<ssize_t>(text.size())) fail("cannot write", file, error);
  if (reader == Reader::server) give_to_server(file);
}

void remove_folder(const fs::path& folder) {
  const auto marker = read_marker(folder);
  if (!marker) return;
  if (!marker->socket_directory.empty()) remove_socket_directory(marker->socket_directory);
  // The marker goes last: an interrupted removal can be taken up again.
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (entry.path().filename() == kMarkerName) continue;
    fs::remove_all(entry.path(), error);
    if (error) fail("cannot remove", entry.path(), error.value());
  }
  fs::remove(folder / kMarkerName, error);
  fs::remove(folder, error);
  if (error) fail("cannot remove", folder, error.value());
}

bool is_locked(const fs::path& folder) {
  const int descriptor = ::open((folder / kMarkerName).c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
  if (descriptor < 0) return false;
  const bool locked = ::flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  ::close(descriptor);
  return locked;
}

}  // namespace spindle::server
