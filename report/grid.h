// Rows and columns of text, before an output decides how to draw them.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "report/reporter.h"
#include "report/text.h"

namespace spindle::report {

enum class Align : std::uint8_t { left, right };

struct Column {
  std::string title;
  std::string unit;  // below the title; may be empty
  Align align = Align::right;
};

struct Field {
  std::string text;
  Tone tone = Tone::plain;
};

struct Row {
  enum class Kind : std::uint8_t { fields, heading, rule };
  Kind kind = Kind::fields;
  std::vector<Field> fields;  // one a column; a heading has one
};

struct Grid {
  std::vector<Column> columns;
  std::vector<Row> rows;

  void add_row(std::vector<Field> fields) { rows.push_back({Row::Kind::fields, std::move(fields)}); }
  void add_heading(std::string text) { rows.push_back({Row::Kind::heading, {{std::move(text), Tone::strong}}}); }
  void add_rule() { rows.push_back({Row::Kind::rule, {}}); }
};

// Columns that the printed grid takes, its left margin included.
std::size_t width_of(const Grid& grid);

void print(const Grid& grid, std::ostream& out, const RenderOptions& options);

}  // namespace spindle::report
