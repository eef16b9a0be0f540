#include "report/grid.h"

#include <algorithm>
#include <numeric>

namespace spindle::report {
namespace {

constexpr std::size_t kMargin = 1;
constexpr std::size_t kGap = 2;

std::vector<std::size_t> column_widths(const Grid& grid) {
  std::vector<std::size_t> widths;
  for (const Column& column : grid.columns) {
    widths.push_back(std::max(display_width(column.title), display_width(column.unit)));
  }
  for (const Row& row : grid.rows) {
    if (row.kind != Row::Kind::fields) continue;
    for (std::size_t i = 0; i < std::min(row.fields.size(), widths.size()); ++i) {
      widths[i] = std::max(widths[i], display_width(row.fields[i].text));
    }
  }
  return widths;
}

std::size_t total_width(const std::vector<std::size_t>& widths) {
  const std::size_t gaps = widths.empty() ? 0 : kGap * (widths.size() - 1);
  return kMargin + std::accumulate(widths.begin(), widths.end(), gaps);
}

// One printed line. Blanks at its end are left away.
std::string line_of(const Grid& grid, const std::vector<std::size_t>& widths, const std::vector<Field>& fields,
                    const RenderOptions& options) {
  std::string line;
  std::size_t owed = kMargin;  // blanks before the next text
  for (std::size_t i = 0; i < std::min(fields.size(), widths.size()); ++i) {
    const std::string text = printable(fields[i].text);
    const std::size_t width = display_width(text);
    const std::size_t padding = widths[i] > width ? widths[i] - width : 0;
    const bool right = grid.columns[i].align == Align::right;
    if (right) owed += padding;
    if (!text.empty()) {
      line += std::string(owed, ' ') + paint(text, fields[i].tone, options);
      owed = 0;
    }
    owed += (right ? 0 : padding) + kGap;
  }
  return line + '\n';
}

}  // namespace

std::size_t width_of(const Grid& grid) { return total_width(column_widths(grid)); }

void print(const Grid& grid, std::ostream& out, const RenderOptions& options) {
  const std::vector<std::size_t> widths = column_widths(grid);
  const std::string_view dash = options.charset == RenderOptions::Charset::unicode ? "─" : "-";
  std::string rule;
  for (std::size_t i = kMargin; i < total_width(widths); ++i) rule += dash;
  const std::string rule_line = std::string(kMargin, ' ') + paint(rule, Tone::faint, options) + '\n';

  std::vector<Field> titles, units;
  bool has_units = false;
  for (const Column& column : grid.columns) {
    titles.push_back({column.title, Tone::strong});
    units.push_back({column.unit, Tone::faint});
    has_units = has_units || !column.unit.empty();
  }
  out << line_of(grid, widths, titles, options);
  if (has_units) out << line_of(grid, widths, units, options);
  out << rule_line;
  for (const Row& row : grid.rows) {
    if (row.kind == Row::Kind::rule) {
      out << rule_line;
    } else if (row.kind == Row::Kind::heading) {
      out << std::string(kMargin, ' ') << paint(printable(row.fields[0].text), row.fields[0].tone, options) << '\n';
    } else {
      out << line_of(grid, widths, row.fields, options);
    }
  }
}

}  // namespace spindle::report
