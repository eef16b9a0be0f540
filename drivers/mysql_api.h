// The C client library, MySQL's or MariaDB's, and the differences between the two that its driver needs. Included by
// drivers/mysql_* only.
#pragma once

#if __has_include(<mysql.h>)
#define SPINDLE_HAS_MYSQL 1
#include <mysql.h>

#include <memory>
#include <string>
#include <string_view>

#include "drivers/driver.h"

// MariaDB's header says what it is; MySQL's has no such macro.
#if defined(MARIADB_PACKAGE_VERSION) || defined(LIBMARIADB)
#define SPINDLE_MARIADB_CLIENT 1
#else
#define SPINDLE_MARIADB_CLIENT 0
#endif

namespace spindle::drivers {

struct CloseMysql {
  void operator()(MYSQL* mysql) const { mysql_close(mysql); }
};
using MysqlHandle = std::unique_ptr<MYSQL, CloseMysql>;

struct CloseStatement {
  void operator()(MYSQL_STMT* statement) const { mysql_stmt_close(statement); }
};
using StatementHandle = std::unique_ptr<MYSQL_STMT, CloseStatement>;

struct FreeResult {
  void operator()(MYSQL_RES* result) const { mysql_free_result(result); }
};
using ResultHandle = std::unique_ptr<MYSQL_RES, FreeResult>;

// Errors of the client library itself, which have the same numbers in both libraries.
enum ClientError : unsigned {
  kServerGone = 2006,          // CR_SERVER_GONE_ERROR
  kServerLost = 2013,          // CR_SERVER_LOST
  kSslConnection = 2026,       // CR_SSL_CONNECTION_ERROR
  kParametersNotBound = 2031,  // CR_PARAMS_NOT_BOUND
};
inline constexpr unsigned kUnsupportedInPrepared = 1295;  // ER_UNSUPPORTED_PS

// Makes the library ready for the calling thread; cheap after the first call of a thread.
void enter_library();

// Connects as `options` say. Blocking; gives up soon once `cancel` is raised. Throws DbError.
MysqlHandle open_connection(const ConnectionOptions& options, const core::StopRequest* cancel);

std::string library_name();  // "libmariadb 3.3.10" or "libmysqlclient 8.0.36"

// The error that the connection holds, as an exception.
DbError error_of(MYSQL* mysql, std::string_view statement);
// The same for a prepared statement. MariaDB's library leaves an error that arrives among the rows with the connection.
DbError error_of(MYSQL_STMT* handle, MYSQL* mysql, std::string_view statement);

}  // namespace spindle::drivers
#endif
