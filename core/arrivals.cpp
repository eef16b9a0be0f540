#include "core/arrivals.h"

#include <cmath>

namespace spindle::core {

Arrivals::Arrivals(const Load& load, TimePoint start, TimePoint deadline)
    : rate_(load.rate),
      kind_(load.arrivals),
      events_(load.events),
      deadline_(deadline),
      scheduled_(start),
      random_(load.seed, 0x4152524956414C53ULL) {}  // a stream of its own, apart from the workers' small numbers

std::optional<TimePoint> Arrivals::next(TimePoint ready) {
  if (events_ > 0 && handed_out_.fetch_add(1, std::memory_order_relaxed) >= events_) return std::nullopt;
  if (rate_ <= 0) return ready;
  const std::lock_guard lock(schedule_mutex_);
  return next_scheduled();
}

std::uint64_t Arrivals::abandon_until(TimePoint until) {
  if (rate_ <= 0) return 0;
  const std::lock_guard lock(schedule_mutex_);
  std::uint64_t abandoned = 0;
  while (scheduled_ <= until) {
    if (events_ > 0 && handed_out_.fetch_add(1, std::memory_order_relaxed) >= events_) break;
    if (!next_scheduled()) break;
    ++abandoned;
  }
  return abandoned;
}

std::optional<TimePoint> Arrivals::next_scheduled() {
  if (scheduled_ > deadline_) return std::nullopt;
  const TimePoint due = scheduled_;
  scheduled_ += gap();
  return due;
}

Nanoseconds Arrivals::gap() {
  if (kind_ == ArrivalKind::uniform) return from_seconds(1.0 / rate_);
  return from_seconds(-std::log1p(-random_.unit()) / rate_);  // exponential gaps make Poisson arrivals
}

}  // namespace spindle::core
