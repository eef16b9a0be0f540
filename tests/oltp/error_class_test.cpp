#include "oltp/error_class.h"

#include <gtest/gtest.h>

namespace spindle::oltp {
namespace {

TEST(ErrorClass, TheFourThatRestartATransaction) {
  EXPECT_EQ(classify(1213), ErrorClass::deadlock);
  EXPECT_EQ(classify(1205), ErrorClass::lock_wait_timeout);
  EXPECT_EQ(classify(1062), ErrorClass::duplicate_key);
  EXPECT_EQ(classify(1020), ErrorClass::record_changed);
  EXPECT_TRUE(restarts_transaction(ErrorClass::deadlock));
  EXPECT_TRUE(restarts_transaction(ErrorClass::lock_wait_timeout));
  EXPECT_TRUE(restarts_transaction(ErrorClass::duplicate_key));
  EXPECT_TRUE(restarts_transaction(ErrorClass::record_changed));
}

TEST(ErrorClass, ALostKilledOrClosingConnectionIsLost) {
  EXPECT_EQ(classify(2006), ErrorClass::connection_lost);
  EXPECT_EQ(classify(2013), ErrorClass::connection_lost);
  EXPECT_EQ(classify(1053), ErrorClass::connection_lost);
  EXPECT_EQ(classify(1927), ErrorClass::connection_lost);
  EXPECT_EQ(classify(1317), ErrorClass::connection_lost);
  EXPECT_FALSE(restarts_transaction(ErrorClass::connection_lost));
}

TEST(ErrorClass, AnythingElseEndsTheRun) {
  EXPECT_EQ(classify(1064), ErrorClass::other);
  EXPECT_EQ(classify(1146), ErrorClass::other);
  EXPECT_EQ(classify(1114), ErrorClass::other);
  EXPECT_FALSE(restarts_transaction(ErrorClass::other));
}

TEST(ErrorClass, ARefusedPasswordDoesNotComeBackAndAStoppedServerDoes) {
  EXPECT_FALSE(may_come_back(1045));
  EXPECT_FALSE(may_come_back(1049));
  EXPECT_TRUE(may_come_back(2002));
  EXPECT_TRUE(may_come_back(2003));
  EXPECT_TRUE(may_come_back(1040));
  EXPECT_TRUE(may_come_back(2013));
}

}  // namespace
}  // namespace spindle::oltp
