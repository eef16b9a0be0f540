// What every registered engine must do, at one request in flight and at as many as it takes.
#include <fcntl.h>

#include <algorithm>
#include <cstring>

#include "fileio/buffers.h"
#include "fileio/engine.h"
#include "tests/fileio/scratch.h"

namespace spindle::fileio {
namespace {

constexpr std::uint32_t kBlock = 4096;
constexpr std::uint64_t kFileBytes = 64 * kBlock;
constexpr core::Nanoseconds kPatience = std::chrono::seconds(10);

class EveryEngine : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    const EnginePlugin& plugin = *core::Registry<EnginePlugin>::instance().find(GetParam());
    depth_ = std::min(plugin.max_depth, 8U);
    write_file(scratch_.path() / "a", std::string(kFileBytes, 'a'));
    write_file(scratch_.path() / "b", std::string(kFileBytes, 'b'));
    files_.emplace_back(open((scratch_.path() / "a").c_str(), O_RDWR | O_CLOEXEC));
    files_.emplace_back(open((scratch_.path() / "b").c_str(), O_RDWR | O_CLOEXEC));
    numbers_ = {files_[0].get(), files_[1].get()};
    core::Random random(1);
    buffers_ = std::make_unique<AlignedBuffer>(depth_ * kBlock, random);
    requests_.resize(depth_);
    for (std::uint32_t i = 0; i < depth_; ++i) requests_[i].data = buffers_->bytes().data() + i * kBlock;
    try {
      engine_ = plugin.make(
          {numbers_, buffers_->bytes(), depth_, SyncCall::fsync, Caching::buffered, {2, kFileBytes, kBlock}});
    } catch (const std::runtime_error& error) {
      GTEST_SKIP() << error.what();  // this kernel refuses it, in one clear line
    }
  }

  void submit(std::uint32_t slot, const Access& access) {
    requests_[slot].access = access;
    requests_[slot].result = -1;
    engine_->submit(requests_[slot]);
  }
  std::vector<Request*> reap_all(std::size_t count) {
    std::vector<Request*> all;
    while (all.size() < count) {
      const auto done = engine_->reap(1, kPatience);
      if (done.empty()) break;
      all.insert(all.end(), done.begin(), done.end());
    }
    return all;
  }
  std::int64_t result_of(const Access& access) {
    submit(0, access);
    EXPECT_EQ(reap_all(1), std::vector<Request*>{&requests_[0]});
    return requests_[0].result;
  }

  ScratchDirectory scratch_;
  std::vector<Descriptor> files_;
  std::vector<int> numbers_;
  std::uint32_t depth_ = 1;
  std::unique_ptr<AlignedBuffer> buffers_;
  std::vector<Request> requests_;
  std::unique_ptr<Engine> engine_;
};

TEST_P(EveryEngine, ReadsTheBlockItIsAskedFor) {
  std::string content = std::string(kFileBytes, 'b');
  std::fill_n(content.begin() + 5 * kBlock, kBlock, 'x');
  write_file(scratch_.path() / "b", content);
  EXPECT_EQ(result_of({AccessKind::read, 1, kBlock, 5 * kBlock}), kBlock);
  EXPECT_EQ(std::string(reinterpret_cast<char*>(requests_[0].data), kBlock), std::string(kBlock, 'x'));
}

TEST_P(EveryEngine, WritesTheBlockItIsAskedForAndNoOther) {
  std::memset(requests_[0].data, 'w', kBlock);
  EXPECT_EQ(result_of({AccessKind::write, 0, kBlock, 63 * kBlock}), kBlock);
  EXPECT_EQ(result_of({AccessKind::sync, 0, 0, 0}), 0);
  EXPECT_EQ(read_file(scratch_.path() / "a"), std::string(63 * kBlock, 'a') + std::string(kBlock, 'w'));
  EXPECT_EQ(read_file(scratch_.path() / "b"), std::string(kFileBytes, 'b'));
}

TEST_P(EveryEngine, FillsItsDepthAndReturnsEachRequestOnce) {
  for (std::uint32_t i = 0; i < depth_; ++i) submit(i, {AccessKind::read, i % 2, kBlock, i * kBlock});
  std::vector<Request*> done = reap_all(depth_);
  std::sort(done.begin(), done.end());
  ASSERT_EQ(done.size(), depth_);
  for (std::uint32_t i = 0; i < depth_; ++i) {
    EXPECT_EQ(done[i], &requests_[i]);
    EXPECT_EQ(requests_[i].result, kBlock);
    EXPECT_EQ(static_cast<char>(requests_[i].data[0]), i % 2 == 0 ? 'a' : 'b');
  }
}

TEST_P(EveryEngine, HasNothingToReapWhenIdle) {
  EXPECT_TRUE(engine_->reap(0, core::Nanoseconds(0)).empty());
  result_of({AccessKind::read, 0, kBlock, 0});
  EXPECT_TRUE(engine_->reap(0, core::Nanoseconds(0)).empty());
}

TEST_P(EveryEngine, AReadAcrossTheEndIsShort) {
  EXPECT_EQ(result_of({AccessKind::read, 0, kBlock, kFileBytes - 100}), 100);
  EXPECT_EQ(result_of({AccessKind::read, 0, kBlock, kFileBytes}), 0);
}

TEST_P(EveryEngine, CarriesOnAfterAFailedRequest) {
  submit(0, {AccessKind::read, 0, kBlock, std::uint64_t{1} << 63});  // a negative offset to the kernel
  ASSERT_EQ(reap_all(1).size(), 1U);
  EXPECT_EQ(requests_[0].result, -EINVAL);
  EXPECT_EQ(result_of({AccessKind::read, 0, kBlock, 0}), kBlock);
}

TEST_P(EveryEngine, HasADescription) {
  EXPECT_FALSE(core::Registry<EnginePlugin>::instance().find(GetParam())->description.empty());
}

// Engines that tests register touch no files.
INSTANTIATE_TEST_SUITE_P(Registry, EveryEngine, testing::ValuesIn([] {
                           std::vector<std::string> names;
                           for (const std::string& name : core::Registry<EnginePlugin>::instance().names()) {
                             if (!name.starts_with("test-")) names.push_back(name);
                           }
                           return names;
                         }()),
                         [](const auto& engine) { return engine.param; });

}  // namespace
}  // namespace spindle::fileio
