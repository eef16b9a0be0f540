#include "cli/oltp_options.h"

#include "cli/values.h"

namespace spindle::cli {

void add_tables(CLI::App& app, oltp::Options& options) {
  add_count(app, "--tables", options.tables, {1, 10'000}, "Tables sbtest1 to sbtestN");
  add_count(app, "--table-size", options.table_size, {1, 2'000'000'000}, "Rows of each");
  add_count(app, "--status-rows", options.status_rows, {100, 2'000'000'000}, "Rows of the status table");
  app.add_option("--charset", options.charset, "Character set of the status table")->capture_default_str();
  add_count(app, "--seed", options.seed, {}, "Of rows and keys; the same seed gives the same");
}

void add_statements(CLI::App& app, oltp::Options& options) {
  add_count(app, "--point-selects", options.point_selects, {}, "SELECTs by key in a transaction");
  add_count(app, "--simple-ranges", options.simple_ranges, {}, "Range SELECTs in a transaction");
  add_count(app, "--sum-ranges", options.sum_ranges, {}, "SELECT SUM() in a transaction");
  add_count(app, "--order-ranges", options.order_ranges, {}, "SELECT ... ORDER BY in a transaction");
  add_count(app, "--distinct-ranges", options.distinct_ranges, {}, "SELECT DISTINCT in a transaction");
  add_count(app, "--range-size", options.range_size, {1, 1'000'000'000}, "Rows of a range");
  add_count(app, "--index-updates", options.index_updates, {}, "UPDATEs of an indexed column in a transaction");
  add_count(app, "--non-index-updates", options.non_index_updates, {}, "UPDATEs of another column in a transaction");
  add_count(app, "--delete-inserts", options.delete_inserts, {}, "DELETE and INSERT pairs in a transaction");
  app.add_flag("--skip-trx", options.skip_trx, "No BEGIN and COMMIT");
  app.add_option_function<std::string>(
         "--match",
         [&options](const std::string& how) {
           options.match = how == "like" ? oltp::Match::like : oltp::Match::fulltext;
         },
         "How status_mixed searches its text: LIKE '%...%', or MATCH ... AGAINST")
      ->check(CLI::IsMember({"like", "fulltext"}))
      ->default_str("like");
  oltp::StatusWeights& weights = options.weights;
  add_count(app, "--weight-insert", weights.insert, {}, "Share of status_mixed: INSERT");
  add_count(app, "--weight-update-by-id", weights.update_by_id, {}, "UPDATE by primary key");
  add_count(app, "--weight-update-by-match", weights.update_by_match, {}, "UPDATE by text");
  add_count(app, "--weight-delete-by-id", weights.delete_by_id, {}, "DELETE by primary key");
  add_count(app, "--weight-delete-by-time", weights.delete_by_time, {}, "DELETE WHERE time > n");
  add_count(app, "--weight-select-by-time", weights.select_by_time, {}, "SELECT WHERE time > n");
  add_count(app, "--weight-select-by-id", weights.select_by_id, {}, "SELECT by primary key");
  add_count(app, "--weight-select-by-match", weights.select_by_match, {}, "SELECT by text");
  add_count(app, "--weight-select-by-uid", weights.select_by_uid, {}, "SELECT WHERE uid > n");
  add_count(app, "--max-retries", options.max_retries, {}, "Of one transaction after deadlocks and the like");
  add_duration(app, "--max-reconnect", options.max_reconnect, "A lost server may be away so long");
}

}  // namespace spindle::cli
