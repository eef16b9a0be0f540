#include "results/run_watcher.h"

namespace spindle::results {

Run run_watched(core::Job& job, const core::Load& load, const core::StopRequest& stop, const RunWatchers& watchers) {
  for (RunWatcher* watcher : watchers) watcher->before();
  Run run = make_run(core::run(
      job, load, stop,
      [&](const core::Window& window) {
        for (RunWatcher* watcher : watchers) watcher->window(window);
      },
      [&](core::MeasuredTime moment) {
        for (RunWatcher* watcher : watchers) watcher->measured(moment);
      }));
  for (RunWatcher* watcher : watchers) watcher->after(run);
  return run;
}

}  // namespace spindle::results
