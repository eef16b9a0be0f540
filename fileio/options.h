// What a disk benchmark is asked to do, parsed once and constant from then on, and the shape of its files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace spindle::fileio {

enum class Caching : std::uint8_t {
  direct,   // O_DIRECT: the page cache is bypassed, the device is measured
  buffered  // through the page cache
};
enum class WriteThrough : std::uint8_t { none, dsync, sync };  // opened with O_DSYNC or O_SYNC
enum class SyncCall : std::uint8_t { fsync, fdatasync };
enum class SyncAtEnd : std::uint8_t { no, yes };
// What one periodic sync covers.
enum class SyncScope : std::uint8_t {
  dirty,    // the files this thread has written since its last sync, as InnoDB does after a batch of page writes
  written,  // the file of the last write only
  all       // every file: with 128 files 128 calls, as sysbench does
};

// Defaults are sysbench's, but for O_DIRECT and the scope of a sync.
struct Options {
  std::filesystem::path directory = ".";
  std::uint32_t file_num = 128;
  std::uint64_t total_bytes = std::uint64_t{2} << 30;  // over all files
  std::uint32_t block_bytes = 16384;                   // of one request
  std::string test;                                    // a name of the registry of tests: "rndrd", ...
  double read_write_ratio = 1.5;                       // reads per write of rndrw; 0 = only writes
  std::uint64_t sync_frequency = 100;                  // write requests of a thread between two syncs; 0 = never
  SyncScope sync_scope = SyncScope::dirty;
  SyncAtEnd sync_at_end = SyncAtEnd::yes;
  SyncCall sync_call = SyncCall::fsync;
  Caching caching = Caching::direct;
  WriteThrough write_through = WriteThrough::none;
  std::string engine = "sync";  // a name of the registry of engines
  std::uint32_t iodepth = 1;    // requests that each thread keeps in flight; more than 1 needs an asynchronous engine
  std::uint64_t seed = 1;
};

// The shape of the files: each holds whole blocks, so that no request is cut off or unaligned.
struct Layout {
  std::uint32_t file_num = 0;
  std::uint64_t file_bytes = 0;
  std::uint32_t block_bytes = 0;
  std::uint64_t blocks_per_file() const { return file_bytes / block_bytes; }
  std::uint64_t blocks() const { return blocks_per_file() * file_num; }
  std::uint64_t total_bytes() const { return file_bytes * file_num; }
  bool operator==(const Layout&) const = default;
};

// The total is divided evenly and rounded down to whole blocks. Throws std::invalid_argument that names the option, its
// value and what is allowed.
Layout layout_of(const Options& options);

// What the layout changed about the sizes asked for, as sentences for the user; empty when nothing.
std::vector<std::string> layout_notes(const Options& options);

// Checks what layout_of does not: the names of test and engine, the depth, the ratio. Throws std::invalid_argument.
void validate_run(const Options& options);

// The command that makes files which fit the options.
std::string prepare_command(const Options& options);

}  // namespace spindle::fileio
