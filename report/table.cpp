// "table": the report for a terminal.
#include <fmt/format.h>

#include <algorithm>

#include "core/units.h"
#include "report/detail.h"
#include "report/header.h"
#include "report/measures.h"
#include "report/reporter.h"
#include "report/section.h"
#include "results/wording.h"

namespace spindle::report {
namespace {

using results::CellKind;
using results::Result;

class Table {
 public:
  Table(const Result& result, std::ostream& out, const RenderOptions& options)
      : result_(result), out_(out), options_(options), width_(static_cast<std::size_t>(std::max(options.width, 20))) {}

  void print() {
    print_header();
    print_story(Place::opening);
    print_measures(CellKind::oltp, "MySQL",
                   "TPS: committed transactions; QPS: statements; latency of a whole transaction");
    print_measures(CellKind::fileio, "Raw disk", "IOPS: requests; latency of one request");
    print_footnotes();
    if (options_.detail == RenderOptions::Detail::full) {
      section("Details", "rounds merged");
      print_detail(result_, out_, options_);
    }
    print_story(Place::body);
    print_losses();
    print_list("Errors", result_.errors, Tone::bad);
    print_checks();
    print_verdict();
  }

 private:
  // The report on a single run; several runs are compared instead.
  void print_story(Place place) {
    if (result_.runs.size() == 1) print_sections(place, result_, result_.runs.front(), out_, options_);
  }

  // A name with a line after it, and what the section shows below.
  void section(const std::string& name, const std::string& explanation) {
    out_ << '\n' << ' ' << paint(name, Tone::strong, options_) << '\n';
    if (!explanation.empty()) print_faint(explanation);
  }

  void print_faint(const std::string& text) {
    for (const std::string& line : split_list(wrap(" ", text, width_), '\n')) {
      out_ << ' ' << paint(line, Tone::faint, options_) << '\n';
    }
  }

  void print_header() {
    const results::Environment& environment = result_.environment;
    std::string when = environment.started_at;
    if (!environment.finished_at.empty()) when += " to " + environment.finished_at;
    out_ << ' '
         << paint("spindle " + printable(environment.spindle_version) + ": " + printable(title_of(result_)),
                  Tone::strong, options_);
    if (!when.empty()) out_ << paint("  " + printable(when), Tone::faint, options_);
    out_ << "\n\n";
    const Facts facts = facts_of(result_);
    std::size_t widest = 0;
    for (const auto& [name, text] : facts) widest = std::max(widest, display_width(printable(name)));
    for (const auto& [name, text] : facts) {
      const std::string label = printable(name);
      out_ << wrap(" " + label + std::string(widest - display_width(label) + 2, ' '), text, width_);
    }
  }

  void print_measures(CellKind kind, const char* name, const std::string& explanation) {
    if (results::cells_of(result_, kind).empty()) return;
    section(name, explanation);
    const std::string legend = legend_of(result_, kind);
    if (!legend.empty()) print_faint(legend);
    out_ << '\n';
    const Measures measures = measure_to_fit(result_, kind, width_, options_.charset);
    report::print(measures.grid, out_, options_);
    marks_.rough |= measures.marks.rough;
    marks_.partial |= measures.marks.partial;
    marks_.no_difference |= measures.marks.no_difference;
  }

  void print_footnotes() {
    std::vector<std::string> notes = footnotes(marks_);
    const bool interval = std::any_of(result_.comparisons.begin(), result_.comparisons.end(),
                                      [](const results::Comparison& comparison) { return comparison.high > 0; });
    if (interval) notes.insert(notes.begin(), "(a-b) is the 95 % interval of the ratio over the rounds");
    if (!notes.empty()) out_ << '\n';
    for (const std::string& note : notes) print_faint(note);
  }

  // Units that were given up or cut off, over all rounds of a cell: they are in no figure above.
  void print_losses() {
    std::vector<std::string> losses;
    for (const results::Cell& cell : results::cells_of(result_)) {
      for (std::size_t target = 0; target < result_.targets.size(); ++target) {
        std::uint64_t failed = 0, unfinished = 0;
        for (const results::Run& run : result_.runs) {
          if (run.target != target || run.cell != cell) continue;
          failed += run.accounts.failed;
          unfinished += static_cast<std::uint64_t>(std::max<std::int64_t>(0, run.accounts.in_flight()));
        }
        if (failed + unfinished > 0) losses.push_back(describe_loss(cell, target, failed, unfinished));
      }
    }
    print_list("Not in the figures above", losses, Tone::warning);
  }

  std::string describe_loss(const results::Cell& cell, std::size_t target, std::uint64_t failed,
                            std::uint64_t unfinished) const {
    std::string what = failed > 0 ? core::format_count(failed) + " failed" : "";
    if (unfinished > 0) {
      what += fmt::format("{}{} unfinished at the end", what.empty() ? "" : " and ", core::format_count(unfinished));
    }
    return fmt::format("{} on {}: {} {}", results::name_of(cell), result_.targets[target].label, what,
                       cell.kind == CellKind::oltp ? "(transactions)" : "(requests)");
  }

  void print_list(const std::string& name, const std::vector<std::string>& lines, Tone tone) {
    constexpr std::size_t kShown = 20;
    if (lines.empty()) return;
    out_ << '\n' << ' ' << paint(name, tone, options_) << '\n';
    for (std::size_t i = 0; i < std::min(lines.size(), kShown); ++i) out_ << wrap("   ", lines[i], width_);
    if (lines.size() > kShown) out_ << fmt::format("   and {} more\n", lines.size() - kShown);
  }

  void print_checks() {
    if (result_.checks.empty()) return;
    out_ << '\n' << ' ' << paint("Warnings", Tone::warning, options_) << '\n';
    for (const results::Check& check : result_.checks) {
      out_ << wrap("   " + printable(check.name) + ": ", check.message, width_);
      if (!check.remedy.empty()) out_ << wrap("     cure: ", check.remedy, width_);
    }
  }

  void print_verdict() {
    if (result_.verdict.empty()) return;
    out_ << '\n' << ' ' << paint("Verdict", Tone::strong, options_) << '\n';
    for (const std::string& line : split_list(result_.verdict, '\n')) out_ << wrap("   ", line, width_);
  }

  const Result& result_;
  std::ostream& out_;
  const RenderOptions& options_;
  const std::size_t width_;
  Marks marks_;
};

void print_table(const Result& result, std::ostream& out, const RenderOptions& options) {
  Table(result, out, options).print();
}

const core::Register<Reporter> kRegistered{"table", print_table};

}  // namespace
}  // namespace spindle::report
