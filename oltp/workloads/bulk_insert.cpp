// sysbench's bulk_insert: one INSERT of --bulk-rows rows (id, k) is a transaction; ids ascend. Its TPS are statements;
// rows a second are in the statement's row count.
#include <fmt/format.h>

#include <charconv>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "oltp/workload.h"
#include "oltp/workloads/fresh_ids.h"

namespace spindle::oltp {
namespace {

class BulkWorkload final : public Workload {
 public:
  explicit BulkWorkload(const Options& options)
      : rows(options.bulk_rows), tables(options.tables), ids_(std::make_unique<FreshIds[]>(options.tables)) {
    if (tables == 0) throw std::invalid_argument("--tables 0: at least 1 table is needed");
    if (rows == 0) throw std::invalid_argument("--bulk-rows 0: at least 1 row is needed");
  }
  std::vector<StatementKind> statements() const override { return {{"bulk_insert", core::OperationClass::write}}; }
  std::vector<std::string> table_kinds() const override { return {"bulk"}; }
  Access access() const override { return Access::writes; }
  std::unique_ptr<Client> make_client(std::uint32_t index) const override;

  FreshIds& ids(std::uint32_t table) const { return ids_[table]; }

  const std::uint32_t rows;
  const std::uint32_t tables;

 private:
  std::unique_ptr<FreshIds[]> ids_;  // one a table
};

class BulkClient final : public Client {
 public:
  BulkClient(const BulkWorkload& workload, std::uint32_t index)
      : workload_(workload),
        table_(index % workload.tables),
        head_(fmt::format("INSERT INTO bulk{} (id, k) VALUES ", table_ + 1)) {}

  void bind(drivers::Session& session) override {
    workload_.ids(table_).start([&] {
      const auto rows = session.query(fmt::format("SELECT COALESCE(MAX(id), 0) FROM bulk{}", table_ + 1));
      std::int64_t last = 0;
      if (!rows.empty()) std::from_chars(rows[0][0].data(), rows[0][0].data() + rows[0][0].size(), last);
      return last + 1;
    });
  }

  // A transaction that is run again takes new ids: the old ones may be the reason.
  Transaction transaction(TransactionContext& context) override {
    constexpr std::int64_t kKeys = 2'147'483'647;  // k is an INTEGER
    const std::int64_t first = workload_.ids(table_).take(workload_.rows);
    sql_.assign(head_);
    for (std::int64_t id = first; id < first + workload_.rows; ++id) {
      fmt::format_to(std::back_inserter(sql_), "{}({},{})", id == first ? "" : ",", id, id % kKeys);
    }
    co_await context.run(0, sql_);
  }

 private:
  const BulkWorkload& workload_;
  const std::uint32_t table_;
  const std::string head_;
  std::string sql_;
};

std::unique_ptr<Client> BulkWorkload::make_client(std::uint32_t index) const {
  return std::make_unique<BulkClient>(*this, index);
}

const core::Register<WorkloadFactory> kRegistered{
    "bulk_insert", [](const Options& options) { return std::make_unique<BulkWorkload>(options); }};

}  // namespace
}  // namespace spindle::oltp
