#include "fileio/pattern.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

namespace spindle::fileio {
namespace {

constexpr Layout kLayout{3, 4 * 4096, 4096};  // 12 blocks

std::string kinds(double ratio, int count) {
  KindSequence sequence(ratio);
  std::string text;
  for (int i = 0; i < count; ++i) text += sequence.next() == AccessKind::read ? 'R' : 'W';
  return text;
}

std::vector<Access> take(AccessPattern& pattern, int count) {
  std::vector<Access> accesses;
  for (int i = 0; i < count; ++i) accesses.push_back(pattern.next());
  return accesses;
}

TEST(KindSequence, Ratio1_5ReadsThreeOfFive) { EXPECT_EQ(kinds(1.5, 15), "RWRWRRWRWRRWRWR"); }
TEST(KindSequence, Ratio1Alternates) { EXPECT_EQ(kinds(1, 6), "RWRWRW"); }
TEST(KindSequence, Ratio0OnlyWrites) { EXPECT_EQ(kinds(kOnlyWrites, 4), "WWWW"); }
TEST(KindSequence, AnInfiniteRatioOnlyReads) { EXPECT_EQ(kinds(kOnlyReads, 4), "RRRR"); }

TEST(KindSequence, KeepsTheShareOverMillions) {
  const std::string text = kinds(1.5, 5'000'000);
  EXPECT_EQ(std::count(text.begin(), text.end(), 'R'), 3'000'000);
}

TEST(BlockAt, GoesThroughTheFilesOneAfterTheOther) {
  EXPECT_EQ(block_at(kLayout, AccessKind::read, 0), (Access{AccessKind::read, 0, 4096, 0}));
  EXPECT_EQ(block_at(kLayout, AccessKind::read, 3), (Access{AccessKind::read, 0, 4096, 12288}));
  EXPECT_EQ(block_at(kLayout, AccessKind::write, 4), (Access{AccessKind::write, 1, 4096, 0}));
  EXPECT_EQ(block_at(kLayout, AccessKind::write, 11), (Access{AccessKind::write, 2, 4096, 12288}));
}

TEST(RandomPattern, TheSameSeedAndWorkerGiveTheSameRequests) {
  RandomPattern one(kLayout, 1.5, 42, 7), two(kLayout, 1.5, 42, 7);
  EXPECT_EQ(take(one, 1000), take(two, 1000));
}

TEST(RandomPattern, AnotherSeedOrWorkerGivesOthers) {
  RandomPattern one(kLayout, 1.5, 42, 7), other_seed(kLayout, 1.5, 43, 7), other_worker(kLayout, 1.5, 42, 8);
  const auto requests = take(one, 100);
  EXPECT_NE(requests, take(other_seed, 100));
  EXPECT_NE(requests, take(other_worker, 100));
}

TEST(RandomPattern, EveryBlockIsEquallyLikely) {
  RandomPattern pattern(kLayout, kOnlyReads, 1, 0);
  std::map<std::pair<std::uint32_t, std::uint64_t>, int> hits;
  for (const Access& access : take(pattern, 120'000)) ++hits[{access.file, access.offset}];
  ASSERT_EQ(hits.size(), 12U);
  double chi_square = 0;
  for (const auto& [block, count] : hits) {
    EXPECT_EQ(block.second % 4096, 0U);
    EXPECT_LT(block.second, kLayout.file_bytes);
    chi_square += (count - 10'000.0) * (count - 10'000.0) / 10'000.0;
  }
  EXPECT_LT(chi_square, 31.26);  // 99.9 % of 11 degrees of freedom
}

TEST(RandomPattern, KindAndBlockAreIndependent) {
  RandomPattern pattern(kLayout, 1, 1, 0);
  int reads_in_first_file = 0, first_file = 0;
  for (const Access& access : take(pattern, 60'000)) {
    if (access.file != 0) continue;
    ++first_file;
    if (access.kind == AccessKind::read) ++reads_in_first_file;
  }
  EXPECT_NEAR(first_file, 20'000, 500);
  EXPECT_NEAR(reads_in_first_file, 10'000, 350);
}

TEST(SequentialPattern, WorkersTogetherCoverEveryBlockOncePerLap) {
  Options options;
  options.file_num = 3;
  options.total_bytes = 12 * 4096;
  options.block_bytes = 4096;
  const PatternFactory factory = sequential_patterns(options, AccessKind::write);
  const auto one = factory(0), two = factory(1);
  std::vector<Access> lap;
  for (int i = 0; i < 4; ++i) {
    lap.push_back(one->next());
    lap.push_back(two->next());
    lap.push_back(two->next());
  }
  for (std::uint64_t block = 0; block < 12; ++block) EXPECT_EQ(lap[block], block_at(kLayout, AccessKind::write, block));
  EXPECT_EQ(one->next(), block_at(kLayout, AccessKind::write, 0));
}

}  // namespace
}  // namespace spindle::fileio
