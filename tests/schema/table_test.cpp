#include "schema/table.h"

#include <gtest/gtest.h>

#include <regex>
#include <set>
#include <stdexcept>
#include <string>

#include "schema/tables/status.h"

namespace spindle::schema {
namespace {

std::string row(const TableDefinition& table, std::uint64_t id) {
  std::string sql;
  table.append_row(id, sql);
  return sql;
}

SchemaOptions with_kind(const char* kind) {
  SchemaOptions options;
  options.kinds = {kind};
  return options;
}

TEST(SbtestTable, IsMadeAsSysbenchMakesIt) {
  const TableDefinition table = define_tables(with_kind("sbtest")).at(0);
  EXPECT_EQ(table.create_sql,
            "CREATE TABLE sbtest1 (id INTEGER NOT NULL AUTO_INCREMENT, k INTEGER DEFAULT '0' NOT NULL, c CHAR(120) "
            "DEFAULT '' NOT NULL, pad CHAR(60) DEFAULT '' NOT NULL, PRIMARY KEY (id)) ENGINE = innodb");
  EXPECT_EQ(table.index_sql.at(0), "CREATE INDEX k_1 ON sbtest1 (k)");
}

TEST(SbtestTable, FollowsSysbenchsTableOptions) {
  SchemaOptions options = with_kind("sbtest");
  options.auto_inc = options.create_secondary = false;
  options.secondary = true;
  options.storage_engine = "aria";
  options.create_table_options = "ROW_FORMAT=PAGE";
  const TableDefinition table = define_tables(options).at(0);
  EXPECT_EQ(table.create_sql,
            "CREATE TABLE sbtest1 (id INTEGER NOT NULL, k INTEGER DEFAULT '0' NOT NULL, c CHAR(120) DEFAULT '' NOT "
            "NULL, pad CHAR(60) DEFAULT '' NOT NULL, KEY xid (id)) ENGINE = aria ROW_FORMAT=PAGE");
  EXPECT_TRUE(table.index_sql.empty());
  EXPECT_EQ(table.structure.columns.at(0), "id int");
  EXPECT_EQ(table.structure.indexes, std::vector<std::string>{"xid (id)"});
}

TEST(SbtestTable, HasLargeIdsWhereItHasMoreRowsThanAnIntegerCounts) {
  SchemaOptions options = with_kind("sbtest");
  options.table_size = 10'000'000'000;
  const TableDefinition table = define_tables(options).at(0);
  EXPECT_NE(table.create_sql.find("id BIGINT NOT NULL AUTO_INCREMENT, k BIGINT"), std::string::npos);
  EXPECT_EQ(table.structure.columns.at(0), "id bigint auto_increment");
  EXPECT_EQ(row(table, 10'000'000'000).find("(10000000000,"), 0u);
}

TEST(SbtestTable, AreNumberedFromOne) {
  SchemaOptions options;
  options.tables = 3;
  const auto tables = define_tables(options);
  ASSERT_EQ(tables.size(), 3u);
  EXPECT_EQ(tables[0].name, "sbtest1");
  EXPECT_EQ(tables[2].name, "sbtest3");
}

TEST(SbtestTable, CAndPadAreGroupsOfElevenDigits) {
  const std::string text = row(define_tables(with_kind("sbtest")).at(0), 17);
  EXPECT_TRUE(
      std::regex_match(text, std::regex("\\(17,[0-9]+,'([0-9]{11}-){9}[0-9]{11}','([0-9]{11}-){4}[0-9]{11}'\\)")))
      << text;
}

TEST(SbtestTable, KIsInTheTablesRange) {
  SchemaOptions options;
  options.table_size = 3;
  const TableDefinition table = define_tables(options).at(0);
  std::set<std::string> seen;
  for (std::uint64_t id = 1; id <= 60; ++id) {
    const std::string text = row(table, id);
    const std::size_t comma = text.find(',');
    seen.insert(text.substr(comma + 1, text.find(',', comma + 1) - comma - 1));
  }
  EXPECT_EQ(seen, (std::set<std::string>{"1", "2", "3"}));
}

TEST(Rows, AreAPureFunctionOfSeedTableAndId) {
  SchemaOptions options;
  options.tables = 2;
  const auto tables = define_tables(options);
  const auto again = define_tables(options);
  options.seed = 2;
  const auto other_seed = define_tables(options);
  EXPECT_EQ(row(tables[0], 5), row(again[0], 5));
  EXPECT_NE(row(tables[0], 5), row(tables[1], 5));
  EXPECT_NE(row(tables[0], 5), row(other_seed[0], 5));
  EXPECT_NE(row(tables[0], 5).substr(3), row(tables[0], 6).substr(3));
}

TEST(Rows, OfADefaultSeedStayAsTheyWere) {
  EXPECT_EQ(row(define_tables(with_kind("sbtest")).at(0), 1),
            "(1,6261,'77848649632-29034103086-29040375092-22905407882-50132059033-90416872664-95162858323-62208058815-"
            "54739031403-28067658529','42268808212-39495026860-06868185291-59529964154-37229008625')");
  EXPECT_EQ(row(define_tables(with_kind("status")).at(0), 1), "(1,912487008,1835578681,'mhxg cnpc lhmy ywth qgsn')");
}

TEST(StatusTable, HasTheColumnsAndTheCharset) {
  const TableDefinition table = define_tables(with_kind("status")).at(0);
  EXPECT_EQ(table.create_sql,
            "CREATE TABLE status (id int unsigned auto_increment primary key, time int not null, uid int not null, "
            "status varchar(32) not null) ENGINE = innodb DEFAULT CHARSET = cp1251");
  EXPECT_EQ(table.index_sql.at(0), "CREATE FULLTEXT INDEX status ON status (status)");
}

TEST(StatusTable, LeavesTheCharsetToTheServerWhenNoneIsGiven) {
  SchemaOptions options = with_kind("status");
  options.charset = "";
  EXPECT_EQ(define_tables(options).at(0).create_sql.find("CHARSET"), std::string::npos);
}

TEST(StatusTable, AStatusIsFiveWordsOfFourConsonants) {
  const std::string text = row(define_tables(with_kind("status")).at(0), 3);
  EXPECT_TRUE(
      std::regex_match(text, std::regex("\\(3,[0-9]+,[0-9]+,'([b-df-hj-np-tv-z]{4} ){4}[b-df-hj-np-tv-z]{4}'\\)")))
      << text;
}

TEST(StatusTable, AWordStandsInAboutTenRows) {
  constexpr std::uint64_t kRows = 10'000;
  SchemaOptions options = with_kind("status");
  options.status_rows = kRows;
  const TableDefinition table = define_tables(options).at(0);
  const StatusValues values(kRows);
  core::Random random(5);
  std::string all;
  for (std::uint64_t id = 1; id <= kRows; ++id) table.append_row(id, all);
  std::uint64_t found = 0;
  for (int draw = 0; draw < 100; ++draw) {
    const Word word = values.word(random);
    for (std::size_t at = all.find(view(word)); at != std::string::npos; at = all.find(view(word), at + 1)) ++found;
  }
  EXPECT_GT(found, 900u);
  EXPECT_LT(found, 1'100u);
}

TEST(StatusTable, OrdinaryAndRecentTimesDoNotMeet) {
  const StatusValues values(1'000);
  core::Random random(1);
  for (int draw = 0; draw < 1'000; ++draw) {
    EXPECT_LT(values.ordinary_time(random), values.time_above_ordinary(random) + 1);
    EXPECT_GT(values.recent_time(random), values.time_above_ordinary(random));
    EXPECT_LT(values.recent_time(random), 2'147'483'647);
    EXPECT_LT(values.time_above(random), kOrdinaryTimes);
    EXPECT_GE(values.time_above(random), kOrdinaryTimes / 1'000 * 980);
  }
}

TEST(StatusTable, ATableOfOneRowWorks) {
  const StatusValues values(1);
  core::Random random(1);
  EXPECT_EQ(values.time_above(random), 0);
  EXPECT_EQ(values.uid_above(random), 0);
}

TEST(DataBytes, MatchTheMeasuredQuarterGigabyteOfFourTables) {
  SchemaOptions options;
  options.tables = 4;
  options.table_size = 250'000;
  EXPECT_NEAR(static_cast<double>(data_bytes(options)), 257e6, 2e6);
}

TEST(SchemaOptions, AnUnknownKindListsThoseThereAre) {
  try {
    define_tables(with_kind("statuses"));
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "no table kind is called 'statuses': there are bulk, sbtest, sbtest04, status");
  }
}

TEST(SchemaOptions, ATableNeedsARow) {
  SchemaOptions options;
  options.table_size = 0;
  EXPECT_THROW(define_tables(options), std::invalid_argument);
  options.table_size = (std::uint64_t{1} << 40U) + 1;
  EXPECT_THROW(define_tables(options), std::invalid_argument);
}

}  // namespace
}  // namespace spindle::schema
