// The seam between the runner and what it runs: a Job makes one Worker a thread, and a Worker starts one transaction or
// one disk request at a time. SQL and disk, blocking and event-driven, all look like this to the runner.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/clock.h"

namespace spindle::core {

class Recorder;

// What kind of work an operation is; a query report adds them up as sysbench does.
enum class OperationClass : std::uint8_t { transaction, read, write, sync, other };

// Whether an operation is the unit of work (a transaction, a disk request) or a part of one (a statement, an fsync).
enum class OperationRole : std::uint8_t { unit, part };

struct OperationInfo {
  std::string name;
  OperationClass type = OperationClass::other;
  OperationRole role = OperationRole::part;
};

// What a job measures. An operation and a counter are known by their index here.
struct JobSchema {
  std::vector<OperationInfo> operations;
  std::vector<std::string> counters;  // event counts without a latency: "deadlock", "reconnect", ...
};

// Lives on one thread: every call but interrupt() comes from it.
class Worker {
 public:
  virtual ~Worker() = default;

  // Opens connections or files, before the start barrier. Throws; the run then does not start.
  virtual void open() = 0;

  // Starts one unit of work that was due at `due`. A blocking worker also finishes it; it records every outcome. Throws
  // only what must end the whole run: the runner keeps the message and everything measured so far.
  virtual void step(TimePoint due, Recorder& recorder) = 0;

  // Waits until `due`, reaping what completes meanwhile. The default sleeps.
  virtual void wait_until(TimePoint due, Recorder& recorder);

  // Finishes what is in flight, after the last step.
  virtual void drain(Recorder&) {}

  // Makes a call that blocks in open(), step(), wait_until() or drain() return soon, if need be by an exception. From
  // the control thread, at any time after construction, and possibly more than once.
  virtual void interrupt() noexcept {}
};

class Job {
 public:
  virtual ~Job() = default;
  virtual JobSchema schema() const = 0;
  // Called on the worker's own thread, concurrently for all indices 0 .. threads-1.
  virtual std::unique_ptr<Worker> make_worker(std::uint32_t index) = 0;
};

}  // namespace spindle::core
