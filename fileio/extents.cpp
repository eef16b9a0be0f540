#include "fileio/extents.h"

#include <fcntl.h>
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <system_error>
#include <vector>

namespace spindle::fileio {
namespace {

// Nothing where the file system has no FIEMAP.
std::optional<Allocation> map_extents(int descriptor, std::uint64_t file_bytes) {
  constexpr std::uint32_t kBatch = 256;
  std::vector<std::uint64_t> memory((sizeof(fiemap) + kBatch * sizeof(fiemap_extent)) / sizeof(std::uint64_t) + 1);
  auto* const map = reinterpret_cast<fiemap*>(memory.data());
  const fiemap_extent* const extents = map->fm_extents;
  Allocation allocation;
  std::uint64_t position = 0;
  bool last = false;
  while (!last && position < file_bytes) {
    std::memset(map, 0, sizeof *map);
    map->fm_start = position;
    map->fm_length = file_bytes - position;
    map->fm_flags = FIEMAP_FLAG_SYNC;
    map->fm_extent_count = kBatch;
    if (ioctl(descriptor, FS_IOC_FIEMAP, map) != 0) {
      if (errno == EOPNOTSUPP || errno == ENOTTY || errno == EINVAL || errno == EBADR) return std::nullopt;
      throw std::system_error(errno, std::generic_category(), "FIEMAP");
    }
    if (map->fm_mapped_extents == 0) break;
    for (std::uint32_t i = 0; i < map->fm_mapped_extents; ++i) {
      const fiemap_extent& extent = extents[i];
      const std::uint64_t begin = std::max<std::uint64_t>(extent.fe_logical, position);
      const std::uint64_t end = std::min<std::uint64_t>(extent.fe_logical + extent.fe_length, file_bytes);
      if (end <= begin) continue;
      allocation.hole_bytes += begin - position;
      if ((extent.fe_flags & (FIEMAP_EXTENT_UNWRITTEN | FIEMAP_EXTENT_DELALLOC)) != 0) {
        allocation.unwritten_bytes += end - begin;
      }
      position = end;
      last = last || (extent.fe_flags & FIEMAP_EXTENT_LAST) != 0;
    }
  }
  if (position < file_bytes) allocation.hole_bytes += file_bytes - position;
  return allocation;
}

std::uint64_t seek_holes(int descriptor, std::uint64_t file_bytes) {
  std::uint64_t holes = 0;
  off_t position = 0;
  const auto size = static_cast<off_t>(file_bytes);
  while (position < size) {
    const off_t hole = lseek(descriptor, position, SEEK_HOLE);
    if (hole < 0 || hole >= size) return holes;  // where it is not supported the count of blocks decides
    off_t data = lseek(descriptor, hole, SEEK_DATA);
    if (data < 0) data = size;
    holes += static_cast<std::uint64_t>(std::min(data, size) - hole);
    position = data;
  }
  return holes;
}

}  // namespace

Allocation allocation_of(int descriptor, std::uint64_t file_bytes) {
  struct stat status {};
  if (fstat(descriptor, &status) != 0) throw std::system_error(errno, std::generic_category(), "fstat");
  Allocation allocation;
  if (const auto mapped = map_extents(descriptor, file_bytes)) {
    allocation = *mapped;
  } else {
    allocation.hole_bytes = seek_holes(descriptor, file_bytes);
  }
  const std::uint64_t allocated = static_cast<std::uint64_t>(status.st_blocks) * 512;
  if (allocated < file_bytes) allocation.hole_bytes = std::max(allocation.hole_bytes, file_bytes - allocated);
  return allocation;
}

}  // namespace spindle::fileio
