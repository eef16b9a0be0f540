#include "oltp/transaction_job.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "oltp/error_class.h"
#include "oltp/transaction_worker.h"
#include "schema/check.h"

namespace spindle::oltp {
namespace {

class TransactionJob final : public core::Job {
 public:
  TransactionJob(const Options& options, std::string_view workload, const drivers::Driver& driver,
                 const drivers::ConnectionOptions& connection)
      : options_(options), workload_(make_workload(workload, options)), driver_(driver), connection_(connection) {}

  core::JobSchema schema() const override {
    core::JobSchema schema;
    schema.operations = {{"transaction", core::OperationClass::transaction, core::OperationRole::unit},
                         {"attempt", core::OperationClass::transaction, core::OperationRole::part}};
    for (const StatementKind& kind : workload_->statements()) {
      schema.operations.push_back({kind.name, kind.type, core::OperationRole::part});
    }
    schema.counters.assign(kErrorClassNames.begin(), kErrorClassNames.end());
    static_assert(kErrorClassNames.size() == kRetryCounter && kRetryCounter + 1 == kReconnectCounter);
    schema.counters.insert(schema.counters.end(), {"retry", "reconnect"});
    return schema;
  }

  std::unique_ptr<core::Worker> make_worker(std::uint32_t index) override {
    return std::make_unique<TransactionWorker>(options_, *workload_, driver_, connection_, index);
  }

 private:
  const Options options_;
  const std::unique_ptr<Workload> workload_;
  const drivers::Driver& driver_;
  const drivers::ConnectionOptions connection_;
};

}  // namespace

std::unique_ptr<core::Job> make_job(const Options& options, std::string_view workload, const drivers::Driver& driver,
                                    const drivers::ConnectionOptions& connection) {
  return std::make_unique<TransactionJob>(options, workload, driver, connection);
}

void require_tables(const Options& options, std::string_view workload, const drivers::Driver& driver,
                    const drivers::ConnectionOptions& connection) {
  const auto session = schema::connect(driver, connection);
  const std::vector<std::string> problems =
      schema::check(*session, schema_options(options, workload), schema::CheckDepth::structure);
  if (problems.empty()) return;
  const std::string more =
      problems.size() == 1 ? "" : fmt::format(" (and {} more tables like it)", problems.size() - 1);
  throw std::runtime_error(fmt::format("{}: {}{}", connection.describe(), problems.front(), more));
}

}  // namespace spindle::oltp
