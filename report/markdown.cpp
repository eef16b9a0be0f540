// "md": the tables and the verdict in Markdown, to paste into an issue or an article.
#include "report/header.h"
#include "report/measures.h"
#include "report/reporter.h"
#include "results/aggregate.h"

namespace spindle::report {
namespace {

using results::CellKind;
using results::Result;

// Text that Markdown leaves as it is: no markup, no HTML, no end of a table cell.
std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : printable(text)) {
    if (c == '<') {
      result += "&lt;";
      continue;
    }
    if (std::string_view("\\`*_[]|#~").find(c) != std::string_view::npos) result += '\\';
    result += c;
  }
  return result;
}

void print_grid(const Grid& grid, std::ostream& out) {
  out << '|';
  for (const Column& column : grid.columns) {
    // A word that was broken over title and unit ("dead-", "locks") is put together again.
    const bool broken = column.title.ends_with('-');
    const std::string title = broken ? column.title.substr(0, column.title.size() - 1) + column.unit : column.title;
    out << ' ' << escaped(title) << (broken || column.unit.empty() ? "" : ", " + escaped(column.unit)) << " |";
  }
  out << "\n|";
  for (const Column& column : grid.columns) out << (column.align == Align::right ? " ---: |" : " :--- |");
  out << '\n';
  for (const Row& row : grid.rows) {
    if (row.kind != Row::Kind::fields) continue;
    out << '|';
    for (const Field& field : row.fields) out << ' ' << escaped(field.text) << " |";
    out << '\n';
  }
}

void print_measures(const Result& result, CellKind kind, const char* heading, Marks& marks, std::ostream& out) {
  if (results::cells_of(result, kind).empty()) return;
  const Measures measures = measure(result, kind, {.blanks = MeasureLayout::Blanks::repeat, .bar = 0});
  out << "\n## " << heading << "\n\n";
  print_grid(measures.grid, out);
  const std::string legend = legend_of(result, kind);
  if (!legend.empty()) out << '\n' << escaped(legend) << '\n';
  marks.rough |= measures.marks.rough;
  marks.partial |= measures.marks.partial;
  marks.no_difference |= measures.marks.no_difference;
}

void print_list(const char* heading, const std::vector<std::string>& lines, std::ostream& out) {
  if (lines.empty()) return;
  out << "\n## " << heading << "\n\n";
  for (const std::string& line : lines) out << "- " << line << '\n';
}

void print_markdown(const Result& result, std::ostream& out, const RenderOptions&) {
  out << "# " << escaped(title_of(result)) << "\n";
  for (const std::string& line : split_list(result.verdict, '\n')) out << "\n**" << escaped(line) << "**\n";
  Marks marks;
  print_measures(result, CellKind::oltp, "MySQL", marks, out);
  print_measures(result, CellKind::fileio, "Raw disk", marks, out);
  for (const std::string& note : footnotes(marks)) out << '\n' << escaped(note) << '\n';

  std::vector<std::string> checks, errors, facts;
  for (const results::Check& check : result.checks) {
    checks.push_back("**" + escaped(check.name) + "**: " + escaped(check.message) + ". Cure: " + escaped(check.remedy));
  }
  for (const std::string& error : result.errors) errors.push_back(escaped(error));
  for (const auto& [name, text] : facts_of(result)) {
    facts.push_back(name.empty() ? escaped(text) : escaped(name) + ": " + escaped(text));
  }
  print_list("Warnings", checks, out);
  print_list("Errors", errors, out);
  print_list("Conditions", facts, out);
  out << "\nMeasured with spindle " << escaped(result.environment.spindle_version) << ", "
      << escaped(result.environment.started_at) << "\n";
}

const core::Register<Reporter> kRegistered{"md", print_markdown};

}  // namespace
}  // namespace spindle::report
