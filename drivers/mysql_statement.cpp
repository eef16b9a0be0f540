#include "drivers/mysql_statement.h"

#ifdef SPINDLE_HAS_MYSQL
#include <fmt/format.h>

#include <iterator>

#include "drivers/statement_text.h"

namespace spindle::drivers {
namespace {

void check_count(std::size_t given, std::size_t wanted, const std::string& sql) {
  if (given == wanted) return;
  throw DbError(kParametersNotBound, "HY000", fmt::format("{} parameters given, {} wanted", given, wanted), sql);
}

// One parameter's place in memory. The library keeps its address, so the place must not move: a bind stays valid from
// one execution to the next, and the types need not be sent to the server again.
struct BoundValue {
  std::int64_t integer = 0;
  std::string text;
  unsigned long length = 0;
};

class ServerStatement final : public MysqlStatement {
 public:
  ServerStatement(MYSQL* mysql, StatementHandle handle, std::string_view sql)
      : mysql_(mysql),
        handle_(std::move(handle)),
        sql_(sql),
        values_(mysql_stmt_param_count(handle_.get())),
        binds_(values_.size()) {}

  ExecuteOutcome execute(std::span<const Parameter> parameters) override {
    check_count(parameters.size(), values_.size(), sql_);
    bind(parameters);
    if (mysql_stmt_execute(handle_.get()) != 0) throw error_of(handle_.get(), mysql_, sql_);
    ExecuteOutcome outcome;
    drain(outcome);
    while (mysql_more_results(mysql_) != 0) {
      if (mysql_stmt_next_result(handle_.get()) > 0) throw error_of(handle_.get(), mysql_, sql_);
      drain(outcome);
    }
    return outcome;
  }

 private:
  void bind(std::span<const Parameter> parameters) {
    bool moved = !bound_;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      if (const auto* integer = std::get_if<std::int64_t>(&parameters[i])) {
        values_[i].integer = *integer;
        moved |= place(binds_[i], MYSQL_TYPE_LONGLONG, &values_[i].integer, nullptr);
      } else {
        values_[i].text = std::get<std::string_view>(parameters[i]);
        values_[i].length = static_cast<unsigned long>(values_[i].text.size());
        moved |= place(binds_[i], MYSQL_TYPE_VAR_STRING, values_[i].text.data(), &values_[i].length);
      }
    }
    if (!moved || values_.empty()) return;
    if (mysql_stmt_bind_param(handle_.get(), binds_.data()) != 0) throw error_of(handle_.get(), mysql_, sql_);
    bound_ = true;
  }

  // Returns whether the bind changed, so that the library must be told.
  static bool place(MYSQL_BIND& bind, enum_field_types type, void* buffer, unsigned long* length) {
    if (bind.buffer == buffer && bind.buffer_type == type) return false;
    bind.buffer_type = type;
    bind.buffer = buffer;
    bind.length = length;
    return true;
  }

  // Rows are fetched without a result bind: both libraries then skip the columns.
  void drain(ExecuteOutcome& outcome) {
    if (mysql_stmt_field_count(handle_.get()) == 0) {
      outcome.affected += mysql_stmt_affected_rows(handle_.get());
      return;
    }
    int status = 0;
    while ((status = mysql_stmt_fetch(handle_.get())) == 0 || status == MYSQL_DATA_TRUNCATED) ++outcome.rows;
    if (status != MYSQL_NO_DATA) throw error_of(handle_.get(), mysql_, sql_);
  }

  MYSQL* mysql_;
  StatementHandle handle_;
  std::string sql_;
  std::vector<BoundValue> values_;
  std::vector<MYSQL_BIND> binds_;
  bool bound_ = false;
};

class TextStatement final : public MysqlStatement {
 public:
  TextStatement(MYSQL* mysql, std::string_view sql) : mysql_(mysql), sql_(sql), parts_(split_at_placeholders(sql)) {}

