// The one clock of a run: monotonic, in nanoseconds since an arbitrary origin that all threads share.
#pragma once

#include <chrono>
#include <cstdint>

namespace spindle::core {

using Nanoseconds = std::chrono::nanoseconds;
using Clock = std::chrono::steady_clock;
using TimePoint = std::chrono::time_point<Clock, Nanoseconds>;

inline TimePoint now() { return std::chrono::time_point_cast<Nanoseconds>(Clock::now()); }

inline double to_seconds(Nanoseconds duration) { return std::chrono::duration<double>(duration).count(); }
inline double to_milliseconds(Nanoseconds duration) {
  return std::chrono::duration<double, std::milli>(duration).count();
}
inline Nanoseconds from_seconds(double seconds) {
  return std::chrono::duration_cast<Nanoseconds>(std::chrono::duration<double>(seconds));
}

}  // namespace spindle::core
