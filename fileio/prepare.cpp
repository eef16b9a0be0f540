// Writing the files: in full, in parallel, and undone when it fails.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

#include "core/units.h"
#include "fileio/buffers.h"
#include "fileio/files.h"

namespace spindle::fileio {
namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t kWriters = 4;             // enough to keep a disk busy; more only spread its files
constexpr std::uint64_t kChunkBytes = 1 << 20;    // of one write
constexpr std::uint64_t kReserveBytes = 1 << 20;  // for the manifest, the directory and the extent trees
constexpr auto kProgressInterval = std::chrono::milliseconds(200);

// Thrown on a writer when another one failed; never leaves prepare.
struct Abandoned {};

// The writers of one prepare, and what they have made.
class Writers {
 public:
  Writers(const Options& options, const core::StopRequest& stop)
      : options_(options), layout_(layout_of(options)), stop_(stop), made_(layout_.file_num) {}

  void run(const Progress& progress) {
    running_ = std::min(kWriters, layout_.file_num);
    std::vector<std::thread> threads;
    for (std::uint32_t i = running_; i > 0; --i) threads.emplace_back([this] { writer_main(); });
    {
      std::unique_lock lock(mutex_);
      while (running_ > 0) {
        changed_.wait_for(lock, kProgressInterval);
        if (!progress) continue;
        lock.unlock();
        progress(done_.load(std::memory_order_relaxed), layout_.total_bytes());
        lock.lock();
      }
    }
    for (std::thread& thread : threads) thread.join();
    if (error_) std::rethrow_exception(error_);
  }

  // After run() has failed.
  void remove_made() const {
    for (std::uint32_t i = 0; i < layout_.file_num; ++i) {
      if (made_[i] != 0) unlink((options_.directory / file_name(i)).c_str());
    }
  }

 private:
  void writer_main() {
    try {
      core::Random random(options_.seed, layout_.file_num);
      AlignedBuffer chunk(std::min(kChunkBytes, layout_.file_bytes), random);
      for (;;) {
        const std::uint32_t file = next_.fetch_add(1, std::memory_order_relaxed);
        if (file >= layout_.file_num) break;
        write_file(file, chunk.bytes());
      }
    } catch (const Abandoned&) {
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!error_) error_ = std::current_exception();
      failed_.store(true, std::memory_order_relaxed);
    }
    const std::lock_guard lock(mutex_);
    --running_;
    changed_.notify_all();
  }

  void write_file(std::uint32_t file, std::span<std::byte> chunk) {
    const fs::path path = options_.directory / file_name(file);
    const Descriptor created(open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (!created) throw_failed("create", path, errno);
    made_[file] = 1;
    // Asks for the space at one go, so that parallel writers do not scatter each other's files. A file system that
    // cannot do so gives it as the file is written.
    if (fallocate(created.get(), 0, 0, static_cast<off_t>(layout_.file_bytes)) != 0 && errno == ENOSPC) {
      throw_failed("write", path, ENOSPC);
    }
    const Descriptor descriptor = open_file(path, O_WRONLY, options_);
    core::Random random(options_.seed, file);
    for (std::uint64_t offset = 0; offset < layout_.file_bytes;) {
      stop_.throw_if_requested();
      if (failed_.load(std::memory_order_relaxed)) throw Abandoned{};
      const std::size_t length = std::min<std::uint64_t>(chunk.size(), layout_.file_bytes - offset);
      fill_random(chunk.first(length), random);
      const ssize_t written = pwrite(descriptor.get(), chunk.data(), length, static_cast<off_t>(offset));
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) throw_failed("write", path, errno);
      // A short write is followed by another one, which tells the reason; O_DIRECT cannot go on within a sector.
      auto advanced = static_cast<std::uint64_t>(written);
      if (advanced < length) advanced -= advanced % std::min<std::uint64_t>(layout_.block_bytes, kBufferAlignment);
      if (advanced == 0)
        throw std::runtime_error(fmt::format("cannot write '{}' at offset {}: short write", path.string(), offset));
      offset += advanced;
      done_.fetch_add(advanced, std::memory_order_relaxed);
    }
    if (fsync(descriptor.get()) != 0) throw_failed("sync", path, errno);
    // What was just written must not be read back from memory. Where the advice is not taken, O_DIRECT still is.
    posix_fadvise(descriptor.get(), 0, 0, POSIX_FADV_DONTNEED);
  }

  const Options& options_;
  const Layout layout_;
  const core::StopRequest& stop_;
  std::vector<char> made_;  // by file; each is written by the one writer that has that file
  std::atomic<std::uint32_t> next_{0};
  std::atomic<std::uint64_t> done_{0};
  std::atomic<bool> failed_{false};
  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  std::uint32_t running_ = 0;
  std::exception_ptr error_;
};

