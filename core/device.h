// What a path stands on: its file system, and the disk that backs it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace spindle::core {

struct DeviceInfo {
  std::string name;  // the whole disk ("vda", "nvme0n1", "dm-0"); the file system's type where no block device backs it
  std::string id;    // "major:minor" of that disk, else of the file system: equal ids share a device
  std::vector<std::string>
      disks;                  // what is beneath a stack (LVM, md, dm-crypt), down to the disks; else the name alone
  bool block_device = false;  // whether a block device backs the path at all
  std::string model;          // empty where unknown
  bool rotational = false;
  std::string scheduler;                   // "mq-deadline", "none"; empty where unknown
  std::string write_cache;                 // "write back", "write through"; empty where unknown
  std::uint32_t logical_sector_bytes = 0;  // 0 where unknown

  std::string filesystem;  // "ext4", "tmpfs", "overlay", ...
  std::string mount_point;
  std::string mount_options;     // of the mount and of the file system: "rw,relatime,discard"
  std::uint64_t size_bytes = 0;  // of the file system
  std::uint64_t free_bytes = 0;  // for an unprivileged user
};

// Throws std::runtime_error when the path does not exist. What the kernel does not tell stays empty.
DeviceInfo device_info(const std::filesystem::path& path);

// Whether files there live in memory (tmpfs, ramfs): a benchmark of them measures no disk, and O_DIRECT means nothing.
// False when the path does not exist.
bool is_memory_filesystem(const std::filesystem::path& path);

// The parts, for device_info and its tests.

struct Mount {
  std::string id;  // "major:minor"
  std::string mount_point;
  std::string options;
  std::string filesystem;
  std::string source;  // "/dev/sda1", "tmpfs", ...
};

// From the text of /proc/self/mountinfo, in its order; lines it does not understand are left out.
std::vector<Mount> parse_mountinfo(std::string_view text);
// The mount that an absolute path without links lies on: the longest mount point, the last mounted where several are
// equal. Null when there is none.
const Mount* mount_of(const std::vector<Mount>& mounts, const std::filesystem::path& path);
// "mq-deadline" from "none [mq-deadline] kyber".
std::string parse_scheduler(std::string_view text);
// Fills what sysfs tells about block device "major:minor"; does nothing where sysfs does not know it. `sys` is "/sys".
void describe_block_device(const std::filesystem::path& sys, const std::string& id, DeviceInfo& device);

}  // namespace spindle::core
