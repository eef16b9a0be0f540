#include "oltp/workloads/sysbench.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <stdexcept>
#include <utility>

#include "oltp/workloads/fresh_ids.h"
#include "schema/tables/sbtest.h"

namespace spindle::oltp {
namespace {

using core::OperationClass;

enum Kind : std::uint32_t {
  kBegin,
  kPointSelect,
  kSimpleRange,
  kSumRange,
  kOrderRange,
  kDistinctRange,
  kIndexUpdate,
  kNonIndexUpdate,
  kDelete,
  kInsert,
  kRandomPoints,
  kRandomRanges,
  kCommit,
  kKinds
};

struct KindText {
  const char* name;
  OperationClass type;
  const char* sql;  // {} is the table's number; empty for what is never prepared
};
constexpr std::array<KindText, kKinds> kTexts{{
    {"begin", OperationClass::other, ""},
    {"point_select", OperationClass::read, "SELECT c FROM sbtest{} WHERE id=?"},
    {"simple_range", OperationClass::read, "SELECT c FROM sbtest{} WHERE id BETWEEN ? AND ?"},
    {"sum_range", OperationClass::read, "SELECT SUM(k) FROM sbtest{} WHERE id BETWEEN ? AND ?"},
    {"order_range", OperationClass::read, "SELECT c FROM sbtest{} WHERE id BETWEEN ? AND ? ORDER BY c"},
    {"distinct_range", OperationClass::read, "SELECT DISTINCT c FROM sbtest{} WHERE id BETWEEN ? AND ? ORDER BY c"},
    {"index_update", OperationClass::write, "UPDATE sbtest{} SET k=k+1 WHERE id=?"},
    {"non_index_update", OperationClass::write, "UPDATE sbtest{} SET c=? WHERE id=?"},
    {"delete", OperationClass::write, "DELETE FROM sbtest{} WHERE id=?"},
    {"insert", OperationClass::write, "INSERT INTO sbtest{} (id, k, c, pad) VALUES (?, ?, ?, ?)"},
    {"random_points", OperationClass::read, "SELECT id, k, c, pad FROM sbtest{} WHERE k IN ("},        // and so on
    {"random_ranges", OperationClass::read, "SELECT count(k) FROM sbtest{} WHERE k BETWEEN ? AND ?"},  // and so on
    {"commit", OperationClass::other, ""},
}};

// Of the groups, in the order of GroupKind.
constexpr std::array<Kind, 12> kKindOfGroup{kPointSelect,   kSimpleRange, kSumRange,       kOrderRange,
                                            kDistinctRange, kIndexUpdate, kNonIndexUpdate, kDelete,
                                            kDelete,        kInsert,      kRandomPoints,   kRandomRanges};
Kind kind_of(GroupKind group) { return kKindOfGroup[static_cast<std::size_t>(group)]; }

std::string repeated(std::string text, const char* more, std::uint32_t count) {
  for (std::uint32_t i = 0; i < count; ++i) text += more;
  return text;
}

class SysbenchWorkload final : public Workload {
 public:
  SysbenchWorkload(const Options& options, const Composition& composition)
      : options_(options),
        composition_(composition),
        keys_(options.keys, std::max<std::uint64_t>(options.table_size, 1)) {
    if (options.tables == 0) throw std::invalid_argument("--tables 0: at least 1 table is needed");
    if (options.table_size == 0) throw std::invalid_argument("--table-size 0: at least 1 row is needed");
    if (options.range_size == 0) throw std::invalid_argument("--range-size 0: a range has at least 1 row");
    if (options.random_points == 0) throw std::invalid_argument("--random-points 0: at least 1 point is needed");
    if (options.number_of_ranges == 0) throw std::invalid_argument("--number-of-ranges 0: at least 1 is needed");
    if (composition.groups.empty()) {
      throw std::invalid_argument("all statement counts are 0: the transaction would do nothing");
    }
    for (const Group& group : composition.groups) {
      used_[kind_of(group.kind)] = true;
      if (group.kind == GroupKind::delete_inserts) used_[kInsert] = true;
    }
    used_[kBegin] = used_[kCommit] = composition.brackets == Brackets::begin_commit;
    std::uint32_t next = 0;
    for (std::uint32_t kind = 0; kind < kKinds; ++kind) index_[kind] = used_[kind] ? next++ : 0;
  }

