#include "tests/support/command.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <stdexcept>
#include <thread>

namespace spindle::test_support {
namespace {

std::string temporary_file() {
  std::string path = (std::filesystem::temp_directory_path() / "spindle-test-XXXXXX").string();
  const int descriptor = ::mkstemp(path.data());
  if (descriptor < 0) throw std::runtime_error("cannot make a temporary file");
  ::close(descriptor);
  return path;
}

std::string content_of(const std::string& path) {
  std::ifstream file(path);
  std::stringstream content;
  content << file.rdbuf();
  return content.str();
}

void redirect(const std::string& path, int descriptor, int flags) {
  const int file = ::open(path.c_str(), flags, 0600);
  if (file < 0 || ::dup2(file, descriptor) < 0) ::_exit(126);
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// Turns one pattern line into a regular expression.
std::regex expression_of(const std::string& pattern) {
  std::string text;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const std::string two = pattern.substr(i, 2);
    if (two == "%n") {
      text += R"(\s*-?[0-9][0-9,]*(\.[0-9]+)?)";
    } else if (two == "%s") {
      text += R"(\S+)";
    } else if (two == "%*") {
      text += ".*";
    } else {
      if (std::string("\\^$.|?*+()[]{}").find(pattern[i]) != std::string::npos) text += '\\';
      text += pattern[i];
      continue;
    }
    ++i;
  }
  return std::regex(text);
}

}  // namespace

Command::Command(const std::vector<std::string>& arguments, const std::vector<std::string>& environment)
    : out_path_(temporary_file()), err_path_(temporary_file()) {
  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  pid_ = ::fork();
  if (pid_ < 0) throw std::runtime_error("cannot fork");
  if (pid_ == 0) {
    ::setpgid(0, 0);
    redirect("/dev/null", STDIN_FILENO, O_RDONLY);
    redirect(out_path_, STDOUT_FILENO, O_WRONLY | O_TRUNC);
    redirect(err_path_, STDERR_FILENO, O_WRONLY | O_TRUNC);
    for (const std::string& variable : environment) ::putenv(const_cast<char*>(variable.c_str()));
    ::execvp(argv[0], argv.data());
    ::_exit(127);
  }
}

Command::~Command() {
  if (running()) {
    ::kill(-pid_, SIGKILL);
    ::waitpid(pid_, &status_, 0);
  }
  std::filesystem::remove(out_path_);
  std::filesystem::remove(err_path_);
}

void Command::signal(int number) const { ::kill(pid_, number); }

bool Command::running() {
  if (!done_ && ::waitpid(pid_, &status_, WNOHANG) == pid_) done_ = true;
  return !done_;
}

std::string Command::err_so_far() const { return content_of(err_path_); }
std::string Command::out_so_far() const { return content_of(out_path_); }

bool Command::wait_for(const std::function<bool()>& condition, std::chrono::seconds limit) {
  const auto end = std::chrono::steady_clock::now() + limit;
  while (!condition()) {
    if (!running() || std::chrono::steady_clock::now() > end) return condition();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return true;
}

Finished Command::wait(std::chrono::seconds limit) {
  if (!wait_for([this] { return !running(); }, limit)) {
    ::kill(-pid_, SIGKILL);
    ::waitpid(pid_, &status_, 0);
    done_ = true;
  }
  const int code = WIFEXITED(status_) ? WEXITSTATUS(status_) : 128 + WTERMSIG(status_);
  return {code, out_so_far(), err_so_far()};
}

Finished spindle(std::vector<std::string> arguments, const std::vector<std::string>& environment) {
  arguments.insert(arguments.begin(), SPINDLE_BINARY);
  return Command(arguments, environment).wait(std::chrono::seconds(600));
}

ScratchDirectory::ScratchDirectory(const std::string& parent) : path_(parent + "/spindle-test-XXXXXX") {
  if (::mkdtemp(path_.data()) == nullptr) throw std::runtime_error("cannot make a directory below " + parent);
  std::filesystem::permissions(path_, std::filesystem::perms(0755));
}

ScratchDirectory::~ScratchDirectory() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::vector<std::string> ScratchDirectory::entries() const {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(path_)) names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  return names;
}

std::string difference(const std::string& text, const std::string& pattern) {
  const std::vector<std::string> found = lines_of(text), wanted = lines_of(pattern);
  for (std::size_t i = 0; i < std::max(found.size(), wanted.size()); ++i) {
    const std::string have = i < found.size() ? found[i] : "(no line)";
    const std::string want = i < wanted.size() ? wanted[i] : "(no line)";
    if (i >= found.size() || i >= wanted.size() || !std::regex_match(have, expression_of(want))) {
      return "line " + std::to_string(i + 1) + ": '" + have + "' instead of '" + want + "'";
    }
  }
  return "";
}

}  // namespace spindle::test_support
