// What the status table would hold after the statements of status_mixed, for tests without a server.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>

#include "drivers/driver.h"
#include "tests/oltp/recording_driver.h"

namespace spindle::test_support {

class StatusModel {
 public:
  explicit StatusModel(std::int64_t rows) : next_id_(rows + 1) {
    core::Random random(99);
    for (std::int64_t id = 1; id <= rows; ++id) {
      rows_[id] = {random.between(0, 999'999'999), random.between(1, 2'000'000'000)};
    }
  }

  drivers::ExecuteOutcome execute(const Executed& executed) {
    const std::string& sql = executed.sql;
    if (sql.starts_with("INSERT INTO status (time")) return insert(next_id_++, executed.number(0), executed.number(1));
    if (sql.starts_with("INSERT INTO status (id") && executed.parameters.size() == 4) {
      return insert(executed.number(0), executed.number(1), executed.number(2));
    }
    if (sql.starts_with("DELETE") && sql.ends_with("id=?")) return changed(rows_.erase(executed.number(0)));
    if (sql.starts_with("DELETE")) {
      const std::int64_t n = executed.number(0);
      return deleted(std::erase_if(rows_, [n](const auto& entry) { return entry.second.time > n; }));
    }
    if (sql.ends_with("time>?")) return found([n = executed.number(0)](const Row& row) { return row.time > n; });
    if (sql.ends_with("uid>?")) return found([n = executed.number(0)](const Row& row) { return row.uid > n; });
    if (sql.starts_with("SELECT") && sql.ends_with("id=?")) return {rows_.count(executed.number(0)), 0};
    return changed(1);
  }

  std::uint64_t size() const { return rows_.size(); }
  std::uint64_t ordinary() const {
    return static_cast<std::uint64_t>(
        std::count_if(rows_.begin(), rows_.end(), [](const auto& entry) { return entry.second.time < 1'000'000'000; }));
  }
  std::uint64_t smallest() const { return smallest_; }
  std::uint64_t largest() const { return largest_; }
  std::uint64_t most_touched() const { return most_touched_; }  // by one statement that looks for time or uid
  std::uint64_t deleted_by_time() const { return deleted_by_time_; }

 private:
  struct Row {
    std::int64_t time, uid;
  };
  drivers::ExecuteOutcome insert(std::int64_t id, std::int64_t time, std::int64_t uid) {
    if (!rows_.emplace(id, Row{time, uid}).second) throw drivers::DbError(1062, "23000", "Duplicate entry");
    return changed(1);
  }
  drivers::ExecuteOutcome changed(std::uint64_t rows) {
    smallest_ = std::min<std::uint64_t>(smallest_, rows_.size());
    largest_ = std::max<std::uint64_t>(largest_, rows_.size());
    return {0, rows};
  }
  drivers::ExecuteOutcome deleted(std::uint64_t rows) {
    most_touched_ = std::max(most_touched_, rows);
    deleted_by_time_ += rows;
    return changed(rows);
  }
  template <class Condition>
  drivers::ExecuteOutcome found(Condition condition) {
    std::uint64_t rows = 0;
    for (const auto& [id, row] : rows_) rows += condition(row) ? 1 : 0;
    most_touched_ = std::max(most_touched_, rows);
    return {rows, 0};
  }

  std::map<std::int64_t, Row> rows_;
  std::int64_t next_id_;
  std::uint64_t smallest_ = ~std::uint64_t{0}, largest_ = 0, most_touched_ = 0, deleted_by_time_ = 0;
};

}  // namespace spindle::test_support
