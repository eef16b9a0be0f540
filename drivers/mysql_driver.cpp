// The driver over MySQL's or MariaDB's C client library: blocking, one connection a session.
#include "drivers/mysql_load_data.h"
#include "drivers/mysql_statement.h"

#ifdef SPINDLE_HAS_MYSQL
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <mutex>
#include <system_error>

namespace spindle::drivers {
namespace {

int socket_of(MYSQL* mysql) {
#if SPINDLE_MARIADB_CLIENT
  return mysql_get_socket(mysql);
#else
  return mysql->net.fd;
#endif
}

// A second descriptor of the connection's socket, through which another thread can end it. The library closes its own
// one whenever it notices a loss, and the number may then belong to another connection: this one cannot be reused
// before it is closed here.
class ConnectionBreaker {
 public:
  explicit ConnectionBreaker(int socket) : fd_(::fcntl(socket, F_DUPFD_CLOEXEC, 0)) {
    if (fd_ < 0) throw std::system_error(errno, std::generic_category(), "cannot duplicate a connection's descriptor");
  }
  ~ConnectionBreaker() { release(); }
  ConnectionBreaker(const ConnectionBreaker&) = delete;
  ConnectionBreaker& operator=(const ConnectionBreaker&) = delete;

  // From any thread: every read and write of the socket ends at once.
  void shut_down() noexcept {
    const std::lock_guard lock(mutex_);
    if (fd_ >= 0) ::shutdown(fd_, SHUT_RDWR);
  }
  void release() noexcept {
    const std::lock_guard lock(mutex_);
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
  }

 private:
  std::mutex mutex_;
  int fd_;
};

class MysqlSession final : public Session {
 public:
  MysqlSession(MysqlHandle mysql, PreparedMode mode)
      : mysql_(std::move(mysql)), breaker_(socket_of(mysql_.get())), mode_(mode) {}

  // Closes the connection before the statements: closing it detaches them and frees them on the server all at once, and
  // a statement that still points to a lost connection makes MariaDB's library crash when it is closed.
  ~MysqlSession() override {
    if (lost_) breaker_.shut_down();  // so that the farewell cannot block
    breaker_.release();
    mysql_.reset();
  }

  StatementId prepare(std::string_view sql) override {
    guard([&] { statements_.push_back(make_statement(mysql_.get(), mode_, sql)); });
    return static_cast<StatementId>(statements_.size() - 1);
  }

  ExecuteOutcome run(std::string_view sql) override {
    ExecuteOutcome outcome;
    guard([&] { outcome = run_text(mysql_.get(), sql); });
    return outcome;
  }

  std::vector<Row> query(std::string_view sql) override {
    std::vector<Row> rows;
    guard([&] { rows = query_text(mysql_.get(), sql); });
    return rows;
  }

  bool can_load_data() const override { return true; }
  ExecuteOutcome load_data(std::string_view sql, const ByteSource& source) override {
    ExecuteOutcome outcome;
    guard([&] { outcome = load_from(mysql_.get(), sql, source); });
    return outcome;
  }

  bool start(StatementId statement, std::span<const Parameter> parameters) override {
    guard([&] { outcome_ = statements_.at(statement)->execute(parameters); });
    return true;
  }
  void resume_when_done(std::coroutine_handle<>) override {}  // never called: start() always finishes
  ExecuteOutcome take_outcome() override { return outcome_; }

  void interrupt() noexcept override { breaker_.shut_down(); }

  std::string server_version() const override { return mysql_get_server_info(mysql_.get()); }

 private:
  // The one place that notices a lost connection. A lost session answers at once from then on: the library must not be
  // given the handle again.
  template <class Call>
  void guard(Call&& call) {
    if (lost_) throw DbError(kServerGone, "HY000", "the connection was lost before");
    try {
      call();
    } catch (const DbError& error) {
      lost_ = is_client_error(error.number()) && error.number() != kParametersNotBound;
      throw;
    }
  }
  static bool is_client_error(unsigned number) { return number >= 2000 && number < 3000; }

  std::vector<std::unique_ptr<MysqlStatement>> statements_;  // outlive mysql_, see the destructor
  MysqlHandle mysql_;
  ConnectionBreaker breaker_;
  PreparedMode mode_;
  ExecuteOutcome outcome_;
  bool lost_ = false;
};

class MysqlDriver final : public Driver {
 public:
  std::unique_ptr<Session> connect(const ConnectionOptions& options, const core::StopRequest* cancel) const override {
    return std::make_unique<MysqlSession>(open_connection(options, cancel), options.prepared);
  }
  std::string describe() const override { return library_name(); }
};

const core::Register<DriverFactory> kRegistered{"libmysqlclient", [] { return std::make_unique<MysqlDriver>(); }};

}  // namespace
}  // namespace spindle::drivers
#endif
