#include "core/device.h"

#include <fmt/format.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>

#include <cerrno>
#include <charconv>
#include <set>
#include <sstream>
#include <stdexcept>
#include <system_error>

#include "core/text_file.h"

namespace spindle::core {
namespace {

namespace fs = std::filesystem;

// The kernel writes blanks, tabs, newlines and backslashes of a path as \ooo.
std::string unescape(const std::string& text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    int code = 0;
    if (text[i] == '\\' && i + 3 < text.size() &&
        std::from_chars(text.data() + i + 1, text.data() + i + 4, code, 8).ptr == text.data() + i + 4) {
      plain += static_cast<char>(code);
      i += 3;
    } else {
      plain += text[i];
    }
  }
  return plain;
}

std::string device_id(dev_t device) { return fmt::format("{}:{}", major(device), minor(device)); }

// The options of the mount and of the file system, each once.
std::string merge_options(const std::string& mount, const std::string& super) {
  std::string merged;
  std::set<std::string> seen;
  std::istringstream options(mount + "," + super);
  for (std::string option; std::getline(options, option, ',');) {
    if (option.empty() || !seen.insert(option).second) continue;
    merged += (merged.empty() ? "" : ",") + option;
  }
  return merged;
}

// The devices without anything beneath them. A stack deeper than `depth` is cut off there.
void collect_disks(const fs::path& device, int depth, std::set<std::string>& disks) {
  std::error_code error;
  bool leaf = true;
  for (const auto& slave : fs::directory_iterator(device / "slaves", error)) {
    if (depth == 0) break;
    leaf = false;
    // A slave may be a partition; its whole disk is the directory above.
    fs::path beneath = fs::canonical(slave.path(), error);
    if (error) continue;
    if (fs::exists(beneath / "partition", error)) beneath = beneath.parent_path();
    collect_disks(beneath, depth - 1, disks);
  }
  if (leaf) disks.insert(device.filename().string());
}

// Some file systems (btrfs) give every subvolume a device number of its own; the mount's source names the disk.
std::string backing_id(dev_t device, const Mount* mount) {
  struct stat source {};
  if (major(device) == 0 && mount != nullptr && mount->source.starts_with("/dev/") &&
      stat(mount->source.c_str(), &source) == 0 && S_ISBLK(source.st_mode)) {
    return device_id(source.st_rdev);
  }
  return device_id(device);
}

}  // namespace

std::vector<Mount> parse_mountinfo(std::string_view text) {
  std::vector<Mount> mounts;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    // ID PARENT MAJOR:MINOR ROOT MOUNT_POINT OPTIONS [TAG...] - TYPE SOURCE SUPER_OPTIONS
    std::istringstream fields(line);
    Mount mount;
    std::string id, parent, root, tag, super;
    fields >> id >> parent >> mount.id >> root >> mount.mount_point >> mount.options;
    while (fields >> tag && tag != "-") continue;
    if (!(fields >> mount.filesystem >> mount.source)) continue;
    fields >> super;
    mount.mount_point = unescape(mount.mount_point);
    mount.source = unescape(mount.source);
    mount.options = merge_options(mount.options, super);
    mounts.push_back(std::move(mount));
  }
  return mounts;
}

const Mount* mount_of(const std::vector<Mount>& mounts, const fs::path& path) {
  const std::string text = path.string();
  const Mount* best = nullptr;
  for (const Mount& mount : mounts) {
    const std::string& point = mount.mount_point;
    const bool above =
        point == "/" || (text.starts_with(point) && (text.size() == point.size() || text[point.size()] == '/'));
    if (above && (best == nullptr || point.size() >= best->mount_point.size())) best = &mount;
  }
  return best;
}

std::string parse_scheduler(std::string_view text) {
  const std::size_t begin = text.find('[');
  const std::size_t end = text.find(']');
  if (begin == std::string_view::npos || end == std::string_view::npos || end < begin) return std::string(text);
  return std::string(text.substr(begin + 1, end - begin - 1));
}

void describe_block_device(const fs::path& sys, const std::string& id, DeviceInfo& device) {
  std::error_code error;
  fs::path disk = fs::canonical(sys / "dev/block" / id, error);
  if (error) return;
  if (fs::exists(disk / "partition", error)) disk = disk.parent_path();
  device.block_device = true;
  device.name = disk.filename().string();
  const std::string disk_id = read_line(disk / "dev");
  device.id = disk_id.empty() ? id : disk_id;

  std::set<std::string> disks;
  collect_disks(disk, 8, disks);
  device.disks.assign(disks.begin(), disks.end());
  device.model = read_line(disk / "device/model");
  if (device.model.empty() && disks.size() == 1)
    device.model = read_line(sys / "block" / *disks.begin() / "device/model");

  device.rotational = read_line(disk / "queue/rotational") == "1";
  device.scheduler = parse_scheduler(read_line(disk / "queue/scheduler"));
  device.write_cache = read_line(disk / "queue/write_cache");
  const std::string sector = read_line(disk / "queue/logical_block_size");
  std::from_chars(sector.data(), sector.data() + sector.size(), device.logical_sector_bytes);
}

DeviceInfo device_info(const fs::path& path) {
  struct stat status {};
  std::error_code error;
  const fs::path real = fs::canonical(path, error);
  if (error || stat(real.c_str(), &status) != 0) {
    throw std::runtime_error(fmt::format("cannot inspect '{}': {}", path.string(),
                                         error ? error.message() : std::generic_category().message(errno)));
  }
  DeviceInfo device;
  const std::vector<Mount> mounts = parse_mountinfo(read_text("/proc/self/mountinfo"));
  const Mount* mount = mount_of(mounts, real);
  if (mount != nullptr) {
    device.filesystem = mount->filesystem;
    device.mount_point = mount->mount_point;
    device.mount_options = mount->options;
  }
  device.id = backing_id(status.st_dev, mount);
  device.name = device.filesystem;
  describe_block_device("/sys", device.id, device);
  if (device.disks.empty()) device.disks.push_back(device.name);

  struct statvfs space {};
  if (statvfs(real.c_str(), &space) == 0) {
    device.size_bytes = static_cast<std::uint64_t>(space.f_blocks) * space.f_frsize;
    device.free_bytes = static_cast<std::uint64_t>(space.f_bavail) * space.f_frsize;
  }
  return device;
}

bool is_memory_filesystem(const fs::path& path) {
  struct statfs status {};
  if (statfs(path.c_str(), &status) != 0) return false;
  // The type is signed on some architectures and unsigned on others; the magic numbers have 32 bits.
  const auto magic = static_cast<std::uint32_t>(status.f_type);
  return magic == static_cast<std::uint32_t>(TMPFS_MAGIC) || magic == static_cast<std::uint32_t>(RAMFS_MAGIC) ||
         magic == static_cast<std::uint32_t>(HUGETLBFS_MAGIC);
}

}  // namespace spindle::core