  std::vector<StatementKind> statements() const override {
    std::vector<StatementKind> used;
    for (std::uint32_t kind = 0; kind < kKinds; ++kind) {
      if (used_[kind]) used.push_back({kTexts[kind].name, kTexts[kind].type});
    }
    return used;
  }
  std::vector<std::string> table_kinds() const override { return {"sbtest"}; }
  Access access() const override {
    const bool writes = used_[kIndexUpdate] || used_[kNonIndexUpdate] || used_[kDelete] || used_[kInsert];
    return writes ? Access::writes : Access::reads;
  }
  std::unique_ptr<Client> make_client(std::uint32_t index) const override;

  const Options& options() const { return options_; }
  const Composition& composition() const { return composition_; }
  const core::KeyDistribution& keys() const { return keys_; }
  FreshIds& fresh_ids() const { return fresh_ids_; }
  bool uses(Kind kind) const { return used_[kind]; }
  std::uint32_t index(Kind kind) const { return index_[kind]; }  // in statements()
  bool has(GroupKind wanted) const {
    return std::any_of(composition_.groups.begin(), composition_.groups.end(),
                       [wanted](const Group& group) { return group.kind == wanted; });
  }
  std::string sql(Kind kind, std::uint32_t table) const {
    const std::string text = fmt::format(fmt::runtime(kTexts[kind].sql), table);
    if (kind == kRandomPoints) return repeated(text + "?", ", ?", options_.random_points - 1) + ")";
    if (kind == kRandomRanges) return repeated(text, " OR k BETWEEN ? AND ?", options_.number_of_ranges - 1);
    return text;
  }

 private:
  const Options options_;
  const Composition composition_;
  const core::KeyDistribution keys_;
  mutable FreshIds fresh_ids_;
  std::array<bool, kKinds> used_{};
  std::array<std::uint32_t, kKinds> index_{};
};

class SysbenchClient final : public Client {
 public:
  explicit SysbenchClient(const SysbenchWorkload& workload) : workload_(workload), options_(workload.options()) {
    if (workload.uses(kRandomPoints)) points_.resize(options_.random_points);
    if (workload.uses(kRandomRanges)) ranges_.resize(2 * std::size_t{options_.number_of_ranges});
  }

  void bind(drivers::Session& session) override {
    for (std::uint32_t kind = 0; kind < kKinds; ++kind) {
      statements_[kind].clear();
      if (!workload_.uses(Kind{kind}) || *kTexts[kind].sql == '\0') continue;
      for (std::uint32_t table = 1; table <= options_.tables; ++table) {
        statements_[kind].push_back({workload_.index(Kind{kind}), session.prepare(workload_.sql(Kind{kind}, table))});
      }
    }
    if (workload_.has(GroupKind::inserts) && !options_.auto_inc) {
      workload_.fresh_ids().start([&] { return below_all_ids(session); });
    }
  }

  // A table is drawn once for each group. The keys' order is part of what a seed repeats.
  Transaction transaction(TransactionContext& context) override {
    core::Random& random = context.random();
    if (workload_.uses(kBegin)) co_await context.run(workload_.index(kBegin), "BEGIN");
    for (const Group& group : workload_.composition().groups) {
      const auto table = static_cast<std::size_t>(random.below(options_.tables));
      const Statement statement = statements_[kind_of(group.kind)][table];
      for (std::uint32_t i = 0; i < group.count; ++i) {
        switch (group.kind) {
          case GroupKind::point_selects:
          case GroupKind::index_updates:
          case GroupKind::deletes:
            co_await context.execute(statement, key(random));
            break;
          case GroupKind::simple_ranges:
          case GroupKind::sum_ranges:
          case GroupKind::order_ranges:
          case GroupKind::distinct_ranges: {
            const std::int64_t first = key(random);
            co_await context.execute(statement, first, range_end(first));
            break;
          }
          case GroupKind::non_index_updates:
            schema::write_digit_groups(random, c_);
            co_await context.execute(statement, c(), key(random));
            break;
          case GroupKind::delete_inserts: {
            const std::int64_t id = key(random);
            co_await context.execute(statement, id);
            const std::int64_t k = key(random);
            write_texts(random);
            co_await context.execute(statements_[kInsert][table], id, k, c(), pad());
            break;
          }
          case GroupKind::inserts: {
            const std::int64_t k = key(random);
            write_texts(random);
            co_await context.execute(statement, new_id(), k, c(), pad());
            break;
          }
          case GroupKind::random_points:
            for (drivers::Parameter& point : points_) point = key(random);
            co_await context.execute(statement, std::span<const drivers::Parameter>(points_));
            break;
          case GroupKind::random_ranges:
            for (std::size_t at = 0; at < ranges_.size(); at += 2) {
              const std::int64_t first = key(random);
              ranges_[at] = first;
              ranges_[at + 1] = first + static_cast<std::int64_t>(options_.delta);
            }
            co_await context.execute(statement, std::span<const drivers::Parameter>(ranges_));
            break;
        }
      }
    }
    if (workload_.uses(kCommit)) co_await context.run(workload_.index(kCommit), "COMMIT");
  }

