// When the next unit of work is due: at once in a closed loop, on a schedule that waits for nobody in an open one.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>

#include "core/clock.h"
#include "core/random.h"
#include "core/runner.h"

namespace spindle::core {

// One for all workers of a run; thread-safe. In a closed loop without an event limit next() touches no shared line.
class Arrivals {
 public:
  // `deadline`: no arrival of an open loop is later.
  Arrivals(const Load& load, TimePoint start, TimePoint deadline);

  // The due time of the unit that a worker, ready at `ready`, takes next; none when everything was handed out. In an
  // open loop a worker that comes late gets the due time it missed, so its lateness is part of the response time.
  std::optional<TimePoint> next(TimePoint ready);

  // Takes all arrivals that were due by `until` and tells how many they were: the backlog nobody started.
  std::uint64_t abandon_until(TimePoint until);

 private:
  std::optional<TimePoint> next_scheduled();
  Nanoseconds gap();

  const double rate_;
  const ArrivalKind kind_;
  const std::uint64_t events_;
  const TimePoint deadline_;
  alignas(64) std::atomic<std::uint64_t> handed_out_{0};
  std::mutex schedule_mutex_;
  TimePoint scheduled_;
  Random random_;
};

}  // namespace spindle::core
