#include "compare/execute.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <vector>

#include "compare/settings.h"
#include "compare/testbed.h"
#include "compare/verdict.h"
#include "results/environment.h"

namespace spindle::compare {
namespace {

constexpr int kMaxRestarts = 3;  // of one target's server; then its remaining cells are skipped

results::Settings all_settings(const Options& options, const Plan& plan) {
  const auto seconds = [](core::Nanoseconds time) { return fmt::format("{:g}", core::to_seconds(time)); };
  results::Settings settings = {{"workloads", fmt::format("{}", fmt::join(options.workloads, ","))},
                                {"fileio", fmt::format("{}", fmt::join(options.fileio, ","))},
                                {"threads", fmt::format("{}", fmt::join(options.threads, ","))},
                                {"time_s", seconds(options.time)},
                                {"warmup_s", seconds(options.warmup)},
                                {"rounds", fmt::format("{}", options.rounds)},
                                {"data_bytes", fmt::format("{}", plan.data_bytes)},
                                {"buffer_pool", fmt::format("{}", options.buffer_pool_bytes)},
                                {"server_binary", options.server_binary},
                                {"driver", options.driver},
                                {"keep", options.removal == Removal::keep ? "on" : "off"}};
  settings.merge(settings_of(options.oltp));
  settings.merge(settings_of(options.files));
  return settings;
}

class Execution {
 public:
  Execution(const Options& options, const Plan& plan, const core::StopRequest& stop, Observer& observer)
      : options_(options),
        plan_(plan),
        stop_(stop),
        observer_(observer),
        driver_(drivers::make_driver(options.driver)) {
    result_.command = options.command;
    result_.options = all_settings(options, plan);
    result_.environment = results::current_environment(driver_->describe());
  }

  Outcome execute() {
    results::require_writable(options_.output_directory);
    try {
      prepare();
      measure();
    } catch (const core::Interrupted&) {
      if (result_.runs.empty()) throw;
      result_.end = "interrupted";
    } catch (const std::exception& error) {
      if (result_.runs.empty()) throw;
      result_.errors.push_back(error.what());
    }
    clean_up();
    result_.environment.finished_at = results::utc_timestamp();
    if (!save(options_.output_directory)) {
      result_.errors.push_back("the result could not be saved where it was asked for");
      save(std::filesystem::temp_directory_path().string());
    }
    return {std::move(result_), path_};
  }

 private:
  struct Seat {  // a target's place at the table
    std::unique_ptr<Testbed> testbed;
    int restarts = 0;
    bool dropped = false;
  };

  void prepare() {
    for (const TargetSpec& target : options_.targets) {
      Seat& seat = seats_.emplace_back();
      seat.testbed = std::make_unique<Testbed>(target, options_, *driver_, stop_);
      seat.testbed->prepare(
          [&](const std::string& what, double fraction) { observer_.preparing(target.label, what, fraction); });
      stop_.throw_if_requested();
    }
    for (const Seat& seat : seats_) result_.targets.push_back(seat.testbed->description());
  }

  void measure() {
    const core::TimePoint begin = core::now();
    for (std::size_t i = 0; i < plan_.steps.size(); ++i) {
      stop_.throw_if_requested();
      const Step& step = plan_.steps[i];
      if (i > 0 && plan_.steps[i - 1].round != step.round) save(options_.output_directory);
      observer_.step_started(step, i, plan_.steps.size(), time_left(begin, i));
      if (seats_[step.target].dropped) continue;
      run(step);
      if (result_.runs.back().end == "interrupted") throw core::Interrupted(stop_.signal());
    }
  }

  void run(const Step& step) {
    Seat& seat = seats_[step.target];
    results::Run run =
        seat.testbed->run(step.cell, [&](const core::Window& window) { observer_.window(step, window); });
    run.target = step.target;
    run.round = step.round;
    run.sequence = static_cast<std::uint32_t>(result_.runs.size() + 1);
    observer_.step_finished(step, run);
    if (run.end == "failed") note_failure(step, run);
    result_.runs.push_back(std::move(run));
    if (result_.runs.back().end == "failed") keep_going(step.target, seat);
  }

  void note_failure(const Step& step, const results::Run& run) {
    result_.errors.push_back(fmt::format("{}, {} at {} threads, round {}: {}", options_.targets[step.target].label,
                                         step.cell.workload, step.cell.threads, step.round, run.error));
  }

  // After a failure: a server that died is started again a few times; a target that cannot go on is left out.
  void keep_going(std::size_t target, Seat& seat) {
    const std::string& label = options_.targets[target].label;
    if (seat.testbed->recover()) {
      if (++seat.restarts <= kMaxRestarts) return;
      result_.errors.push_back(fmt::format("{}: {} cells failed; its other cells are skipped", label, seat.restarts));
    } else {
      result_.errors.push_back(fmt::format("{}: its other cells are skipped: {}", label, seat.testbed->error()));
    }
    spdlog::error("{}", result_.errors.back());
    seat.dropped = true;
  }

  core::Nanoseconds time_left(core::TimePoint begin, std::size_t done) const {
    const auto count = static_cast<std::int64_t>(plan_.steps.size());
    const auto finished = static_cast<std::int64_t>(done);
    const core::Nanoseconds planned = plan_.measuring / std::max<std::int64_t>(count, 1);
    const core::Nanoseconds each = finished < 3 ? planned : (core::now() - begin) / finished;
    return each * (count - finished);
  }

  void clean_up() {
    observer_.cleaning_up();
    for (Seat& seat : seats_) {
      try {
        seat.testbed->tear_down();
      } catch (const std::exception& error) {
        result_.errors.push_back(
            fmt::format("{}: cannot clean up: {}", seat.testbed->description().label, error.what()));
      }
    }
  }

  // False when it could not be written; that is said, and the measuring goes on.
  bool save(const std::string& directory) {
    if (result_.runs.empty()) return true;
    if (result_.end == "completed" && !result_.errors.empty()) result_.end = "failed";
    conclude(result_);
    try {
      if (path_.empty() || !path_.starts_with(directory)) path_ = results::new_result_path(directory, "compare");
      results::save(result_, path_);
      return true;
    } catch (const std::exception& error) {
      spdlog::error("{}", error.what());
      path_.clear();
      return false;
    }
  }

  const Options& options_;
  const Plan& plan_;
  const core::StopRequest& stop_;
  Observer& observer_;
  std::unique_ptr<drivers::Driver> driver_;
  std::vector<Seat> seats_;
  results::Result result_;
  std::string path_;
};

}  // namespace

Outcome execute(const Options& options, const Plan& plan, const core::StopRequest& stop, Observer& observer) {
  return Execution(options, plan, stop, observer).execute();
}

}  // namespace spindle::compare
