// Runs a job: starts the workers together, hands out work until the deadline, and cuts the recording into windows.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/clock.h"
#include "core/job.h"
#include "core/recorder.h"
#include "core/stop_request.h"

namespace spindle::core {

enum class ArrivalKind : std::uint8_t { poisson, uniform };

// How much is asked of a job, and for how long.
struct Load {
  std::uint32_t threads = 1;
  Nanoseconds duration{0};   // measured time after the warm-up; 0 = no limit (then events must be set)
  Nanoseconds warmup{0};     // run, but outside the total
  std::uint64_t events = 0;  // units handed out at most, warm-up included; 0 = no limit
  double rate = 0;           // units a second over all threads; 0 = closed loop
  ArrivalKind arrivals = ArrivalKind::poisson;
  std::uint64_t seed = 1;  // of the arrival times
  Nanoseconds report_interval{std::chrono::seconds(1)};
  Nanoseconds start_timeout{std::chrono::seconds(60)};  // all workers must be connected and ready by then
  Nanoseconds grace{
      std::chrono::seconds(5)};  // what is in flight at the deadline may take this long; then it is cut off
};

// What was recorded between two moments, in time since the workers started together.
struct Window {
  Nanoseconds begin{0};
  Nanoseconds end{0};
  std::uint32_t threads = 0;  // workers running when the window closed
  Snapshot data;
  Nanoseconds length() const { return end - begin; }
};

enum class EndReason : std::uint8_t {
  completed,    // the time is over, or all events are done
  interrupted,  // a stop was requested
  failed        // a worker threw; `error` says what
};

struct RunResult {
  JobSchema schema;
  Load load;
  EndReason end = EndReason::completed;
  std::string error;              // the first fatal error, as it should be shown
  std::vector<Window> intervals;  // one a report interval, warm-up included; the last may be shorter
  Window total;            // from the end of the warm-up to the deadline (or to the early end); empty if none came
  Accounts accounts;       // of the whole run, warm-up and drain included; in_flight() = cut off at the end
  std::uint64_t late = 0;  // units committed after the deadline, within the grace period; not in `total`
  double client_cpu_seconds = 0;  // user + system time of this process during `total`
  bool cut_off = false;           // workers had to be interrupted after the grace period
};

enum class MeasuredTime : std::uint8_t { begins, ends };

// Blocks until the run is over and every worker is closed and joined. On the calling thread, never on a worker,
// `on_window` is called after each report interval, and `on_measured` at both ends of `total`: twice, or not at all
// when the run ends before its warm-up. A failed or interrupted run returns what was measured; it does not throw.
RunResult run(Job& job, const Load& load, const StopRequest& stop,
              const std::function<void(const Window&)>& on_window = {},
              const std::function<void(MeasuredTime)>& on_measured = {});

}  // namespace spindle::core
