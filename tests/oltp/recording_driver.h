// A driver that writes down every statement with its parameters and asks a function for the outcome.
#pragma once

#include <fmt/format.h>

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "drivers/driver.h"

namespace spindle::test_support {

struct Executed {
  std::string sql;
  std::vector<drivers::Parameter> parameters;  // strings are copied into `texts`
  std::vector<std::string> texts;
  std::int64_t number(std::size_t i) const { return std::get<std::int64_t>(parameters.at(i)); }
};

// For one session at a time: tests run their worker on their own thread.
class RecordingDriver final : public drivers::Driver {
 public:
  using Answer = std::function<drivers::ExecuteOutcome(const Executed&)>;

  explicit RecordingDriver(Answer answer =
                               [](const Executed&) {
                                 return drivers::ExecuteOutcome{1, 1};
                               })
      : answer_(std::move(answer)) {}

  std::unique_ptr<drivers::Session> connect(const drivers::ConnectionOptions&,
                                            const core::StopRequest*) const override {
    return std::make_unique<RecordingSession>(*this);
  }
  std::string describe() const override { return "recording"; }

  // "SELECT c FROM sbtest1 WHERE id=? [17]"
  const std::vector<std::string>& log() const { return log_; }

 private:
  class RecordingSession final : public drivers::Session {
   public:
    explicit RecordingSession(const RecordingDriver& driver) : driver_(driver) {}
    drivers::StatementId prepare(std::string_view sql) override {
      statements_.emplace_back(sql);
      return static_cast<drivers::StatementId>(statements_.size() - 1);
    }
    drivers::ExecuteOutcome run(std::string_view sql) override { return driver_.execute({std::string(sql), {}, {}}); }
    std::vector<drivers::Row> query(std::string_view) override { return {}; }
    bool start(drivers::StatementId statement, std::span<const drivers::Parameter> parameters) override {
      Executed executed{statements_.at(statement), {parameters.begin(), parameters.end()}, {}};
      for (const drivers::Parameter& parameter : parameters) {
        const auto* text = std::get_if<std::string_view>(&parameter);
        executed.texts.emplace_back(text == nullptr ? "" : *text);
      }
      outcome_ = driver_.execute(executed);
      return true;
    }
    void resume_when_done(std::coroutine_handle<>) override {}
    drivers::ExecuteOutcome take_outcome() override { return outcome_; }
    void interrupt() noexcept override {}
    std::string server_version() const override { return "recording"; }

   private:
    const RecordingDriver& driver_;
    std::vector<std::string> statements_;
    drivers::ExecuteOutcome outcome_;
  };

  drivers::ExecuteOutcome execute(const Executed& executed) const {
    std::string line = executed.sql;
    for (std::size_t i = 0; i < executed.parameters.size(); ++i) {
      const auto* integer = std::get_if<std::int64_t>(&executed.parameters[i]);
      line += integer != nullptr ? fmt::format(" [{}]", *integer) : fmt::format(" ['{}']", executed.texts[i]);
    }
    log_.push_back(std::move(line));
    return answer_(executed);
  }

  Answer answer_;
  mutable std::vector<std::string> log_;
};

}  // namespace spindle::test_support
