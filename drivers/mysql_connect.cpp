// Opens a connection with the C client library: options, encryption, and giving up when asked to.
#include "drivers/mysql_api.h"
#include "drivers/mysql_load_data.h"

#ifdef SPINDLE_HAS_MYSQL
#include <fmt/format.h>

#include <condition_variable>
#include <memory>
#include <mutex>
#include <new>
#include <thread>

namespace spindle::drivers {
namespace {

constexpr std::chrono::milliseconds kCancelPoll{20};

void set_number(MYSQL* mysql, mysql_option option, unsigned value) { mysql_options(mysql, option, &value); }

void set_timeouts(MYSQL* mysql, const ConnectionOptions& options) {
  if (options.connect_timeout.count() > 0) {
    set_number(mysql, MYSQL_OPT_CONNECT_TIMEOUT, static_cast<unsigned>(options.connect_timeout.count()));
  }
  if (options.read_timeout.count() > 0) {
    set_number(mysql, MYSQL_OPT_READ_TIMEOUT, static_cast<unsigned>(options.read_timeout.count()));
    set_number(mysql, MYSQL_OPT_WRITE_TIMEOUT, static_cast<unsigned>(options.read_timeout.count()));
  }
}

#if SPINDLE_MARIADB_CLIENT
// MariaDB's library knows "use TLS" and "verify"; from 3.4 on both are its defaults, so both are always set. Its
// verification includes the host name, so verify_ca is as strict as verify_identity here.
void set_encryption(MYSQL* mysql, SslMode mode) {
  const my_bool use_tls = mode == SslMode::disabled ? 0 : 1;
  const my_bool verify = mode == SslMode::verify_ca || mode == SslMode::verify_identity ? 1 : 0;
  mysql_options(mysql, MYSQL_OPT_SSL_ENFORCE, &use_tls);
  mysql_options(mysql, MYSQL_OPT_SSL_VERIFY_SERVER_CERT, &verify);
}
#else
unsigned native_ssl_mode(SslMode mode) {
  switch (mode) {
    case SslMode::disabled:
      return SSL_MODE_DISABLED;
    case SslMode::preferred:
      return SSL_MODE_PREFERRED;
    case SslMode::required:
      return SSL_MODE_REQUIRED;
    case SslMode::verify_ca:
      return SSL_MODE_VERIFY_CA;
    case SslMode::verify_identity:
      return SSL_MODE_VERIFY_IDENTITY;
  }
  return SSL_MODE_PREFERRED;
}

void set_encryption(MYSQL* mysql, SslMode mode) {
  set_number(mysql, MYSQL_OPT_SSL_MODE, native_ssl_mode(mode));
  // caching_sha2_password without TLS asks the server for its RSA key.
  const bool fetch_key = true;
  mysql_options(mysql, MYSQL_OPT_GET_SERVER_PUBLIC_KEY, &fetch_key);
}
#endif

DbError connect_error(const ConnectionOptions& options, MYSQL* mysql) {
  return DbError(mysql_errno(mysql), mysql_sqlstate(mysql),
                 fmt::format("cannot connect to {}: {}", options.describe(), mysql_error(mysql)));
}

DbError cancelled_error(const ConnectionOptions& options) {
  return DbError(kServerLost, "HY000", fmt::format("gave up connecting to {}: interrupted", options.describe()));
}

// One attempt; null when it failed with TLS and may be repeated without.
MysqlHandle attempt(const ConnectionOptions& options, SslMode mode) {
  enter_library();
  MysqlHandle mysql(mysql_init(nullptr));
  if (mysql == nullptr) throw std::bad_alloc();
  set_timeouts(mysql.get(), options);
  set_encryption(mysql.get(), mode);
  mysql_options(mysql.get(), MYSQL_SET_CHARSET_NAME, "utf8mb4");
  set_number(mysql.get(), MYSQL_OPT_LOCAL_INFILE, 1);
  refuse_files(mysql.get());
  const bool over_socket = !options.socket.empty();
  set_number(mysql.get(), MYSQL_OPT_PROTOCOL, over_socket ? MYSQL_PROTOCOL_SOCKET : MYSQL_PROTOCOL_TCP);

  const MYSQL* connected = mysql_real_connect(
      mysql.get(), over_socket ? nullptr : options.host.c_str(), options.user.c_str(), options.password.c_str(),
      options.database.empty() ? nullptr : options.database.c_str(), over_socket ? 0 : options.port,
      over_socket ? options.socket.c_str() : nullptr, CLIENT_MULTI_RESULTS);
  if (connected == nullptr) {
    if (options.ssl_mode == SslMode::preferred && mode != SslMode::disabled &&
        mysql_errno(mysql.get()) == kSslConnection) {
      return nullptr;
    }
    throw connect_error(options, mysql.get());
  }
  return mysql;
}

// Preferred means: TLS over TCP where the server can, else plain. A Unix socket needs none, as in the mysql client.
MysqlHandle connect_now(const ConnectionOptions& options) {
  const bool plain = options.ssl_mode == SslMode::preferred && !options.socket.empty();
  MysqlHandle mysql = attempt(options, plain ? SslMode::disabled : options.ssl_mode);
  if (mysql == nullptr) mysql = attempt(options, SslMode::disabled);
  if (options.ssl_mode >= SslMode::required && mysql_get_ssl_cipher(mysql.get()) == nullptr) {
    throw DbError(kSslConnection, "HY000",
                  fmt::format("cannot connect to {}: the server offers no encryption, but the ssl mode requires it",
                              options.describe()));
  }
  return mysql;
}

// A connection being opened on a thread of its own. Neither library can break off a connect (let alone a name lookup),
// so a cancelled one is left behind: it ends by itself within connect_timeout and closes what it opened.
struct Opening {
  std::mutex mutex;
  std::condition_variable done_changed;
  bool done = false;
  bool abandoned = false;
  MysqlHandle mysql;
  std::exception_ptr failure;
};

void open_into(Opening& opening, const ConnectionOptions& options) {
  MysqlHandle mysql;
  std::exception_ptr failure;
  try {
    mysql = connect_now(options);
  } catch (...) {
    failure = std::current_exception();
  }
  const std::lock_guard lock(opening.mutex);
  if (!opening.abandoned) opening.mysql = std::move(mysql);
  opening.failure = failure;
  opening.done = true;
  opening.done_changed.notify_one();
}

MysqlHandle open_cancellable(const ConnectionOptions& options, const core::StopRequest& cancel) {
  if (cancel.requested()) throw cancelled_error(options);
  const auto opening = std::make_shared<Opening>();
  std::thread([opening, options] { open_into(*opening, options); }).detach();

  std::unique_lock lock(opening->mutex);
  while (!opening->done_changed.wait_for(lock, kCancelPoll, [&] { return opening->done; })) {
    if (cancel.requested()) {
      opening->abandoned = true;
      throw cancelled_error(options);
    }
  }
  if (opening->failure) std::rethrow_exception(opening->failure);
  return std::move(opening->mysql);
}

}  // namespace

void enter_library() {
  static const int initialised = mysql_server_init(0, nullptr, nullptr);
  if (initialised != 0) throw std::runtime_error("cannot initialise the MySQL client library");
  struct ThreadScope {
    ThreadScope() { mysql_thread_init(); }
    ~ThreadScope() { mysql_thread_end(); }
  };
  thread_local const ThreadScope scope;
}

MysqlHandle open_connection(const ConnectionOptions& options, const core::StopRequest* cancel) {
  enter_library();
  return cancel == nullptr ? connect_now(options) : open_cancellable(options, *cancel);
}

std::string library_name() {
  return fmt::format("{} {}", SPINDLE_MARIADB_CLIENT ? "libmariadb" : "libmysqlclient", mysql_get_client_info());
}

DbError error_of(MYSQL* mysql, std::string_view statement) {
  return DbError(mysql_errno(mysql), mysql_sqlstate(mysql), mysql_error(mysql), std::string(statement));
}

DbError error_of(MYSQL_STMT* handle, MYSQL* mysql, std::string_view statement) {
  if (mysql_stmt_errno(handle) == 0) return error_of(mysql, statement);
  return DbError(mysql_stmt_errno(handle), mysql_stmt_sqlstate(handle), mysql_stmt_error(handle),
                 std::string(statement));
}

}  // namespace spindle::drivers
#endif
