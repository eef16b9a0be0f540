// What a transaction sees while it runs: its session, its random numbers, and a clock that times each statement.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "core/clock.h"
#include "core/random.h"
#include "core/recorder.h"
#include "drivers/driver.h"
#include "oltp/transaction.h"

namespace spindle::oltp {

// Operations of an OLTP run in its JobSchema; the workload's statement kinds follow.
inline constexpr std::uint32_t kTransactionOperation = 0;  // from the start of the first attempt to the commit
inline constexpr std::uint32_t kAttemptOperation = 1;      // each attempt, also those that failed
inline constexpr std::uint32_t kFirstStatementOperation = 2;

// A prepared statement and the index of its kind in Workload::statements().
struct Statement {
  std::uint32_t kind = 0;
  drivers::StatementId id = 0;
};

class TransactionContext {
 public:
  explicit TransactionContext(core::Random random) : random_(random) {}

  // --- for a transaction ---------------------------------------------------------------------------------------------
  core::Random& random() { return random_; }

  template <std::size_t N>
  struct TimedExecution {
    TransactionContext& context;
    std::uint32_t kind;
    drivers::Session::Execution<N> execution;
    bool await_ready() {
      context.kind_ = kind;
      return execution.await_ready();
    }
    void await_suspend(std::coroutine_handle<> waiter) { execution.await_suspend(waiter); }
    drivers::ExecuteOutcome await_resume() { return context.finished(execution.await_resume()); }
  };
  // co_await gives the outcome. Integers are std::int64_t, strings std::string_view that live until the await is over.
  template <class... Parameters>
  TimedExecution<sizeof...(Parameters)> execute(Statement statement, Parameters... parameters) {
    return {*this, statement.kind, session_->execute(statement.id, parameters...)};
  }

  // The same with a number of parameters that is known only at run time; they must live until the await is over.
  struct TimedSpan {
    TransactionContext& context;
    Statement statement;
    std::span<const drivers::Parameter> parameters;
    bool await_ready() {
      context.kind_ = statement.kind;
      return context.session_->start(statement.id, parameters);
    }
    void await_suspend(std::coroutine_handle<> waiter) { context.session_->resume_when_done(waiter); }
    drivers::ExecuteOutcome await_resume() { return context.finished(context.session_->take_outcome()); }
  };
  TimedSpan execute(Statement statement, std::span<const drivers::Parameter> parameters) {
    return {*this, statement, parameters};
  }

  struct TimedText {
    TransactionContext& context;
    std::uint32_t kind;
    std::string_view sql;
    drivers::ExecuteOutcome outcome{};
    bool await_ready() {
      context.kind_ = kind;
      outcome = context.session_->run(sql);
      return true;
    }
    void await_suspend(std::coroutine_handle<>) {}
    drivers::ExecuteOutcome await_resume() { return context.finished(outcome); }
  };
  // A statement that is never prepared: BEGIN and COMMIT, and what is put together anew each time.
  TimedText run(std::uint32_t kind, std::string_view sql) { return {*this, kind, sql}; }

  // How many transactions began before this one; a transaction that is run again keeps its number.
  std::uint64_t ordinal() const { return ordinal_; }

  // --- for a workload that is put together from others
  // ---------------------------------------------------------------- The statement kinds of the transaction that
  // follows begin at `first_kind`, and when it commits it is recorded as the kind `transaction_kind` too.
  void enter_member(std::uint32_t transaction_kind, std::uint32_t first_kind) {
    member_kind_ = transaction_kind;
    first_kind_ = first_kind;
    has_member_ = true;
  }

  // --- for the worker ------------------------------------------------------------------------------------------------
  void attach(drivers::Session* session) { session_ = session; }
  // Starts the chain of timestamps: the end of one statement is the start of the next.
  void begin(core::Recorder& recorder, core::TimePoint start) {
    recorder_ = &recorder;
    clock_ = start;
    ++ordinal_;
  }
  // The whole transaction committed.
  void committed(core::TimePoint start) {
    if (has_member_) recorder_->record(kFirstStatementOperation + member_kind_, start, clock_);
  }
  core::TimePoint clock() const { return clock_; }
  // The statement that was running has failed; its time counts for nothing but the attempt.
  void failed() {
    recorder_->add_error(operation());
    clock_ = core::now();
  }

 private:
  friend FramePool& frame_pool(TransactionContext& context) noexcept { return context.frames_; }

  drivers::ExecuteOutcome finished(drivers::ExecuteOutcome outcome) {
    const core::TimePoint end = core::now();
    recorder_->record(operation(), clock_, end);
    recorder_->add_rows(operation(), outcome.rows + outcome.affected);
    clock_ = end;
    return outcome;
  }

  std::uint32_t operation() const { return kFirstStatementOperation + first_kind_ + kind_; }

  FramePool frames_;
  core::Random random_;
  drivers::Session* session_ = nullptr;
  core::Recorder* recorder_ = nullptr;
  core::TimePoint clock_{};
  std::uint32_t kind_ = 0;
  std::uint32_t first_kind_ = 0;
  std::uint32_t member_kind_ = 0;
  bool has_member_ = false;
  std::uint64_t ordinal_ = ~std::uint64_t{0};  // so that the first transaction has number 0
};

}  // namespace spindle::oltp
