#include "server/child_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <grp.h>
#include <linux/close_range.h>
#include <pwd.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <thread>

namespace spindle::server {
namespace {

constexpr std::chrono::milliseconds kPoll{10};
constexpr int kHighestDescriptor = 65'536;

// Everything that the child needs, made before fork(): between fork() and exec() only async-signal-safe calls are
// allowed.
struct Prepared {
  std::vector<char*> arguments;
  std::vector<char*> environment;
  const Identity* identity;
  const char* working_directory;
  int output;
  int failure_pipe;
  pid_t parent;
};

// Variables that would reach into the server: its option files, sockets and service managers.
bool is_dropped(std::string_view variable) {
  for (const std::string_view prefix : {"MYSQL_", "MARIADB_", "NOTIFY_SOCKET=", "LISTEN_", "TMPDIR="}) {
    if (variable.substr(0, prefix.size()) == prefix) return true;
  }
  return false;
}

std::vector<char*> child_environment(const std::vector<std::string>& added) {
  std::vector<char*> kept;
  for (char** variable = ::environ; *variable != nullptr; ++variable) {
    if (!is_dropped(*variable)) kept.push_back(*variable);
  }
  for (const std::string& variable : added) kept.push_back(const_cast<char*>(variable.c_str()));
  kept.push_back(nullptr);
  return kept;
}

void close_on_exec_from(int first) {
  if (::syscall(SYS_close_range, static_cast<unsigned>(first), ~0U, CLOSE_RANGE_CLOEXEC) == 0) return;
  for (int descriptor = first; descriptor < kHighestDescriptor; ++descriptor) ::fcntl(descriptor, F_SETFD, FD_CLOEXEC);
}

bool take_identity(const Identity* identity) {
  if (identity == nullptr) return true;
  return ::setgroups(identity->groups.size(), identity->groups.data()) == 0 && ::setgid(identity->gid) == 0 &&
         ::setuid(identity->uid) == 0;
}

bool prepare_child(const Prepared& prepared) {
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  for (const int number : {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGUSR1, SIGUSR2}) ::signal(number, SIG_DFL);
  if (::setsid() < 0 || !take_identity(prepared.identity)) return false;
  // A change of the user clears this, so it comes after.
  if (::prctl(PR_SET_PDEATHSIG, SIGTERM) != 0) return false;
  if (::getppid() != prepared.parent) ::_exit(1);
  const int nothing = ::open("/dev/null", O_RDONLY);
  if (nothing < 0 || ::dup2(nothing, 0) < 0 || ::dup2(prepared.output, 1) < 0 || ::dup2(prepared.output, 2) < 0) {
    return false;
  }
  close_on_exec_from(3);
  return ::chdir(prepared.working_directory) == 0;
}

[[noreturn]] void run_child(const Prepared& prepared) {
  if (prepare_child(prepared)) ::execve(prepared.arguments[0], prepared.arguments.data(), prepared.environment.data());
  const int error = errno;
  [[maybe_unused]] const ssize_t written = ::write(prepared.failure_pipe, &error, sizeof error);
  ::_exit(127);
}

struct Descriptor {
  int number;
  explicit Descriptor(int descriptor) : number(descriptor) {}
  ~Descriptor() { close(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  void close() {
    if (number >= 0) ::close(number);
    number = -1;
  }
};

std::runtime_error cannot_run(const Command& command, int error) {
  return std::runtime_error(fmt::format("cannot run '{}'{}: {}", command.arguments.front(),
                                        command.identity ? " as user " + command.identity->name : "",
                                        std::generic_category().message(error)));
}

}  // namespace

std::optional<Identity> server_identity() {
  if (::geteuid() != 0) return std::nullopt;
  for (const char* name : {"mysql", "nobody"}) {
    const passwd* user = ::getpwnam(name);
    if (user == nullptr) continue;
    Identity identity{name, user->pw_uid, user->pw_gid, std::vector<gid_t>(64)};
    int count = static_cast<int>(identity.groups.size());
    if (::getgrouplist(name, user->pw_gid, identity.groups.data(), &count) < 0) count = 0;
    identity.groups.resize(static_cast<std::size_t>(count));
    return identity;
  }
  return std::nullopt;
}

ChildProcess::ChildProcess(const Command& command) {
  const Descriptor output(::open(command.output.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0640));
  if (output.number < 0) {
    throw std::runtime_error(
        fmt::format("cannot open '{}': {}", command.output.string(), std::generic_category().message(errno)));
  }
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw cannot_run(command, errno);
  const Descriptor failure_read(ends[0]);
  Descriptor failure_write(ends[1]);

  Prepared prepared{{},
                    child_environment(command.environment),
                    command.identity ? &*command.identity : nullptr,
                    command.working_directory.c_str(),
                    output.number,
                    failure_write.number,
                    ::getpid()};
  for (const std::string& argument : command.arguments)
    prepared.arguments.push_back(const_cast<char*>(argument.c_str()));
  prepared.arguments.push_back(nullptr);

  id_ = ::fork();
  if (id_ < 0) throw cannot_run(command, errno);
  if (id_ == 0) run_child(prepared);
  failure_write.close();
  // The pipe closes by itself when the program runs.
  int error = 0;
  ssize_t got = 0;
  do got = ::read(failure_read.number, &error, sizeof error);
  while (got < 0 && errno == EINTR);
  if (got == static_cast<ssize_t>(sizeof error)) {
    ::waitpid(id_, &status_, 0);
    ended_ = true;
    throw cannot_run(command, error);
  }
}

ChildProcess::~ChildProcess() {
  if (!running()) return;
  kill_group();
  wait_for(std::chrono::seconds(30));
}

bool ChildProcess::running() {
  if (ended_) return false;
  const pid_t got = ::waitpid(id_, &status_, WNOHANG);
  if (got == 0 || (got < 0 && errno == EINTR)) return true;
  ended_ = true;
  return false;
}

bool ChildProcess::wait_for(std::chrono::milliseconds limit) {
  const auto end = std::chrono::steady_clock::now() + limit;
  while (running()) {
    if (std::chrono::steady_clock::now() >= end) return false;
    std::this_thread::sleep_for(kPoll);
  }
  return true;
}

void ChildProcess::signal(int number) {
  if (running()) ::kill(id_, number);
}

void ChildProcess::kill_group() {
  if (running()) ::kill(-id_, SIGKILL);
}

std::string ChildProcess::ending() const {
  if (WIFSIGNALED(status_)) return fmt::format("signal {} ({})", WTERMSIG(status_), ::strsignal(WTERMSIG(status_)));
  return fmt::format("exit code {}", WEXITSTATUS(status_));
}

bool may_enter(const Identity& identity, const std::filesystem::path& path) {
  const char* const name = path.c_str();
  const pid_t child = ::fork();
  if (child < 0) return false;
  if (child == 0) ::_exit(take_identity(&identity) && ::access(name, X_OK) == 0 ? 0 : 1);
  int status = 1;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status == 0;
}

}  // namespace spindle::server
