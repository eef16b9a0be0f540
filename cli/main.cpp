// spindle's entry: descriptors and signal handlers, then cli::run.
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>

#include "cli/subcommand.h"

namespace {

spindle::core::StopRequest* stop_request = nullptr;  // a signal handler can reach nothing else

void handle(int signal) { stop_request->raise(signal); }

// Where stdin, stdout or stderr is closed, the next file or socket to be opened would get its number, and the table or
// a log line would be written into it. Read-only, so that writing to it stays an error.
void occupy_standard_descriptors() {
  int descriptor = 0;
  while (descriptor >= 0 && descriptor <= 2) descriptor = ::open("/dev/null", O_RDONLY);
  if (descriptor > 2) ::close(descriptor);
}

// A connection takes two descriptors, and the usual soft limit of 1024 is there for programs that call select().
void raise_descriptor_limit() {
  constexpr rlim_t kEnough = 65'536;  // servers reserve memory by the limit that they inherit
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= kEnough) return;
  limit.rlim_cur = std::min(limit.rlim_max, kEnough);
  ::setrlimit(RLIMIT_NOFILE, &limit);  // where it fails, the old limit stays
}

}  // namespace

int main(int argc, char** argv) {
  occupy_standard_descriptors();
  raise_descriptor_limit();
  spindle::core::StopRequest stop;
  stop_request = &stop;
  struct sigaction action {};
  action.sa_handler = handle;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  struct sigaction hang_up {};
  sigaction(SIGHUP, nullptr, &hang_up);
  if (hang_up.sa_handler != SIG_IGN) sigaction(SIGHUP, &action, nullptr);  // nohup wants it ignored
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe or socket is an error that its writer reports
  return spindle::cli::run(argc, argv, stop);
}
