// The job of every test that sends reads and writes to prepared files, one request after the other.
//
// Operations: "read" and "write" are the units of work, each timed from its submission to its completion; "fsync" is a
// part, timed apart, so that the cost of a sync shows in the throughput and in its own latency but not in a write's. A
// job knows only the operations that its test makes. After every `sync_frequency` writes of a thread, that thread
// waits for its writes and syncs; with SyncAtEnd::yes it syncs once more when the run is over.
#pragma once

#include <cstdint>
#include <memory>

#include "core/job.h"
#include "fileio/files.h"
#include "fileio/options.h"
#include "fileio/pattern.h"

namespace spindle::fileio {

// The job of options.test. Opens the files: throws std::invalid_argument for a wrong option and std::runtime_error when
// the files are missing or do not fit. `fsync` errors, EIO, a full disk, short transfers and removed files end the run
// with one line that names file, offset and reason.
std::unique_ptr<core::Job> make_job(const Options& options);

// What a test's registration gives.
enum class Operations : std::uint8_t { reads, writes, both };
struct AccessPlan {
  Operations operations = Operations::reads;
  FileNeed files = FileNeed::full;
  std::uint32_t max_length = 0;  // of the requests that the patterns make
  PatternFactory make_pattern;
};
std::unique_ptr<core::Job> make_access_job(const Options& options, const AccessPlan& plan);

}  // namespace spindle::fileio
