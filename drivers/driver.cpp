#include "drivers/driver.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace spindle::drivers {
namespace {

constexpr std::size_t kStatementKept = 1000;  // characters that a DbError keeps of a statement
constexpr std::size_t kStatementShown = 200;  // characters of it in the one-line message
constexpr std::size_t kMessageKept = 1000;

// Cuts by whole UTF-8 characters, so that a message stays printable.
std::string cut(std::string_view text, std::size_t limit) {
  if (text.size() <= limit) return std::string(text);
  while (limit > 0 && (static_cast<unsigned char>(text[limit]) & 0xC0U) == 0x80U) --limit;
  return std::string(text.substr(0, limit)) + "...";
}

std::string one_line(unsigned number, const std::string& sqlstate, const std::string& message,
                     const std::string& statement) {
  std::string text = fmt::format("{} (error {}, SQLSTATE {})", cut(message, kMessageKept), number, sqlstate);
  if (!statement.empty()) text += fmt::format(" in: {}", cut(statement, kStatementShown));
  for (char& character : text) {
    if (character == '\n' || character == '\r') character = ' ';
  }
  return text;
}

}  // namespace

DbError::DbError(unsigned number, std::string sqlstate, const std::string& message, std::string statement)
    : std::runtime_error(one_line(number, sqlstate, message, statement)),
      number_(number),
      sqlstate_(std::move(sqlstate)),
      statement_(cut(statement, kStatementKept)) {}

ExecuteOutcome Session::load_data(std::string_view sql, const ByteSource&) {
  throw DbError(0, "HY000", "this driver cannot load data from memory", std::string(sql));
}

std::unique_ptr<Driver> make_driver(std::string_view name) {
  const auto& registry = DriverRegistry::instance();
  if (const DriverFactory* factory = registry.find(name)) return (*factory)();
  throw std::invalid_argument(fmt::format("no driver '{}': built in are {}", name, fmt::join(registry.names(), ", ")));
}

}  // namespace spindle::drivers
