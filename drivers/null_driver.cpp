#include "drivers/null_driver.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <chrono>
#include <thread>

#include "drivers/statement_text.h"

namespace spindle::drivers {
namespace {

constexpr std::size_t kJournalLimit = 100'000;
constexpr std::chrono::milliseconds kCancelPoll{1};
constexpr unsigned kServerLost = 2013;
constexpr unsigned kParametersNotBound = 2031;

bool starts_with_word(std::string_view sql, std::string_view word) {
  return sql.size() >= word.size() && std::equal(word.begin(), word.end(), sql.begin(), [](char a, char b) {
           return a == std::toupper(static_cast<unsigned char>(b));
         });
}

bool contains(std::string_view sql, std::string_view part) { return sql.find(part) != std::string_view::npos; }

// A SELECT finds one row, a change hits one row, and everything else (BEGIN, COMMIT, DDL) none.
ExecuteOutcome plausible_outcome(std::string_view sql) {
  const std::size_t begin = std::min(sql.find_first_not_of(" \t\r\n("), sql.size());
  const std::string_view text = sql.substr(begin);
  if (starts_with_word(text, "SELECT") || starts_with_word(text, "SHOW")) return {.rows = 1, .affected = 0};
  for (const std::string_view change : {"INSERT", "UPDATE", "DELETE", "REPLACE"}) {
    if (starts_with_word(text, change)) return {.rows = 0, .affected = 1};
  }
  return {};
}

}  // namespace

class NullSession final : public Session {
 public:
  explicit NullSession(std::shared_ptr<NullScript> script) : script_(std::move(script)) {}

  ~NullSession() override {
    if (script_ == nullptr) return;
    const std::lock_guard lock(script_->mutex_);
    script_->write("DISCONNECT");
  }

  StatementId prepare(std::string_view sql) override {
    throw_if_lost(sql);
    statements_.push_back({std::string(sql), split_at_placeholders(sql).size() - 1, plausible_outcome(sql)});
    return static_cast<StatementId>(statements_.size() - 1);
  }

  ExecuteOutcome run(std::string_view sql) override { return execute_text(sql, plausible_outcome(sql)); }

  std::vector<Row> query(std::string_view sql) override {
    const ExecuteOutcome outcome = execute_text(sql, plausible_outcome(sql));
    if (script_ != nullptr) {
      const std::lock_guard lock(script_->mutex_);
      if (const auto* answer = script_->find_answer(sql)) return answer->rows;
    }
    return std::vector<Row>(outcome.rows, Row{"1"});
  }

  bool start(StatementId statement, std::span<const Parameter> parameters) override {
    const Known& known = statements_.at(statement);
    if (parameters.size() != known.parameters) {
      throw DbError(kParametersNotBound, "HY000",
                    fmt::format("{} parameters given, {} wanted", parameters.size(), known.parameters), known.sql);
    }
    outcome_ = execute_text(known.sql, known.outcome);
    return true;
  }
  void resume_when_done(std::coroutine_handle<>) override {}  // never called: start() always finishes
  ExecuteOutcome take_outcome() override { return outcome_; }

  void interrupt() noexcept override {
    lost_.store(true, std::memory_order_relaxed);
    lost_.notify_all();
  }

  std::string server_version() const override { return "null"; }

 private:
  struct Known {
    std::string sql;
    std::size_t parameters;
    ExecuteOutcome outcome;
  };

  void throw_if_lost(std::string_view sql) const {
    if (lost_.load(std::memory_order_relaxed)) {
      throw DbError(kServerLost, "HY000", "Lost connection to the null server", std::string(sql));
    }
  }

  // Without a script: one load and no allocation.
  ExecuteOutcome execute_text(std::string_view sql, ExecuteOutcome outcome) {
    throw_if_lost(sql);
    if (script_ == nullptr) return outcome;
    if (const auto fault = script_->begin(sql)) suffer(*fault, sql);
    const std::lock_guard lock(script_->mutex_);
    const auto* answer = script_->find_answer(sql);
    return answer == nullptr ? outcome : answer->outcome;
  }

