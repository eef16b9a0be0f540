#include "core/runner.h"

#include <sys/prctl.h>
#include <sys/resource.h>

#include <algorithm>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>

#include "core/arrivals.h"
#include "core/units.h"

namespace spindle::core {
namespace {

constexpr Nanoseconds kPollInterval = std::chrono::milliseconds(50);  // how soon a stop request is noticed
constexpr Nanoseconds kStopGrace = std::chrono::seconds(1);           // for what is in flight when the user stops
constexpr Nanoseconds kInterruptInterval = std::chrono::milliseconds(200);

double process_cpu_seconds() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

// One worker's thread and what others may touch of it.
struct Lane {
  explicit Lane(const JobSchema& schema, LoopKind loop) : recorder(schema, loop) {}
  Recorder recorder;
  std::mutex mutex;                // guards worker against interrupt() while it is made or destroyed
  std::unique_ptr<Worker> worker;  // made, used and destroyed on its own thread
  std::thread thread;
};

// What was recorded up to a moment.
struct Mark {
  TimePoint at;
  Snapshot data;
};

class RunControl {
 public:
  RunControl(Job& job, const Load& load, const StopRequest& stop, const std::function<void(const Window&)>& on_window,
             const std::function<void(MeasuredTime)>& on_measured)
      : job_(job),
        stop_(stop),
        on_window_(on_window),
        on_measured_(on_measured),
        loop_(load.rate > 0 ? LoopKind::open : LoopKind::closed) {
    result_.schema = job.schema();
    result_.load = load;
  }

  RunResult execute() {
    start_lanes();
    if (wait_until_open()) {
      release_lanes();
      sample_until_end();
    }
    finish_lanes();
    return std::move(result_);
  }

 private:
  // --- on the control thread -----------------------------------------------------------------------------------------
  void start_lanes() {
    for (std::uint32_t i = 0; i < result_.load.threads; ++i) {
      lanes_.push_back(std::make_unique<Lane>(result_.schema, loop_));
    }
    for (std::uint32_t i = 0; i < lanes_.size(); ++i) {
      {
        const std::lock_guard lock(mutex_);
        ++running_;
      }
      try {
        lanes_[i]->thread = std::thread([this, i] { lane_main(i); });
      } catch (const std::system_error& error) {
        fail("cannot start thread " + std::to_string(i + 1) + " of " + std::to_string(lanes_.size()) + ": " +
             error.code().message() + " (see ulimit -u)");
        const std::lock_guard lock(mutex_);
        --running_;
        return;
      }
    }
  }

  // True when every worker is open and waits at the barrier.
  bool wait_until_open() {
    const TimePoint limit = now() + result_.load.start_timeout;
    std::unique_lock lock(mutex_);
    while (!failed_ && open_ < lanes_.size()) {
      changed_.wait_for(lock, kPollInterval);
      if (stop_.requested()) {
        result_.end = EndReason::interrupted;
        return false;
      }
      if (now() > limit && open_ < lanes_.size() && !failed_) {
        failed_ = true;
        error_ = "only " + std::to_string(open_) + " of " + std::to_string(lanes_.size()) +
                 " threads were connected and ready after " + format_duration(result_.load.start_timeout) +
                 ": is the server overloaded or hanging?";
      }
    }
    return !failed_;
  }

  void release_lanes() {
    const std::lock_guard lock(mutex_);
    start_ = now();
    const bool timed = result_.load.duration.count() > 0;
    deadline_ = timed ? start_ + result_.load.warmup + result_.load.duration : TimePoint::max();
    arrivals_.emplace(result_.load, start_, deadline_);
    interval_mark_ = {start_, sum_recorders()};  // before the first unit can be recorded
    released_ = true;
    decided_.notify_all();
  }

