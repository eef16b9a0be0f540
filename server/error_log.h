// A server's own log, as far as an error message needs it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace spindle::server {

// The last lines of a file from a byte offset on, without a final line break; empty when there is no such file. Reads
// at most the last 64 KiB.
std::string tail_of(const std::filesystem::path& log, std::size_t lines, std::uintmax_t from = 0);

// What explains a failure: the lines that end with the last one that says ERROR, or else the tail. Installation scripts
// print pages of advice after the error.
std::string failure_excerpt(const std::filesystem::path& log, std::size_t lines, std::uintmax_t from = 0);

}  // namespace spindle::server
