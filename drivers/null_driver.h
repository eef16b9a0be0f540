// A driver without a server: every statement succeeds at once, unless a script says otherwise. It measures the
// harness's own cost, and stands in for a server in tests of retries, reconnects and deadlines.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "drivers/driver.h"

namespace spindle::drivers {

enum class NullAction : std::uint8_t { fail, block };  // throw the error, or wait until interrupt() and then throw 2013

// What is to happen to certain executions. Executions are counted over all sessions, from 1, per fault.
struct NullFault {
  std::string statement;    // concerns statements that contain this text; empty: all of them
  std::uint64_t first = 1;  // the first execution of them that is hit
  std::uint64_t count = 1;  // and how many from there on
  NullAction action = NullAction::fail;
  unsigned number = 1213;
  std::string sqlstate = "40001";
  std::string message = "injected";
};

// A script of faults and answers that the sessions of one NullDriver share, and a journal of what they ran.
// Thread-safe.
class NullScript {
 public:
  void add(NullFault fault);
  void fail_connects(std::uint64_t count, unsigned number = 2003);  // the next ones; error 1045 is a refused password
  void block_connects(std::uint64_t count);                         // the next ones wait until they are cancelled
  // What statements that contain `statement` return; the latest answer that fits counts.
  void answer(std::string statement, std::vector<Row> rows);
  void answer(std::string statement, ExecuteOutcome outcome);

  // Every statement in the order of its start, "CONNECT" and "DISCONNECT" among them. Kept up to 100,000 entries.
  std::vector<std::string> journal() const;
  std::uint64_t executions(std::string_view statement) const;  // of statements that contain this text
  std::uint64_t connects() const;                              // attempts

 private:
  friend class NullSession;
  friend class NullDriver;
  struct PlannedFault {
    NullFault fault;
    std::uint64_t seen = 0;
  };
  struct Answer {
    std::string statement;
    std::vector<Row> rows;
    ExecuteOutcome outcome;
  };
  void write(std::string_view entry);  // the mutex is held
  // Records the execution; returns the fault that hits it, if one does.
  std::unique_ptr<NullFault> begin(std::string_view sql);
  const Answer* find_answer(std::string_view sql) const;  // the mutex is held
  void begin_connect(const ConnectionOptions& options, const core::StopRequest* cancel);

  mutable std::mutex mutex_;
  std::vector<PlannedFault> faults_;
  std::vector<Answer> answers_;
  std::vector<std::string> journal_;
  std::uint64_t connects_ = 0;
  std::uint64_t failing_connects_ = 0;
  unsigned connect_error_ = 0;
  std::uint64_t blocking_connects_ = 0;
};

// Registered as "null", without a script.
class NullDriver final : public Driver {
 public:
  explicit NullDriver(std::shared_ptr<NullScript> script = nullptr) : script_(std::move(script)) {}
  std::unique_ptr<Session> connect(const ConnectionOptions& options,
                                   const core::StopRequest* cancel = nullptr) const override;
  std::string describe() const override { return "null"; }

 private:
  std::shared_ptr<NullScript> script_;
};

}  // namespace spindle::drivers
