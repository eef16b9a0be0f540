#include "schema/table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <stdexcept>

namespace spindle::schema {

std::vector<TableDefinition> define_tables(const SchemaOptions& options) {
  std::vector<TableDefinition> tables;
  for (const std::string& name : options.kinds) {
    const TableKind* kind = TableKinds::instance().find(name);
    if (kind == nullptr) {
      throw std::invalid_argument(fmt::format("no table kind is called '{}': there are {}", name,
                                              fmt::join(TableKinds::instance().names(), ", ")));
    }
    for (TableDefinition& table : kind->define(options)) tables.push_back(std::move(table));
  }
  return tables;
}

std::uint64_t data_bytes(const SchemaOptions& options) {
  std::uint64_t bytes = 0;
  for (const TableDefinition& table : define_tables(options)) {
    bytes += table.bytes_fixed + table.rows * table.bytes_per_row;
  }
  return bytes;
}

}  // namespace spindle::schema
