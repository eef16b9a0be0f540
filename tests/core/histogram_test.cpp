#include "core/histogram.h"

#include <gtest/gtest.h>

#include <thread>

namespace spindle::core {
namespace {

using namespace std::chrono_literals;

TEST(HistogramLayout, EveryValueLiesInItsBucket) {
  EXPECT_EQ(HistogramLayout::index_of(0), 0U);
  EXPECT_EQ(HistogramLayout::index_of(2047), 2047U);
  EXPECT_EQ(HistogramLayout::index_of(2048), 2048U);
  EXPECT_EQ(HistogramLayout::index_of(2049), 2048U);
  EXPECT_EQ(HistogramLayout::lowest(2048), 2048U);
  EXPECT_EQ(HistogramLayout::highest(2048), 2049U);
  EXPECT_EQ(HistogramLayout::index_of(HistogramLayout::kLimit - 1), HistogramLayout::kBuckets - 1);
  EXPECT_EQ(HistogramLayout::highest(HistogramLayout::kBuckets - 1), HistogramLayout::kLimit - 1);
}

TEST(HistogramLayout, BucketsTouchAndAreAtMostAThousandthWide) {
  for (std::uint32_t index = 0; index + 1 < HistogramLayout::kBuckets; ++index) {
    ASSERT_EQ(HistogramLayout::highest(index) + 1, HistogramLayout::lowest(index + 1));
    const double width = static_cast<double>(HistogramLayout::highest(index) - HistogramLayout::lowest(index));
    ASSERT_LE(width, 0.001 * static_cast<double>(HistogramLayout::lowest(index)));
  }
}

TEST(Histogram, CountsSumAndMaximumAreExact) {
  Histogram histogram;
  histogram.record(100ns);
  histogram.record(3ms);
  histogram.record(7s);
  const HistogramData data = histogram.snapshot();
  EXPECT_EQ(data.count, 3U);
  EXPECT_EQ(data.sum_ns, 7'003'000'100U);
  EXPECT_EQ(data.max_ns, 7'000'000'000U);
  EXPECT_EQ(data.min_ns(), 100U);
}

TEST(Histogram, ValuesBeyondAnHourAreCountedAsOverflow) {
  Histogram histogram;
  histogram.record(1ms);
  histogram.record(2h);
  const HistogramData data = histogram.snapshot();
  EXPECT_EQ(data.count, 2U);
  EXPECT_EQ(data.overflow, 1U);
  EXPECT_EQ(data.percentile_ns(99), 7'200'000'000'000U);
}

TEST(Histogram, NegativeDurationCountsAsZero) {
  Histogram histogram;
  histogram.record(-5ns);
  EXPECT_EQ(histogram.snapshot().percentile_ns(100), 0U);
}

TEST(HistogramData, NoPercentileExceedsTheMaximum) {
  Histogram histogram;
  histogram.record(1'000'001ns);
  const HistogramData data = histogram.snapshot();
  EXPECT_EQ(data.percentile_ns(50), 1'000'001U);
  EXPECT_EQ(data.percentile_ns(100), 1'000'001U);
}

TEST(HistogramData, PercentileIsTheSmallestValueThatCoversIt) {
  Histogram histogram;
  for (int i = 1; i <= 100; ++i) histogram.record(Nanoseconds(i));
  const HistogramData data = histogram.snapshot();
  EXPECT_EQ(data.percentile_ns(0), 1U);
  EXPECT_EQ(data.percentile_ns(50), 50U);
  EXPECT_EQ(data.percentile_ns(95), 95U);
  EXPECT_EQ(data.percentile_ns(99.1), 100U);
}

TEST(HistogramData, DifferenceOfSnapshotsHoldsOnlyWhatCameBetween) {
  Histogram histogram;
  histogram.record(10ns);
  histogram.record(5ms);
  const HistogramData before = histogram.snapshot();
  histogram.record(10ns);
  histogram.record(20ns);
  const HistogramData gained = histogram.snapshot().since(before);
  EXPECT_EQ(gained.count, 2U);
  EXPECT_EQ(gained.sum_ns, 30U);
  EXPECT_EQ(gained.max_ns, 20U);
  EXPECT_EQ(gained.buckets, (std::vector<HistogramData::Bucket>{{10, 1}, {20, 1}}));
}

TEST(HistogramData, AddingKeepsBucketsSorted) {
  HistogramData left{{{1, 2}, {7, 1}}, 3, 0, 9, 7};
  left += HistogramData{{{1, 1}, {3, 4}}, 5, 0, 13, 3};
  EXPECT_EQ(left, (HistogramData{{{1, 3}, {3, 4}, {7, 1}}, 8, 0, 22, 7}));
}

TEST(Histogram, SnapshotsWhileAnotherThreadWritesLoseNothing) {
  Histogram histogram;
  std::thread writer([&] {
    for (int i = 0; i < 100'000; ++i) histogram.record(Nanoseconds(i));
  });
  HistogramData sum, last;
  for (int i = 0; i < 20; ++i) {
    const HistogramData next = histogram.snapshot();
    sum += next.since(last);
    last = next;
  }
  writer.join();
  sum += histogram.snapshot().since(last);
  EXPECT_EQ(sum.buckets, histogram.snapshot().buckets);
  EXPECT_EQ(sum.count, 100'000U);
}

}  // namespace
}  // namespace spindle::core
