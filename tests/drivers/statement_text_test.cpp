#include "drivers/statement_text.h"

#include <gtest/gtest.h>

namespace spindle::drivers {
namespace {

using Parts = std::vector<std::string>;

TEST(StatementText, SplitsAroundEachPlaceholder) {
  EXPECT_EQ(split_at_placeholders("INSERT INTO t VALUES(?, ?)"), (Parts{"INSERT INTO t VALUES(", ", ", ")"}));
}

TEST(StatementText, WithoutPlaceholdersIsOnePart) { EXPECT_EQ(split_at_placeholders("BEGIN"), (Parts{"BEGIN"})); }

TEST(StatementText, QuestionMarksInQuotesAreText) {
  EXPECT_EQ(split_at_placeholders("SELECT '?', \"?\", `?` WHERE a=?"), (Parts{"SELECT '?', \"?\", `?` WHERE a=", ""}));
}

TEST(StatementText, EscapedAndDoubledQuotesDoNotEndAString) {
  EXPECT_EQ(split_at_placeholders(R"(SELECT 'it\'s ?', 'it''s ?', ?)"),
            (Parts{R"(SELECT 'it\'s ?', 'it''s ?', )", ""}));
}

TEST(StatementText, ABackslashEscapesNothingInBackticks) {
  EXPECT_EQ(split_at_placeholders(R"(SELECT `a\`, ?)"), (Parts{R"(SELECT `a\`, )", ""}));
}

TEST(StatementText, QuestionMarksInCommentsAreText) {
  EXPECT_EQ(split_at_placeholders("SELECT /* ? */ ? # ?\n, ? -- ?\n"),
            (Parts{"SELECT /* ? */ ", " # ?\n, ", " -- ?\n"}));
}

TEST(StatementText, TwoDashesWithoutABlankAreNoComment) {
  EXPECT_EQ(split_at_placeholders("SELECT 5--?"), (Parts{"SELECT 5--", ""}));
}

TEST(StatementText, AnUnfinishedStringRunsToTheEnd) {
  EXPECT_EQ(split_at_placeholders("SELECT ?, 'oops ?"), (Parts{"SELECT ", ", 'oops ?"}));
}

}  // namespace
}  // namespace spindle::drivers
