// What every registered workload must keep, also one that is added tomorrow.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "drivers/null_driver.h"
#include "schema/table.h"
#include "tests/oltp/worker_run.h"

namespace spindle::oltp {
namespace {

class WorkloadContract : public ::testing::TestWithParam<std::string> {};

TEST_P(WorkloadContract, RunsTwoHundredTransactionsAndRecordsEach) {
  const drivers::NullDriver driver;
  test_support::WorkerRun run({}, GetParam(), driver);
  run.open();
  run.steps(200);
  run.drain();
  EXPECT_EQ(run.accounts(), (core::Accounts{.handed_out = 200, .committed = 200}));
  EXPECT_EQ(run.operation("transaction").service.count, 200u);
  EXPECT_EQ(run.operation("attempt").service.count, 200u);
}

TEST_P(WorkloadContract, TheUnitIsTheFirstOperationAndTheOnlyUnit) {
  const drivers::NullDriver driver;
  const core::JobSchema schema = make_job({}, GetParam(), driver, {})->schema();
  EXPECT_EQ(schema.operations.at(0).name, "transaction");
  EXPECT_EQ(schema.operations.at(0).role, core::OperationRole::unit);
  std::size_t units = 0;
  for (const core::OperationInfo& operation : schema.operations) units += operation.role == core::OperationRole::unit;
  EXPECT_EQ(units, 1u);
}

TEST_P(WorkloadContract, OperationNamesAreUnique) {
  const drivers::NullDriver driver;
  const core::JobSchema schema = make_job({}, GetParam(), driver, {})->schema();
  std::set<std::string> names;
  for (const core::OperationInfo& operation : schema.operations) names.insert(operation.name);
  EXPECT_EQ(names.size(), schema.operations.size());
  EXPECT_GT(names.size(), 2u);
}

TEST_P(WorkloadContract, EveryStatementKindIsRecordedInTheLongRun) {
  const drivers::NullDriver driver;
  test_support::WorkerRun run({}, GetParam(), driver);
  run.open();
  run.steps(2'000);
  for (const StatementKind& kind : make_workload(GetParam(), {})->statements()) {
    EXPECT_GT(run.operation(kind.name).service.count, 0u) << kind.name;
  }
}

TEST_P(WorkloadContract, ItsTablesExistInTheSchema) {
  EXPECT_FALSE(schema::define_tables(schema_options({}, GetParam())).empty());
}

TEST_P(WorkloadContract, WritesIfAndOnlyIfAStatementDoes) {
  const auto workload = make_workload(GetParam(), {});
  bool writes = false;
  for (const StatementKind& kind : workload->statements()) writes |= kind.type == core::OperationClass::write;
  EXPECT_EQ(workload->access() == Access::writes, writes);
}

INSTANTIATE_TEST_SUITE_P(AllWorkloads, WorkloadContract, ::testing::ValuesIn(WorkloadRegistry::instance().names()),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace spindle::oltp
