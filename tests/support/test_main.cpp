// main() of every test binary: GoogleTest's own, but a run in which a test was skipped and none failed exits with 77, which
// ctest reports as skipped.
#include <gtest/gtest.h>

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  const int status = RUN_ALL_TESTS();
  const bool skipped = ::testing::UnitTest::GetInstance()->skipped_test_count() > 0;
  return status == 0 && skipped ? 77 : status;
}
