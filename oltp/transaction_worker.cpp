#include "oltp/transaction_worker.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <utility>

#include "core/units.h"
#include "oltp/error_class.h"

namespace spindle::oltp {
namespace {

constexpr core::Nanoseconds kShortestBackOff = std::chrono::milliseconds(10);
constexpr core::Nanoseconds kLongestBackOff = std::chrono::seconds(1);
constexpr unsigned kNoSuchTable = 1146;

}  // namespace

// The one place that catches what a server says.
template <class Action>
TransactionWorker::Outcome TransactionWorker::attempt(Action&& action) {
  try {
    action();
    return std::nullopt;
  } catch (const drivers::DbError& error) {
    return error;
  }
}

TransactionWorker::TransactionWorker(const Options& options, const Workload& workload, const drivers::Driver& driver,
                                     const drivers::ConnectionOptions& connection, std::uint32_t index)
    : options_(options),
      driver_(driver),
      connection_(connection),
      client_(workload.make_client(index)),
      context_(core::Random(options.seed, index)) {}

void TransactionWorker::open() {
  const Outcome error = attempt([this] { connect_and_bind(); });
  if (!error) return;
  if (error->number() == kNoSuchTable) {
    throw std::runtime_error(fmt::format("a table is missing in {} (run 'spindle oltp prepare' first): {}",
                                         connection_.describe(), error->what()));
  }
  throw *error;
}

void TransactionWorker::step(core::TimePoint due, core::Recorder& recorder) {
  if (interrupted()) return;
  const core::TimePoint start = core::now();
  context_.begin(recorder, start);
  const core::Random keys = context_.random();
  for (std::uint32_t retries = 0;; ++retries) {
    const core::TimePoint begin = context_.clock();
    const Outcome error = attempt([this] { run_transaction(); });
    if (!error) {
      recorder.record(kAttemptOperation, begin, context_.clock());
      recorder.record(kTransactionOperation, due, start, context_.clock());
      context_.committed(start);
      recorder.commit();
      down_since_.reset();
      return;
    }
    if (interrupted()) return;  // in flight when the run was cut off; the error is the interruption
    context_.failed();
    recorder.record(kAttemptOperation, begin, context_.clock());
    recorder.add_error(kAttemptOperation);
    const bool again = recover(*error, recorder);
    if (interrupted()) return;
    if (!again || retries == options_.max_retries) {
      recorder.add_error(kTransactionOperation);
      recorder.fail();
      if (session_ == nullptr) replace_session(*error, recorder);
      return;
    }
    recorder.count(kRetryCounter);
    context_.random() = keys;
  }
}

void TransactionWorker::run_transaction() {
  Transaction transaction = client_->transaction(context_);
  transaction.resume();
  if (!transaction.done()) {
    spdlog::critical("a blocking driver left a transaction unfinished");
    std::abort();
  }
  transaction.finish();
}

bool TransactionWorker::recover(const drivers::DbError& error, core::Recorder& recorder) {
  const ErrorClass kind = classify(error.number());
  recorder.count(static_cast<std::uint32_t>(kind));
  if (kind == ErrorClass::other) fail_run(error, recorder);
  if (restarts_transaction(kind)) {
    const Outcome rollback = attempt([this] { session_->run("ROLLBACK"); });
    if (!rollback) return true;
    if (interrupted()) return false;
    if (classify(rollback->number()) == ErrorClass::other) fail_run(*rollback, recorder);
    recorder.count(static_cast<std::uint32_t>(ErrorClass::connection_lost));
  }
  drop_session();
  return false;
}

void TransactionWorker::fail_run(const drivers::DbError& error, core::Recorder& recorder) {
  recorder.add_error(kTransactionOperation);
  recorder.fail();
  throw error;
}

void TransactionWorker::replace_session(const drivers::DbError& loss, core::Recorder& recorder) {
  if (!down_since_) {
    down_since_ = core::now();
    back_off_ = core::Nanoseconds(0);
  } else {
    throw_if_down_too_long(loss);
  }
  for (;;) {
    pause(back_off_);
    if (interrupted()) return;
    back_off_ = std::clamp(2 * back_off_, kShortestBackOff, kLongestBackOff);
    const Outcome error = attempt([this] { connect_and_bind(); });
    if (!error) {
      recorder.count(kReconnectCounter);
      return;
    }
    drop_session();
    if (interrupted()) return;
    if (!may_come_back(error->number())) throw *error;
    throw_if_down_too_long(*error);
  }
}

void TransactionWorker::throw_if_down_too_long(const drivers::DbError& latest) const {
  if (core::now() - *down_since_ < options_.max_reconnect) return;
  throw std::runtime_error(fmt::format("the connection was lost and did not come back within {}: {}",
                                       core::format_duration(options_.max_reconnect), latest.what()));
}

void TransactionWorker::connect_and_bind() {
  std::unique_ptr<drivers::Session> fresh = driver_.connect(connection_, &stop_);
  {
    const std::lock_guard lock(mutex_);
    session_ = std::move(fresh);
    if (interrupted()) session_->interrupt();
  }
  context_.attach(session_.get());
  client_->bind(*session_);
}

void TransactionWorker::drop_session() {
  std::unique_ptr<drivers::Session> dropped;
  const std::lock_guard lock(mutex_);
  dropped = std::exchange(session_, nullptr);
  context_.attach(nullptr);
}

void TransactionWorker::pause(core::Nanoseconds duration) {
  std::unique_lock lock(mutex_);
  woken_.wait_for(lock, duration, [this] { return interrupted(); });
}

void TransactionWorker::drain(core::Recorder&) {
  if (session_ == nullptr || interrupted()) return;
  const auto leave = [this] { client_->leave(*session_); };
  Outcome error = attempt(leave);
  for (std::uint32_t retries = 0; error && restarts_transaction(classify(error->number())); ++retries) {
    if (retries == options_.max_retries || interrupted()) break;
    error = attempt(leave);
  }
  if (error && !interrupted()) spdlog::warn("the rows that the run deleted are not all back: {}", error->what());
}

void TransactionWorker::interrupt() noexcept {
  const std::lock_guard lock(mutex_);
  stop_.raise(SIGTERM);
  if (session_ != nullptr) session_->interrupt();
  woken_.notify_all();
}

}  // namespace spindle::oltp
