#include "server/error_log.h"

#include <algorithm>
#include <fstream>
#include <system_error>

namespace spindle::server {

namespace {

std::string read_end(const std::filesystem::path& log, std::uintmax_t from) {
  constexpr std::uintmax_t kLimit = 64 * 1024;
  std::error_code failed;
  const std::uintmax_t size = std::filesystem::file_size(log, failed);
  if (failed || size <= from) return {};
  const std::uintmax_t length = std::min(size - from, kLimit);
  std::string text(static_cast<std::size_t>(length), '\0');
  std::ifstream file(log, std::ios::binary);
  file.seekg(static_cast<std::streamoff>(size - length));
  file.read(text.data(), static_cast<std::streamsize>(length));
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

std::string last_lines(std::string text, std::size_t lines) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  std::size_t begin = text.size();
  for (std::size_t line = 0; line < lines && begin != 0 && begin != std::string::npos; ++line) {
    begin = text.rfind('\n', begin - 1);
  }
  if (begin == text.size()) return {};
  return begin == std::string::npos || begin == 0 ? text : text.substr(begin + 1);
}

}  // namespace

std::string tail_of(const std::filesystem::path& log, std::size_t lines, std::uintmax_t from) {
  return last_lines(read_end(log, from), lines);
}

std::string failure_excerpt(const std::filesystem::path& log, std::size_t lines, std::uintmax_t from) {
  std::string text = read_end(log, from);
  const std::size_t last_error = text.rfind("ERROR");
  if (last_error != std::string::npos) text.resize(std::min(text.find('\n', last_error), text.size()));
  return last_lines(std::move(text), lines);
}

}  // namespace spindle::server