  ExecuteOutcome execute(std::span<const Parameter> parameters) override {
    check_count(parameters.size(), parts_.size() - 1, sql_);
    text_.assign(parts_.front());
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      if (const auto* integer = std::get_if<std::int64_t>(&parameters[i])) {
        fmt::format_to(std::back_inserter(text_), "{}", *integer);
      } else {
        append_quoted(std::get<std::string_view>(parameters[i]));
      }
      text_ += parts_[i + 1];
    }
    return run_text(mysql_, text_);
  }

 private:
  void append_quoted(std::string_view value) {
    text_ += '\'';
    const std::size_t begin = text_.size();
    text_.resize(begin + 2 * value.size() + 1);
    const auto length = static_cast<unsigned long>(value.size());
#if SPINDLE_MARIADB_CLIENT
    const unsigned long written = mysql_real_escape_string(mysql_, text_.data() + begin, value.data(), length);
#else
    // The older function refuses to work under NO_BACKSLASH_ESCAPES.
    const unsigned long written =
        mysql_real_escape_string_quote(mysql_, text_.data() + begin, value.data(), length, '\'');
#endif
    text_.resize(begin + written);
    text_ += '\'';
  }

  MYSQL* mysql_;
  std::string sql_;
  std::vector<std::string> parts_;
  std::string text_;
};

void send(MYSQL* mysql, std::string_view sql) {
  if (mysql_real_query(mysql, sql.data(), static_cast<unsigned long>(sql.size())) != 0) throw error_of(mysql, sql);
}

// Takes the result set at hand, or the count of changed rows. `keep` may be null.
void take_result(MYSQL* mysql, std::string_view sql, ExecuteOutcome& outcome, std::vector<Row>* keep) {
  const ResultHandle result(mysql_use_result(mysql));
  if (result == nullptr) {
    if (mysql_field_count(mysql) != 0 || mysql_errno(mysql) != 0) throw error_of(mysql, sql);
    outcome.affected += mysql_affected_rows(mysql);
    return;
  }
  const unsigned columns = mysql_num_fields(result.get());
  while (MYSQL_ROW row = mysql_fetch_row(result.get())) {
    ++outcome.rows;
    if (keep == nullptr) continue;
    const unsigned long* lengths = mysql_fetch_lengths(result.get());
    Row& kept = keep->emplace_back();
    for (unsigned i = 0; i < columns; ++i) kept.push_back(row[i] == nullptr ? "NULL" : std::string(row[i], lengths[i]));
  }
  if (mysql_errno(mysql) != 0) throw error_of(mysql, sql);
}

ExecuteOutcome run_and_keep(MYSQL* mysql, std::string_view sql, std::vector<Row>* keep) {
  send(mysql, sql);
  ExecuteOutcome outcome;
  take_result(mysql, sql, outcome, keep);
  while (mysql_more_results(mysql) != 0) {
    if (mysql_next_result(mysql) > 0) throw error_of(mysql, sql);
    take_result(mysql, sql, outcome, nullptr);
  }
  return outcome;
}

}  // namespace

std::unique_ptr<MysqlStatement> make_statement(MYSQL* mysql, PreparedMode mode, std::string_view sql) {
  if (mode == PreparedMode::text) return std::make_unique<TextStatement>(mysql, sql);
  StatementHandle handle(mysql_stmt_init(mysql));
  if (handle == nullptr) throw error_of(mysql, sql);
  if (mysql_stmt_prepare(handle.get(), sql.data(), static_cast<unsigned long>(sql.size())) != 0) {
    if (mysql_stmt_errno(handle.get()) == kUnsupportedInPrepared) return std::make_unique<TextStatement>(mysql, sql);
    throw error_of(handle.get(), mysql, sql);
  }
  return std::make_unique<ServerStatement>(mysql, std::move(handle), sql);
}

ExecuteOutcome run_text(MYSQL* mysql, std::string_view sql) { return run_and_keep(mysql, sql, nullptr); }

std::vector<Row> query_text(MYSQL* mysql, std::string_view sql) {
  std::vector<Row> rows;
  run_and_keep(mysql, sql, &rows);
  return rows;
}

}  // namespace spindle::drivers
#endif
