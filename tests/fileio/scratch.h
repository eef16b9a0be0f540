// What the tests of fileio share: a directory that goes away, small options, and a worker driven by hand.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "core/recorder.h"
#include "core/stop_request.h"
#include "fileio/files.h"
#include "fileio/io_job.h"

namespace spindle::fileio {

// Tests in /var/tmp, which is a disk on most machines (/tmp is memory on many).
class ScratchDirectory {
 public:
  explicit ScratchDirectory(const std::string& parent = "/var/tmp") {
    std::string name = parent + "/spindle-fileio-test-XXXXXX";
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make " + name);
    path_ = name;
  }
  ~ScratchDirectory() { std::filesystem::remove_all(path_); }
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

// Four files of 16 blocks of 16 KiB, buffered, so that it works on any file system.
inline Options small_options(const std::filesystem::path& directory, const std::string& test = "rndrd") {
  Options options;
  options.directory = directory;
  options.file_num = 4;
  options.total_bytes = 1 << 20;
  options.test = test;
  options.caching = Caching::buffered;
  return options;
}

inline PrepareReport prepare_quietly(const Options& options) {
  const core::StopRequest stop;
  return prepare(options, stop);
}

inline void write_file(const std::filesystem::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}
inline std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// The message of the exception that `action` throws; fails when it throws none.
template <class Exception, class Action>
std::string message_of(const Action& action) {
  try {
    action();
  } catch (const Exception& error) {
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

#define EXPECT_CONTAINS(text, part) EXPECT_PRED_FORMAT2(testing::IsSubstring, part, text)

// One worker of a job, stepped as the runner does.
class SteppedWorker {
 public:
  explicit SteppedWorker(core::Job& job, std::uint32_t index = 0)
      : recorder_(job.schema(), core::LoopKind::closed), worker_(job.make_worker(index)) {
    worker_->open();
  }
  void step(int count) {
    for (int i = 0; i < count; ++i) {
      recorder_.hand_out();
      worker_->step(core::now(), recorder_);
    }
  }
  void drain() { worker_->drain(recorder_); }
  core::Snapshot snapshot() const { return recorder_.snapshot(); }
  core::Worker& worker() { return *worker_; }
  core::Recorder& recorder() { return recorder_; }

 private:
  core::Recorder recorder_;
  std::unique_ptr<core::Worker> worker_;
};

// What one operation recorded; empty when the job has none of that name.
inline core::OperationData operation(const core::Job& job, const core::Snapshot& snapshot, const std::string& name) {
  const auto schema = job.schema();
  for (std::size_t i = 0; i < schema.operations.size(); ++i) {
    if (schema.operations[i].name == name) return snapshot.operations[i];
  }
  return {};
}

}  // namespace spindle::fileio
