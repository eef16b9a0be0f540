#include "core/runner.h"

#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <stdexcept>
#include <thread>

#include "core/summary.h"

namespace spindle::core {
namespace {

using namespace std::chrono_literals;

constexpr std::uint32_t kUnit = 0;

// A job whose unit of work is a call of `body(worker index, unit number of this worker)`.
class ScriptedJob : public Job {
 public:
  using Body = std::function<void(std::uint32_t, std::uint64_t)>;
  explicit ScriptedJob(Body body) : body_(std::move(body)) {}
  JobSchema schema() const override { return {{{"unit", OperationClass::transaction, OperationRole::unit}}, {"odd"}}; }
  std::unique_ptr<Worker> make_worker(std::uint32_t index) override {
    return std::make_unique<ScriptedWorker>(*this, index);
  }

  std::function<void(std::uint32_t)> on_open;
  std::atomic<int> interrupts{0};
  std::atomic<int> drained{0};

 private:
  class ScriptedWorker : public Worker {
   public:
    ScriptedWorker(ScriptedJob& job, std::uint32_t index) : job_(job), index_(index) {}
    void open() override {
      if (job_.on_open) job_.on_open(index_);
    }
    void step(TimePoint due, Recorder& recorder) override {
      const TimePoint start = now();
      job_.body_(index_, done_);
      recorder.record(kUnit, due, start, now());
      if (done_++ % 2 == 1) recorder.count(0);
      recorder.commit();
    }
    void drain(Recorder&) override { ++job_.drained; }
    void interrupt() noexcept override { ++job_.interrupts; }

