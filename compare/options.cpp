#include "compare/options.h"

#include <algorithm>

namespace spindle::compare {

Options::Options() {
  oltp.tables = 4;
  oltp.table_size = 500'000;
  oltp.status_rows = 10'000;
  files.file_num = 8;
  files.total_bytes = 1ULL << 30;
}

schema::SchemaOptions Options::schema() const {
  schema::SchemaOptions all;
  all.kinds.clear();
  for (const std::string& workload : workloads) {
    schema::SchemaOptions needed = oltp::schema_options(oltp, workload);
    std::swap(needed.kinds, all.kinds);
    for (const std::string& kind : all.kinds) {
      if (std::find(needed.kinds.begin(), needed.kinds.end(), kind) == needed.kinds.end()) needed.kinds.push_back(kind);
    }
    all = std::move(needed);
  }
  all.threads = load_threads;
  return all;
}

void make_quick(Options& options) {
  options.time = std::chrono::seconds(1);
  options.warmup = std::chrono::milliseconds(250);
  options.oltp.table_size = 125'000;
  options.oltp.status_rows = 5'000;
  options.buffer_pool_bytes = 32ULL << 20;
  options.files.total_bytes = 256ULL << 20;
}

}  // namespace spindle::compare
