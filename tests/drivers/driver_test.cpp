#include "drivers/driver.h"

#include <gtest/gtest.h>

#include <string>

namespace spindle::drivers {
namespace {

ConnectionOptions somewhere() {
  ConnectionOptions options;
  options.host = "db1";
  options.port = 3307;
  options.user = "bench";
  options.password = "tops3cret";
  return options;
}

TEST(ConnectionOptions, DescribeNamesUserHostPortAndDatabase) {
  ConnectionOptions options = somewhere();
  EXPECT_EQ(options.describe(), "bench@db1:3307");
  options.database = "sbtest";
  EXPECT_EQ(options.describe(), "bench@db1:3307/sbtest");
}

TEST(ConnectionOptions, DescribeNamesTheSocketInPlaceOfTheHost) {
  ConnectionOptions options = somewhere();
  options.socket = "/run/mysqld.sock";
  EXPECT_EQ(options.describe(), "bench@/run/mysqld.sock");
}

TEST(ConnectionOptions, DescribePutsAnIpv6AddressInBrackets) {
  ConnectionOptions options = somewhere();
  options.host = "::1";
  EXPECT_EQ(options.describe(), "bench@[::1]:3307");
}

TEST(SslMode, IsSpelledAsInTheMysqlClient) {
  EXPECT_EQ(parse_ssl_mode("VERIFY_CA"), SslMode::verify_ca);
  EXPECT_EQ(parse_ssl_mode("verify-identity"), SslMode::verify_identity);
  EXPECT_THROW(parse_ssl_mode("maybe"), std::invalid_argument);
}

TEST(DbError, IsOneLineWithMessageNumberStateAndStatement) {
  const DbError error(1213, "40001", "Deadlock found", "UPDATE t\nSET a=1");
  EXPECT_STREQ(error.what(), "Deadlock found (error 1213, SQLSTATE 40001) in: UPDATE t SET a=1");
  EXPECT_EQ(error.number(), 1213U);
  EXPECT_EQ(error.sqlstate(), "40001");
  EXPECT_EQ(error.statement(), "UPDATE t\nSET a=1");
}

TEST(DbError, CutsALongStatement) {
  const DbError error(1064, "42000", "syntax", "INSERT " + std::string(1'000'000, 'x'));
  EXPECT_LT(std::string(error.what()).size(), 300U);
  EXPECT_EQ(error.statement().size(), 1003U);
}

TEST(DbError, CutsBetweenCharactersNotInsideOne) {
  std::string statement(199, 'x');
  statement += "\xc3\xa9 and more";  // e acute stands at bytes 199 and 200
  const DbError error(1064, "42000", "syntax", statement);
  const std::string what = error.what();
  EXPECT_EQ(what.substr(what.size() - 4), "x...");
}

TEST(Drivers, AnUnknownDriverNamesThoseThatAreBuiltIn) {
  try {
    make_driver("nonsense");
    FAIL();
  } catch (const std::invalid_argument& error) {
    const std::string what = error.what();
    EXPECT_NE(what.find("'nonsense'"), std::string::npos) << what;
    EXPECT_NE(what.find("null"), std::string::npos) << what;
  }
}

TEST(Drivers, EachDescribesItself) {
  for (const std::string& name : DriverRegistry::instance().names()) {
    EXPECT_FALSE(make_driver(name)->describe().empty()) << name;
  }
}

}  // namespace
}  // namespace spindle::drivers
