#include "results/aggregate.h"

#include <gtest/gtest.h>

#include "results/durability.h"
#include "results/wording.h"
#include "tests/support/sample_result.h"

namespace spindle::results {
namespace {

const Cell kCell{CellKind::oltp, "read_write", 16};

TEST(Figures, RatesAreTheMeanOverRoundsWhateverTheirLength) {
  Result result = testing::make_frame();
  testing::add_run(result, {.cell = kCell, .round = 1, .per_second = 100, .seconds = 10});
  testing::add_run(result, {.cell = kCell, .round = 2, .per_second = 300, .seconds = 30});
  const CellFigures figures = figures_of(result, kCell, 0);
  EXPECT_EQ(figures.state, CellState::complete);
  EXPECT_EQ(figures.rounds, 2U);
  EXPECT_DOUBLE_EQ(figures.units_per_second, 200);
  EXPECT_DOUBLE_EQ(figures.queries_per_second, 4000);  // 20 statements a transaction
}

TEST(Figures, PercentilesComeFromTheMergedHistograms) {
  Result result = testing::make_frame();
  testing::add_run(result, {.cell = kCell, .round = 1});
  testing::add_run(result, {.cell = kCell, .round = 2});
  // 990 values of 1 us and 10 of 2 us; then 10 of 1 us and 90 of 2 us.
  result.runs[0].total.data.operations[0].service = {{{1000, 990}, {2000, 10}}, 1000, 0, 1'010'000, 2000};
  result.runs[1].total.data.operations[0].service = {{{1000, 10}, {2000, 90}}, 100, 0, 190'000, 2000};
  const core::LatencySummary latency = figures_of(result, kCell, 0).merged.latency;
  EXPECT_EQ(latency.count, 1100U);
  EXPECT_DOUBLE_EQ(latency.p50_ms, 0.001);
  EXPECT_DOUBLE_EQ(latency.p95_ms, 0.002);  // the mean of the two p95 would be 0.0015
  EXPECT_NEAR(latency.mean_ms, 1.2 / 1100, 1e-12);
}

TEST(Figures, DeadlocksAreAddedUp) {
  Result result = testing::make_frame();
  testing::add_run(result, {.cell = kCell, .round = 1, .deadlocks = 3});
  testing::add_run(result, {.cell = kCell, .round = 2, .deadlocks = 4});
  EXPECT_EQ(figures_of(result, kCell, 0).deadlocks, 7U);
}

TEST(Figures, LeaveOutARoundThatWasInterruptedAndSayThatOneWas) {
  Result result = testing::make_frame();
  testing::add_run(result, {.cell = kCell, .round = 1, .per_second = 100});
  testing::add_run(result, {.cell = kCell, .round = 2, .per_second = 10}).end = "interrupted";
  const CellFigures figures = figures_of(result, kCell, 0);
  EXPECT_EQ(figures.state, CellState::partial);
  EXPECT_DOUBLE_EQ(figures.units_per_second, 100);
}

TEST(Figures, UseAnInterruptedRoundWhereThereIsNoOther) {
  Result result = testing::make_frame();
  testing::add_run(result, {.cell = kCell, .per_second = 10}).end = "interrupted";
  const CellFigures figures = figures_of(result, kCell, 0);
  EXPECT_EQ(figures.state, CellState::partial);
  EXPECT_DOUBLE_EQ(figures.units_per_second, 10);
}

TEST(Figures, TellAFailedCellFromOneThatWasNeverRun) {
  Result result = testing::make_frame();
  testing::add_run(result, {.cell = kCell, .per_second = 0}).end = "failed";
  EXPECT_EQ(figures_of(result, kCell, 0).state, CellState::failed);
  EXPECT_EQ(figures_of(result, kCell, 1).state, CellState::missing);
}

TEST(Cells, ComeOncePerKindAndInOrderOfThreads) {
  Result result = testing::make_frame();
  testing::add_run(result, {.cell = {CellKind::fileio, "rndrd", 1}});
  testing::add_run(result, {.cell = {CellKind::oltp, "read_write", 16}});
  testing::add_run(result, {.cell = {CellKind::oltp, "read_only", 64}});
  testing::add_run(result, {.cell = {CellKind::oltp, "read_write", 1}});
  testing::add_run(result, {.target = 1, .cell = {CellKind::oltp, "read_write", 1}});
  EXPECT_EQ(cells_of(result), (std::vector<Cell>{{CellKind::oltp, "read_write", 1},
                                                 {CellKind::oltp, "read_write", 16},
                                                 {CellKind::oltp, "read_only", 64},
                                                 {CellKind::fileio, "rndrd", 1}}));
}

TEST(Durability, OfTheDefaultsIsFull) {
  EXPECT_EQ(describe_durability({{"innodb_flush_log_at_trx_commit", "1"}, {"sync_binlog", "0"}, {"log_bin", "OFF"}}),
            "full");
}
TEST(Durability, IsUnknownWithoutTheDecisiveVariable) { EXPECT_EQ(describe_durability({}), "unknown"); }
TEST(Durability, NamesEachRelaxedSetting) {
  EXPECT_EQ(describe_durability({{"innodb_flush_log_at_trx_commit", "2"},
                                 {"sync_binlog", "1000"},
                                 {"log_bin", "ON"},
                                 {"innodb_doublewrite", "OFF"},
                                 {"innodb_flush_method", "nosync"}}),
            "relaxed (innodb_flush_log_at_trx_commit=2, sync_binlog=1000, innodb_doublewrite=OFF, "
            "innodb_flush_method=nosync)");
}
TEST(Durability, AcceptsEveryWordForDoublewrite) {
  EXPECT_TRUE(relaxed_settings({{"innodb_doublewrite", "DETECT_AND_RECOVER"}}).empty());
  EXPECT_TRUE(relaxed_settings({{"innodb_doublewrite", "1"}}).empty());
  EXPECT_EQ(relaxed_settings({{"innodb_doublewrite", "DETECT_ONLY"}}).size(), 1U);
  EXPECT_EQ(relaxed_settings({{"innodb_doublewrite", "0"}}).size(), 1U);
}

TEST(Wording, OfRatiosHasTwoDecimalsNearOne) {
  EXPECT_EQ(format_ratio(0.97), "0.97");
  EXPECT_EQ(format_ratio(1.994), "1.99");
  EXPECT_EQ(format_ratio(4.12), "4.1");
  EXPECT_EQ(format_ratio(73.24), "73.2");
  EXPECT_EQ(format_ratio(1250.4), "1,250");
  EXPECT_EQ(format_ratio(0.0451), "0.045");
}
TEST(Wording, OfCells) {
  EXPECT_EQ(name_of({CellKind::oltp, "read_write", 16}), "read_write at 16 threads");
  EXPECT_EQ(name_of({CellKind::fileio, "rndrd", 1}), "fileio rndrd at 1 thread");
}

}  // namespace
}  // namespace spindle::results
