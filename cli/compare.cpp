// spindle compare LABEL=TARGET...: the main job.
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <iostream>
#include <memory>
#include <mutex>

#include "cli/oltp_options.h"
#include "cli/show.h"
#include "cli/subcommand.h"
#include "cli/values.h"
#include "compare/execute.h"
#include "compare/leftovers.h"
#include "compare/preflight.h"
#include "core/summary.h"
#include "core/units.h"
#include "fileio/test.h"
#include "oltp/workload.h"

namespace spindle::cli {
namespace {

using compare::Options;
using compare::Plan;
using compare::Step;

// Shows a comparison's progress on stderr: a status line on a terminal, else a line a run.
class ProgressObserver : public compare::Observer {
 public:
  ProgressObserver(Console& console, const Options& options) : console_(console), options_(options) {}

  void preparing(const std::string& label, const std::string& what, double fraction) override {
    const std::lock_guard lock(mutex_);
    const std::string activity = fmt::format("{}: {}", label, what);
    if (activity != activity_) spdlog::info("{}", activity);
    activity_ = activity;
    console_.status(activity, fraction);
  }

  void step_started(const Step& step, std::size_t index, std::size_t count, core::Nanoseconds left) override {
    index_ = index;
    count_ = count;
    left_ = left;
    started_ = core::now();
    show(step, "");
  }

  void window(const Step& step, const core::Window& window) override {
    const double rate =
        static_cast<double>(window.data.accounts.committed) / std::max(core::to_seconds(window.length()), 1e-9);
    show(step, fmt::format("  {}/s", core::format_figure(rate)));
  }

  void step_finished(const Step& step, const results::Run& run) override {
    const std::string place = fmt::format("[{}/{}] round {}", index_ + 1, count_, step.round);
    if (run.end == "failed") {
      spdlog::error("{} {}: {}", place, name(step), run.error);
    } else if (!console_.has_status_line()) {
      spdlog::info("{} {}: {} {}/s, p95 {} ms", place, name(step), core::format_figure(run.summary.units_per_second),
                   step.cell.kind == results::CellKind::oltp ? "transactions" : "requests",
                   core::format_figure(run.summary.latency.p95_ms));
    }
  }

  void cleaning_up() override {
    console_.clear_status();
    console_.status("stopping servers and removing files");
  }

 private:
  std::string name(const Step& step) const {
    return fmt::format("{} {} {} thread{}", options_.targets[step.target].label, step.cell.workload, step.cell.threads,
                       step.cell.threads == 1 ? "" : "s");
  }
  void show(const Step& step, const std::string& rate) {
    const core::Nanoseconds left = left_ - (core::now() - started_);
    console_.status(fmt::format("round {}/{}  {}{}", step.round, options_.rounds, name(step), rate),
                    static_cast<double>(index_) / static_cast<double>(std::max<std::size_t>(count_, 1)),
                    std::max(left, core::Nanoseconds(std::chrono::seconds(1))));
  }

