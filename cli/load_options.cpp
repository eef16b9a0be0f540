#include "cli/load_options.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <iostream>
#include <stdexcept>

#include "cli/show.h"
#include "cli/values.h"
#include "core/probe.h"
#include "core/summary.h"
#include "core/units.h"
#include "results/environment.h"

namespace spindle::cli {
namespace {

void print_interval(const core::JobSchema& schema, const core::Load& load, const core::Window& window) {
  const core::Summary summary =
      core::summarize(schema, window, load.rate > 0 ? core::LoopKind::open : core::LoopKind::closed);
  std::uint64_t errors = 0;
  for (const core::OperationSummary& operation : summary.operations) errors += operation.errors;
  std::string line = fmt::format("[{:>6.1f}s] {} threads  {}/s", core::to_seconds(window.end), window.threads,
                                 core::format_figure(summary.units_per_second));
  if (summary.queries_per_second > 0)
    line += fmt::format("  {} queries/s", core::format_figure(summary.queries_per_second));
  if (summary.mib_per_second > 0) line += fmt::format("  {} MiB/s", core::format_figure(summary.mib_per_second));
  line += fmt::format("  mean {} ms  p95 {} ms", core::format_figure(summary.latency.mean_ms),
                      core::format_figure(summary.latency.p95_ms));
  if (errors > 0) line += fmt::format("  {} errors", errors);
  std::cout << line << (window.begin < load.warmup ? "  (warm-up)" : "") << std::endl;
}

}  // namespace

RunRequest::RunRequest() { load.duration = std::chrono::seconds(10); }

void add_load(CLI::App& app, RunRequest& request) {
  core::Load& load = request.load;
  add_count(app, "--threads", load.threads, {1, 100'000}, "Concurrent connections, or disk requests");
  add_duration(app, "--time", load.duration, "Measured time; 0 means no limit, and needs --events");
  add_duration(app, "--warmup", load.warmup, "Time before it that is run but not measured");
  add_count(app, "--events", load.events, {}, "End after so many transactions or requests; 0 means no limit");
  app.add_option("--rate", load.rate, "Open loop: so many transactions or requests a second; 0 means closed loop")
      ->check(CLI::NonNegativeNumber)
      ->type_name("N/S")
      ->capture_default_str();
  add_name(app, "--arrivals", request.arrivals, {"poisson", "uniform"}, "Gaps between arrivals of an open loop");
  add_duration(app, "--report-interval", load.report_interval, "Print figures so often");
  add_duration(app, "--grace", load.grace, "What is in flight at the deadline may take so long; then it is cut off");
  app.add_option("--output", request.output, "Save the result in this file, as JSON")->type_name("FILE");
}

int run_and_report(core::Job& job, const RunRequest& request, results::Result result, const results::Cell& cell,
                   const Context& context) {
  core::Load load = request.load;
  load.arrivals = request.arrivals == "uniform" ? core::ArrivalKind::uniform : core::ArrivalKind::poisson;
  if (load.duration.count() == 0 && load.events == 0) {
    throw std::invalid_argument("--time 0 and --events 0: the run would never end; give one of them");
  }
  if (load.report_interval.count() <= 0) throw std::invalid_argument("--report-interval: give more than 0");
  const core::JobSchema schema = job.schema();
  results::Run run = results::make_run(
      core::run(job, load, context.stop, [&](const core::Window& window) { print_interval(schema, load, window); }));
  run.cell = cell;
  run.round = run.sequence = 1;
  result.command = context.command;
  result.end = run.end;
  result.options["threads"] = fmt::format("{}", load.threads);
  result.options["time_s"] = fmt::format("{:g}", core::to_seconds(load.duration));
  result.options["warmup_s"] = fmt::format("{:g}", core::to_seconds(load.warmup));
  result.options["events"] = fmt::format("{}", load.events);
  result.options["rate"] = fmt::format("{:g}", load.rate);
  result.options["rounds"] = "1";
  if (run.end == "failed") {
    result.errors.push_back(run.error);
    spdlog::error("{}", run.error);
  }
  result.runs.push_back(std::move(run));
  result.environment.finished_at = results::utc_timestamp();
  std::cout << '\n';
  print(result, context.console, Detail::full);
  if (!request.output.empty()) {
    results::save(result, request.output);
    std::cout << "\nSaved in " << request.output << '\n';
  }
  return result.end == "completed" ? kDone : kFailed;
}

}  // namespace spindle::cli
