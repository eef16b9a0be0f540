// A wish to stop early, raised by a signal handler and polled by whatever takes long.
#pragma once

#include <atomic>
#include <stdexcept>
#include <string>

namespace spindle::core {

// Thrown where work is abandoned because of a signal. Callers clean up and exit with 128 + signal.
struct Interrupted : std::runtime_error {
  explicit Interrupted(int signal_number)
      : std::runtime_error("interrupted by signal " + std::to_string(signal_number)), signal(signal_number) {}
  int signal;
};

class StopRequest {
 public:
  // Async-signal-safe.
  void raise(int signal) noexcept { signal_.store(signal, std::memory_order_relaxed); }
  bool requested() const noexcept { return signal() != 0; }
  int signal() const noexcept { return signal_.load(std::memory_order_relaxed); }
  void throw_if_requested() const {
    if (requested()) throw Interrupted(signal());
  }

 private:
  static_assert(std::atomic<int>::is_always_lock_free);
  std::atomic<int> signal_{0};
};

}  // namespace spindle::core
