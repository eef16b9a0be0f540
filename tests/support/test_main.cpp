// main() of every test binary: GoogleTest's own, but a run that skipped every test exits with 77, which ctest reports as
// skipped. A run that skipped some has passed: those tests do not concern the server at hand.
#include <gtest/gtest.h>

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  const int status = RUN_ALL_TESTS();
  const auto& tests = *::testing::UnitTest::GetInstance();
  const bool skipped_all = tests.skipped_test_count() > 0 && tests.skipped_test_count() == tests.test_to_run_count();
  return status == 0 && skipped_all ? 77 : status;
}