   private:
    ScriptedJob& job_;
    std::uint32_t index_;
    std::uint64_t done_ = 0;
  };
  Body body_;
};

void rest(std::uint32_t, std::uint64_t) { std::this_thread::sleep_for(100us); }

Load timed(std::uint32_t threads, Nanoseconds duration) {
  Load load;
  load.threads = threads;
  load.duration = duration;
  return load;
}

TEST(Runner, ExactlyTheAskedEventsAreHandedOut) {
  ScriptedJob job(rest);
  Load load;
  load.threads = 4;
  load.events = 1001;
  const StopRequest stop;
  const RunResult result = run(job, load, stop);
  EXPECT_EQ(result.end, EndReason::completed);
  EXPECT_EQ(result.accounts, (Accounts{1001, 1001, 0, 0}));
  EXPECT_EQ(result.total.data.operations.at(kUnit).service.count, 1001U);
  EXPECT_EQ(result.accounts.in_flight(), 0);
  EXPECT_EQ(job.drained, 4);
}

TEST(Runner, IntervalsAddUpToTheTotal) {
  ScriptedJob job(rest);
  Load load = timed(2, 350ms);
  load.report_interval = 100ms;
  const StopRequest stop;
  std::vector<Window> seen;
  const RunResult result = run(job, load, stop, [&](const Window& window) { seen.push_back(window); });
  ASSERT_EQ(result.intervals.size(), 4U);
  EXPECT_EQ(seen.size(), 4U);
  Snapshot sum;
  for (const Window& window : result.intervals) sum += window.data;
  EXPECT_EQ(sum.operations[kUnit].service.buckets, result.total.data.operations[kUnit].service.buckets);
  EXPECT_EQ(sum.counters, result.total.data.counters);
  EXPECT_EQ(result.intervals.front().begin, 0ns);
  EXPECT_EQ(result.intervals.back().end, result.total.end);
}

TEST(Runner, WarmUpIsOutsideTheTotal) {
  ScriptedJob job(rest);
  Load load = timed(1, 100ms);
  load.warmup = 200ms;
  const StopRequest stop;
  const RunResult result = run(job, load, stop);
  EXPECT_GE(result.total.begin, 200ms);
  EXPECT_LT(result.total.data.accounts.committed, result.accounts.committed / 2);
  EXPECT_GT(result.total.data.accounts.committed, 0U);
}

TEST(Runner, TheEndsOfTheMeasuredTimeAreTold) {
  ScriptedJob job(rest);
  Load load = timed(1, 100ms);
  load.warmup = 100ms;
  const StopRequest stop;
  std::vector<MeasuredTime> told;
  TimePoint begun{}, ended{};
  const RunResult result = run(job, load, stop, {}, [&](MeasuredTime end) {
    told.push_back(end);
    (end == MeasuredTime::begins ? begun : ended) = now();
  });
  EXPECT_EQ(told, (std::vector<MeasuredTime>{MeasuredTime::begins, MeasuredTime::ends}));
  EXPECT_LT(begun, ended);
  EXPECT_GE(result.total.begin, 100ms);
}

TEST(Runner, ARunThatEndsInItsWarmUpHasMeasuredNothing) {
  StopRequest stop;
  ScriptedJob job([&](std::uint32_t, std::uint64_t unit) {
    std::this_thread::sleep_for(1ms);
    if (unit == 20) stop.raise(2);
  });
  Load load = timed(1, 60s);
  load.warmup = 60s;
  bool told = false;
  const RunResult result = run(job, load, stop, {}, [&](MeasuredTime) { told = true; });
  EXPECT_EQ(result.end, EndReason::interrupted);
  EXPECT_GE(result.accounts.committed, 20U);
  EXPECT_EQ(result.total.data.accounts, Accounts{});
  EXPECT_EQ(result.total.length(), 0ns);
  EXPECT_EQ(result.client_cpu_seconds, 0);
  EXPECT_FALSE(told);
}

TEST(Runner, WorkersStartTogetherAfterTheLastIsOpen) {
  std::atomic<int> open{0};
  std::atomic<int> opened_at_first_step{-1};
  ScriptedJob job([&](std::uint32_t, std::uint64_t) {
    int expected = -1;
    opened_at_first_step.compare_exchange_strong(expected, open);
    std::this_thread::sleep_for(1ms);
  });
  job.on_open = [&](std::uint32_t index) {
    std::this_thread::sleep_for(index * 20ms);
    ++open;
  };
  const StopRequest stop;
  run(job, timed(3, 20ms), stop);
  EXPECT_EQ(opened_at_first_step, 3);
}

TEST(Runner, AFailureToOpenEndsTheRunWithItsMessage) {
  ScriptedJob job(rest);
  job.on_open = [](std::uint32_t index) {
    if (index == 1) throw std::runtime_error("no route to host");
  };
  const StopRequest stop;
  const RunResult result = run(job, timed(3, 10s), stop);
  EXPECT_EQ(result.end, EndReason::failed);
  EXPECT_EQ(result.error, "no route to host");
  EXPECT_EQ(result.accounts.handed_out, 0U);
}

TEST(Runner, WorkersThatNeverGetReadyEndTheRunWithTheirNumber) {
  ScriptedJob job(rest);
  job.on_open = [&](std::uint32_t index) {
    while (index == 1 && job.interrupts == 0) std::this_thread::sleep_for(1ms);
  };
  Load load = timed(3, 10s);
  load.start_timeout = 100ms;
  load.grace = 50ms;
  const StopRequest stop;
  const RunResult result = run(job, load, stop);
  EXPECT_EQ(result.end, EndReason::failed);
  EXPECT_EQ(result.error.find("only 2 of 3 threads"), 0U) << result.error;
}

TEST(Runner, AFatalErrorKeepsWhatWasMeasured) {
  ScriptedJob job([](std::uint32_t, std::uint64_t unit) {
    if (unit == 10) throw std::runtime_error("table is gone");
    std::this_thread::sleep_for(1ms);
  });
  const StopRequest stop;
  const RunResult result = run(job, timed(1, 10s), stop);
  EXPECT_EQ(result.end, EndReason::failed);
  EXPECT_EQ(result.error, "table is gone");
  EXPECT_EQ(result.total.data.accounts.committed, 10U);
  EXPECT_EQ(result.accounts, (Accounts{11, 10, 0, 0}));
  EXPECT_LT(result.total.length(), 5s);
}

TEST(Runner, AStopRequestEndsTheRunAndSaysSo) {
  StopRequest stop;
  ScriptedJob job([&](std::uint32_t, std::uint64_t unit) {
    std::this_thread::sleep_for(1ms);
    if (unit == 20) stop.raise(2);
  });
  const RunResult result = run(job, timed(2, 60s), stop);
  EXPECT_EQ(result.end, EndReason::interrupted);
  EXPECT_GE(result.accounts.committed, 20U);
  EXPECT_LT(result.total.length(), 30s);
}

// A job that hangs in its third unit until it is interrupted.
class HangingJob : public Job {
 public:
  JobSchema schema() const override { return {{{"unit", OperationClass::transaction, OperationRole::unit}}, {}}; }
  std::unique_ptr<Worker> make_worker(std::uint32_t) override { return std::make_unique<HangingWorker>(); }

