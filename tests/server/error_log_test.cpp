#include "server/error_log.h"

#include <gtest/gtest.h>

#include "tests/server/scratch_directory.h"

namespace spindle::server {
namespace {

TEST(ErrorLog, TheTailIsTheLastLines) {
  const ScratchDirectory scratch;
  const auto log = scratch.write("log", "one\ntwo\nthree\n");
  EXPECT_EQ(tail_of(log, 2), "two\nthree");
  EXPECT_EQ(tail_of(log, 3), "one\ntwo\nthree");
  EXPECT_EQ(tail_of(log, 9), "one\ntwo\nthree");
  EXPECT_EQ(tail_of(log, 0), "");
}

TEST(ErrorLog, TheTailBeginsNoEarlierThanAsked) {
  const ScratchDirectory scratch;
  EXPECT_EQ(tail_of(scratch.write("log", "one\ntwo\nthree\n"), 9, 4), "two\nthree");
}

TEST(ErrorLog, AMissingOrEmptyLogHasNoTail) {
  const ScratchDirectory scratch;
  EXPECT_EQ(tail_of("/nonexistent", 5), "");
  EXPECT_EQ(tail_of(scratch.write("log", ""), 5), "");
}

TEST(ErrorLog, AnExcerptEndsWithTheLastError) {
  const ScratchDirectory scratch;
  const auto log = scratch.write("log", "note\n[ERROR] unknown variable\n[ERROR] Aborting\nadvice\nmore advice\n");
  EXPECT_EQ(failure_excerpt(log, 2), "[ERROR] unknown variable\n[ERROR] Aborting");
}

TEST(ErrorLog, AnExcerptWithoutAnErrorIsTheTail) {
  const ScratchDirectory scratch;
  EXPECT_EQ(failure_excerpt(scratch.write("log", "one\ntwo\n"), 1), "two");
}

}  // namespace
}  // namespace spindle::server
