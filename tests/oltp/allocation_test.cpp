// Counts allocations while transactions run. Sanitizers bring their own operator new, so these tests are left out
// there.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <new>

#include "drivers/null_driver.h"
#include "tests/oltp/worker_run.h"

namespace {
thread_local std::uint64_t allocations = 0;
}  // namespace

// Replaces the operator of the whole test binary; the other forms of new call this one. Inlined, the pair looks
// mismatched to the compiler.
[[gnu::noinline]] void* operator new(std::size_t bytes) {
  ++allocations;
  if (void* memory = std::malloc(bytes == 0 ? 1 : bytes)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { ::operator delete(memory); }

namespace spindle::oltp {
namespace {

std::uint64_t allocations_of_a_thousand(std::string_view workload) {
  const drivers::NullDriver driver;
  test_support::WorkerRun run({}, workload, driver);
  run.open();
  run.steps(100);
  const std::uint64_t before = allocations;
  run.steps(1'000);
  return allocations - before;
}

TEST(Allocation, IsCountedByThisBinary) {
  const std::uint64_t before = allocations;
  ::operator delete(::operator new(1));
  EXPECT_EQ(allocations, before + 1);
}

TEST(Allocation, PointSelectNeedsNone) { EXPECT_EQ(allocations_of_a_thousand("point_select"), 0u); }
TEST(Allocation, ReadOnlyNeedsNone) { EXPECT_EQ(allocations_of_a_thousand("read_only"), 0u); }
TEST(Allocation, ReadWriteNeedsNone) { EXPECT_EQ(allocations_of_a_thousand("read_write"), 0u); }
TEST(Allocation, WriteOnlyNeedsNone) { EXPECT_EQ(allocations_of_a_thousand("write_only"), 0u); }
TEST(Allocation, StatusMixedNeedsNone) { EXPECT_EQ(allocations_of_a_thousand("status_mixed"), 0u); }

}  // namespace
}  // namespace spindle::oltp

#endif
