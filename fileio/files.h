// The files of a disk benchmark: made in full, checked before use, and removed again.
//
// Every function that throws std::runtime_error throws one line that names the file, the reason and the cure.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <vector>

#include "core/clock.h"
#include "core/stop_request.h"
#include "fileio/descriptor.h"
#include "fileio/manifest.h"
#include "fileio/options.h"

namespace spindle::fileio {

// The disk space that prepare takes, rounded up to whole blocks of a file system.
std::uint64_t bytes_needed(const Options& options);

// Told on the calling thread, a few times a second.
using Progress = std::function<void(std::uint64_t bytes_done, std::uint64_t bytes_total)>;

enum class Prepared : std::uint8_t {
  written,
  reused  // files of the same layout were there, whole and fully allocated
};
struct PrepareReport {
  Prepared outcome = Prepared::written;
  std::uint64_t bytes_written = 0;
  core::Nanoseconds elapsed{0};
};

// Writes every file in full with incompressible data and syncs it. Files that an earlier prepare made are reused where
// they fit and replaced where not. Refuses, before anything is written: too little space, files of the same names that
// spindle did not make, a directory in use by another spindle, a block size or file system that O_DIRECT cannot use.
// After a failure or a stop request it removes what it made, and throws std::runtime_error or core::Interrupted.
PrepareReport prepare(const Options& options, const core::StopRequest& stop, const Progress& progress = {});

struct CleanupReport {
  std::uint32_t files_removed = 0;  // 0: there was nothing of spindle's
  std::uint64_t bytes_removed = 0;
};

// Removes the files that the manifest lists, the manifest, and the directory if prepare made it and nothing else is in
// it. A listed name that is not spindle's file any more (a link, a directory, a larger file) stays, and so does the
// manifest; the error names it. A listed file that is gone already is no error.
CleanupReport cleanup(const Options& options);

// What a test finds in its files.
enum class FileNeed : std::uint8_t {
  full,  // written in full, nothing sparse
  empty  // emptied when the run starts
};
enum class FileAccess : std::uint8_t { read_only, read_write };

// The files of one run, open. Shared by all its workers: file descriptors are scarce, files may be many.
class FileSet {
 public:
  FileSet(std::vector<std::filesystem::path> paths, std::vector<Descriptor> descriptors, OpenManifest manifest);
  std::span<const int> descriptors() const { return numbers_; }
  const std::filesystem::path& path(std::uint32_t file) const { return paths_[file]; }
  // Cuts every file to length 0.
  void empty() const;
  // Throws when a file was removed or replaced meanwhile: an open file stays usable, and nobody would notice.
  void check_present() const;

 private:
  std::vector<std::filesystem::path> paths_;
  std::vector<Descriptor> descriptors_;
  std::vector<int> numbers_;
  OpenManifest manifest_;  // locked against prepare and cleanup while the run lasts
};

// Checks that the files are spindle's, whole, fully allocated and large enough for the options, and opens them. Options
// may use fewer or smaller files than were prepared.
FileSet open_files(const Options& options, FileNeed need, FileAccess access);

// The same check alone.
void check_files(const Options& options);

// Throws where O_DIRECT is asked for and the disk's sectors do not fit the block size.
void check_direct(const Options& options);

// Opens one file as the options say. It must be a regular file with one name, never a link or a device. `flags` is
// O_RDONLY, O_WRONLY or O_RDWR.
Descriptor open_file(const std::filesystem::path& path, int flags, const Options& options);

}  // namespace spindle::fileio
