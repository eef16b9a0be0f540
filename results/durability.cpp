#include "results/durability.h"

#include <fmt/format.h>

#include <algorithm>

namespace spindle::results {
namespace {

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c); });
  return text;
}

bool is_off(const std::string& value) { return value == "0" || lower(value) == "off"; }

}  // namespace

std::string variable(const Settings& variables, const std::string& name) {
  const auto found = variables.find(name);
  return found == variables.end() ? std::string() : found->second;
}

std::vector<std::string> relaxed_settings(const Settings& variables) {
  std::vector<std::string> relaxed;
  const auto add = [&](const char* name, const char* meaning) {
    relaxed.push_back(fmt::format("{}={}: {}", name, variable(variables, name), meaning));
  };
  const std::string flush = variable(variables, "innodb_flush_log_at_trx_commit");
  if (flush == "0") add("innodb_flush_log_at_trx_commit", "the log is written and flushed once a second only");
  // 3 is MariaDB's: flushed at prepare and at commit, so it is as durable as 1.
  if (flush == "2") add("innodb_flush_log_at_trx_commit", "the log is flushed once a second, not at commit");
  const std::string binlog = variable(variables, "log_bin");
  const std::string sync = variable(variables, "sync_binlog");
  if (!binlog.empty() && !is_off(binlog) && !sync.empty() && sync != "1") {
    add("sync_binlog", "the binary log is not flushed at each commit");
  }
  const std::string doublewrite = variable(variables, "innodb_doublewrite");
  // DETECT_ONLY (MySQL 8.0.30) writes no page contents to the doublewrite buffer.
  if (!doublewrite.empty() && (is_off(doublewrite) || lower(doublewrite) == "detect_only")) {
    add("innodb_doublewrite", "a page that is half written at a power cut cannot be restored");
  }
  const std::string method = lower(variable(variables, "innodb_flush_method"));
  if (method == "nosync" || method == "littlesync") add("innodb_flush_method", "data files are not flushed");
  if (method == "o_direct_no_fsync") {
    add("innodb_flush_method", "data files are not flushed; the drive's own cache may lose them");
  }
  return relaxed;
}

std::string describe_durability(const Settings& variables) {
  if (variable(variables, "innodb_flush_log_at_trx_commit").empty()) return "unknown";
  std::string reasons;
  for (const std::string& setting : relaxed_settings(variables)) {
    reasons += (reasons.empty() ? "" : ", ") + setting.substr(0, setting.find(':'));
  }
  return reasons.empty() ? "full" : fmt::format("relaxed ({})", reasons);
}

}  // namespace spindle::results
