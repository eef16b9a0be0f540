// Reads the small text files in which the kernel publishes its figures (/proc, /sys).
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <ios>
#include <iterator>
#include <string>

namespace spindle::core {

// The whole content, or empty when the file cannot be read: such a figure is unknown, which is no error.
inline std::string read_text(const std::filesystem::path& path) {
  std::ifstream file(path);
  try {
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  } catch (const std::ios_base::failure&) {  // the process or device went away between open() and read()
    return {};
  }
}

// The first line without trailing blanks.
inline std::string read_line(const std::filesystem::path& path) {
  std::string text = read_text(path);
  text.erase(std::min(text.find('\n'), text.size()));
  text.erase(text.find_last_not_of(" \t\r") + 1);
  return text;
}

}  // namespace spindle::core
