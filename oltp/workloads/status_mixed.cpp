// Nine statements on the FULLTEXT status table side by side, each a transaction of its own.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

#include "oltp/workload.h"
#include "oltp/workloads/status_balance.h"
#include "schema/tables/status.h"

namespace spindle::oltp {
namespace {

using core::OperationClass;
using schema::view;

// In the order of StatusKind. {} is the condition that finds a word.
struct KindText {
  const char* name;
  OperationClass type;
  const char* sql;
};
constexpr std::array<KindText, kStatusKinds> kTexts{{
    {"insert", OperationClass::write, "INSERT INTO status (time, uid, status) VALUES (?, ?, ?)"},
    {"update_by_id", OperationClass::write, "UPDATE status SET status=? WHERE id=?"},
    {"update_by_match", OperationClass::write, "UPDATE status SET uid=? WHERE {}"},
    {"delete_by_id", OperationClass::write, "DELETE FROM status WHERE id=?"},
    {"delete_by_time", OperationClass::write, "DELETE FROM status WHERE time>?"},
    {"select_by_time", OperationClass::read, "SELECT id, time, uid, status FROM status WHERE time>?"},
    {"select_by_id", OperationClass::read, "SELECT id, time, uid, status FROM status WHERE id=?"},
    {"select_by_match", OperationClass::read, "SELECT id, time, uid, status FROM status WHERE {}"},
    {"select_by_uid", OperationClass::read, "SELECT id, time, uid, status FROM status WHERE uid>?"},
}};
constexpr std::string_view kInsertIntoHole = "INSERT INTO status (id, time, uid, status) VALUES (?, ?, ?, ?)";
constexpr std::string_view kLike = "status LIKE ?";
constexpr std::string_view kFulltext = "MATCH(status) AGAINST (?)";

schema::TableDefinition status_table(const Options& options) {
  schema::SchemaOptions tables;
  tables.kinds = {"status"};
  tables.status_rows = options.status_rows;
  tables.charset = options.charset;
  tables.seed = options.seed;
  return schema::define_tables(tables).at(0);
}

class StatusWorkload final : public Workload {
 public:
  explicit StatusWorkload(const Options& options)
      : weights(options.weights), match(options.match), values(options.status_rows), table(status_table(options)) {
    const StatusShares counts = shares(weights);
    const bool deletes = weights.delete_by_id + std::uint64_t{weights.delete_by_time} > 0;
    if (std::all_of(counts.begin(), counts.end(), [](std::uint32_t share) { return share == 0; })) {
      throw std::invalid_argument("all weights of status_mixed are 0: give one of its statements a weight");
    }
    if (deletes != (weights.insert > 0)) {
      throw std::invalid_argument(deletes
                                      ? "the weights of status_mixed delete and never insert: the table would drain; "
                                        "give insert a weight"
                                      : "the weights of status_mixed insert and never delete: the table would grow "
                                        "without bound; give delete_by_id or delete_by_time a weight");
    }
    std::uint32_t used = 0;
    for (std::size_t kind = 0; kind < kStatusKinds; ++kind) index_[kind] = counts[kind] > 0 ? used++ : 0;
  }

  std::vector<StatementKind> statements() const override {
    std::vector<StatementKind> used;
    for (std::size_t kind = 0; kind < kStatusKinds; ++kind) {
      if (shares(weights)[kind] > 0) used.push_back({kTexts[kind].name, kTexts[kind].type});
    }
    return used;
  }
  std::vector<std::string> table_kinds() const override { return {"status"}; }
  Access access() const override {
    return weights.insert + std::uint64_t{weights.update_by_id} + weights.update_by_match > 0 ? Access::writes
                                                                                              : Access::reads;
  }
  std::unique_ptr<Client> make_client(std::uint32_t index) const override;

  std::uint32_t index(std::size_t kind) const { return index_[kind]; }  // in statements()

  const StatusWeights weights;
  const Match match;
  const schema::StatusValues values;
  const schema::TableDefinition table;

 private:
  std::array<std::uint32_t, kStatusKinds> index_{};
};

class StatusClient final : public Client {
 public:
  explicit StatusClient(const StatusWorkload& workload) : workload_(workload), balance_(workload.weights) {}

