// A child process of spindle's: started in its own session, without spindle's descriptors, and ended with spindle.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace spindle::server {

// Whom a child runs as.
struct Identity {
  std::string name;
  uid_t uid = 0;
  gid_t gid = 0;
  std::vector<gid_t> groups;
};

// The unprivileged user for servers where spindle is root: mysql, else nobody. Nothing where spindle is not root.
std::optional<Identity> server_identity();

struct Command {
  std::vector<std::string> arguments;  // the first is the program's path
  std::filesystem::path output;        // stdout and stderr are appended to this file
  std::filesystem::path working_directory;
  std::optional<Identity> identity;      // none: spindle's own user
  std::vector<std::string> environment;  // "NAME=value", added to spindle's own
};

class ChildProcess {
 public:
  // Throws std::runtime_error when the program cannot be run. The kernel sends the child SIGTERM when the calling
  // thread ends, however it ends.
  explicit ChildProcess(const Command& command);
  ~ChildProcess();  // kills it if it still runs
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  bool running();
  bool wait_for(std::chrono::milliseconds limit);  // true when it has ended
  void signal(int number);                         // to it alone; does nothing when it has ended
  void kill_group();  // SIGKILL to it and all that it started and that stayed in its session
  pid_t id() const { return id_; }
  bool succeeded() const { return ended_ && status_ == 0; }
  std::string ending() const;  // "exit code 1", "signal 9 (Killed)"

 private:
  pid_t id_ = 0;
  bool ended_ = false;
  int status_ = 0;
};

// Whether this user may enter a directory, or run a file, with all directories above it. Tried out in a forked child.
bool may_enter(const Identity& identity, const std::filesystem::path& path);

}  // namespace spindle::server
