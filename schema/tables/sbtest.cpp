// sbtest1..N, as sysbench 1.0 makes them.
#include "schema/tables/sbtest.h"

#include <fmt/format.h>

#include <iterator>
#include <stdexcept>

#include "schema/table.h"

namespace spindle::schema {
namespace {

// Measured: 4 tables of 250,000 rows take 257 MB in InnoDB, the secondary index included.
constexpr std::uint64_t kBytesPerRow = 257;
constexpr std::uint64_t kEmptyBytes = 128 * 1024;
constexpr std::uint64_t kLargestId = 2'147'483'647;  // the id is an INTEGER

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
  table.create_sql = fmt::format(
      "CREATE TABLE {} (id INTEGER NOT NULL AUTO_INCREMENT, k INTEGER DEFAULT '0' NOT NULL, c CHAR(120) DEFAULT '' NOT "
      "NULL, pad CHAR(60) DEFAULT '' NOT NULL, PRIMARY KEY (id)) ENGINE = innodb",
      table.name);
  table.index_sql = {fmt::format("CREATE INDEX k_{} ON {} (k)", number, table.name)};
  table.insert_sql = fmt::format("INSERT INTO {} (id, k, c, pad) VALUES ", table.name);
  const std::string secondary = fmt::format("k_{} (k)", number);
  table.structure.columns = {"id int auto_increment", "k int", "c char(120)", "pad char(60)"};
  table.structure.indexes = {"PRIMARY (id)", secondary};
  // sysbench's create_secondary=off, and secondary=on with and without it.
  table.also_known_indexes = {{"PRIMARY (id)"}, {secondary, "xid (id)"}, {"xid (id)"}};
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
  if (options.table_size == 0 || options.table_size > kLargestId) {
    throw std::invalid_argument(
        fmt::format("--table-size {}: from 1 to {} rows are possible", options.table_size, kLargestId));
  }
  std::vector<TableDefinition> tables;
  for (std::uint32_t number = 1; number <= options.tables; ++number) tables.push_back(define(options, number));
  return tables;
}

const core::Register<TableKind> kRegistered{"sbtest", TableKind{define_all}};

}  // namespace
}  // namespace spindle::schema