  Console& console_;
  const Options& options_;
  std::mutex mutex_;
  std::string activity_;
  std::size_t index_ = 0, count_ = 0;
  core::Nanoseconds left_{0};
  core::TimePoint started_{};
};

// What the command line says beside the options themselves.
struct Request {
  Options options;
  std::vector<std::string> targets, settings;
  bool dry_run = false, keep = false, detail = false;
};

int execute(Request& request, const Context& context) {
  Options& options = request.options;
  options.command = context.command;
  for (const std::string& text : request.targets) options.targets.push_back(compare::parse_target(text));
  for (const std::string& text : request.settings) compare::apply_setting(options.targets, text);
  if (request.keep) options.removal = compare::Removal::keep;

  const Plan plan = compare::make_plan(options);
  if (!request.dry_run) compare::remove_leftovers(options.targets);
  const std::vector<std::string> warnings = compare::preflight(options, plan);
  for (const std::string& warning : warnings) spdlog::warn("{}", warning);
  if (request.dry_run) {
    std::cout << compare::describe(plan, options);
    return kDone;
  }
  spdlog::info("{} runs, about {}; Ctrl-C ends early with what was measured", plan.steps.size(),
               core::format_duration(plan.duration()));
  ProgressObserver observer(context.console, options);
  const compare::Outcome outcome = compare::execute(options, plan, context.stop, observer);
  context.console.clear_status();

  print(outcome.result, context.console, request.detail ? Detail::full : Detail::summary);
  if (!outcome.path.empty())
    std::cout << "\nSaved in " << outcome.path << "; draw it again with: spindle report " << outcome.path << '\n';
  return outcome.result.end == "completed" ? kDone : kFailed;
}

void add_experiment(CLI::App& app, Options& options) {
  // Callbacks run in the order in which options are added: what is given beside --quick wins.
  app.add_flag_callback(
      "--quick", [&options] { make_quick(options); }, "Every cell, but one second each and on a small data set");
  add_duration(app, "--time", options.time, "Measured time of each run");
  add_duration(app, "--warmup", options.warmup, "Time before it that is run but not measured");
  add_counts(app, "--threads", options.threads, {1, 10'000}, "Concurrent connections, or disk requests");
  add_names(app, "--workloads", options.workloads, oltp::WorkloadRegistry::instance().names(),
            "OLTP workloads; 'none' leaves them out");
  add_names(app, "--fileio", options.fileio, core::Registry<fileio::TestPlugin>::instance().names(),
            "Disk tests; 'none' leaves them out");
  add_count(app, "--rounds", options.rounds, {1, 1000},
            "Rounds; from 3 on, ratios carry an interval; an even number cancels drift");
}

void add_data(CLI::App& app, Options& options) {
  add_tables(app, options.oltp);
  add_statements(app, options.oltp);
  add_size(app, "--buffer-pool", options.buffer_pool_bytes,
           "innodb_buffer_pool_size; smaller than the data, so that the disk is read", 5ULL << 20);
  add_size(app, "--file-total-size", options.files.total_bytes, "Size of all test files of a target");
  add_count(app, "--file-num", options.files.file_num, {1, 100'000}, "Number of test files");
}

void add_compare(CLI::App& root, Action& action) {
  const auto request = std::make_shared<Request>();
  Options& options = request->options;
  CLI::App* app =
      root.add_subcommand("compare", "Compare disks: MySQL and raw, at 1, 16 and 64 threads, with a verdict");
  app->footer(
      "A target is LABEL=DIRECTORY (a throwaway server whose data live there) or "
      "LABEL=mysql://user@host:port/database.\n"
      "  spindle compare ssd=/mnt/ssd sas=/mnt/sas\n"
      "  spindle compare safe=/mnt/ssd fast=/mnt/ssd --set fast:innodb_flush_log_at_trx_commit=2");
  app->add_option("targets", request->targets, "LABEL=DIRECTORY or LABEL=mysql://user@host:port/database")
      ->required()
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->type_name("");
  add_experiment(*app, options);
  add_data(*app, options);
  app->add_option("--set", request->settings, "LABEL:variable=value: a server variable of one target; may be repeated")
      ->type_name("SETTING")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  app->add_option("--server-binary", options.server_binary,
                  "mysqld or mariadbd, or the directory it is in; searched by default")
      ->type_name("PATH");
  add_name(*app, "--driver", options.driver, drivers::DriverRegistry::instance().names(), "Client library");
  app->add_option("--output", options.output_directory, "Directory for the result")
      ->type_name("DIR")
      ->capture_default_str();
  app->add_flag("--keep", request->keep, "Leave data directories and files when done");
  app->add_flag("--detail", request->detail, "Print every statement and what disk and CPU did as well");
  app->add_flag("--dry-run", request->dry_run, "Print the plan, its duration and its disk space; start nothing");
  app->callback(
      [request, &action] { action = [request](const Context& context) { return execute(*request, context); }; });
}

const RegisterSubcommand kRegistered{"compare", add_compare};

}  // namespace
}  // namespace spindle::cli
