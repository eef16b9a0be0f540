// A subcommand: one file under cli/ that adds its options to the parser and says what to do with them.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

#include "cli/console.h"
#include "core/registry.h"
#include "core/stop_request.h"

namespace spindle::cli {

// Documented in the help; scripts depend on them. std::invalid_argument ends with kUsage, other exceptions with
// kFailed.
enum ExitCode : int { kDone = 0, kFailed = 1, kUsage = 2, kSignalBase = 128 };

struct Context {
  const core::StopRequest& stop;
  Console& console;
  std::string command;  // as typed, without passwords
};

using Action = std::function<int(const Context&)>;
// Adds the subcommand to `root`; when it is the one chosen, parsing sets `action`.
using AddSubcommand = std::function<void(CLI::App& root, Action& action)>;
using SubcommandRegistry = core::Registry<AddSubcommand>;
using RegisterSubcommand = core::Register<AddSubcommand>;

// Parses argv, runs what was chosen, prints errors; returns the exit code.
int run(int argc, char** argv, core::StopRequest& stop);

}  // namespace spindle::cli
