#include "compare/settings.h"

#include <fmt/format.h>

#include "core/clock.h"

namespace spindle::compare {
namespace {

std::string text(std::uint64_t value) { return fmt::format("{}", value); }

std::string text_of(fileio::SyncScope scope) {
  switch (scope) {
    case fileio::SyncScope::dirty:
      return "dirty";
    case fileio::SyncScope::written:
      return "written";
    case fileio::SyncScope::all:
      return "all";
  }
  return "";
}

std::string text_of(fileio::WriteThrough mode) {
  switch (mode) {
    case fileio::WriteThrough::none:
      return "none";
    case fileio::WriteThrough::dsync:
      return "dsync";
    case fileio::WriteThrough::sync:
      return "sync";
  }
  return "";
}

std::string text_of(oltp::ClassicMode mode) {
  switch (mode) {
    case oltp::ClassicMode::simple:
      return "simple";
    case oltp::ClassicMode::complex:
      return "complex";
    case oltp::ClassicMode::nontrx:
      return "nontrx";
  }
  return "";
}

std::string text_of(oltp::NontrxMode mode) {
  switch (mode) {
    case oltp::NontrxMode::select:
      return "select";
    case oltp::NontrxMode::update_key:
      return "update_key";
    case oltp::NontrxMode::update_nokey:
      return "update_nokey";
    case oltp::NontrxMode::insert:
      return "insert";
    case oltp::NontrxMode::remove:
      return "delete";
  }
  return "";
}

std::string text_of(const std::vector<oltp::MixShare>& mix) {
  std::string all;
  for (const oltp::MixShare& share : mix) {
    all += fmt::format("{}{}={}", all.empty() ? "" : ",", share.workload, share.weight);
  }
  return all;
}

}  // namespace

results::Settings settings_of(const oltp::Options& options) {
  const oltp::StatusWeights& weights = options.weights;
  return {{"tables", text(options.tables)},
          {"table_size", text(options.table_size)},
          {"status_rows", text(options.status_rows)},
          {"charset", options.charset},
          {"seed", text(options.seed)},
          {"keys", options.keys.describe()},
          {"auto_inc", options.auto_inc ? "on" : "off"},
          {"secondary", options.secondary ? "on" : "off"},
          {"create_secondary", options.create_secondary ? "on" : "off"},
          {"storage_engine", options.storage_engine},
          {"create_table_options", options.create_table_options},
          {"range_selects", options.range_selects ? "on" : "off"},
          {"random_points", text(options.random_points)},
          {"number_of_ranges", text(options.number_of_ranges)},
          {"delta", text(options.delta)},
          {"bulk_rows", text(options.bulk_rows)},
          {"oltp_test_mode", text_of(options.test_mode)},
          {"oltp_nontrx_mode", text_of(options.nontrx_mode)},
          {"oltp_read_only", options.statements == oltp::Statements::read_only ? "on" : "off"},
          {"mix", text_of(options.mix)},
          {"point_selects", text(options.point_selects)},
          {"simple_ranges", text(options.simple_ranges)},
          {"sum_ranges", text(options.sum_ranges)},
          {"order_ranges", text(options.order_ranges)},
          {"distinct_ranges", text(options.distinct_ranges)},
          {"index_updates", text(options.index_updates)},
          {"non_index_updates", text(options.non_index_updates)},
          {"delete_inserts", text(options.delete_inserts)},
          {"range_size", text(options.range_size)},
          {"skip_trx", options.skip_trx ? "on" : "off"},
          {"match", options.match == oltp::Match::like ? "like" : "fulltext"},
          {"weight_insert", text(weights.insert)},
          {"weight_update_by_id", text(weights.update_by_id)},
          {"weight_update_by_match", text(weights.update_by_match)},
          {"weight_delete_by_id", text(weights.delete_by_id)},
          {"weight_delete_by_time", text(weights.delete_by_time)},
          {"weight_select_by_time", text(weights.select_by_time)},
          {"weight_select_by_id", text(weights.select_by_id)},
          {"weight_select_by_match", text(weights.select_by_match)},
          {"weight_select_by_uid", text(weights.select_by_uid)},
          {"max_retries", text(options.max_retries)},
          {"max_reconnect_s", fmt::format("{:g}", core::to_seconds(options.max_reconnect))}};
}

results::Settings settings_of(const fileio::Options& options) {
  return {{"file_total_size", text(options.total_bytes)},
          {"file_num", text(options.file_num)},
          {"file_block_size", text(options.block_bytes)},
          {"file_rw_ratio", fmt::format("{:g}", options.read_write_ratio)},
          {"file_fsync_freq", text(options.sync_frequency)},
          {"file_fsync_mode", options.sync_call == fileio::SyncCall::fsync ? "fsync" : "fdatasync"},
          {"file_fsync_scope", text_of(options.sync_scope)},
          {"file_fsync_end", options.sync_at_end == fileio::SyncAtEnd::yes ? "on" : "off"},
          {"file_write_through", text_of(options.write_through)},
          {"file_caching", options.caching == fileio::Caching::direct ? "direct" : "buffered"},
          {"engine", options.engine},
          {"iodepth", text(options.iodepth)}};
}

}  // namespace spindle::compare
