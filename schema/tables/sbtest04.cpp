// The one table `sbtest` of sysbench 0.4: every row has the same k, c and pad, so it compresses and caches unlike any
// real one; it is here so that old reports can be repeated.
#include <fmt/format.h>

#include <iterator>
#include <stdexcept>

#include "schema/table.h"

namespace spindle::schema {
namespace {

// Measured: 300,000 rows take 80 MB in InnoDB, the secondary index included.
constexpr std::uint64_t kBytesPerRow = 265;
constexpr std::uint64_t kEmptyBytes = 128 * 1024;
constexpr std::uint64_t kLargestId = 4'294'967'295;  // the id is an INTEGER UNSIGNED

std::vector<TableDefinition> define_all(const SchemaOptions& options) {
  if (options.table_size == 0 || options.table_size > kLargestId) {
    throw std::invalid_argument(
        fmt::format("--table-size {}: from 1 to {} rows are possible", options.table_size, kLargestId));
  }
  TableDefinition table;
  table.name = "sbtest";
  table.rows = options.table_size;
  table.create_sql = fmt::format(
      "CREATE TABLE sbtest (id INTEGER UNSIGNED NOT NULL AUTO_INCREMENT, k INTEGER UNSIGNED DEFAULT '0' NOT NULL, c "
      "CHAR(120) DEFAULT '' NOT NULL, pad CHAR(60) DEFAULT '' NOT NULL, PRIMARY KEY (id)) ENGINE = {} {}",
      options.storage_engine, options.create_table_options);
  table.index_sql = {"CREATE INDEX k ON sbtest (k)"};
  table.insert_sql = "INSERT INTO sbtest (id, k, c, pad) VALUES ";
  table.structure.columns = {"id int unsigned auto_increment", "k int unsigned", "c char(120)", "pad char(60)"};
  table.structure.indexes = {"PRIMARY (id)", "k (k)"};
  table.also_known_indexes = {{"PRIMARY (id)"}};
  table.bytes_per_row = kBytesPerRow;
  table.bytes_fixed = kEmptyBytes;
  table.append_row = [](std::uint64_t id, std::string& sql) {
    fmt::format_to(std::back_inserter(sql), "({},0,' ','qqqqqqqqqqwwwwwwwwwweeeeeeeeeerrrrrrrrrrtttttttttt')", id);
  };
  return {table};
}

const core::Register<TableKind> kRegistered{"sbtest04", TableKind{define_all}};

}  // namespace
}  // namespace spindle::schema
