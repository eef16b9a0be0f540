#include "oltp/workload.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <stdexcept>

namespace spindle::oltp {

std::string canonical_workload(std::string_view name) {
  constexpr std::string_view kPrefix = "oltp_";
  const std::string_view rest = name.starts_with(kPrefix) ? name.substr(kPrefix.size()) : name;
  return std::string(WorkloadRegistry::instance().find(rest) == nullptr ? name : rest);
}

std::unique_ptr<Workload> make_workload(std::string_view name, const Options& options) {
  const WorkloadFactory* factory = WorkloadRegistry::instance().find(canonical_workload(name));
  if (factory == nullptr) {
    throw std::invalid_argument(fmt::format("no workload is called '{}': there are {}", name,
                                            fmt::join(WorkloadRegistry::instance().names(), ", ")));
  }
  return (*factory)(options);
}

schema::SchemaOptions schema_options(const Options& options, std::string_view workload) {
  schema::SchemaOptions tables;
  tables.kinds = make_workload(workload, options)->table_kinds();
  tables.tables = options.tables;
  tables.table_size = options.table_size;
  tables.status_rows = options.status_rows;
  tables.charset = options.charset;
  tables.seed = options.seed;
  tables.auto_inc = options.auto_inc;
  tables.secondary = options.secondary;
  tables.create_secondary = options.create_secondary;
  tables.storage_engine = options.storage_engine;
  tables.create_table_options = options.create_table_options;
  return tables;
}

}  // namespace spindle::oltp
