// Something that watches a run while it goes on, and adds what it saw to the result.
#pragma once

#include "core/runner.h"
#include "results/result.h"

namespace spindle::results {

// All calls come from the thread that called core::run; what they throw ends the run.
class RunWatcher {
 public:
  virtual ~RunWatcher() = default;
  virtual void before() {}                      // right before the run starts
  virtual void measured(core::MeasuredTime) {}  // at both ends of the measured time, see core::run
  virtual void window(const core::Window&) {}   // after each report interval
  virtual void after(Run&) {}                   // the run is over, well or not: adds to it; must not throw
};
using RunWatchers = std::vector<RunWatcher*>;

// Runs the job with the watchers around it.
Run run_watched(core::Job& job, const core::Load& load, const core::StopRequest& stop, const RunWatchers& watchers);

}  // namespace spindle::results
