#include "cli/oltp_options.h"

#include <fmt/format.h>

#include <charconv>
#include <utility>

#include "cli/values.h"

namespace spindle::cli {
namespace {

std::string a_word(const std::string& text) {
  const bool fits =
      !text.empty() &&
      text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == std::string::npos;
  return fits ? "" : fmt::format("'{}' is not allowed: give one word", text);
}

// "read_only=8,update_index=2"; a name alone has weight 1.
std::vector<oltp::MixShare> parse_mix(const std::string& text) {
  std::vector<oltp::MixShare> shares;
  for (const std::string& part : split_list(text)) {
    const std::size_t equals = part.find('=');
    oltp::MixShare share{part.substr(0, equals), 1};
    if (equals != std::string::npos) {
      const char* const end = part.data() + part.size();
      const auto [rest, error] = std::from_chars(part.data() + equals + 1, end, share.weight);
      if (error != std::errc{} || rest != end) {
        throw CLI::ValidationError("--mix",
                                   fmt::format("'{}' is not allowed: give WORKLOAD=WEIGHT,..., weights whole", part));
      }
    }
    shares.push_back(share);
  }
  return shares;
}

void add_mix(CLI::App& app, std::vector<oltp::MixShare>& mix) {
  app.add_option_function<std::string>(
         "--mix", [&mix](const std::string& text) { mix = parse_mix(text); },
         "What the workload mix consists of, with relative weights")
      ->type_name("NAME=N,...")
      ->default_str("read_only=8,update_index=2");
}

void add_keys(CLI::App& app, core::KeyDistributionOptions& keys) {
  std::vector<std::pair<std::string, core::KeyDistributionKind>> kinds;
  for (const std::string& name : core::key_distribution_names()) {
    kinds.emplace_back(name, core::parse_key_distribution(name));
  }
  add_choice(app, "--rand-type", keys.kind, kinds,
             "Distribution of the keys: uniform, special, gaussian, pareto or zipfian");
  add_count(app, "--rand-spec-iter", keys.spec_iter, {1, 1000}, "special, gaussian: numbers whose mean is one key");
  add_count(app, "--rand-spec-pct", keys.spec_pct, {1, 100}, "special: percent of the keys that are hot");
  add_count(app, "--rand-spec-res", keys.spec_res, {0, 100}, "special: percent of the accesses that go to them");
  app.add_option("--rand-pareto-h", keys.pareto_h,
                 "pareto: this share of the keys gets the share 1 - h of the accesses")
      ->check(CLI::Range(1e-9, 1 - 1e-9))
      ->type_name("H")
      ->capture_default_str();
  app.add_option("--rand-zipfian-exp", keys.zipfian_exp, "zipfian: exponent; 0 is uniform")
      ->check(CLI::Range(0.0, 10.0))
      ->type_name("X")
      ->capture_default_str();
  app.add_flag_callback(
      "--rand-zipfian-scattered", [&keys] { keys.zipfian_order = core::ZipfianOrder::scattered; },
      "zipfian: hot keys lie all over the table, not at its begin");
}

void add_classic(CLI::App& app, oltp::Options& options) {
  using oltp::ClassicMode, oltp::NontrxMode;
  add_choice<ClassicMode>(
      app, "--oltp-test-mode,--test-mode", options.test_mode,
      {{"complex", ClassicMode::complex}, {"simple", ClassicMode::simple}, {"nontrx", ClassicMode::nontrx}},
      "Of sysbench_04: complex, simple or nontrx");
  add_choice<NontrxMode>(app, "--oltp-nontrx-mode,--nontrx-mode", options.nontrx_mode,
                         {{"select", NontrxMode::select},
                          {"update_key", NontrxMode::update_key},
                          {"update_nokey", NontrxMode::update_nokey},
                          {"insert", NontrxMode::insert},
                          {"delete", NontrxMode::remove}},
                         "Of sysbench_04 in nontrx mode: select, update_key, update_nokey, insert or delete");
  app.add_flag_function(
      "--oltp-read-only,--read-only",
      [&options](std::int64_t count) {
        options.statements = count > 0 ? oltp::Statements::read_only : oltp::Statements::read_write;
      },
      "Of sysbench_04: only the SELECTs");
}

}  // namespace

void add_tables(CLI::App& app, oltp::Options& options) {
  add_count(app, "--tables", options.tables, {1, 10'000}, "Tables sbtest1 to sbtestN");
  add_count(app, "--table-size", options.table_size, {1, std::uint64_t{1} << 40U}, "Rows of each");
  add_count(app, "--status-rows", options.status_rows, {100, 2'000'000'000}, "Rows of the status table");
  app.add_option("--charset", options.charset, "Character set of the status table")->capture_default_str();
  add_count(app, "--seed,--rand-seed", options.seed, {}, "Of rows and keys; the same seed gives the same");
  add_switch(app, "--auto-inc", options.auto_inc, "Let the server give the ids of sbtest tables");
  add_switch(app, "--secondary", options.secondary, "KEY xid (id) in place of the primary key");
  add_switch(app, "--create-secondary", options.create_secondary, "An index on k");
  app.add_option("--storage-engine,--mysql-storage-engine", options.storage_engine, "Of the tables")
      ->check(a_word)
      ->type_name("NAME")
      ->capture_default_str();
  app.add_option("--create-table-options", options.create_table_options, "Appended to CREATE TABLE")->type_name("SQL");
  add_mix(app, options.mix);
}

void add_statements(CLI::App& app, oltp::Options& options) {
  add_count(app, "--point-selects", options.point_selects, {}, "SELECTs by key in a transaction");
  add_count(app, "--simple-ranges", options.simple_ranges, {}, "Range SELECTs in a transaction");
  add_count(app, "--sum-ranges", options.sum_ranges, {}, "SELECT SUM() in a transaction");
  add_count(app, "--order-ranges", options.order_ranges, {}, "SELECT ... ORDER BY in a transaction");
  add_count(app, "--distinct-ranges", options.distinct_ranges, {}, "SELECT DISTINCT in a transaction");
  add_count(app, "--range-size", options.range_size, {1, 1'000'000'000}, "Rows of a range");
  add_switch(app, "--range-selects", options.range_selects, "Off: no range SELECTs of any kind");
  add_count(app, "--random-points", options.random_points, {1, 10'000}, "Keys of one select_random_points");
  add_count(app, "--number-of-ranges", options.number_of_ranges, {1, 10'000}, "Ranges of one select_random_ranges");
  add_count(app, "--delta", options.delta, {0, 1'000'000'000}, "How far each of these goes");
  add_count(app, "--bulk-rows", options.bulk_rows, {1, 1'000'000}, "Rows of one INSERT of bulk_insert");
  add_count(app, "--index-updates", options.index_updates, {}, "UPDATEs of an indexed column in a transaction");
  add_count(app, "--non-index-updates", options.non_index_updates, {}, "UPDATEs of another column in a transaction");
  add_count(app, "--delete-inserts", options.delete_inserts, {}, "DELETE and INSERT pairs in a transaction");
  add_switch(app, "--skip-trx,--oltp-skip-trx", options.skip_trx, "No BEGIN and COMMIT");
  add_keys(app, options.keys);
  add_classic(app, options);
  add_choice<oltp::Match>(app, "--match", options.match,
                          {{"like", oltp::Match::like}, {"fulltext", oltp::Match::fulltext}},
                          "How status_mixed searches its text: LIKE '%...%', or MATCH ... AGAINST");
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
