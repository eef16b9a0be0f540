#include "schema/check.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>

#include "core/units.h"

namespace spindle::schema {
namespace {

constexpr unsigned kUnknownDatabase = 1049;
constexpr std::string_view kAutoIncrement = " auto_increment";
constexpr std::string_view kLargeInteger = " bigint";

std::uint64_t number(const std::string& text) { return text == "NULL" ? 0 : std::stoull(text); }

// "int(11) unsigned" -> "int unsigned": newer servers leave the display width out.
std::string without_display_width(std::string type) {
  const std::size_t open = type.find('(');
  if (open != std::string::npos && type.find("int") < open) type.erase(open, type.find(')') - open + 1);
  return type;
}

std::string joined(const std::vector<std::string>& parts) { return fmt::format("{}", fmt::join(parts, ", ")); }

bool is_ours(const TableDefinition& table, const Structure& found) {
  // auto_inc=off makes the same columns without it, and a very large table has BIGINT for INTEGER.
  const auto plain = [](std::vector<std::string> columns) {
    for (std::string& column : columns) {
      if (column.ends_with(kAutoIncrement)) column.resize(column.size() - kAutoIncrement.size());
      if (column.ends_with(kLargeInteger))
        column.replace(column.size() - kLargeInteger.size(), std::string::npos, " int");
    }
    return columns;
  };
  if (plain(found.columns) != plain(table.structure.columns)) return false;
  return found.indexes == table.structure.indexes ||
         std::find(table.also_known_indexes.begin(), table.also_known_indexes.end(), found.indexes) !=
             table.also_known_indexes.end();
}

// Rows with ids 1 to N are the ones that were loaded; runs that insert leave others above and below.
std::string count_problem(drivers::Session& session, const TableDefinition& table, std::vector<std::string>* notes) {
  const drivers::Row row =
      session
          .query(fmt::format("SELECT COUNT(*), COALESCE(SUM(id BETWEEN 1 AND {}), 0) FROM {}", table.rows, table.name))
          .at(0);
  const std::uint64_t total = number(row.at(0));
  const std::uint64_t wanted = number(row.at(1));
  if (wanted == table.rows) {
    if (total > wanted && notes != nullptr) {
      notes->push_back(fmt::format("table '{}' has {} more rows than prepared, and all {} that were", table.name,
                                   core::format_count(total - wanted), core::format_count(wanted)));
    }
    return {};
  }
  return fmt::format(
      "table '{}' has {} rows, {} of the {} wanted: run 'spindle oltp cleanup' and 'spindle oltp prepare', or give the "
      "options it was prepared with",
      table.name, core::format_count(total), core::format_count(wanted), core::format_count(table.rows));
}

std::string highest_id_problem(drivers::Session& session, const TableDefinition& table) {
  const std::uint64_t highest = number(session.query("SELECT MAX(id) FROM " + table.name).at(0).at(0));
  if (highest >= table.rows) return {};
  return fmt::format(
      "table '{}' ends at id {}, and {} rows are wanted: prepare it again ('spindle oltp cleanup', 'spindle oltp "
      "prepare'), or give the options it was prepared with",
      table.name, core::format_count(highest), core::format_count(table.rows));
}

std::string problem_of(drivers::Session& session, const TableDefinition& table, CheckDepth depth,
                       std::vector<std::string>* notes) {
  const std::optional<Structure> found = read_structure(session, table.name);
  if (!found) return fmt::format("table '{}' is missing: run 'spindle oltp prepare' first", table.name);
  if (found->columns != table.structure.columns) {
    return fmt::format(
        "table '{}' has the columns ({}) instead of ({}): give the options it was prepared with, use another "
        "--database, or remove the table",
        table.name, joined(found->columns), joined(table.structure.columns));
  }
  if (found->indexes != table.structure.indexes) {
    return fmt::format(
        "table '{}' has the indexes [{}] instead of [{}]: give the options it was prepared with, or run 'spindle oltp "
        "cleanup' and 'spindle oltp prepare'",
        table.name, joined(found->indexes), joined(table.structure.indexes));
  }
  return depth == CheckDepth::row_counts ? count_problem(session, table, notes) : highest_id_problem(session, table);
}

}  // namespace

std::optional<Structure> read_structure(drivers::Session& session, const std::string& table) {
  const auto tables = session.query(fmt::format(
      "SELECT TABLE_TYPE FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = '{}'", table));
  if (tables.empty()) return std::nullopt;
  if (tables.at(0).at(0) != "BASE TABLE") return Structure{{"view"}, {}};

  Structure structure;
  for (const drivers::Row& row : session.query(fmt::format(
           "SELECT COLUMN_NAME, COLUMN_TYPE, EXTRA FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = DATABASE() AND "
           "TABLE_NAME = '{}' ORDER BY ORDINAL_POSITION",
           table))) {
    const bool counts_up = row.at(2).find("auto_increment") != std::string::npos;
    structure.columns.push_back(
        fmt::format("{} {}{}", row.at(0), without_display_width(row.at(1)), counts_up ? kAutoIncrement : ""));
  }
  for (const drivers::Row& row : session.query(fmt::format(
           "SELECT INDEX_NAME, MIN(INDEX_TYPE), GROUP_CONCAT(COLUMN_NAME ORDER BY SEQ_IN_INDEX) FROM "
           "information_schema.STATISTICS WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = '{}' GROUP BY INDEX_NAME",
           table))) {
    structure.indexes.push_back(
        fmt::format("{} ({}){}", row.at(0), row.at(2), row.at(1) == "FULLTEXT" ? " fulltext" : ""));
  }
  std::sort(structure.indexes.begin(), structure.indexes.end());
  return structure;
}

std::vector<std::string> check(drivers::Session& session, const SchemaOptions& options, CheckDepth depth,
                               std::vector<std::string>* notes) {
  std::vector<std::string> problems;
  for (const TableDefinition& table : define_tables(options)) {
    std::string problem = problem_of(session, table, depth, notes);
    if (!problem.empty()) problems.push_back(std::move(problem));
  }
  return problems;
}

std::vector<std::string> cleanup(drivers::Session& session, const SchemaOptions& options) {
  std::vector<std::string> names;
  for (const TableDefinition& table : define_tables(options)) {
    const std::optional<Structure> found = read_structure(session, table.name);
    if (!found) continue;
    if (!is_ours(table, *found)) {
      throw std::runtime_error(
          fmt::format("table '{}' was made by neither spindle nor sysbench (its columns are ({}), its indexes [{}]): "
                      "nothing was dropped; drop it yourself, or use another --database",
                      table.name, joined(found->columns), joined(found->indexes)));
    }
    names.push_back(table.name);
  }
  for (const std::string& name : names) session.run("DROP TABLE " + name);
  return names;
}

std::map<std::string, std::uint64_t> count_rows(drivers::Session& session, const SchemaOptions& options) {
  std::map<std::string, std::uint64_t> counts;
  for (const TableDefinition& table : define_tables(options)) {
    counts[table.name] = number(session.query("SELECT COUNT(*) FROM " + table.name).at(0).at(0));
  }
  return counts;
}

std::unique_ptr<drivers::Session> connect(const drivers::Driver& driver, const drivers::ConnectionOptions& options,
                                          const core::StopRequest* cancel) {
  if (options.database.empty()) throw std::runtime_error("no database is named: give one with --database");
  try {
    return driver.connect(options, cancel);
  } catch (const drivers::DbError& error) {
    if (error.number() != kUnknownDatabase) throw;
    throw std::runtime_error(
        fmt::format("cannot use {}: the database does not exist; create it first: CREATE DATABASE {}",
                    options.describe(), options.database));
  }
}

}  // namespace spindle::schema
