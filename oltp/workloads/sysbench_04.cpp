// sysbench 0.4's `oltp` test, which most published comparisons quote: --oltp-test-mode complex, simple or nontrx on its
// one table `sbtest`. A complex read/write transaction has 14 reads, 5 writes and 2 others, as those reports count.
#include <array>
#include <stdexcept>
#include <string>
#include <vector>

#include "oltp/workload.h"
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
  kInsertNew,
  kSelectPad,
  kCommit,
  kKinds
};

struct KindText {
  const char* name;
  OperationClass type;
  const char* sql;  // empty for what is never prepared
};
constexpr std::array<KindText, kKinds> kTexts{{
    {"begin", OperationClass::other, ""},
    {"point_select", OperationClass::read, "SELECT c from sbtest where id=?"},
    {"simple_range", OperationClass::read, "SELECT c from sbtest where id between ? and ?"},
    {"sum_range", OperationClass::read, "SELECT SUM(K) from sbtest where id between ? and ?"},
    {"order_range", OperationClass::read, "SELECT c from sbtest where id between ? and ? order by c"},
    {"distinct_range", OperationClass::read, "SELECT DISTINCT c from sbtest where id between ? and ? order by c"},
    {"index_update", OperationClass::write, "UPDATE sbtest set k=k+1 where id=?"},
    {"non_index_update", OperationClass::write, "UPDATE sbtest set c=? where id=?"},
    {"delete", OperationClass::write, "DELETE from sbtest where id=?"},
    {"insert", OperationClass::write,
     "INSERT INTO sbtest values(?,0,' ','aaaaaaaaaaffffffffffrrrrrrrrrreeeeeeeeeeyyyyyyyyyy')"},
    {"insert_new", OperationClass::write,
     "INSERT INTO sbtest (k,c,pad) values(0,' ','aaaaaaaaaaffffffffffrrrrrrrrrreeeeeeeeeeyyyyyyyyyy')"},
    {"select_pad", OperationClass::read, "SELECT pad from sbtest where id=?"},
    {"commit", OperationClass::other, ""},
}};

using Counts = std::array<std::uint32_t, kKinds>;

Counts counts_of(const Options& options) {
  Counts counts{};
  switch (options.test_mode) {
    case ClassicMode::simple:
      counts[kPointSelect] = 1;
      return counts;
    case ClassicMode::nontrx:
      switch (options.nontrx_mode) {
        case NontrxMode::select:
          counts[kSelectPad] = 1;
          break;
        case NontrxMode::update_key:
          counts[kIndexUpdate] = 1;
          break;
        case NontrxMode::update_nokey:
          counts[kNonIndexUpdate] = 1;
          break;
        case NontrxMode::insert:
          counts[kInsertNew] = 1;
          break;
        case NontrxMode::remove:
          counts[kDelete] = 1;
          break;
      }
      return counts;
    case ClassicMode::complex:
      break;
  }
  if (!options.skip_trx) counts[kBegin] = counts[kCommit] = 1;
  counts[kPointSelect] = options.point_selects;
  if (options.range_selects) {
    counts[kSimpleRange] = options.simple_ranges;
    counts[kSumRange] = options.sum_ranges;
    counts[kOrderRange] = options.order_ranges;
    counts[kDistinctRange] = options.distinct_ranges;
  }
  if (options.statements == Statements::read_only) return counts;
  counts[kIndexUpdate] = options.index_updates;
  counts[kNonIndexUpdate] = options.non_index_updates;
  counts[kDelete] = counts[kInsert] = options.delete_inserts;
  return counts;
}

class ClassicWorkload final : public Workload {
 public:
  explicit ClassicWorkload(const Options& options)
      : range_size(static_cast<std::int64_t>(options.range_size)),
        counts(counts_of(options)),
        keys(options.keys, options.table_size) {
    if (options.range_size == 0) throw std::invalid_argument("--range-size 0: a range has at least 1 row");
    std::uint32_t next = 0, statements = 0;
    for (std::uint32_t kind = 0; kind < kKinds; ++kind) {
      index_[kind] = used(Kind{kind}) ? next++ : 0;
      if (kind != kBegin && kind != kCommit) statements += counts[kind];
    }
    if (statements == 0) throw std::invalid_argument("all statement counts are 0: the transaction would do nothing");
  }

