#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "drivers/null_driver.h"
#include "tests/oltp/recording_driver.h"
#include "tests/oltp/worker_run.h"

namespace spindle::oltp {
namespace {

using drivers::NullAction;
using drivers::NullFault;
using test_support::RecordingDriver;
using test_support::WorkerRun;

// A null driver that is told what goes wrong.
struct Scripted {
  std::shared_ptr<drivers::NullScript> script = std::make_shared<drivers::NullScript>();
  drivers::NullDriver driver{script};
};

NullFault fault(unsigned number, std::string statement, std::uint64_t count = 1) {
  NullFault planned;
  planned.statement = std::move(statement);
  planned.count = count;
  planned.number = number;
  return planned;
}

void run_with(WorkerRun& run, std::uint64_t steps) {
  run.open();
  run.steps(steps);
}

TEST(TransactionWorker, ADeadlockIsRolledBackAndTheSameTransactionRunAgain) {
  bool failed = false;
  const RecordingDriver driver([&](const test_support::Executed& executed) {
    if (!failed && executed.sql.starts_with("DELETE")) {
      failed = true;
      throw drivers::DbError(1213, "40001", "Deadlock found", executed.sql);
    }
    return drivers::ExecuteOutcome{0, 1};
  });
  WorkerRun run({}, "write_only", driver);
  run.open();
  run.steps(1);
  const std::vector<std::string>& log = driver.log();
  ASSERT_EQ(log.size(), 11u);
  EXPECT_EQ(log[4], "ROLLBACK");
  EXPECT_EQ(log[5], "BEGIN");
  EXPECT_EQ(log[6], log[1]);
  EXPECT_EQ(log[7], log[2]);
  EXPECT_EQ(log[8], log[3]);
  EXPECT_EQ(log[10], "COMMIT");
}

TEST(TransactionWorker, RetriesDoNotShiftTheKeysOfLaterTransactions) {
  bool failed = false;
  const RecordingDriver troubled([&](const test_support::Executed& executed) {
    if (!failed) {
      failed = true;
      throw drivers::DbError(1213, "40001", "Deadlock found", executed.sql);
    }
    return drivers::ExecuteOutcome{0, 1};
  });
  const RecordingDriver calm;
  WorkerRun first({}, "point_select", troubled);
  run_with(first, 3);
  WorkerRun second({}, "point_select", calm);
  run_with(second, 3);
  EXPECT_EQ(troubled.log().back(), calm.log().back());
}

TEST(TransactionWorker, AttemptsAndTheTransactionHaveTheirOwnLatencies) {
  Scripted server;
  server.script->add(fault(1213, "DELETE", 2));
  WorkerRun run({}, "write_only", server.driver);
  run_with(run, 1);
  EXPECT_EQ(run.operation("transaction").service.count, 1u);
  EXPECT_EQ(run.operation("attempt").service.count, 3u);
  EXPECT_EQ(run.operation("attempt").errors, 2u);
  EXPECT_EQ(run.operation("delete").errors, 2u);
  EXPECT_EQ(run.operation("delete").service.count, 1u);
  EXPECT_EQ(run.operation("transaction").errors, 0u);
  EXPECT_GE(run.operation("transaction").service.sum_ns, run.operation("attempt").service.sum_ns);
  EXPECT_EQ(run.accounts(), (core::Accounts{.handed_out = 1, .committed = 1}));
  EXPECT_EQ(run.counter("retry"), 2u);
}

TEST(TransactionWorker, EveryClassThatRestartsHasItsCounter) {
  Scripted server;
  server.script->add(fault(1213, "k=k+1"));
  server.script->add(fault(1205, "SET c="));
  server.script->add(fault(1062, "INSERT"));
  server.script->add(fault(1020, "COMMIT"));
  WorkerRun run({}, "write_only", server.driver);
  run_with(run, 1);
  EXPECT_EQ(run.counter("deadlock"), 1u);
  EXPECT_EQ(run.counter("lock_wait_timeout"), 1u);
  EXPECT_EQ(run.counter("duplicate_key"), 1u);
  EXPECT_EQ(run.counter("record_changed"), 1u);
  EXPECT_EQ(run.counter("connection_lost"), 0u);
  EXPECT_EQ(run.counter("other_error"), 0u);
  EXPECT_EQ(run.counter("retry"), 4u);
  EXPECT_EQ(server.script->executions("ROLLBACK"), 4u);
  EXPECT_EQ(run.accounts(), (core::Accounts{.handed_out = 1, .committed = 1}));
}

TEST(TransactionWorker, ATransactionIsGivenUpAfterTheRetryLimit) {
  Scripted server;
  server.script->add(fault(1213, "DELETE", 4));
  Options options;
  options.max_retries = 3;
  WorkerRun run(options, "write_only", server.driver);
  run_with(run, 2);
  EXPECT_EQ(run.accounts(), (core::Accounts{.handed_out = 2, .committed = 1, .failed = 1}));
  EXPECT_EQ(run.counter("deadlock"), 4u);
  EXPECT_EQ(run.counter("retry"), 3u);
  EXPECT_EQ(server.script->executions("ROLLBACK"), 4u);
}

TEST(TransactionWorker, ALostConnectionIsReplacedAndItsTransactionFails) {
  Scripted server;
  server.script->add(fault(2013, "DELETE"));
  WorkerRun run({}, "write_only", server.driver);
  run_with(run, 2);
  EXPECT_EQ(run.accounts(), (core::Accounts{.handed_out = 2, .committed = 1, .failed = 1}));
  EXPECT_EQ(run.counter("connection_lost"), 1u);
  EXPECT_EQ(run.counter("reconnect"), 1u);
  EXPECT_EQ(run.counter("retry"), 0u);
  EXPECT_EQ(server.script->connects(), 2u);
  EXPECT_EQ(server.script->executions("ROLLBACK"), 0u);
}

TEST(TransactionWorker, AKilledConnectionIsDroppedBeforeTheNextOneIsMade) {
  Scripted server;
  server.script->add(fault(1927, "DELETE"));
  WorkerRun run({}, "write_only", server.driver);
  run_with(run, 1);
  const std::vector<std::string> journal = server.script->journal();
  ASSERT_GE(journal.size(), 2u);
  EXPECT_EQ(journal[journal.size() - 2], "DISCONNECT");
  EXPECT_EQ(journal[journal.size() - 1], "CONNECT");
}

TEST(TransactionWorker, AConnectionLostInTheRollbackIsReplacedToo) {
  Scripted server;
  server.script->add(fault(1213, "DELETE"));
  server.script->add(fault(2006, "ROLLBACK"));
  WorkerRun run({}, "write_only", server.driver);
  run_with(run, 2);
  EXPECT_EQ(run.accounts(), (core::Accounts{.handed_out = 2, .committed = 1, .failed = 1}));
  EXPECT_EQ(run.counter("deadlock"), 1u);
  EXPECT_EQ(run.counter("connection_lost"), 1u);
  EXPECT_EQ(run.counter("reconnect"), 1u);
}

TEST(TransactionWorker, ReconnectingIsTriedAgainWhileTheServerIsDown) {
  Scripted server;
  server.script->add(fault(2006, "DELETE"));
  WorkerRun run({}, "write_only", server.driver);
  run.open();
  server.script->fail_connects(2, 2003);
  run.steps(2);
  EXPECT_EQ(server.script->connects(), 4u);
  EXPECT_EQ(run.counter("reconnect"), 1u);
  EXPECT_EQ(run.accounts(), (core::Accounts{.handed_out = 2, .committed = 1, .failed = 1}));
}

TEST(TransactionWorker, AServerThatStaysAwayEndsTheRun) {
  Scripted server;
  server.script->add(fault(2006, "DELETE"));
  Options options;
  options.max_reconnect = core::Nanoseconds(0);
  WorkerRun run(options, "write_only", server.driver);
  run.open();
  server.script->fail_connects(1, 2003);
  try {
    run.steps(1);
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("did not come back within"), std::string::npos) << error.what();
  }
  EXPECT_EQ(run.accounts(), (core::Accounts{.handed_out = 1, .failed = 1}));
}

TEST(TransactionWorker, AServerThatTakesConnectionsButNoTransactionsIsDown) {
  Scripted server;
  server.script->add(fault(2006, "DELETE", 1'000));
  Options options;
  options.max_reconnect = core::Nanoseconds(0);
  WorkerRun run(options, "write_only", server.driver);
  run.open();
  run.steps(1);
  EXPECT_THROW(run.steps(1), std::runtime_error);
  EXPECT_EQ(run.accounts(), (core::Accounts{.handed_out = 2, .failed = 2}));
}

TEST(TransactionWorker, APasswordRefusedWhileReconnectingEndsTheRunAtOnce) {
  Scripted server;
  server.script->add(fault(2006, "DELETE"));
  WorkerRun run({}, "write_only", server.driver);
  run.open();
  server.script->fail_connects(1, 1045);
  EXPECT_THROW(run.steps(1), drivers::DbError);
  EXPECT_EQ(server.script->connects(), 2u);
}

TEST(TransactionWorker, AnyOtherErrorEndsTheRunWithTheServersMessageAndTheStatement) {
  Scripted server;
  NullFault full = fault(1114, "INSERT");
  full.message = "The table 'sbtest1' is full";
  server.script->add(full);
  WorkerRun run({}, "write_only", server.driver);
  run.open();
  try {
    run.steps(1);
    FAIL();
  } catch (const drivers::DbError& error) {
    EXPECT_EQ(error.number(), 1114u);
    EXPECT_NE(std::string(error.what()).find("The table 'sbtest1' is full"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("INSERT INTO sbtest1"), std::string::npos);
  }
  EXPECT_EQ(run.counter("other_error"), 1u);
  EXPECT_EQ(run.accounts(), (core::Accounts{.handed_out = 1, .failed = 1}));
}

TEST(TransactionWorker, AnInterruptedTransactionIsInFlightAndNoError) {
  Scripted server;
  NullFault hang = fault(0, "DELETE");
  hang.action = NullAction::block;
  server.script->add(hang);
  WorkerRun run({}, "write_only", server.driver);
  run.open();
  std::thread stepping([&] { run.steps(1); });
  while (server.script->executions("DELETE") == 0) std::this_thread::yield();
  run.worker().interrupt();
  stepping.join();
  EXPECT_EQ(run.accounts(), (core::Accounts{.handed_out = 1}));
  EXPECT_EQ(run.accounts().in_flight(), 1);
  EXPECT_EQ(run.counter("connection_lost"), 0u);
  EXPECT_EQ(run.operation("delete").errors, 0u);
}

TEST(TransactionWorker, AnInterruptEndsTheWaitForAServer) {
  Scripted server;
  server.script->add(fault(2006, "DELETE"));
  WorkerRun run({}, "write_only", server.driver);
  run.open();
  server.script->fail_connects(1'000'000, 2003);
  std::thread stepping([&] { run.steps(1); });
  while (server.script->connects() < 2) std::this_thread::yield();
  run.worker().interrupt();
  stepping.join();
  EXPECT_EQ(run.accounts(), (core::Accounts{.handed_out = 1, .failed = 1}));
  EXPECT_EQ(run.counter("reconnect"), 0u);
}

TEST(TransactionWorker, AnInterruptEndsAConnectThatHangs) {
  Scripted server;
  server.script->block_connects(1);
  WorkerRun run({}, "write_only", server.driver);
  std::thread opening([&] { EXPECT_THROW(run.open(), drivers::DbError); });
  while (server.script->connects() < 1) std::this_thread::yield();
  run.worker().interrupt();
  opening.join();
}

TEST(TransactionWorker, StepsAfterAnInterruptDoNothing) {
  Scripted server;
  WorkerRun run({}, "write_only", server.driver);
  run.open();
  run.worker().interrupt();
  run.steps(1);
  run.drain();
  EXPECT_EQ(run.accounts(), (core::Accounts{.handed_out = 1}));
  EXPECT_EQ(server.script->executions("BEGIN"), 0u);
}

TEST(TransactionWorker, AccountsBalanceWhateverHappens) {
  Scripted server;
  NullFault deadlocks = fault(1213, "DELETE", 7);
  deadlocks.first = 20;
  NullFault losses = fault(2006, "COMMIT", 3);
  losses.first = 40;
  NullFault timeouts = fault(1205, "SET c=", 300);
  timeouts.first = 60;
  server.script->add(deadlocks);
  server.script->add(losses);
  server.script->add(timeouts);
  WorkerRun run({}, "write_only", server.driver);
  run_with(run, 200);
  const core::Accounts accounts = run.accounts();
  EXPECT_EQ(accounts.handed_out, 200u);
  EXPECT_EQ(accounts.handed_out, accounts.committed + accounts.failed);
  EXPECT_EQ(accounts.failed, 3u + 2u);  // 3 losses, and 300 timeouts give up 2 transactions of 101 attempts each
  EXPECT_EQ(run.operation("transaction").service.count, accounts.committed);
  EXPECT_EQ(run.operation("transaction").errors, accounts.failed);
  EXPECT_EQ(run.operation("attempt").service.count, accounts.committed + run.operation("attempt").errors);
  EXPECT_EQ(run.operation("attempt").errors, 310u);
}

}  // namespace
}  // namespace spindle::oltp
