// An open file, closed when it goes out of scope, and the one way in which failed system calls are told.
#pragma once

#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>

namespace spindle::fileio {

class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  int get() const { return number_; }
  explicit operator bool() const { return number_ >= 0; }

 private:
  int number_ = -1;
};

inline std::string error_text(int error) { return std::generic_category().message(error); }

// `cannot open 'x': Permission denied`. `action` is the verb.
[[noreturn]] inline void throw_failed(const std::string& action, const std::filesystem::path& path, int error) {
  throw std::runtime_error("cannot " + action + " '" + path.string() + "': " + error_text(error));
}

}  // namespace spindle::fileio