  // A row's deletion updates its k first.
  bool used(Kind kind) const { return counts[kind] > 0 || (kind == kIndexUpdate && counts[kInsert] > 0); }
  std::uint32_t index(Kind kind) const { return index_[kind]; }  // in statements()

  std::vector<StatementKind> statements() const override {
    std::vector<StatementKind> kinds;
    for (std::uint32_t kind = 0; kind < kKinds; ++kind) {
      if (used(Kind{kind})) kinds.push_back({kTexts[kind].name, kTexts[kind].type});
    }
    return kinds;
  }
  std::vector<std::string> table_kinds() const override { return {"sbtest04"}; }
  Access access() const override {
    for (const Kind kind : {kIndexUpdate, kNonIndexUpdate, kDelete, kInsert, kInsertNew}) {
      if (used(kind)) return Access::writes;
    }
    return Access::reads;
  }
  std::unique_ptr<Client> make_client(std::uint32_t index) const override;

  const std::int64_t range_size;
  const Counts counts;
  const core::KeyDistribution keys;

 private:
  std::array<std::uint32_t, kKinds> index_{};
};

class ClassicClient final : public Client {
 public:
  explicit ClassicClient(const ClassicWorkload& workload) : workload_(workload) {}

  void bind(drivers::Session& session) override {
    for (std::uint32_t kind = 0; kind < kKinds; ++kind) {
      if (!workload_.used(Kind{kind}) || *kTexts[kind].sql == '\0') continue;
      statements_[kind] = {workload_.index(Kind{kind}), session.prepare(kTexts[kind].sql)};
    }
  }

  Transaction transaction(TransactionContext& context) override {
    core::Random& random = context.random();
    const Counts& counts = workload_.counts;
    if (counts[kBegin] > 0) co_await context.run(workload_.index(kBegin), "BEGIN");
    for (const Kind kind : {kSelectPad, kPointSelect}) {
      for (std::uint32_t i = 0; i < counts[kind]; ++i) co_await context.execute(statements_[kind], key(random));
    }
    for (const Kind kind : {kSimpleRange, kSumRange, kOrderRange, kDistinctRange}) {
      for (std::uint32_t i = 0; i < counts[kind]; ++i) {
        const std::int64_t first = key(random);
        co_await context.execute(statements_[kind], first, first + workload_.range_size - 1);
      }
    }
    for (std::uint32_t i = 0; i < counts[kIndexUpdate]; ++i) {
      co_await context.execute(statements_[kIndexUpdate], key(random));
    }
    for (std::uint32_t i = 0; i < counts[kNonIndexUpdate]; ++i) {
      schema::write_digit_groups(random, c_);
      co_await context.execute(statements_[kNonIndexUpdate], std::string_view(c_.data(), c_.size()), key(random));
    }
    for (std::uint32_t i = 0; i < counts[kDelete]; ++i) {
      const std::int64_t id = key(random);
      if (counts[kInsert] > 0) co_await context.execute(statements_[kIndexUpdate], id);
      co_await context.execute(statements_[kDelete], id);
      if (counts[kInsert] > 0) co_await context.execute(statements_[kInsert], id);
    }
    for (std::uint32_t i = 0; i < counts[kInsertNew]; ++i) co_await context.execute(statements_[kInsertNew]);
    if (counts[kCommit] > 0) co_await context.run(workload_.index(kCommit), "COMMIT");
  }

 private:
  std::int64_t key(core::Random& random) const { return static_cast<std::int64_t>(workload_.keys.draw(random)); }

  const ClassicWorkload& workload_;
  std::array<Statement, kKinds> statements_{};
  std::array<char, schema::kCLength> c_{};
};

std::unique_ptr<Client> ClassicWorkload::make_client(std::uint32_t) const {
  return std::make_unique<ClassicClient>(*this);
}

const core::Register<WorkloadFactory> kRegistered{
    "sysbench_04", [](const Options& options) { return std::make_unique<ClassicWorkload>(options); }};

}  // namespace
}  // namespace spindle::oltp
