#include "fileio/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include "core/device.h"
#include "core/units.h"
#include "fileio/extents.h"

namespace spindle::fileio {
namespace {

namespace fs = std::filesystem;

struct stat inspect(const fs::path& path, const Options& options) {
  struct stat status {};
  if (lstat(path.c_str(), &status) == 0) return status;
  if (errno == ENOENT) {
    throw std::runtime_error(
        fmt::format("'{}' does not exist: make the files with {}", path.string(), prepare_command(options)));
  }
  throw_failed("inspect", path, errno);
}

void refuse_foreign(const fs::path& path, const struct stat& status) {
  if (!S_ISREG(status.st_mode)) {
    throw std::runtime_error(
        fmt::format("'{}' is not a regular file any more: spindle did not make it and leaves it alone", path.string()));
  }
  if (status.st_nlink > 1) {
    throw std::runtime_error(fmt::format(
        "'{}' has a second name (a hard link): spindle did not make that and leaves it alone", path.string()));
  }
}

void check_size(const fs::path& path, const struct stat& status, const Layout& wanted, const Options& options) {
  const auto size = static_cast<std::uint64_t>(status.st_size);
  if (size >= wanted.file_bytes) return;
  throw std::runtime_error(fmt::format("'{}' has {} bytes, and {} are needed: make the files with {}", path.string(),
                                       core::format_count(size), core::format_count(wanted.file_bytes),
                                       prepare_command(options)));
}

// Spindle never makes a file longer than it says.
void refuse_larger(const fs::path& path, const struct stat& status, const Layout& made) {
  if (static_cast<std::uint64_t>(status.st_size) <= made.file_bytes) return;
  throw std::runtime_error(
      fmt::format("'{}' is larger than the file that spindle made: it is left alone", path.string()));
}

void check_allocation(const fs::path& path, int descriptor, const Layout& wanted, const Options& options) {
  Allocation allocation;
  try {
    allocation = allocation_of(descriptor, wanted.file_bytes);
  } catch (const std::system_error& error) {
    throw_failed("inspect", path, error.code().value());
  }
  if (allocation.hole_bytes + allocation.unwritten_bytes == 0) return;
  throw std::runtime_error(
      fmt::format("'{}' was never written in full ({} in holes, {} unwritten): reads would not reach the disk; make "
                  "the files with {}",
                  path.string(), core::format_size(allocation.hole_bytes),
                  core::format_size(allocation.unwritten_bytes), prepare_command(options)));
}

OpenManifest fitting_manifest(const Options& options, const Layout& wanted) {
  auto found = open_manifest(options.directory, LockKind::shared);
  if (!found) {
    throw std::runtime_error(fmt::format("'{}' holds no files of spindle fileio: make them with {}",
                                         options.directory.string(), prepare_command(options)));
  }
  const Manifest& manifest = found->manifest;
  if (manifest.preparation == Preparation::unfinished) {
    throw std::runtime_error(fmt::format("the files in '{}' were not finished: make them with {}",
                                         options.directory.string(), prepare_command(options)));
  }
  if (manifest.layout.file_num < wanted.file_num || manifest.layout.file_bytes < wanted.file_bytes) {
    throw std::runtime_error(fmt::format(
        "'{}' holds {} files of {} bytes, and the options ask for {} of {}: make them with {}",
        options.directory.string(), manifest.layout.file_num, core::format_count(manifest.layout.file_bytes),
        wanted.file_num, core::format_count(wanted.file_bytes), prepare_command(options)));
  }
  return std::move(*found);
}

std::string file_system_of(const fs::path& path) {
  try {
    return core::device_info(path).filesystem;
  } catch (const std::runtime_error&) {
    return {};
  }
}

}  // namespace

FileSet::FileSet(std::vector<fs::path> paths, std::vector<Descriptor> descriptors, OpenManifest manifest)
    : paths_(std::move(paths)), descriptors_(std::move(descriptors)), manifest_(std::move(manifest)) {
  for (const Descriptor& descriptor : descriptors_) numbers_.push_back(descriptor.get());
}

void FileSet::empty() const {
  for (std::size_t i = 0; i < numbers_.size(); ++i) {
    if (ftruncate(numbers_[i], 0) != 0) throw_failed("empty", paths_[i], errno);
  }
}

void FileSet::check_present() const {
  for (std::size_t i = 0; i < numbers_.size(); ++i) {
    struct stat open_file {
    }, named{};
    if (fstat(numbers_[i], &open_file) != 0) throw_failed("inspect", paths_[i], errno);
    if (lstat(paths_[i].c_str(), &named) != 0) throw_failed("find again", paths_[i], errno);
    if (open_file.st_dev != named.st_dev || open_file.st_ino != named.st_ino) {
      throw std::runtime_error(fmt::format("'{}' was replaced while it was measured", paths_[i].string()));
    }
  }
}

void check_direct(const Options& options) {
  if (options.caching != Caching::direct) return;
  const core::DeviceInfo device = core::device_info(options.directory);
  const std::uint32_t sector = device.logical_sector_bytes;
  if (sector == 0 || options.block_bytes % sector == 0) return;
  throw std::invalid_argument(fmt::format(
      "file-block-size {}: O_DIRECT transfers whole sectors, which are {} bytes on {}; use a multiple of {}",
      options.block_bytes, sector, device.name, sector));
}

Descriptor open_file(const fs::path& path, int flags, const Options& options) {
  // Looked at first, because opening a pipe or a device may have effects of its own.
  struct stat status {};
  if (lstat(path.c_str(), &status) != 0) throw_failed("open", path, errno);
  refuse_foreign(path, status);
  flags |= O_NOFOLLOW | O_CLOEXEC;
  if (options.caching == Caching::direct) flags |= O_DIRECT;
  if (options.write_through == WriteThrough::sync) flags |= O_SYNC;
  if (options.write_through == WriteThrough::dsync) flags |= O_DSYNC;
  Descriptor descriptor(open(path.c_str(), flags));
  if (!descriptor && errno == EINVAL && options.caching == Caching::direct) {
    throw std::runtime_error(fmt::format("cannot open '{}' with O_DIRECT: the file system {} does not support it{}",
                                         path.string(), file_system_of(path.parent_path()),
                                         core::is_memory_filesystem(path.parent_path())
                                             ? " (its files are memory; use --buffered there)"
                                             : "; use another file system, or --buffered"));
  }
  if (!descriptor && errno == EMFILE) {
    throw std::runtime_error(fmt::format(
        "cannot open '{}': too many open files; use a smaller --file-num or raise ulimit -n", path.string()));
  }
  if (!descriptor) throw_failed("open", path, errno);
  if (fstat(descriptor.get(), &status) != 0) throw_failed("inspect", path, errno);
  refuse_foreign(path, status);
  return descriptor;
}

FileSet open_files(const Options& options, FileNeed need, FileAccess access) {
  const Layout wanted = layout_of(options);
  OpenManifest manifest = fitting_manifest(options, wanted);
  check_direct(options);
  std::vector<fs::path> paths;
  std::vector<Descriptor> descriptors;
  for (std::uint32_t i = 0; i < wanted.file_num; ++i) {
    const fs::path path = options.directory / file_name(i);
    const struct stat status = inspect(path, options);
    refuse_foreign(path, status);
    refuse_larger(path, status, manifest.manifest.layout);
    if (need == FileNeed::full) check_size(path, status, wanted, options);
    Descriptor descriptor = open_file(path, access == FileAccess::read_only ? O_RDONLY : O_RDWR, options);
    if (need == FileNeed::full) check_allocation(path, descriptor.get(), wanted, options);
    paths.push_back(path);
    descriptors.push_back(std::move(descriptor));
  }
  return {std::move(paths), std::move(descriptors), std::move(manifest)};
}

void check_files(const Options& options) { open_files(options, FileNeed::full, FileAccess::read_only); }

CleanupReport cleanup(const Options& options) {
  const fs::path& directory = options.directory;
  std::error_code ignored;
  if (!fs::is_directory(directory, ignored)) throw_failed("open", directory, ignored ? ignored.value() : ENOTDIR);
  const auto found = open_manifest(directory, LockKind::exclusive);
  CleanupReport report;
  if (!found) return report;
  const Layout& layout = found->manifest.layout;
  std::string left;
  for (std::uint32_t i = 0; i < layout.file_num; ++i) {
    const fs::path path = directory / file_name(i);
    struct stat status {};
    if (lstat(path.c_str(), &status) != 0) {
      if (errno == ENOENT) continue;
      throw_failed("inspect", path, errno);
    }
    if (!S_ISREG(status.st_mode) || static_cast<std::uint64_t>(status.st_size) > layout.file_bytes) {
      if (left.empty()) left = path.string();
      continue;
    }
    if (unlink(path.c_str()) != 0) throw_failed("remove", path, errno);
    ++report.files_removed;
    report.bytes_removed += static_cast<std::uint64_t>(status.st_size);
  }
  if (!left.empty()) {
    throw std::runtime_error(fmt::format(
        "'{}' is not the file that spindle made and was left alone: remove it yourself, and then clean up again",
        left));
  }
  const fs::path list = directory / kManifestName;
  if (unlink(list.c_str()) != 0) throw_failed("remove", list, errno);
  // Fails where other files are in it, and then the directory is theirs.
  if (found->manifest.directory == DirectoryOrigin::made) rmdir(directory.c_str());
  return report;
}

}  // namespace spindle::fileio
