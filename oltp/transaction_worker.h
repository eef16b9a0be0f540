// One thread's session and the transactions on it. Assumes a driver that blocks: a transaction never suspends.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>

#include "core/job.h"
#include "core/recorder.h"
#include "core/stop_request.h"
#include "drivers/driver.h"
#include "oltp/options.h"
#include "oltp/transaction_context.h"
#include "oltp/workload.h"

namespace spindle::oltp {

// Counters in the JobSchema: those of ErrorClass in its order, then these.
inline constexpr std::uint32_t kRetryCounter = 6;
inline constexpr std::uint32_t kReconnectCounter = 7;

class TransactionWorker final : public core::Worker {
 public:
  // The random numbers depend on the seed and `index` alone. The references must outlive the worker.
  TransactionWorker(const Options& options, const Workload& workload, const drivers::Driver& driver,
                    const drivers::ConnectionOptions& connection, std::uint32_t index);

  void open() override;
  void step(core::TimePoint due, core::Recorder& recorder) override;
  void drain(core::Recorder& recorder) override;
  void interrupt() noexcept override;

 private:
  // What an action ran into, if anything.
  using Outcome = std::optional<drivers::DbError>;
  template <class Action>
  static Outcome attempt(Action&& action);

  void run_transaction();
  // True when the transaction may be run again on this session.
  bool recover(const drivers::DbError& error, core::Recorder& recorder);
  [[noreturn]] static void fail_run(const drivers::DbError& error, core::Recorder& recorder);
  // Returns with a session, or without one when interrupted. Throws when the limit of downtime is reached.
  void replace_session(const drivers::DbError& loss, core::Recorder& recorder);
  void throw_if_down_too_long(const drivers::DbError& latest) const;
  void connect_and_bind();
  void drop_session();
  void pause(core::Nanoseconds duration);
  bool interrupted() const { return stop_.requested(); }

  const Options& options_;
  const drivers::Driver& driver_;
  const drivers::ConnectionOptions& connection_;
  std::unique_ptr<Client> client_;
  TransactionContext context_;

  // Of the current downtime, which ends with the next commit: a server that accepts connections and no transactions
  // is down.
  std::optional<core::TimePoint> down_since_;
  core::Nanoseconds back_off_{0};

  core::StopRequest stop_;  // raised by interrupt()
  std::mutex mutex_;        // guards session_ while it is replaced, against interrupt(); not taken on the way of a step
  std::condition_variable woken_;
  std::unique_ptr<drivers::Session> session_;
};

}  // namespace spindle::oltp
