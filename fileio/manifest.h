// The list of the files that spindle made in a directory. Only what stands in it is ever written or removed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fileio/descriptor.h"
#include "fileio/options.h"

namespace spindle::fileio {

inline constexpr std::string_view kManifestName = "spindle-fileio.manifest";

// "test_file.7"
std::string file_name(std::uint32_t index);

enum class DirectoryOrigin : std::uint8_t { given, made };  // made: spindle created it and removes it again
enum class Preparation : std::uint8_t { unfinished, complete };

struct Manifest {
  Layout layout;
  DirectoryOrigin directory = DirectoryOrigin::given;
  Preparation preparation = Preparation::unfinished;
  bool operator==(const Manifest&) const = default;
};

// The text of a manifest, which lists each file with its size, and back. parse throws std::runtime_error when the text
// is not entirely what format writes, names outside the directory included.
std::string format_manifest(const Manifest& manifest);
Manifest parse_manifest(std::string_view text);

// A directory's manifest, open and locked against other spindles: shared by runs, exclusive for prepare and cleanup.
enum class LockKind : std::uint8_t { shared, exclusive };
struct OpenManifest {
  Manifest manifest;
  Descriptor lock;  // held as long as this lives
};

// Nothing when the directory has none. Throws std::runtime_error when another spindle holds it, when it is not a
// regular file, or cannot be understood.
std::optional<OpenManifest> open_manifest(const std::filesystem::path& directory, LockKind lock);
// Fails where one exists already. Reaches the disk before it returns.
OpenManifest create_manifest(const std::filesystem::path& directory, const Manifest& manifest);
// Marks the preparation as complete, on the disk.
void complete_manifest(const std::filesystem::path& directory, OpenManifest& open);

}  // namespace spindle::fileio
