#include "fileio/manifest.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <charconv>
#include <sstream>

namespace spindle::fileio {
namespace {

constexpr std::string_view kHeader = "spindle fileio 1";
constexpr std::string_view kComplete = "complete\n";
constexpr std::uint64_t kMaxManifestBytes = 16 << 20;

std::string read_all(int descriptor, const std::filesystem::path& path) {
  std::string text;
  char buffer[65536];
  for (;;) {
    const ssize_t got = read(descriptor, buffer, sizeof buffer);
    if (got < 0) throw_failed("read", path, errno);
    if (got == 0) return text;
    text.append(buffer, static_cast<std::size_t>(got));
    if (text.size() > kMaxManifestBytes) throw_failed("read", path, EFBIG);
  }
}

void write_all(int descriptor, std::string_view text, const std::filesystem::path& path) {
  while (!text.empty()) {
    const ssize_t put = write(descriptor, text.data(), text.size());
    if (put < 0) throw_failed("write", path, errno);
    text.remove_prefix(static_cast<std::size_t>(put));
  }
  if (fsync(descriptor) != 0) throw_failed("sync", path, errno);
}

void lock(int descriptor, LockKind kind, const std::filesystem::path& path) {
  if (flock(descriptor, (kind == LockKind::shared ? LOCK_SH : LOCK_EX) | LOCK_NB) == 0) return;
  if (errno == EWOULDBLOCK) {
    throw std::runtime_error(
        fmt::format("'{}' is in use by another spindle: wait until it has ended", path.parent_path().string()));
  }
  // Some network file systems have no locks; then there is only the user's care.
}

// The number after `key` on the next line.
std::uint64_t read_number(std::istream& lines, std::string_view key) {
  std::string name, text;
  std::uint64_t value = 0;
  lines >> name >> text;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (name != key || status != std::errc{} || end != text.data() + text.size()) {
    throw std::runtime_error(fmt::format("expected '{} NUMBER'", key));
  }
  return value;
}

}  // namespace

std::string file_name(std::uint32_t index) { return fmt::format("test_file.{}", index); }

std::string format_manifest(const Manifest& manifest) {
  std::string text = fmt::format("{}\nblock_bytes {}\nfile_num {}\nfile_bytes {}\ndirectory {}\n", kHeader,
                                 manifest.layout.block_bytes, manifest.layout.file_num, manifest.layout.file_bytes,
                                 manifest.directory == DirectoryOrigin::made ? "made" : "given");
  for (std::uint32_t i = 0; i < manifest.layout.file_num; ++i) {
    text += fmt::format("file {} {}\n", file_name(i), manifest.layout.file_bytes);
  }
  if (manifest.preparation == Preparation::complete) text += kComplete;
  return text;
}

Manifest parse_manifest(std::string_view text) {
  std::istringstream lines{std::string(text)};
  std::string header;
  std::getline(lines, header);
  if (header != kHeader) throw std::runtime_error(fmt::format("expected '{}'", kHeader));
  Manifest manifest;
  const std::uint64_t block_bytes = read_number(lines, "block_bytes");
  const std::uint64_t file_num = read_number(lines, "file_num");
  manifest.layout.block_bytes = static_cast<std::uint32_t>(block_bytes);
  manifest.layout.file_num = static_cast<std::uint32_t>(file_num);
  manifest.layout.file_bytes = read_number(lines, "file_bytes");
  std::string key, origin;
  lines >> key >> origin;
  if (origin == "made") manifest.directory = DirectoryOrigin::made;
  if (text.ends_with(kComplete)) manifest.preparation = Preparation::complete;
  // Whatever else is wrong (a name, a size, a missing or an extra line) shows in the comparison. The limits come first,
  // because the text to compare with is as long as they say.
  if (file_num < 1 || file_num > text.size() || block_bytes < 1 || block_bytes > UINT32_MAX ||
      format_manifest(manifest) != text) {
    throw std::runtime_error("its lines are not as spindle writes them");
  }
  return manifest;
}

std::optional<OpenManifest> open_manifest(const std::filesystem::path& directory, LockKind kind) {
  const std::filesystem::path path = directory / kManifestName;
  Descriptor descriptor(open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!descriptor && errno == ENOENT) return std::nullopt;
  if (!descriptor) throw_failed("open", path, errno);
  struct stat status {};
  if (fstat(descriptor.get(), &status) != 0) throw_failed("inspect", path, errno);
  if (!S_ISREG(status.st_mode)) {
    throw std::runtime_error(fmt::format("'{}' is not a regular file: spindle did not make it", path.string()));
  }
  lock(descriptor.get(), kind, path);
  try {
    OpenManifest result{parse_manifest(read_all(descriptor.get(), path)), {}};
    result.lock = std::move(descriptor);
    return result;
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(fmt::format(
        "cannot use '{}': {}; without a whole list of its files spindle touches none, so remove them and it yourself",
        path.string(), error.what()));
  }
}

OpenManifest create_manifest(const std::filesystem::path& directory, const Manifest& manifest) {
  const std::filesystem::path path = directory / kManifestName;
  Descriptor descriptor(open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!descriptor) throw_failed("create", path, errno);
  lock(descriptor.get(), LockKind::exclusive, path);
  try {
    write_all(descriptor.get(), format_manifest(manifest), path);
  } catch (...) {
    unlink(path.c_str());
    throw;
  }
  return {manifest, std::move(descriptor)};
}

void complete_manifest(const std::filesystem::path& directory, OpenManifest& open) {
  // The descriptor stands at the end of the text that create_manifest wrote.
  write_all(open.lock.get(), kComplete, directory / kManifestName);
  open.manifest.preparation = Preparation::complete;
}

}  // namespace spindle::fileio