  // Cuts windows until the deadline, the end of all events, a failure or a stop request.
  void sample_until_end() {
    TimePoint next_report = start_ + result_.load.report_interval;
    const TimePoint measured_from = start_ + result_.load.warmup;
    bool warm = result_.load.warmup.count() == 0;
    if (warm) begin_measuring(interval_mark_);
    for (;;) {
      TimePoint wake = std::min({next_report, deadline_, now() + kPollInterval});
      if (!warm) wake = std::min(wake, measured_from);
      const bool all_done = wait_for_lanes(wake);
      const TimePoint at = now();
      if (!warm && at >= measured_from) {
        begin_measuring({at, sum_recorders()});
        warm = true;
      }
      if (all_done || at >= deadline_ || stop_.requested()) break;
      if (at >= next_report) {
        close_interval({at, sum_recorders()});
        while (next_report <= at) next_report += result_.load.report_interval;
      }
    }
    if (stop_.requested()) result_.end = EndReason::interrupted;
    stopping_.store(true, std::memory_order_relaxed);
    const Mark end{now(), sum_recorders()};
    if (warm) {
      result_.client_cpu_seconds = process_cpu_seconds() - cpu_mark_;
      if (on_measured_) on_measured_(MeasuredTime::ends);
    }
    close_interval(end);
    result_.total = window_between(warm ? mark_ : end, end);
    committed_at_end_ = end.data.accounts.committed;
  }

  void begin_measuring(Mark mark) {
    mark_ = std::move(mark);
    cpu_mark_ = process_cpu_seconds();
    if (on_measured_) on_measured_(MeasuredTime::begins);
  }

  // Waits until `wake`; true when no worker runs any more.
  bool wait_for_lanes(TimePoint wake) {
    std::unique_lock lock(mutex_);
    changed_.wait_until(lock, wake, [this] { return running_ == 0 || failed_; });
    return running_ == 0 || failed_;
  }

  void finish_lanes() {
    stopping_.store(true, std::memory_order_relaxed);
    {
      const std::lock_guard lock(mutex_);
      abandoned_ = !released_;
      decided_.notify_all();
    }
    const Nanoseconds grace = result_.end == EndReason::interrupted || abandoned_
                                  ? std::min(result_.load.grace, kStopGrace)
                                  : result_.load.grace;
    TimePoint patience = now() + grace;
    for (;;) {
      // A stop request during the drain shortens the patience.
      if (stop_.requested()) patience = std::min(patience, now() + kStopGrace);
      if (all_lanes_done(std::min(patience, now() + kPollInterval))) break;
      if (now() < patience) continue;
      result_.cut_off = true;
      cutting_off_.store(true, std::memory_order_relaxed);
      for (const auto& lane : lanes_) {
        const std::lock_guard lock(lane->mutex);
        if (lane->worker) lane->worker->interrupt();
      }
      patience = now() + kInterruptInterval;
    }
    for (const auto& lane : lanes_) {
      if (lane->thread.joinable()) lane->thread.join();
    }
    settle_accounts();
  }

  bool all_lanes_done(TimePoint wake) {
    std::unique_lock lock(mutex_);
    return changed_.wait_until(lock, wake, [this] { return running_ == 0; });
  }

  void settle_accounts() {
    const std::lock_guard lock(mutex_);
    if (failed_) {
      result_.end = EndReason::failed;
      result_.error = error_;
    }
    result_.accounts = sum_recorders().accounts;
    if (!arrivals_) return;
    result_.late = result_.accounts.committed - committed_at_end_;
    const TimePoint ended = start_ + result_.total.end;
    const std::uint64_t abandoned = arrivals_->abandon_until(std::min(ended, deadline_));
    for (Accounts* accounts : {&result_.accounts, &result_.total.data.accounts}) {
      accounts->handed_out += abandoned;
      accounts->skipped += abandoned;
    }
  }

  Snapshot sum_recorders() const {
    Snapshot sum;
    for (const auto& lane : lanes_) sum += lane->recorder.snapshot();
    return sum;
  }

