// What a session with a server is, whatever client library is behind it.
//
// A transaction is straight-line coroutine code: `co_await session.execute(statement, id)`. A blocking driver does the
// work in `start` and never suspends; an event-driven driver sends the request there, suspends, and resumes the
// coroutine when the reply is complete. Rows are drained inside the driver: nothing is virtual per row.
#pragma once

#include <array>
#include <coroutine>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/registry.h"
#include "core/stop_request.h"
#include "drivers/connection_options.h"

namespace spindle::drivers {

// An error that the server or the client library reported. `number` is MySQL's: 1213 is a deadlock, 2013 a lost
// connection. what() is one line: the message, the number, the SQLSTATE and the statement, cut where it is long.
class DbError : public std::runtime_error {
 public:
  DbError(unsigned number, std::string sqlstate, const std::string& message, std::string statement = {});
  unsigned number() const { return number_; }
  const std::string& sqlstate() const { return sqlstate_; }
  const std::string& statement() const { return statement_; }  // the SQL text, as far as it is known

 private:
  unsigned number_;
  std::string sqlstate_;
  std::string statement_;
};

using Parameter = std::variant<std::int64_t, std::string_view>;
using StatementId = std::uint32_t;

struct ExecuteOutcome {
  std::uint64_t rows = 0;      // rows of the result set, drained and counted
  std::uint64_t affected = 0;  // rows changed, for statements without a result set
};

// Fills the buffer with the next bytes of what is to be loaded and returns how many they are; 0 is the end. May throw.
using ByteSource = std::function<std::size_t(std::span<char>)>;

using Row = std::vector<std::string>;  // NULL reads as "NULL"

class Session {
 public:
  virtual ~Session() = default;  // closes the connection

  // Makes a statement known; the server prepares it when it is first executed, or never. Ids count from 0. Does not
  // block: what the server has against a statement is told by its first execution.
  virtual StatementId prepare(std::string_view sql) = 0;

  // Runs text that returns at most a drained result: BEGIN, COMMIT, DDL, bulk INSERT. Blocking.
  virtual ExecuteOutcome run(std::string_view sql) = 0;
  // Runs text and keeps its rows: for preparing, checking and sampling, not for the measured path. Blocking.
  virtual std::vector<Row> query(std::string_view sql) = 0;

  // Runs one LOAD DATA LOCAL INFILE statement and feeds it the bytes of `source`, whatever file it names: no file of
  // this machine can be read through a session. Returns the rows loaded; the server counts those that it skipped as
  // warnings only. Blocking. Throws DbError, also where the server forbids it (3948, 1148), and what `source` throws.
  virtual bool can_load_data() const { return false; }
  virtual ExecuteOutcome load_data(std::string_view sql, const ByteSource& source);

  // --- the measured path -------------------------------------------------------------------------------------------
  template <std::size_t N>
  struct Execution {
    Session& session;
    StatementId statement;
    std::array<Parameter, N> parameters;
    bool await_ready() { return session.start(statement, parameters); }
    void await_suspend(std::coroutine_handle<> waiter) { session.resume_when_done(waiter); }
    ExecuteOutcome await_resume() { return session.take_outcome(); }
  };
  // Executes a known statement. String parameters must live until the await is over. Throws DbError.
  template <class... Parameters>
  Execution<sizeof...(Parameters)> execute(StatementId statement, Parameters... parameters) {
    return {*this, statement, {Parameter(parameters)...}};
  }

  // Returns true when the outcome is already there (a blocking driver always does). May throw DbError.
  virtual bool start(StatementId statement, std::span<const Parameter> parameters) = 0;
  virtual void resume_when_done(std::coroutine_handle<> waiter) = 0;  // event-driven drivers only
  virtual ExecuteOutcome take_outcome() = 0;

  // Makes a blocking call fail soon (error 2013). From any thread.
  virtual void interrupt() noexcept = 0;

  // "TLSv1.3 TLS_AES_256_GCM_SHA384", or "none".
  virtual std::string encryption() const { return "none"; }
  virtual std::string server_version() const = 0;  // "10.11.19-MariaDB-..." or "9.7.0"
};

class Driver {
 public:
  virtual ~Driver() = default;
  // Opens a connection; blocking, from any thread. Throws DbError; the message names where to, never the password.
  // Gives up soon, with error 2013, once `cancel` is raised: there is no session yet whose interrupt() could be called.
  virtual std::unique_ptr<Session> connect(const ConnectionOptions& options,
                                           const core::StopRequest* cancel = nullptr) const = 0;
  virtual std::string describe() const = 0;  // "libmariadb 3.3.10", for --version and results
};

using DriverFactory = std::function<std::unique_ptr<Driver>()>;
using DriverRegistry = core::Registry<DriverFactory>;

// The driver of that name; throws std::invalid_argument that lists what is built in.
std::unique_ptr<Driver> make_driver(std::string_view name);
inline constexpr std::string_view kDefaultDriver = "libmysqlclient";

}  // namespace spindle::drivers
