#include "core/arrivals.h"

#include <gtest/gtest.h>

namespace spindle::core {
namespace {

using namespace std::chrono_literals;

const TimePoint kStart{1000s};

Load open_load(double rate, ArrivalKind kind) {
  Load load;
  load.rate = rate;
  load.arrivals = kind;
  load.seed = 7;
  return load;
}

TEST(Arrivals, ClosedLoopIsDueWhenTheWorkerIsReady) {
  Arrivals arrivals(Load{}, kStart, TimePoint::max());
  EXPECT_EQ(arrivals.next(kStart + 5s), kStart + 5s);
}

TEST(Arrivals, EventLimitEndsTheHandingOut) {
  Load load;
  load.events = 2;
  Arrivals arrivals(load, kStart, TimePoint::max());
  EXPECT_TRUE(arrivals.next(kStart));
  EXPECT_TRUE(arrivals.next(kStart));
  EXPECT_FALSE(arrivals.next(kStart));
}

TEST(Arrivals, LateWorkerKeepsItsDueTime) {
  Arrivals arrivals(open_load(10, ArrivalKind::uniform), kStart, kStart + 60s);
  EXPECT_EQ(arrivals.next(kStart), kStart);
  EXPECT_EQ(arrivals.next(kStart + 30s), kStart + 100ms);
}

TEST(Arrivals, NoneIsDueAfterTheDeadline) {
  Arrivals arrivals(open_load(1, ArrivalKind::uniform), kStart, kStart + 1500ms);
  EXPECT_EQ(arrivals.next(kStart), kStart);
  EXPECT_EQ(arrivals.next(kStart), kStart + 1s);
  EXPECT_FALSE(arrivals.next(kStart));
}

TEST(Arrivals, PoissonGapsHaveTheMeanOfTheRate) {
  Arrivals arrivals(open_load(1000, ArrivalKind::poisson), kStart, kStart + 3600s);
  TimePoint last{};
  for (int i = 0; i < 100'001; ++i) last = *arrivals.next(kStart);
  EXPECT_NEAR(to_seconds(last - kStart), 100.0, 1.6);  // five standard deviations of a sum of 100,000 gaps
}

TEST(Arrivals, TheBacklogIsWhatWasDueAndNotTaken) {
  Arrivals arrivals(open_load(10, ArrivalKind::uniform), kStart, kStart + 60s);
  arrivals.next(kStart);
  EXPECT_EQ(arrivals.abandon_until(kStart + 1s), 10U);
  EXPECT_EQ(arrivals.next(kStart), kStart + 1100ms);
}

}  // namespace
}  // namespace spindle::core
