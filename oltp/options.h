// What an OLTP run is asked to do: every field is an option of the same name (sysbench's, where sysbench has it).
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/clock.h"
#include "core/key_distribution.h"
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

// What sysbench 0.4's test does: --oltp-test-mode and --oltp-nontrx-mode.
enum class ClassicMode : std::uint8_t { simple, complex, nontrx };
enum class NontrxMode : std::uint8_t { select, update_key, update_nokey, insert, remove };
enum class Statements : std::uint8_t { read_write, read_only };

// A workload's relative share of a mix.
struct MixShare {
  std::string workload;
  std::uint32_t weight = 1;
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

  // Which keys are drawn: of all workloads on sbtest tables.
  core::KeyDistributionOptions keys;

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
  bool range_selects = true;            // off: as if the four range counts were 0
  std::uint32_t random_points = 10;     // keys of one select_random_points
  std::uint32_t number_of_ranges = 10;  // of one select_random_ranges
  std::uint64_t delta = 5;              // and how far each goes beyond its first key
  std::uint32_t bulk_rows = 10'000;     // of one INSERT of bulk_insert
  bool skip_trx = false;                // no BEGIN and COMMIT: every statement is a transaction of its own

  // Of sysbench_04.
  ClassicMode test_mode = ClassicMode::complex;
  NontrxMode nontrx_mode = NontrxMode::select;
  Statements statements = Statements::read_write;

  std::vector<MixShare> mix{{"read_only", 8}, {"update_index", 2}};  // of the workload mix

  Match match = Match::like;
  StatusWeights weights;

  // Errors.
  std::uint32_t max_retries = 100;  // of one transaction, after deadlocks and the like; then it has failed
  core::Nanoseconds max_reconnect{std::chrono::seconds(30)};  // of trying to get a lost server back; then the run fails
};

// The tables that a workload needs, with the options they depend on. Throws std::invalid_argument for an unknown name.
schema::SchemaOptions schema_options(const Options& options, std::string_view workload);

}  // namespace spindle::oltp