 private:
  static constexpr std::int64_t kIdsAtOnce = 256;

  // Ids that are not given by the server go down from the lowest one there is: loaded rows have ids from 1 on, and
  // rows of earlier runs lie below. Should two processes meet there, a duplicate key makes one of them move on.
  std::int64_t below_all_ids(drivers::Session& session) const {
    std::int64_t lowest = 1;
    for (std::uint32_t table = 1; table <= options_.tables; ++table) {
      const auto rows = session.query(fmt::format("SELECT COALESCE(MIN(id), 1) FROM sbtest{}", table));
      std::int64_t id = 1;
      if (!rows.empty()) std::from_chars(rows[0][0].data(), rows[0][0].data() + rows[0][0].size(), id);
      lowest = std::min(lowest, id);
    }
    return 1 - lowest;
  }
  std::int64_t new_id() {
    if (options_.auto_inc) return 0;
    if (ids_left_ == 0) {
      next_id_ = workload_.fresh_ids().take(kIdsAtOnce);
      ids_left_ = kIdsAtOnce;
    }
    --ids_left_;
    return -next_id_++;
  }

  std::int64_t key(core::Random& random) const { return static_cast<std::int64_t>(workload_.keys().draw(random)); }
  // The last key of a range; it may lie beyond the table's end.
  std::int64_t range_end(std::int64_t first) const {
    return first + static_cast<std::int64_t>(options_.range_size) - 1;
  }
  void write_texts(core::Random& random) {
    schema::write_digit_groups(random, c_);
    schema::write_digit_groups(random, pad_);
  }
  std::string_view c() const { return {c_.data(), c_.size()}; }
  std::string_view pad() const { return {pad_.data(), pad_.size()}; }

  const SysbenchWorkload& workload_;
  const Options& options_;
  std::array<std::vector<Statement>, kKinds> statements_;  // by kind and table
  std::array<char, schema::kCLength> c_{};
  std::array<char, schema::kPadLength> pad_{};
  std::vector<drivers::Parameter> points_, ranges_;
  std::int64_t next_id_ = 0, ids_left_ = 0;
};

std::unique_ptr<Client> SysbenchWorkload::make_client(std::uint32_t) const {
  return std::make_unique<SysbenchClient>(*this);
}

}  // namespace

Composition& Composition::add(GroupKind kind, std::uint32_t count) {
  if (count > 0) groups.push_back({kind, count});
  return *this;
}

Composition& Composition::add_reads(const Options& options) {
  add(GroupKind::point_selects, options.point_selects);
  if (!options.range_selects) return *this;
  return add(GroupKind::simple_ranges, options.simple_ranges)
      .add(GroupKind::sum_ranges, options.sum_ranges)
      .add(GroupKind::order_ranges, options.order_ranges)
      .add(GroupKind::distinct_ranges, options.distinct_ranges);
}

Composition& Composition::add_writes(const Options& options) {
  return add(GroupKind::index_updates, options.index_updates)
      .add(GroupKind::non_index_updates, options.non_index_updates)
      .add(GroupKind::delete_inserts, options.delete_inserts);
}

Composition composition(const Options& options) {
  Composition begun;
  if (!options.skip_trx) begun.brackets = Brackets::begin_commit;
  return begun;
}

Composition single(GroupKind kind, std::uint32_t count) { return Composition{}.add(kind, count); }

std::unique_ptr<Workload> make_sysbench_workload(const Options& options, const Composition& composition) {
  return std::make_unique<SysbenchWorkload>(options, composition);
}

}  // namespace spindle::oltp
