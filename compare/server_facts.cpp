#include "compare/server_facts.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <set>
#include <string>

namespace spindle::compare {
namespace {

const std::set<std::string>& variables_of_interest() {
  static const std::set<std::string> names = {
      // durability
      "innodb_flush_log_at_trx_commit", "sync_binlog", "log_bin", "innodb_doublewrite", "innodb_flush_method",
      "innodb_use_fdatasync",
      // memory and disk
      "innodb_buffer_pool_size", "innodb_buffer_pool_instances", "innodb_page_size", "innodb_io_capacity",
      "innodb_io_capacity_max", "innodb_flush_neighbors", "innodb_read_io_threads", "innodb_write_io_threads",
      "innodb_use_native_aio", "innodb_log_file_size", "innodb_redo_log_capacity", "innodb_change_buffering",
      "innodb_adaptive_hash_index", "innodb_page_cleaners", "innodb_purge_threads",
      // the rest that moves figures
      "innodb_autoinc_lock_mode", "transaction_isolation", "tx_isolation", "max_connections", "thread_handling",
      "performance_schema", "query_cache_type", "character_set_server", "sql_mode", "version", "version_comment"};
  return names;
}

}  // namespace

results::Settings server_variables(drivers::Session& session) {
  results::Settings variables;
  for (const drivers::Row& row : session.query("SHOW GLOBAL VARIABLES")) {
    if (row.size() >= 2 && variables_of_interest().contains(row[0])) variables[row[0]] = row[1];
  }
  return variables;
}

bool counts_rows(const schema::SchemaOptions& tables) {
  return std::find(tables.kinds.begin(), tables.kinds.end(), "status") != tables.kinds.end();
}

void hurry_shutdown(const drivers::Driver& driver, const drivers::ConnectionOptions& connection) noexcept {
  try {
    driver.connect(connection)->run("SET GLOBAL innodb_fast_shutdown = 2");
  } catch (const std::exception& error) {
    spdlog::debug("the shutdown will flush all pages: {}", error.what());
  }
}

}  // namespace spindle::compare
