// spindle's entry: signal handlers, then cli::run.
#include <csignal>

#include "cli/subcommand.h"

namespace {

spindle::core::StopRequest* stop_request = nullptr;  // a signal handler can reach nothing else

void handle(int signal) { stop_request->raise(signal); }

}  // namespace

int main(int argc, char** argv) {
  spindle::core::StopRequest stop;
  stop_request = &stop;
  struct sigaction action {};
  action.sa_handler = handle;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  sigaction(SIGHUP, &action, nullptr);
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe or socket is an error that its writer reports
  return spindle::cli::run(argc, argv, stop);
}
