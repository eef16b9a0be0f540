#include "fileio/io_job.h"

#include <fmt/format.h>

#include <array>
#include <atomic>
#include <mutex>
#include <stdexcept>
#include <vector>

#include "core/recorder.h"
#include "fileio/buffers.h"
#include "fileio/engine.h"
#include "fileio/test.h"

namespace spindle::fileio {
namespace {

constexpr core::Nanoseconds kReapTimeout = std::chrono::milliseconds(100);  // how soon an interruption is noticed

[[noreturn]] void throw_request_failed(const Request& request, const std::filesystem::path& path, Caching caching) {
  const Access& access = request.access;
  const char* const verb = access.kind == AccessKind::read    ? "read"
                           : access.kind == AccessKind::write ? "write"
                                                              : "sync";
  std::string what = fmt::format("cannot {} '{}'", verb, path.string());
  if (access.kind != AccessKind::sync) what += fmt::format(" at offset {}", access.offset);
  if (request.result >= 0) {
    throw std::runtime_error(
        fmt::format("{}: {} of {} bytes were transferred (is the file still whole, the disk full?)", what,
                    request.result, access.length));
  }
  const int error = static_cast<int>(-request.result);
  what += ": " + error_text(error);
  if (error == EINVAL && caching == Caching::direct)
    what += fmt::format("; does O_DIRECT take blocks of {} bytes there?", access.length);
  if (error == ENOSPC || error == EDQUOT) what += "; free some space, then prepare again";
  if (error == ENOENT || error == ESTALE) what += "; the file was removed while it was measured";
  throw std::runtime_error(what);
}

class IoJob final : public core::Job {
 public:
  IoJob(const Options& options, const AccessPlan& plan)
      : options_(options),
        plan_(plan),
        files_(open_files(options, plan.files,
                          plan.operations == Operations::reads ? FileAccess::read_only : FileAccess::read_write)) {
    const auto add = [this](AccessKind kind, core::OperationInfo operation) {
      operation_of_[static_cast<std::size_t>(kind)] = static_cast<std::uint32_t>(schema_.operations.size());
      schema_.operations.push_back(std::move(operation));
    };
    using core::OperationClass, core::OperationRole;
    if (plan.operations != Operations::writes)
      add(AccessKind::read, {"read", OperationClass::read, OperationRole::unit});
    if (plan.operations == Operations::reads) return;
    add(AccessKind::write, {"write", OperationClass::write, OperationRole::unit});
    add(AccessKind::sync, {"fsync", OperationClass::sync, OperationRole::part});
  }

  core::JobSchema schema() const override { return schema_; }
  std::unique_ptr<core::Worker> make_worker(std::uint32_t index) override;

  // By whichever worker comes first.
  void start() {
    std::call_once(started_, [this] {
      if (plan_.files == FileNeed::empty) files_.empty();
    });
  }

  const Options& options() const { return options_; }
  const AccessPlan& plan() const { return plan_; }
  const FileSet& files() const { return files_; }
  std::uint32_t operation(AccessKind kind) const { return operation_of_[static_cast<std::size_t>(kind)]; }

 private:
  const Options options_;
  const AccessPlan plan_;
  const FileSet files_;
  core::JobSchema schema_;
  std::array<std::uint32_t, 3> operation_of_{};
  std::once_flag started_;
};

// The files that a worker has written since it last synced them.
class DirtyFiles {
 public:
  explicit DirtyFiles(std::size_t files) : dirty_(files) { list_.reserve(files); }
  void mark(std::uint32_t file) {
    last_ = file;
    if (dirty_[file] != 0) return;
    dirty_[file] = 1;
    list_.push_back(file);
  }
  // Takes the next file to sync off the list.
  std::uint32_t take() {
    const std::uint32_t file = list_.back();
    list_.pop_back();
    dirty_[file] = 0;
    return file;
  }
  bool empty() const { return list_.empty(); }
  std::uint32_t last() const { return last_; }

 private:
  std::vector<char> dirty_;
  std::vector<std::uint32_t> list_;
  std::uint32_t last_ = 0;
};

class IoWorker final : public core::Worker {
 public:
  IoWorker(IoJob& job, std::uint32_t index)
      : job_(job),
        options_(job.options()),
        index_(index),
        content_(~options_.seed, index),
        dirty_(job.files().descriptors().size()) {}

  void open() override {
    job_.start();
    pattern_ = job_.plan().make_pattern(index_);
    const std::size_t slot = (job_.plan().max_length + kBufferAlignment - 1) / kBufferAlignment * kBufferAlignment;
    buffers_ = std::make_unique<AlignedBuffer>(slot * options_.iodepth, content_);
    requests_.resize(options_.iodepth);
    free_.reserve(options_.iodepth);
    for (std::size_t i = 0; i < requests_.size(); ++i) {
      requests_[i].data = buffers_->bytes().data() + i * slot;
      free_.push_back(&requests_[i]);
    }
    const EnginePlugin* engine = core::Registry<EnginePlugin>::instance().find(options_.engine);
    engine_ = engine->make({job_.files().descriptors(), buffers_->bytes(), options_.iodepth, options_.sync_call,
                            options_.caching, layout_of(options_)});
  }

