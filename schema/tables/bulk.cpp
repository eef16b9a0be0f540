// bulk1..N, which bulk_insert fills: empty at first, ids in ascending order.
#include <fmt/format.h>

#include <stdexcept>

#include "schema/table.h"

namespace spindle::schema {
namespace {

constexpr std::uint64_t kEmptyBytes = 128 * 1024;

std::vector<TableDefinition> define_all(const SchemaOptions& options) {
  if (options.tables == 0) throw std::invalid_argument("--tables 0: at least 1 table is needed");
  std::vector<TableDefinition> tables;
  for (std::uint32_t number = 1; number <= options.tables; ++number) {
    TableDefinition& table = tables.emplace_back();
    table.name = fmt::format("bulk{}", number);
    table.create_sql = fmt::format(
        "CREATE TABLE {} (id BIGINT NOT NULL, k INTEGER DEFAULT '0' NOT NULL, PRIMARY KEY (id)) ENGINE = {} {}",
        table.name, options.storage_engine, options.create_table_options);
    table.structure.columns = {"id bigint", "k int"};
    table.structure.indexes = {"PRIMARY (id)"};
    table.bytes_fixed = kEmptyBytes;
  }
  return tables;
}

const core::Register<TableKind> kRegistered{"bulk", TableKind{define_all}};

}  // namespace
}  // namespace spindle::schema
