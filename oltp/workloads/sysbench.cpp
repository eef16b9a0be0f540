#include "oltp/workloads/sysbench.h"

#include <fmt/format.h>

#include <array>
#include <stdexcept>
#include <utility>

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
    {"commit", OperationClass::other, ""},
}};

class SysbenchWorkload final : public Workload {
 public:
  SysbenchWorkload(const Options& options, const Composition& composition)
      : composition_(composition),
        tables_(options.tables),
        table_size_(options.table_size),
        range_size_(options.range_size) {
    if (tables_ == 0) throw std::invalid_argument("--tables 0: at least 1 table is needed");
    if (table_size_ == 0) throw std::invalid_argument("--table-size 0: at least 1 row is needed");
    if (range_size_ == 0) throw std::invalid_argument("--range-size 0: a range has at least 1 row");
    counts_ = {0,
               composition.point_selects,
               composition.simple_ranges,
               composition.sum_ranges,
               composition.order_ranges,
               composition.distinct_ranges,
               composition.index_updates,
               composition.non_index_updates,
               composition.delete_inserts,
               composition.delete_inserts,
               0};
    if (counts_ == std::array<std::uint32_t, kKinds>{}) {
      throw std::invalid_argument("all statement counts are 0: the transaction would do nothing");
    }
    if (composition.brackets == Brackets::begin_commit) counts_[kBegin] = counts_[kCommit] = 1;
    std::uint32_t used = 0;
    for (std::uint32_t kind = 0; kind < kKinds; ++kind) index_[kind] = counts_[kind] > 0 ? used++ : 0;
  }

  std::vector<StatementKind> statements() const override {
    std::vector<StatementKind> used;
    for (std::uint32_t kind = 0; kind < kKinds; ++kind) {
      if (counts_[kind] > 0) used.push_back({kTexts[kind].name, kTexts[kind].type});
    }
    return used;
  }
  std::vector<std::string> table_kinds() const override { return {"sbtest"}; }
  Access access() const override {
    return composition_.index_updates + composition_.non_index_updates + composition_.delete_inserts > 0
               ? Access::writes
               : Access::reads;
  }
  std::unique_ptr<Client> make_client() const override;

  std::uint32_t count(Kind kind) const { return counts_[kind]; }
  std::uint32_t index(Kind kind) const { return index_[kind]; }  // in statements()
  std::uint32_t tables() const { return tables_; }

  std::uint32_t draw_table(core::Random& random) const { return static_cast<std::uint32_t>(random.below(tables_)); }
  std::int64_t draw_key(core::Random& random) const { return static_cast<std::int64_t>(1 + random.below(table_size_)); }
  // The last key of a range; it may lie beyond the table's end.
  std::int64_t range_end(std::int64_t first) const { return first + static_cast<std::int64_t>(range_size_) - 1; }

 private:
  Composition composition_;
  std::uint32_t tables_;
  std::uint64_t table_size_;
  std::uint64_t range_size_;
  std::array<std::uint32_t, kKinds> counts_{};
  std::array<std::uint32_t, kKinds> index_{};
};

class SysbenchClient final : public Client {
 public:
  explicit SysbenchClient(const SysbenchWorkload& workload) : workload_(workload) {}

  void bind(drivers::Session& session) override {
    for (std::uint32_t kind = 0; kind < kKinds; ++kind) {
      statements_[kind].clear();
      const auto text = std::string_view(kTexts[kind].sql);
      if (text.empty() || workload_.count(Kind{kind}) == 0) continue;
      for (std::uint32_t table = 1; table <= workload_.tables(); ++table) {
        const drivers::StatementId id = session.prepare(fmt::format(fmt::runtime(text), table));
        statements_[kind].push_back({workload_.index(Kind{kind}), id});
      }
    }
  }

  // A table is drawn once for each group. The keys' order is part of what a seed repeats.
  Transaction transaction(TransactionContext& context) override {
    core::Random& random = context.random();
    const bool bracketed = workload_.count(kBegin) > 0;
    if (bracketed) co_await context.run(workload_.index(kBegin), "BEGIN");

    if (const std::uint32_t count = workload_.count(kPointSelect)) {
      const Statement statement = draw(kPointSelect, random);
      for (std::uint32_t i = 0; i < count; ++i) co_await context.execute(statement, workload_.draw_key(random));
    }
    for (const Kind range : {kSimpleRange, kSumRange, kOrderRange, kDistinctRange}) {
      if (workload_.count(range) == 0) continue;
      const Statement statement = draw(range, random);
      for (std::uint32_t i = 0; i < workload_.count(range); ++i) {
        const std::int64_t first = workload_.draw_key(random);
        co_await context.execute(statement, first, workload_.range_end(first));
      }
    }
    if (const std::uint32_t count = workload_.count(kIndexUpdate)) {
      const Statement statement = draw(kIndexUpdate, random);
      for (std::uint32_t i = 0; i < count; ++i) co_await context.execute(statement, workload_.draw_key(random));
    }
    if (const std::uint32_t count = workload_.count(kNonIndexUpdate)) {
      const Statement statement = draw(kNonIndexUpdate, random);
      for (std::uint32_t i = 0; i < count; ++i) {
        schema::write_digit_groups(random, c_);
        co_await context.execute(statement, c(), workload_.draw_key(random));
      }
    }
    if (const std::uint32_t count = workload_.count(kDelete)) {
      const std::uint32_t table = workload_.draw_table(random);
      for (std::uint32_t i = 0; i < count; ++i) {
        const std::int64_t id = workload_.draw_key(random);
        co_await context.execute(statements_[kDelete][table], id);
        const std::int64_t k = workload_.draw_key(random);
        schema::write_digit_groups(random, c_);
        schema::write_digit_groups(random, pad_);
        co_await context.execute(statements_[kInsert][table], id, k, c(), pad());
      }
    }

    if (bracketed) co_await context.run(workload_.index(kCommit), "COMMIT");
  }

 private:
  Statement draw(Kind kind, core::Random& random) const { return statements_[kind][workload_.draw_table(random)]; }
  std::string_view c() const { return {c_.data(), c_.size()}; }
  std::string_view pad() const { return {pad_.data(), pad_.size()}; }

  const SysbenchWorkload& workload_;
  std::array<std::vector<Statement>, kKinds> statements_;  // by kind and table
  std::array<char, schema::kCLength> c_{};
  std::array<char, schema::kPadLength> pad_{};
};

std::unique_ptr<Client> SysbenchWorkload::make_client() const { return std::make_unique<SysbenchClient>(*this); }

}  // namespace

Composition& Composition::add_reads(const Options& options) {
  point_selects = options.point_selects;
  simple_ranges = options.simple_ranges;
  sum_ranges = options.sum_ranges;
  order_ranges = options.order_ranges;
  distinct_ranges = options.distinct_ranges;
  return *this;
}

Composition& Composition::add_writes(const Options& options) {
  index_updates = options.index_updates;
  non_index_updates = options.non_index_updates;
  delete_inserts = options.delete_inserts;
  return *this;
}

Composition composition(const Options& options) {
  Composition begun;
  if (!options.skip_trx) begun.brackets = Brackets::begin_commit;
  return begun;
}

std::unique_ptr<Workload> make_sysbench_workload(const Options& options, const Composition& composition) {
  return std::make_unique<SysbenchWorkload>(options, composition);
}

}  // namespace spindle::oltp