  void step(core::TimePoint due, core::Recorder& recorder) override {
    submit(pattern_->next(), due);
    reap_until_below(options_.iodepth, recorder);
    if (options_.sync_frequency != 0 && unsynced_writes_ >= options_.sync_frequency) {
      reap_until_below(1, recorder);
      sync_periodically(recorder);
      unsynced_writes_ = 0;
    }
  }

  void wait_until(core::TimePoint due, core::Recorder& recorder) override {
    while (in_flight() > 0) {
      const core::Nanoseconds left = due - core::now();
      if (left.count() <= 0) return;
      reap(1, left, recorder);
    }
    Worker::wait_until(due, recorder);
  }

  void drain(core::Recorder& recorder) override {
    reap_until_below(1, recorder);
    if (options_.sync_at_end == SyncAtEnd::yes) sync_dirty(recorder);
    if (index_ == 0) job_.files().check_present();
  }

  // A request that the kernel holds cannot be taken back; the worker stops at the next one.
  void interrupt() noexcept override { interrupted_.store(true, std::memory_order_relaxed); }

 private:
  std::size_t in_flight() const { return requests_.size() - free_.size(); }

  void submit(const Access& access, core::TimePoint due) {
    Request& request = *free_.back();
    free_.pop_back();
    request.access = access;
    if (access.kind == AccessKind::write) stamp({request.data, access.length}, content_);
    request.due = due;
    request.start = core::now();
    engine_->submit(request);
  }

  void reap(std::size_t least, core::Nanoseconds timeout, core::Recorder& recorder) {
    const std::span<Request* const> done = engine_->reap(least, timeout);
    if (done.empty()) return;
    last_end_ = core::now();
    for (Request* request : done) {
      complete(*request, recorder);
      free_.push_back(request);
    }
  }

  void reap_until_below(std::size_t depth, core::Recorder& recorder) {
    while (in_flight() >= depth) {
      if (interrupted_.load(std::memory_order_relaxed)) throw std::runtime_error("interrupted");
      reap(1, kReapTimeout, recorder);
    }
  }

  void complete(const Request& request, core::Recorder& recorder) {
    const Access& access = request.access;
    const std::uint32_t operation = job_.operation(access.kind);
    if (request.result != static_cast<std::int64_t>(access.length)) {
      recorder.add_error(operation);
      if (access.kind != AccessKind::sync) recorder.fail();
      throw_request_failed(request, job_.files().path(access.file), options_.caching);
    }
    if (access.kind == AccessKind::sync) return recorder.record(operation, request.start, last_end_);
    recorder.record(operation, request.due, request.start, last_end_);
    recorder.add_bytes(operation, access.length);
    recorder.commit();
    if (access.kind == AccessKind::write) {
      dirty_.mark(access.file);
      ++unsynced_writes_;
    }
  }

  void sync_periodically(core::Recorder& recorder) {
    switch (options_.sync_scope) {
      case SyncScope::dirty:
        return sync_dirty(recorder);
      case SyncScope::written:
        return sync(dirty_.last(), recorder);
      case SyncScope::all:
        for (std::uint32_t file = 0; file < options_.file_num; ++file) sync(file, recorder);
        while (!dirty_.empty()) dirty_.take();
    }
  }

  void sync_dirty(core::Recorder& recorder) {
    while (!dirty_.empty()) sync(dirty_.take(), recorder);
  }

  // One file, and waits for it. Nothing else of this worker is in flight.
  void sync(std::uint32_t file, core::Recorder& recorder) {
    submit({AccessKind::sync, file, 0, 0}, {});
    reap_until_below(1, recorder);
  }

  IoJob& job_;
  const Options& options_;
  const std::uint32_t index_;
  core::Random content_;  // apart from the pattern's numbers, so that those do not depend on what is written
  DirtyFiles dirty_;
  std::unique_ptr<AccessPattern> pattern_;
  std::unique_ptr<AlignedBuffer> buffers_;
  std::vector<Request> requests_;
  std::vector<Request*> free_;
  std::unique_ptr<Engine> engine_;  // destroyed before what its requests point to
  core::TimePoint last_end_{};
  std::uint64_t unsynced_writes_ = 0;
  std::atomic<bool> interrupted_{false};
};

std::unique_ptr<core::Worker> IoJob::make_worker(std::uint32_t index) {
  return std::make_unique<IoWorker>(*this, index);
}

}  // namespace

std::unique_ptr<core::Job> make_job(const Options& options) {
  validate_run(options);
  return core::Registry<TestPlugin>::instance().find(options.test)->make_job(options);
}

std::unique_ptr<core::Job> make_access_job(const Options& options, const AccessPlan& plan) {
  return std::make_unique<IoJob>(options, plan);
}

}  // namespace spindle::fileio
