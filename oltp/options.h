// What an OLTP run is asked to do: every field is an option of the same name (sysbench's, where sysbench has it).
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/clock.h"
#include "schema/table.h"

namespace spindle::oltp {

// How status_mixed looks for a word in the status column.
enum class Match : std::uint8_t { like, fulltext };

// Relative shares of status_mixed's statements; 0 leaves one out. The default has two inserts because each of the two
// DELETEs removes about one row: the mix balances by itself.
struct StatusWeights {
  std::uint32_t insert = 2;
  std::uint32_t update_by_id = 1;
  std::uint32_t update_by_match = 1;
  std::uint32_t delete_by_id = 1;
  std::uint32_t delete_by_time = 1;
  std::uint32_t select_by_time = 1;
  std::uint32_t select_by_id = 1;
  std::uint32_t select_by_match = 1;
  std::uint32_t select_by_uid = 1;
};

struct Options {
  // The data set.
  std::uint32_t tables = 1;
  std::uint64_t table_size = 10'000;
  std::uint64_t status_rows = 100'000;
  std::string charset = "cp1251";  // of the status table
  std::uint64_t seed = 1;          // of the rows and of the keys
  // Of sbtest1..N, as in schema::SchemaOptions.
  bool auto_inc = true;
  bool secondary = false;
  bool create_secondary = true;
  std::string storage_engine = "innodb";
  std::string create_table_options;

  // Statements of one transaction.
  std::uint32_t point_selects = 10;
  std::uint32_t simple_ranges = 1;
  std::uint32_t sum_ranges = 1;
  std::uint32_t order_ranges = 1;
  std::uint32_t distinct_ranges = 1;
  std::uint32_t index_updates = 1;
  std::uint32_t non_index_updates = 1;
  std::uint32_t delete_inserts = 1;
  std::uint64_t range_size = 100;
  bool skip_trx = false;  // no BEGIN and COMMIT: every statement is a transaction of its own

  Match match = Match::like;
  StatusWeights weights;

  // Errors.
  std::uint32_t max_retries = 100;  // of one transaction, after deadlocks and the like; then it has failed
  core::Nanoseconds max_reconnect{std::chrono::seconds(30)};  // of trying to get a lost server back; then the run fails
};

// The tables that a workload needs, with the options they depend on. Throws std::invalid_argument for an unknown name.
schema::SchemaOptions schema_options(const Options& options, std::string_view workload);

}  // namespace spindle::oltp