 private:
  class HangingWorker : public Worker {
   public:
    void open() override {}
    void step(TimePoint due, Recorder& recorder) override {
      if (++steps_ == 3) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return interrupted_; });
        throw std::runtime_error("lost connection");
      }
      recorder.record(kUnit, due, due, now());
      recorder.commit();
    }
    void interrupt() noexcept override {
      const std::lock_guard lock(mutex_);
      interrupted_ = true;
      changed_.notify_all();
    }

   private:
    std::mutex mutex_;
    std::condition_variable changed_;
    bool interrupted_ = false;
    int steps_ = 0;
  };
};

TEST(Runner, AHangingWorkerIsCutOffAfterTheGraceAndCountedAsInFlight) {
  HangingJob job;
  Load load = timed(2, 50ms);
  load.grace = 100ms;
  const StopRequest stop;
  const TimePoint begin = now();
  const RunResult result = run(job, load, stop);
  EXPECT_LT(now() - begin, 5s);
  EXPECT_EQ(result.end, EndReason::completed);
  EXPECT_TRUE(result.cut_off);
  EXPECT_EQ(result.accounts, (Accounts{6, 4, 0, 0}));
  EXPECT_EQ(result.accounts.in_flight(), 2);
}

TEST(Runner, WhatFinishesWithinTheGraceIsLateAndNotInTheTotal) {
  ScriptedJob job([](std::uint32_t, std::uint64_t) { std::this_thread::sleep_for(150ms); });
  const StopRequest stop;
  const RunResult result = run(job, timed(1, 100ms), stop);
  EXPECT_EQ(result.late, 1U);
  EXPECT_EQ(result.total.data.accounts.committed, 0U);
  EXPECT_EQ(result.accounts, (Accounts{1, 1, 0, 0}));
}

TEST(Runner, AnOpenLoopChargesTheStallToTheResponseTime) {
  ScriptedJob job([](std::uint32_t, std::uint64_t unit) {
    if (unit == 0) std::this_thread::sleep_for(200ms);
  });
  Load load = timed(1, 400ms);
  load.rate = 100;
  load.arrivals = ArrivalKind::uniform;
  const StopRequest stop;
  const RunResult result = run(job, load, stop);
  const Summary summary = summarize(result);
  EXPECT_GT(summary.latency.mean_ms, 20.0);
  EXPECT_LT(summary.service.p50_ms, 20.0);
  EXPECT_NEAR(static_cast<double>(result.accounts.handed_out), 40, 2);
}

TEST(Runner, ArrivalsNobodyStartedAreSkippedInTheAccounts) {
  ScriptedJob job([](std::uint32_t, std::uint64_t) { std::this_thread::sleep_for(50ms); });
  Load load = timed(1, 200ms);
  load.rate = 1000;
  load.arrivals = ArrivalKind::uniform;
  const StopRequest stop;
  const RunResult result = run(job, load, stop);
  EXPECT_GT(result.accounts.skipped, 150U);
  EXPECT_EQ(result.accounts.handed_out, result.accounts.committed + result.accounts.skipped);
  EXPECT_NEAR(static_cast<double>(result.accounts.handed_out), 201, 1);
}

}  // namespace
}  // namespace spindle::core
