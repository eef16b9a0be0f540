#include "oltp/workload.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <stdexcept>

namespace spindle::oltp {

std::unique_ptr<Workload> make_workload(std::string_view name, const Options& options) {
  const WorkloadFactory* factory = WorkloadRegistry::instance().find(name);
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
  return tables;
}

}  // namespace spindle::oltp
