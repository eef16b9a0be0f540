// A test of the disk: one file below tests/ that registers what it does to which files.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "core/job.h"
#include "core/registry.h"
#include "fileio/options.h"

namespace spindle::fileio {

// Whether a test works on the files of `prepare`, or makes and removes files of its own.
enum class Preparing : std::uint8_t { needed, not_needed };

// Registered under the test's name. `make_job` opens and checks the files; it throws std::runtime_error with the cure
// when they do not fit. The six tests of sysbench make their jobs with io_job.h; others may bring any Job.
struct TestPlugin {
  std::string description;
  Preparing files = Preparing::needed;
  std::function<std::unique_ptr<core::Job>(const Options&)> make_job;
};

}  // namespace spindle::fileio
