// Runs some transactions of a workload on this thread, as the runner would.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>

#include "core/recorder.h"
#include "drivers/driver.h"
#include "oltp/transaction_job.h"

namespace spindle::test_support {

class WorkerRun {
 public:
  WorkerRun(const oltp::Options& options, std::string_view workload, const drivers::Driver& driver,
            std::uint32_t thread = 0)
      : job_(oltp::make_job(options, workload, driver, {})),
        schema_(job_->schema()),
        recorder_(schema_, core::LoopKind::closed),
        worker_(job_->make_worker(thread)) {}

  core::Worker& worker() { return *worker_; }
  core::Recorder& recorder() { return recorder_; }
  const core::JobSchema& schema() const { return schema_; }

  void open() { worker_->open(); }
  void steps(std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i) {
      recorder_.hand_out();
      worker_->step(core::now(), recorder_);
    }
  }
  void drain() { worker_->drain(recorder_); }

  core::Accounts accounts() const { return recorder_.snapshot().accounts; }
  std::uint64_t counter(std::string_view name) const {
    const auto found = std::find(schema_.counters.begin(), schema_.counters.end(), name);
    if (found == schema_.counters.end()) throw std::out_of_range(std::string(name));
    return recorder_.snapshot().counters.at(static_cast<std::size_t>(found - schema_.counters.begin()));
  }
  core::OperationData operation(std::string_view name) const {
    const auto found = std::find_if(schema_.operations.begin(), schema_.operations.end(),
                                    [&](const core::OperationInfo& info) { return info.name == name; });
    if (found == schema_.operations.end()) throw std::out_of_range(std::string(name));
    return recorder_.snapshot().operations.at(static_cast<std::size_t>(found - schema_.operations.begin()));
  }

 private:
  std::unique_ptr<core::Job> job_;
  core::JobSchema schema_;
  core::Recorder recorder_;
  std::unique_ptr<core::Worker> worker_;
};

}  // namespace spindle::test_support
