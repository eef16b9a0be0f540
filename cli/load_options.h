// The options of one run that `oltp run` and `fileio run` share, and what happens around such a run.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>

#include "cli/subcommand.h"
#include "core/job.h"
#include "core/runner.h"
#include "results/result.h"
#include "results/run_watcher.h"

namespace spindle::cli {

struct RunRequest {
  core::Load load;
  std::string arrivals = "poisson";
  std::string output;  // a file for the result; empty: it is only printed

  RunRequest();
};

void add_load(CLI::App& app, RunRequest& request);

// Runs the job, printing each interval, then the result of this one run, and saves it where asked. `result` comes with
// its target, its options and nothing measured; `cell` names the run; the watchers see it too. Returns the exit code.
int run_and_report(core::Job& job, const RunRequest& request, results::Result result, const results::Cell& cell,
                   const Context& context, const results::RunWatchers& watchers = {});

}  // namespace spindle::cli
