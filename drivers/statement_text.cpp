#include "drivers/statement_text.h"

#include <cctype>

namespace spindle::drivers {
namespace {

// The position after the quoted text that opens at `at`. A doubled quote opens the next quoted text by itself.
std::size_t skip_quoted(std::string_view sql, std::size_t at) {
  const char quote = sql[at];
  for (++at; at < sql.size(); ++at) {
    if (sql[at] == '\\' && quote != '`') {
      ++at;
    } else if (sql[at] == quote) {
      return at + 1;
    }
  }
  return sql.size();
}

std::size_t skip_to_after(std::string_view sql, std::size_t at, std::string_view end) {
  const std::size_t found = sql.find(end, at);
  return found == std::string_view::npos ? sql.size() : found + end.size();
}

// MySQL takes "--" for a comment only before white space or the end.
bool opens_dash_comment(std::string_view sql, std::size_t at) {
  if (sql.substr(at, 2) != "--") return false;
  return at + 2 == sql.size() || std::isspace(static_cast<unsigned char>(sql[at + 2])) != 0;
}

// The position after what starts at `at` and cannot hold a placeholder; `at` itself when nothing such starts there.
std::size_t skip_opaque(std::string_view sql, std::size_t at) {
  const char first = sql[at];
  if (first == '\'' || first == '"' || first == '`') return skip_quoted(sql, at);
  if (first == '#' || opens_dash_comment(sql, at)) return skip_to_after(sql, at, "\n");
  if (sql.substr(at, 2) == "/*") return skip_to_after(sql, at + 2, "*/");
  return at;
}

}  // namespace

std::vector<std::string> split_at_placeholders(std::string_view sql) {
  std::vector<std::string> parts;
  std::size_t part_begin = 0;
  std::size_t at = 0;
  while (at < sql.size()) {
    const std::size_t after = skip_opaque(sql, at);
    if (after > at) {
      at = after;
      continue;
    }
    if (sql[at] == '?') {
      parts.emplace_back(sql.substr(part_begin, at - part_begin));
      part_begin = at + 1;
    }
    ++at;
  }
  parts.emplace_back(sql.substr(part_begin));
  return parts;
}

}  // namespace spindle::drivers
