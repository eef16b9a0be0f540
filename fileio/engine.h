// How requests reach the kernel. An engine is one file below engines/ that registers itself; blocking and asynchronous
// ones look alike: submit, then reap.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "core/clock.h"
#include "core/registry.h"
#include "fileio/options.h"
#include "fileio/pattern.h"

namespace spindle::fileio {

// One request. Its worker owns it and leaves it alone from submit() until reap() returns it.
struct Request {
  Access access;
  std::byte* data = nullptr;  // within EngineSetup::buffers; aligned to 4096
  core::TimePoint due;        // the worker's; engines leave them alone
  core::TimePoint start;
  std::int64_t result = 0;  // set by the engine: bytes transferred (0 for a sync), or a negative errno
};

// What an engine may register with the kernel beforehand. All of it outlives the engine.
struct EngineSetup {
  std::span<const int> descriptors;  // by the index of the file; shared with other workers
  std::span<std::byte> buffers;      // all requests' data lie in here
  std::uint32_t depth = 1;           // requests in flight at most
  SyncCall sync_call = SyncCall::fsync;
  Caching caching = Caching::direct;
  Layout layout;
};

// Belongs to one worker and its thread. The destructor waits for what is still in flight.
class Engine {
 public:
  virtual ~Engine() = default;
  // Starts a request; a blocking engine also finishes it. An engine may hold requests back until the next reap().
  // Failures of the request end up in its result; throws only when the engine itself is broken.
  virtual void submit(Request& request) = 0;
  // Waits until at least `least` requests are done or `timeout` is over, and returns all that are done. The span is
  // valid until the next call. `least` 0 only collects.
  virtual std::span<Request* const> reap(std::size_t least, core::Nanoseconds timeout) = 0;
};

// Registered under the engine's name. `make` throws std::runtime_error with one clear line where the kernel or the file
// system refuses the engine.
struct EnginePlugin {
  std::string description;
  std::uint32_t max_depth = 1;
  std::function<std::unique_ptr<Engine>(const EngineSetup&)> make;
};

}  // namespace spindle::fileio