// Makes the directory where it is missing (its parent must be there) and tells whose it is.
DirectoryOrigin ensure_directory(const fs::path& directory) {
  if (mkdir(directory.c_str(), 0755) == 0) return DirectoryOrigin::made;
  if (errno != EEXIST) throw_failed("create directory", directory, errno);
  std::error_code error;
  if (!fs::is_directory(directory, error)) throw_failed("use", directory, ENOTDIR);
  if (access(directory.c_str(), W_OK | X_OK) != 0) throw_failed("write into", directory, errno);
  return DirectoryOrigin::given;
}

void refuse_foreign_files(const Options& options, const Layout& layout, const std::optional<OpenManifest>& own) {
  for (std::uint32_t i = own ? own->manifest.layout.file_num : 0; i < layout.file_num; ++i) {
    const fs::path path = options.directory / file_name(i);
    struct stat status {};
    if (lstat(path.c_str(), &status) != 0) continue;
    throw std::runtime_error(fmt::format(
        "'{}' exists already, and spindle did not make it: move it away, or use another directory", path.string()));
  }
}

void check_space(const Options& options, const std::optional<OpenManifest>& own) {
  struct statvfs space {};
  if (statvfs(options.directory.c_str(), &space) != 0) throw_failed("inspect", options.directory, errno);
  std::uint64_t available = static_cast<std::uint64_t>(space.f_bavail) * space.f_frsize;
  for (std::uint32_t i = 0; own && i < own->manifest.layout.file_num; ++i) {
    struct stat status {};
    if (lstat((options.directory / file_name(i)).c_str(), &status) == 0 && S_ISREG(status.st_mode)) {
      available += static_cast<std::uint64_t>(status.st_blocks) * 512;
    }
  }
  const std::uint64_t needed = bytes_needed(options);
  if (available >= needed) return;
  throw std::runtime_error(
      fmt::format("'{}' has {} free, and the files need {}: free some space or use a smaller "
                  "--file-total-size",
                  options.directory.string(), core::format_size(available), core::format_size(needed)));
}

// Whether the files that are there can be used as they are. What is wrong with them does not matter: they are made
// anew.
bool reusable(const Options& options, const Manifest& manifest) {
  if (manifest.preparation != Preparation::complete || manifest.layout.file_num != options.file_num ||
      manifest.layout.file_bytes != layout_of(options).file_bytes) {
    return false;
  }
  try {
    check_files(options);
    return true;
  } catch (const std::runtime_error&) {
    return false;
  }
}

void sync_directory(const fs::path& directory) {
  const Descriptor descriptor(open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!descriptor) throw_failed("open", directory, errno);
  // Some file systems cannot sync a directory, and need not.
  if (fsync(descriptor.get()) != 0 && errno != EINVAL) throw_failed("sync", directory, errno);
}

// Writes the files and their manifest into a directory without either.
void make_files(const Options& options, DirectoryOrigin origin, const core::StopRequest& stop,
                const Progress& progress) {
  OpenManifest manifest = create_manifest(options.directory, {layout_of(options), origin, Preparation::unfinished});
  Writers writers(options, stop);
  try {
    writers.run(progress);
    sync_directory(options.directory);
    complete_manifest(options.directory, manifest);
  } catch (...) {
    writers.remove_made();
    unlink((options.directory / kManifestName).c_str());
    throw;
  }
}

}  // namespace

std::uint64_t bytes_needed(const Options& options) {
  constexpr std::uint64_t kFileSystemBlock = 4096;
  const Layout layout = layout_of(options);
  const std::uint64_t file = (layout.file_bytes + kFileSystemBlock - 1) / kFileSystemBlock * kFileSystemBlock;
  return file * layout.file_num + kReserveBytes;
}

PrepareReport prepare(const Options& options, const core::StopRequest& stop, const Progress& progress) {
  const core::TimePoint start = core::now();
  const Layout layout = layout_of(options);
  DirectoryOrigin origin = ensure_directory(options.directory);
  try {
    check_direct(options);
    auto own = open_manifest(options.directory, LockKind::shared);
    if (own && reusable(options, own->manifest)) return {Prepared::reused, 0, core::now() - start};
    refuse_foreign_files(options, layout, own);
    check_space(options, own);
    if (own) {
      origin = own->manifest.directory;
      own.reset();
      cleanup(options);
      if (origin == DirectoryOrigin::made) ensure_directory(options.directory);
    }
    make_files(options, origin, stop, progress);
  } catch (...) {
    if (origin == DirectoryOrigin::made) rmdir(options.directory.c_str());
    throw;
  }
  return {Prepared::written, layout.total_bytes(), core::now() - start};
}

}  // namespace spindle::fileio