  void suffer(const NullFault& fault, std::string_view sql) {
    if (fault.action == NullAction::block) {
      lost_.wait(false, std::memory_order_relaxed);
      throw_if_lost(sql);
    }
    // What the client library calls a loss ends the session, as it does on a real one.
    if (fault.number == 2006 || fault.number == kServerLost) lost_.store(true, std::memory_order_relaxed);
    throw DbError(fault.number, fault.sqlstate, fault.message, std::string(sql));
  }

  std::shared_ptr<NullScript> script_;
  std::vector<Known> statements_;
  ExecuteOutcome outcome_;
  std::atomic<bool> lost_{false};
};

void NullScript::add(NullFault fault) {
  const std::lock_guard lock(mutex_);
  faults_.push_back({std::move(fault)});
}

void NullScript::fail_connects(std::uint64_t count, unsigned number) {
  const std::lock_guard lock(mutex_);
  failing_connects_ = count;
  connect_error_ = number;
}

void NullScript::block_connects(std::uint64_t count) {
  const std::lock_guard lock(mutex_);
  blocking_connects_ = count;
}

void NullScript::answer(std::string statement, std::vector<Row> rows) {
  const std::lock_guard lock(mutex_);
  const ExecuteOutcome outcome{.rows = rows.size(), .affected = 0};
  answers_.push_back({std::move(statement), std::move(rows), outcome});
}

void NullScript::answer(std::string statement, ExecuteOutcome outcome) {
  const std::lock_guard lock(mutex_);
  answers_.push_back({std::move(statement), std::vector<Row>(outcome.rows, Row{"1"}), outcome});
}

std::vector<std::string> NullScript::journal() const {
  const std::lock_guard lock(mutex_);
  return journal_;
}

std::uint64_t NullScript::executions(std::string_view statement) const {
  const std::lock_guard lock(mutex_);
  return static_cast<std::uint64_t>(std::count_if(
      journal_.begin(), journal_.end(), [&](const std::string& entry) { return contains(entry, statement); }));
}

std::uint64_t NullScript::connects() const {
  const std::lock_guard lock(mutex_);
  return connects_;
}

void NullScript::write(std::string_view entry) {
  if (journal_.size() < kJournalLimit) journal_.emplace_back(entry);
}

std::unique_ptr<NullFault> NullScript::begin(std::string_view sql) {
  const std::lock_guard lock(mutex_);
  write(sql);
  std::unique_ptr<NullFault> hit;
  for (PlannedFault& planned : faults_) {
    if (!contains(sql, planned.fault.statement)) continue;
    const std::uint64_t nth = ++planned.seen;
    const bool hits = nth >= planned.fault.first && nth - planned.fault.first < planned.fault.count;
    if (hits && hit == nullptr) hit = std::make_unique<NullFault>(planned.fault);
  }
  return hit;
}

const NullScript::Answer* NullScript::find_answer(std::string_view sql) const {
  const auto found = std::find_if(answers_.rbegin(), answers_.rend(),
                                  [&](const Answer& answer) { return contains(sql, answer.statement); });
  return found == answers_.rend() ? nullptr : &*found;
}

void NullScript::begin_connect(const ConnectionOptions& options, const core::StopRequest* cancel) {
  std::unique_lock lock(mutex_);
  ++connects_;
  write("CONNECT");
  if (failing_connects_ > 0) {
    --failing_connects_;
    throw DbError(connect_error_, "HY000", fmt::format("cannot connect to {}: injected", options.describe()));
  }
  if (blocking_connects_ == 0) return;
  --blocking_connects_;
  lock.unlock();
  while (cancel == nullptr || !cancel->requested()) std::this_thread::sleep_for(kCancelPoll);
  throw DbError(kServerLost, "HY000", fmt::format("gave up connecting to {}: interrupted", options.describe()));
}

std::unique_ptr<Session> NullDriver::connect(const ConnectionOptions& options, const core::StopRequest* cancel) const {
  if (script_ != nullptr) script_->begin_connect(options, cancel);
  return std::make_unique<NullSession>(script_);
}

namespace {
const core::Register<DriverFactory> kRegistered{"null", [] { return std::make_unique<NullDriver>(); }};
}  // namespace

}  // namespace spindle::drivers
