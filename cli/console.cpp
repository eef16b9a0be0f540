#include "cli/console.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <string_view>

#include "core/units.h"

namespace spindle::cli {
namespace {

constexpr core::Nanoseconds kRedraw = std::chrono::milliseconds(100);
constexpr int kBarWidth = 24;
constexpr int kDefaultWidth = 100;

bool set_and_not_empty(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

bool dumb_terminal() {
  const char* term = std::getenv("TERM");
  return term != nullptr && std::string_view(term) == "dumb";
}

int columns_of(int descriptor) {
  winsize size{};
  if (::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return kDefaultWidth;
}

std::string bar(double fraction) {
  const int filled = static_cast<int>(std::lround(std::clamp(fraction, 0.0, 1.0) * kBarWidth));
  std::string text = "[";
  for (int i = 0; i < kBarWidth; ++i) text += i < filled ? '#' : '.';
  return text + "]";
}

}  // namespace

void StatusSink::set_status(const std::string& text) {
  const std::lock_guard lock(mutex_);
  erase();
  status_ = text;
  draw();
}

void StatusSink::sink_it_(const spdlog::details::log_msg& message) {
  spdlog::memory_buf_t line;
  formatter_->format(message, line);
  erase();
  std::fwrite(line.data(), 1, line.size(), stderr);
  draw();
}

void StatusSink::erase() {
  if (terminal_ && !status_.empty()) std::fputs("\r\033[K", stderr);
}

void StatusSink::draw() {
  if (!terminal_ || status_.empty()) return;
  const auto limit = static_cast<std::size_t>(std::max(columns_of(STDERR_FILENO) - 1, 1));
  std::fputs(status_.substr(0, limit).c_str(), stderr);
  std::fflush(stderr);
}

Console::Console()
    : terminal_(::isatty(STDERR_FILENO) == 1 && !dumb_terminal()), sink_(std::make_shared<StatusSink>(terminal_)) {
  auto logger = std::make_shared<spdlog::logger>("spindle", sink_);
  logger->set_pattern("%l: %v");
  logger->flush_on(spdlog::level::info);
  spdlog::set_default_logger(logger);
}

Console::~Console() { clear_status(); }

bool Console::color() const {
  if (color_ != ColorMode::automatic) return color_ == ColorMode::always;
  if (set_and_not_empty("NO_COLOR") || dumb_terminal()) return false;
  return set_and_not_empty("CLICOLOR_FORCE") || ::isatty(STDOUT_FILENO) == 1;
}

bool Console::unicode() const {
  for (const char* variable : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    if (!set_and_not_empty(variable)) continue;
    std::string value = std::getenv(variable);
    std::transform(value.begin(), value.end(), value.begin(), [](unsigned char c) { return std::tolower(c); });
    return value.find("utf-8") != std::string::npos || value.find("utf8") != std::string::npos;
  }
  return false;
}

int Console::width() const { return columns_of(STDOUT_FILENO); }

void Console::status(const std::string& what, double fraction, core::Nanoseconds left) {
  if (!terminal_ || core::now() - last_drawn_ < kRedraw) return;
  last_drawn_ = core::now();
  std::string text = fraction < 0 ? what : fmt::format("{} {:3.0f}%  {}", bar(fraction), fraction * 100, what);
  if (left.count() > 0) text += fmt::format("  {} left", core::format_duration(left));
  sink_->set_status(text);
}

void Console::clear_status() {
  sink_->set_status("");
  last_drawn_ = {};
}

}  // namespace spindle::cli
