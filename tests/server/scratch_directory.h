// A directory that exists while a test runs.
#pragma once

#include <stdlib.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

namespace spindle::server {

class ScratchDirectory {
 public:
  explicit ScratchDirectory(const std::filesystem::path& below = std::filesystem::temp_directory_path()) {
    std::string path = (below / "scratch-XXXXXX").string();
    if (::mkdtemp(path.data()) == nullptr) throw std::system_error(errno, std::generic_category(), path);
    path_ = path;
    // As a mount point is: everybody may enter.
    std::filesystem::permissions(path_, std::filesystem::perms(0755));
  }
  ~ScratchDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;

  const std::filesystem::path& path() const { return path_; }

  std::filesystem::path write(const std::filesystem::path& name, const std::string& text) const {
    std::filesystem::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name) << text;
    return path_ / name;
  }
  // A shell script that prints one line.
  std::filesystem::path program(const std::filesystem::path& name, const std::string& line) const {
    const auto path = write(name, "#!/bin/sh\necho '" + line + "'\n");
    std::filesystem::permissions(path, std::filesystem::perms(0755));
    return path;
  }
  std::size_t entries() const {
    std::size_t count = 0;
    for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(path_)) ++count;
    return count;
  }

 private:
  std::filesystem::path path_;
};

// What a call throws, as text; "" when it throws nothing.
template <class Call>
std::string message_of(Call&& call) {
  try {
    call();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

}  // namespace spindle::server
