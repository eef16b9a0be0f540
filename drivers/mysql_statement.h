// A statement that one connection knows, executed as a server-side prepared statement or as text.
#pragma once

#include "drivers/mysql_api.h"

#ifdef SPINDLE_HAS_MYSQL
#include <span>

namespace spindle::drivers {

class MysqlStatement {
 public:
  virtual ~MysqlStatement() = default;
  // Executes, drains and counts every result set. Allocates nothing once its buffers have grown. Throws DbError.
  virtual ExecuteOutcome execute(std::span<const Parameter> parameters) = 0;
};

// Prepares on the server for PreparedMode::server. What a server cannot prepare (error 1295, BEGIN on some) is sent as
// text. The statement may be destroyed before or after `mysql` is closed, but not executed after it.
std::unique_ptr<MysqlStatement> make_statement(MYSQL* mysql, PreparedMode mode, std::string_view sql);

// Runs text; drains and counts every result set. Throws DbError.
ExecuteOutcome run_text(MYSQL* mysql, std::string_view sql);
// Runs text and keeps the rows of its first result set; drains further ones. Throws DbError.
std::vector<Row> query_text(MYSQL* mysql, std::string_view sql);

}  // namespace spindle::drivers
#endif
