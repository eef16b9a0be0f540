#include "cli/load_options.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <charconv>
#include <filesystem>
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

std::string directory_of(const std::string& file) {
  const std::string directory = std::filesystem::path(file).parent_path().string();
  return directory.empty() ? "." : directory;
}

// The schedule of an open loop is counted to its end, arrival by arrival: beyond all disks it would never get there.
std::string allowed_rate(const std::string& text) {
  constexpr double kHighest = 1e6;
  double rate = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), rate);
  const bool whole = error == std::errc{} && end == text.data() + text.size();
  if (whole && rate >= 0 && rate <= kHighest) return {};
  return fmt::format("'{}' is not allowed: give a number from 0 to 1000000", text);
}

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
  std::cerr << line << (window.begin < load.warmup ? "  (warm-up)" : "") << std::endl;
}

// What is wrong with the request; a bad output path is said now, not after the run.
void check(const RunRequest& request) {
  if (request.load.duration.count() == 0 && request.load.events == 0) {
    throw std::invalid_argument("--time 0 and --events 0: the run would never end; give one of them");
  }
  if (request.load.report_interval.count() <= 0) throw std::invalid_argument("--report-interval: give more than 0");
  if (!request.output.empty()) results::require_writable(directory_of(request.output));
}

void add_load_settings(const RunRequest& request, results::Settings& options) {
  const core::Load& load = request.load;
  const auto seconds = [](core::Nanoseconds time) { return fmt::format("{:g}", core::to_seconds(time)); };
  options["threads"] = fmt::format("{}", load.threads);
  options["time_s"] = seconds(load.duration);
  options["warmup_s"] = seconds(load.warmup);
  options["events"] = fmt::format("{}", load.events);
  options["rate"] = fmt::format("{:g}", load.rate);
  options["arrivals"] = request.arrivals;
  options["grace_s"] = seconds(load.grace);
  options["rounds"] = "1";
}

class IntervalPrinter final : public results::RunWatcher {
 public:
  IntervalPrinter(core::JobSchema schema, const core::Load& load) : schema_(std::move(schema)), load_(load) {}
  void window(const core::Window& window) override { print_interval(schema_, load_, window); }

 private:
  const core::JobSchema schema_;
  const core::Load& load_;
};

}  // namespace

RunRequest::RunRequest() { load.duration = std::chrono::seconds(10); }

void add_load(CLI::App& app, RunRequest& request) {
  core::Load& load = request.load;
  add_count(app, "--threads", load.threads, {1, 100'000}, "Concurrent connections, or disk requests");
  add_duration(app, "--time", load.duration, "Measured time; 0 means no limit, and needs --events");
  add_duration(app, "--warmup", load.warmup, "Time before it that is run but not measured");
  add_count(app, "--events", load.events, {}, "End after so many transactions or requests; 0 means no limit");
  app.add_option("--rate", load.rate, "Open loop: so many transactions or requests a second; 0 means closed loop")
      ->check(allowed_rate)
      ->type_name("N/S")
      ->capture_default_str();
  add_name(app, "--arrivals", request.arrivals, {"poisson", "uniform"}, "Gaps between arrivals of an open loop");
  add_duration(app, "--report-interval", load.report_interval, "Print figures so often");
  add_duration(app, "--grace", load.grace, "What is in flight at the deadline may take so long; then it is cut off");
  app.add_option("--output", request.output, "Save the result in this file, as JSON")->type_name("FILE");
}

int run_and_report(core::Job& job, const RunRequest& request, results::Result result, const results::Cell& cell,
                   const Context& context, const results::RunWatchers& watchers) {
  check(request);
  core::Load load = request.load;
  load.arrivals = request.arrivals == "uniform" ? core::ArrivalKind::uniform : core::ArrivalKind::poisson;
  IntervalPrinter printer(job.schema(), load);
  results::RunWatchers all = watchers;
  all.push_back(&printer);
  results::Run run = results::run_watched(job, load, context.stop, all);
  run.cell = cell;
  run.round = run.sequence = 1;
  result.command = context.command;
  result.end = run.end;
  add_load_settings(request, result.options);
  if (run.end == "failed") {
    result.errors.push_back(run.error);
    spdlog::error("{}", run.error);
  }
  result.runs.push_back(std::move(run));
  result.environment.finished_at = results::utc_timestamp();
  std::cout << '\n';
  print(result, context.console, Detail::full);
  if (!request.output.empty()) {
    std::filesystem::create_directories(directory_of(request.output));
    results::save(result, request.output);
    std::cout << "\nSaved in " << request.output << '\n';
  }
  return result.end == "completed" ? kDone : kFailed;
}

}  // namespace spindle::cli
