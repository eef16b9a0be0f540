// The terminal's two channels: results on stdout, log lines and one status line on stderr.
#pragma once

#include <spdlog/sinks/base_sink.h>

#include <cstdio>
#include <memory>
#include <mutex>
#include <string>

#include "core/clock.h"

namespace spindle::cli {

enum class ColorMode { automatic, always, never };

// Writes log lines to stderr and keeps the status line, where there is a terminal, below them.
class StatusSink : public spdlog::sinks::base_sink<std::mutex> {
 public:
  explicit StatusSink(bool terminal) : terminal_(terminal) {}
  void set_status(const std::string& text);  // an empty text removes the line

 protected:
  void sink_it_(const spdlog::details::log_msg& message) override;
  void flush_() override { std::fflush(stderr); }

 private:
  void erase();
  void draw();
  const bool terminal_;
  std::string status_;
};

class Console {
 public:
  Console();
  ~Console();  // takes the status line away
  Console(const Console&) = delete;
  Console& operator=(const Console&) = delete;

  void set_color(ColorMode mode) { color_ = mode; }
  bool color() const;    // whether stdout gets colour: NO_COLOR, CLICOLOR_FORCE and TERM=dumb are obeyed
  bool unicode() const;  // whether the locale's character set is UTF-8
  int width() const;     // columns of stdout, or 100 where it is no terminal
  bool has_status_line() const { return terminal_; }

  // What is being done, how far it is (0 to 1, negative where unknown), and what is left (0 where unknown). Drawn on a
  // terminal only, at most ten times a second.
  void status(const std::string& what, double fraction = -1, core::Nanoseconds left = core::Nanoseconds(0));
  void clear_status();

 private:
  bool terminal_;
  ColorMode color_ = ColorMode::automatic;
  std::shared_ptr<StatusSink> sink_;
  core::TimePoint last_drawn_{};
};

}  // namespace spindle::cli
