// sbtest1..N, as sysbench 1.0 makes them.
#include "schema/tables/sbtest.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>

#include "schema/table.h"

namespace spindle::schema {
namespace {

// Measured: 4 tables of 250,000 rows take 257 MB in InnoDB, the secondary index included.
constexpr std::uint64_t kBytesPerRow = 257;
constexpr std::uint64_t kEmptyBytes = 128 * 1024;
constexpr std::uint64_t kLargestInteger = 2'147'483'647;  // beyond it id and k are BIGINT
constexpr std::uint64_t kMostRows = std::uint64_t{1} << 40U;

void append_row(std::uint64_t table_seed, std::uint64_t table_size, std::uint64_t id, std::string& sql) {
  core::Random random(table_seed, id);
  const std::uint64_t k = 1 + random.below(table_size);
  std::array<char, kCLength> c;
  std::array<char, kPadLength> pad;
  write_digit_groups(random, c);
  write_digit_groups(random, pad);
  fmt::format_to(std::back_inserter(sql), "({},{},'", id, k);
  sql.append(c.data(), c.size()).append("','").append(pad.data(), pad.size()).append("')");
}

TableDefinition define(const SchemaOptions& options, std::uint32_t number) {
  TableDefinition table;
  table.name = fmt::format("sbtest{}", number);
  table.rows = options.table_size;
  const bool large = options.table_size > kLargestInteger;
  const std::string_view type = large ? "BIGINT" : "INTEGER";
  const std::string_view key = options.secondary ? "KEY xid (id)" : "PRIMARY KEY (id)";
  table.create_sql = fmt::format(
      "CREATE TABLE {} (id {} NOT NULL{}, k {} DEFAULT '0' NOT NULL, c CHAR(120) DEFAULT '' NOT NULL, pad CHAR(60) "
      "DEFAULT '' NOT NULL, {}) ENGINE = {}",
      table.name, type, options.auto_inc ? " AUTO_INCREMENT" : "", type, key, options.storage_engine);
  if (!options.create_table_options.empty()) table.create_sql += ' ' + options.create_table_options;
  if (options.create_secondary) {
    table.index_sql = {fmt::format("CREATE INDEX k_{} ON {} (k)", number, table.name)};
  }
  table.insert_sql = fmt::format("INSERT INTO {} (id, k, c, pad) VALUES ", table.name);
  const std::string secondary = fmt::format("k_{} (k)", number);
  const std::string integer = large ? "bigint" : "int";
  table.structure.columns = {fmt::format("id {}{}", integer, options.auto_inc ? " auto_increment" : ""), "k " + integer,
                             "c char(120)", "pad char(60)"};
  const std::string primary = "PRIMARY (id)", plain = "xid (id)";
  table.structure.indexes = {options.secondary ? plain : primary};
  if (options.create_secondary) table.structure.indexes.push_back(secondary);
  std::sort(table.structure.indexes.begin(), table.structure.indexes.end());
  // What other options make, and an interrupted load leaves.
  table.also_known_indexes = {{primary, secondary}, {primary}, {secondary, plain}, {plain}};
  table.bytes_per_row = kBytesPerRow;
  table.bytes_fixed = kEmptyBytes;
  const std::uint64_t table_seed = core::split_mix(options.seed) + core::split_mix(0x5B7E57'0000ULL + number);
  table.append_row = [table_seed, size = options.table_size](std::uint64_t id, std::string& sql) {
    append_row(table_seed, size, id, sql);
  };
  return table;
}

std::vector<TableDefinition> define_all(const SchemaOptions& options) {
  if (options.tables == 0) throw std::invalid_argument("--tables 0: at least 1 table is needed");
  if (options.table_size == 0 || options.table_size > kMostRows) {
    throw std::invalid_argument(
        fmt::format("--table-size {}: from 1 to {} rows are possible", options.table_size, kMostRows));
  }
  std::vector<TableDefinition> tables;
  for (std::uint32_t number = 1; number <= options.tables; ++number) tables.push_back(define(options, number));
  return tables;
}

const core::Register<TableKind> kRegistered{"sbtest", TableKind{define_all}};

}  // namespace
}  // namespace spindle::schema
