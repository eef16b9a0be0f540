// How much of a file really lies on the disk: reads of holes and of space never written do not reach it.
#pragma once

#include <cstdint>

namespace spindle::fileio {

struct Allocation {
  std::uint64_t hole_bytes = 0;       // nothing is allocated there
  std::uint64_t unwritten_bytes = 0;  // allocated, but never written: the file system answers with zeros by itself
};

// By FIEMAP where the file system has it, else by SEEK_HOLE and the count of blocks. Writes back what is still in the
// page cache. Throws std::system_error.
Allocation allocation_of(int descriptor, std::uint64_t file_bytes);

}  // namespace spindle::fileio