  void bind(drivers::Session& session) override {
    balance_.connection_replaced();
    const std::string_view condition = workload_.match == Match::like ? kLike : kFulltext;
    for (std::size_t kind = 0; kind < kStatusKinds; ++kind) {
      if (shares(workload_.weights)[kind] == 0) continue;
      const std::string sql = fmt::format(fmt::runtime(kTexts[kind].sql), condition);
      statements_[kind] = {workload_.index(kind), session.prepare(sql)};
    }
    if (workload_.weights.insert == 0) return;
    insert_into_hole_ = {workload_.index(0), session.prepare(kInsertIntoHole)};
  }

  Transaction transaction(TransactionContext& context) override {
    core::Random& random = context.random();
    const schema::StatusValues& values = workload_.values;
    const StatusBalance::Choice choice = balance_.choose(random);
    const Statement statement = statements_[static_cast<std::size_t>(choice.kind)];
    switch (choice.kind) {
      case StatusKind::insert: {
        const std::int64_t uid = values.uid(random);
        status_ = values.status(random);
        balance_.filling(choice);
        if (choice.hole == 0) {
          co_await context.execute(statement, values.recent_time(random), uid, view(status_));
        } else {
          co_await context.execute(insert_into_hole_, choice.hole, values.ordinary_time(random), uid, view(status_));
        }
        balance_.inserted(choice);
        break;
      }
      case StatusKind::update_by_id:
        status_ = values.status(random);
        co_await context.execute(statement, view(status_), id(random));
        break;
      // The status stays: rows that were given one text would be found together ever after, in ever larger groups.
      case StatusKind::update_by_match: {
        const std::int64_t uid = values.uid(random);
        co_await context.execute(statement, uid, pattern(random));
        break;
      }
      case StatusKind::delete_by_id: {
        const std::int64_t drawn = id(random);
        const drivers::ExecuteOutcome outcome = co_await context.execute(statement, drawn);
        if (outcome.affected > 0) balance_.deleted(drawn);
        break;
      }
      case StatusKind::delete_by_time:
        co_await context.execute(statement, values.time_above_ordinary(random));
        balance_.deleted_recent();
        break;
      case StatusKind::select_by_time:
        co_await context.execute(statement, values.time_above(random));
        break;
      case StatusKind::select_by_id:
        co_await context.execute(statement, id(random));
        break;
      case StatusKind::select_by_match:
        co_await context.execute(statement, pattern(random));
        break;
      case StatusKind::select_by_uid:
        co_await context.execute(statement, values.uid_above(random));
        break;
    }
  }

  // Fills the holes with the rows that the table was loaded with.
  void leave(drivers::Session& session) override {
    if (balance_.holes().empty()) return;
    std::string sql = workload_.table.insert_sql;
    for (const std::int64_t hole : balance_.holes()) {
      if (hole != balance_.holes().front()) sql += ',';
      workload_.table.append_row(static_cast<std::uint64_t>(hole), sql);
    }
    session.run(sql);
    balance_.all_filled();
  }

 private:
  std::int64_t id(core::Random& random) const {
    return static_cast<std::int64_t>(1 + random.below(workload_.values.rows()));
  }
  // "%word%" for LIKE, "word" for AGAINST.
  std::string_view pattern(core::Random& random) {
    const schema::Word word = workload_.values.word(random);
    std::copy(word.begin(), word.end(), pattern_.begin() + 1);
    return workload_.match == Match::like ? std::string_view(pattern_.data(), pattern_.size())
                                          : std::string_view(pattern_.data() + 1, word.size());
  }

  const StatusWorkload& workload_;
  StatusBalance balance_;
  std::array<Statement, kStatusKinds> statements_{};
  Statement insert_into_hole_;
  schema::Status status_{};
  std::array<char, schema::kWordLength + 2> pattern_{'%', ' ', ' ', ' ', ' ', '%'};
};

std::unique_ptr<Client> StatusWorkload::make_client(std::uint32_t) const {
  return std::make_unique<StatusClient>(*this);
}

const core::Register<WorkloadFactory> kRegistered{
    "status_mixed", [](const Options& options) { return std::make_unique<StatusWorkload>(options); }};

}  // namespace
}  // namespace spindle::oltp
