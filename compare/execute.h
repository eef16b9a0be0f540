// Carries out a plan: prepares every target, measures cell by cell, saves after each round, and cleans up whatever
// happens.
#pragma once

#include <cstddef>
#include <string>

#include "compare/options.h"
#include "compare/plan.h"
#include "core/runner.h"
#include "core/stop_request.h"
#include "results/result.h"

namespace spindle::compare {

// Told what happens, on the thread of execute() or, during a run, on its control thread.
class Observer {
 public:
  virtual ~Observer() = default;
  // `fraction` of this activity is done, negative where that is unknown. From any loading thread.
  virtual void preparing(const std::string& label, const std::string& what, double fraction) = 0;
  // `index` counts from 0; `left` is the estimated time to the end, this step included.
  virtual void step_started(const Step& step, std::size_t index, std::size_t count, core::Nanoseconds left) = 0;
  virtual void window(const Step& step, const core::Window& window) = 0;
  virtual void step_finished(const Step& step, const results::Run& run) = 0;
  virtual void cleaning_up() = 0;
};

struct Outcome {
  results::Result result;
  std::string path;  // where it was saved; empty where nothing was measured
};

// Returns also when the plan failed or was interrupted half-way: the result then says so, and holds what was measured.
// Throws what prevented the first measurement. Servers, tables and files are gone when this returns (unless kept).
Outcome execute(const Options& options, const Plan& plan, const core::StopRequest& stop, Observer& observer);

}  // namespace spindle::compare