  Window window_between(const Mark& begin, const Mark& end) {
    Window window;
    window.begin = begin.at - start_;
    window.end = end.at - start_;
    {
      const std::lock_guard lock(mutex_);
      window.threads = static_cast<std::uint32_t>(running_);
    }
    window.data = end.data.since(begin.data);
    return window;
  }

  void close_interval(Mark end) {
    if (end.at <= interval_mark_.at) return;
    result_.intervals.push_back(window_between(interval_mark_, end));
    interval_mark_ = std::move(end);
    if (on_window_) on_window_(result_.intervals.back());
  }

  // --- on a worker's thread ------------------------------------------------------------------------------------------
  void lane_main(std::uint32_t index) {
    Lane& lane = *lanes_[index];
    try {
      std::unique_ptr<Worker> made = job_.make_worker(index);
      Worker& worker = *made;
      {
        const std::lock_guard lock(lane.mutex);
        lane.worker = std::move(made);
      }
      worker.open();
      if (pass_barrier()) {
        work(worker, lane.recorder);
        worker.drain(lane.recorder);
      }
    } catch (const std::exception& error) {
      // What an interrupted call throws is the interruption, not news.
      if (!cutting_off_.load(std::memory_order_relaxed)) fail(error.what());
    }
    std::unique_ptr<Worker> last;
    {
      const std::lock_guard lock(lane.mutex);
      last = std::move(lane.worker);
    }
    last.reset();
    const std::lock_guard lock(mutex_);
    --running_;
    changed_.notify_all();
  }

  // True when the run starts; false when it never will.
  bool pass_barrier() {
    std::unique_lock lock(mutex_);
    ++open_;
    changed_.notify_all();
    decided_.wait(lock, [this] { return released_ || abandoned_; });
    return released_;
  }

  void work(Worker& worker, Recorder& recorder) {
    if (loop_ == LoopKind::open) ::prctl(PR_SET_TIMERSLACK, 1UL);  // the default of 50 us would be our lateness
    while (!stopping_.load(std::memory_order_relaxed)) {
      TimePoint at = now();
      const std::optional<TimePoint> due = arrivals_->next(at);
      if (!due) return;
      while (*due > at) {
        if (stopping_.load(std::memory_order_relaxed)) return;
        worker.wait_until(std::min(*due, at + kPollInterval), recorder);
        at = now();
      }
      recorder.hand_out();
      worker.step(*due, recorder);
    }
  }

  void fail(const std::string& message) {
    const std::lock_guard lock(mutex_);
    if (!failed_) error_ = message;
    failed_ = true;
    stopping_.store(true, std::memory_order_relaxed);
    changed_.notify_all();
  }

  Job& job_;
  const StopRequest& stop_;
  const std::function<void(const Window&)>& on_window_;
  const std::function<void(MeasuredTime)>& on_measured_;
  const LoopKind loop_;
  RunResult result_;
  std::vector<std::unique_ptr<Lane>> lanes_;
  std::optional<Arrivals> arrivals_;  // made before released_, under mutex_
  TimePoint start_{}, deadline_{};
  Mark mark_, interval_mark_;
  double cpu_mark_ = 0;
  std::uint64_t committed_at_end_ = 0;

  std::atomic<bool> stopping_{false};     // no new unit of work
  std::atomic<bool> cutting_off_{false};  // workers are being interrupted

  std::mutex mutex_;                 // guards everything below
  std::condition_variable changed_;  // the control thread waits for workers
  std::condition_variable decided_;  // workers wait at the barrier; apart, or each arrival would wake all of them
  std::size_t open_ = 0, running_ = 0;
  bool released_ = false, abandoned_ = false, failed_ = false;
  std::string error_;
};

}  // namespace

void Worker::wait_until(TimePoint due, Recorder&) { std::this_thread::sleep_until(due); }

RunResult run(Job& job, const Load& load, const StopRequest& stop, const std::function<void(const Window&)>& on_window,
              const std::function<void(MeasuredTime)>& on_measured) {
  return RunControl(job, load, stop, on_window, on_measured).execute();
}

}  // namespace spindle::core
