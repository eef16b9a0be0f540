#include "core/units.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace spindle::core {
namespace {

using namespace std::chrono_literals;

TEST(ParseSize, TakesTheUnitsThatUsersWrite) {
  EXPECT_EQ(parse_size("0"), 0U);
  EXPECT_EQ(parse_size("512"), 512U);
  EXPECT_EQ(parse_size("16k"), 16384U);
  EXPECT_EQ(parse_size("16K"), 16384U);
  EXPECT_EQ(parse_size("2MiB"), 2U << 20);
  EXPECT_EQ(parse_size("2mb"), 2U << 20);
  EXPECT_EQ(parse_size("1.5G"), 3ULL << 29);
  EXPECT_EQ(parse_size("2T"), 2ULL << 40);
}

TEST(ParseSize, RefusesWhatIsNoSize) {
  EXPECT_THROW(parse_size(""), std::invalid_argument);
  EXPECT_THROW(parse_size("big"), std::invalid_argument);
  EXPECT_THROW(parse_size("10x"), std::invalid_argument);
  EXPECT_THROW(parse_size("-1"), std::invalid_argument);
  EXPECT_THROW(parse_size("1.5"), std::invalid_argument);
  EXPECT_THROW(parse_size("1..5G"), std::invalid_argument);
  EXPECT_THROW(parse_size("16 k"), std::invalid_argument);
  EXPECT_THROW(parse_size("99999999999T"), std::invalid_argument);
}

TEST(ParseDuration, SecondsAreTheDefaultUnit) {
  EXPECT_EQ(parse_duration("90"), 90s);
  EXPECT_EQ(parse_duration("0.5"), 500ms);
  EXPECT_EQ(parse_duration("250ms"), 250ms);
  EXPECT_EQ(parse_duration("2m"), 120s);
  EXPECT_EQ(parse_duration("1.5h"), 90min);
}

TEST(ParseDuration, RefusesWhatIsNoDuration) {
  EXPECT_THROW(parse_duration("soon"), std::invalid_argument);
  EXPECT_THROW(parse_duration("10d"), std::invalid_argument);
  EXPECT_THROW(parse_duration("-1s"), std::invalid_argument);
}

TEST(Format, SizesAreExactWhereTheyCanBe) {
  EXPECT_EQ(format_size(512), "512");
  EXPECT_EQ(format_size(16384), "16k");
  EXPECT_EQ(format_size(3ULL << 29), "1.5G");
  EXPECT_EQ(format_size(257'000'000), "245.1M");
}

TEST(Format, DurationsReadAsPeopleSayThem) {
  EXPECT_EQ(format_duration(850ms), "850ms");
  EXPECT_EQ(format_duration(1500ms), "1.5s");
  EXPECT_EQ(format_duration(12s), "12s");
  EXPECT_EQ(format_duration(245s), "4m 05s");
  EXPECT_EQ(format_duration(130min), "2h 10m");
}

TEST(Format, FiguresCarryThreeSignificantDigits) {
  EXPECT_EQ(format_figure(0), "0");
  EXPECT_EQ(format_figure(0.01234), "0.012");
  EXPECT_EQ(format_figure(4.5678), "4.57");
  EXPECT_EQ(format_figure(45.678), "45.7");
  EXPECT_EQ(format_figure(456.78), "457");
  EXPECT_EQ(format_figure(12345.6), "12,346");
}

TEST(Format, CountsAreGroupedByThousands) {
  EXPECT_EQ(format_count(999), "999");
  EXPECT_EQ(format_count(1000), "1,000");
  EXPECT_EQ(format_count(1234567), "1,234,567");
}

}  // namespace
}  // namespace spindle::core
