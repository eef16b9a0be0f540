// Runs the real spindle binary (or any command), and keeps what it said.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <string>
#include <vector>

namespace spindle::test_support {

struct Finished {
  int code = 0;  // exit code, or 128 + signal
  std::string out, err;
};

// A child process in a process group of its own; killed with it when destroyed while still running.
class Command {
 public:
  // `arguments[0]` is the program. Extra environment variables are "NAME=value".
  explicit Command(const std::vector<std::string>& arguments, const std::vector<std::string>& environment = {});
  ~Command();
  Command(const Command&) = delete;
  Command& operator=(const Command&) = delete;

  pid_t pid() const { return pid_; }
  void signal(int number) const;
  bool running();
  std::string err_so_far() const;
  std::string out_so_far() const;
  // Polls until `condition` or the end of the process or of the time; returns the condition's last answer.
  bool wait_for(const std::function<bool()>& condition, std::chrono::seconds limit);
  // Waits for the end; kills it after the limit, which then shows as code 137.
  Finished wait(std::chrono::seconds limit = std::chrono::seconds(120));

 private:
  pid_t pid_ = 0;
  int status_ = 0;
  bool done_ = false;
  std::string out_path_, err_path_;
};

// Runs the spindle binary with these arguments to its end.
Finished spindle(std::vector<std::string> arguments, const std::vector<std::string>& environment = {});

// A new empty directory below `parent`, removed with all in it at the end of the scope.
class ScratchDirectory {
 public:
  explicit ScratchDirectory(const std::string& parent = "/var/tmp");
  ~ScratchDirectory();
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;
  const std::string& path() const { return path_; }
  // Names of what is in it, sorted.
  std::vector<std::string> entries() const;

 private:
  std::string path_;
};

// Whether the text matches line by line: in the pattern "%n" stands for a number (also with thousands separators), "%s"
// for a word, "%*" for any rest of the line; everything else for itself. Returns "" or the first difference.
std::string difference(const std::string& text, const std::string& pattern);

}  // namespace spindle::test_support
