#include "report/measures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/units.h"
#include "results/wording.h"

namespace spindle::report {
namespace {

using core::format_figure;
using results::Cell;
using results::CellFigures;
using results::CellKind;
using results::CellState;
using results::Comparison;
using results::Result;

// Fewer samples than this beyond a percentile, and it is chance which of them it hits.
constexpr double kSamplesBeyond = 10;

class Builder {
 public:
  Builder(const Result& result, CellKind kind, const MeasureLayout& layout)
      : result_(result), kind_(kind), layout_(layout) {}

  Measures build() {
    add_columns();
    std::string workload;
    bool first = true;
    for (const Cell& cell : results::cells_of(result_, kind_)) {
      const bool new_workload = first || cell.workload != workload;
      if (new_workload && !first) measures_.grid.add_rule();
      if (new_workload && layout_.workload == MeasureLayout::Workload::heading)
        measures_.grid.add_heading(cell.workload);
      add_cell(cell, new_workload);
      workload = cell.workload;
      first = false;
    }
    return std::move(measures_);
  }

 private:
  bool pair() const { return result_.targets.size() == 2; }
  bool compared() const { return result_.targets.size() > 1; }
  bool oltp() const { return kind_ == CellKind::oltp; }

  std::string ratio_unit() const {
    const std::string& mine = result_.targets[0].label;
    if (!pair()) return display_width(mine) > 12 ? "first / this" : mine + " / this";
    const std::string unit = mine + " / " + result_.targets[1].label;
    return display_width(unit) > 17 ? "first / second" : unit;
  }

  void add_columns() {
    std::vector<Column>& columns = measures_.grid.columns;
    if (layout_.workload == MeasureLayout::Workload::column) {
      columns.push_back({oltp() ? "workload" : "test", "", Align::left});
    }
    columns.push_back({"threads", ""});
    columns.push_back({"target", "", Align::left});
    columns.push_back({oltp() ? "TPS" : "IOPS", "1/s"});
    if (oltp() && layout_.queries == MeasureLayout::Queries::shown) columns.push_back({"QPS", "1/s"});
    if (!oltp()) columns.push_back({"data", "MiB/s"});
    if (oltp()) columns.push_back({"dead-", "locks"});
    columns.push_back({"mean", "ms"});
    columns.push_back({"p95", "ms"});
    columns.push_back({"p99", "ms"});
    if (!compared()) return;
    columns.push_back({"ratio", ratio_unit()});
    if (layout_.bar > 0) columns.push_back({oltp() ? "TPS" : "IOPS", "", Align::left});
  }

  void add_cell(const Cell& cell, bool new_workload) {
    std::vector<CellFigures> figures;
    double fastest = 0;
    for (std::size_t target = 0; target < result_.targets.size(); ++target) {
      figures.push_back(results::figures_of(result_, cell, target));
      fastest = std::max(fastest, figures.back().units_per_second);
    }
    for (std::size_t target = 0; target < figures.size(); ++target) {
      const bool name_workload = layout_.blanks == MeasureLayout::Blanks::repeat || (new_workload && target == 0);
      const bool name_threads = layout_.blanks == MeasureLayout::Blanks::repeat || target == 0;
      std::vector<Field> fields;
      if (layout_.workload == MeasureLayout::Workload::column) {
        fields.push_back({name_workload ? cell.workload : "", Tone::strong});
      }
      fields.push_back({name_threads ? core::format_count(cell.threads) : ""});
      fields.push_back({shorten(result_.targets[target].label, layout_.label)});
      add_figures(figures[target], fields);
      if (compared()) fields.push_back(ratio_field(cell, target));
      if (compared() && layout_.bar > 0) fields.push_back(bar_field(figures[target].units_per_second, fastest));
      measures_.grid.add_row(std::move(fields));
    }
  }

  void add_figures(const CellFigures& figures, std::vector<Field>& fields) {
    const std::size_t columns = 5 + (oltp() && layout_.queries == MeasureLayout::Queries::shown ? 1 : 0);
    if (figures.state == CellState::missing || figures.state == CellState::failed) {
      const bool failed = figures.state == CellState::failed;
      fields.push_back({failed ? "failed" : "-", failed ? Tone::bad : Tone::faint});
      for (std::size_t i = 1; i < columns; ++i) fields.push_back({"-", Tone::faint});
      return;
    }
    const bool partial = figures.state == CellState::partial;
    measures_.marks.partial = measures_.marks.partial || partial;
    fields.push_back(
        {(partial ? "!" : "") + format_figure(figures.units_per_second), partial ? Tone::warning : Tone::strong});
    if (oltp() && layout_.queries == MeasureLayout::Queries::shown)
      fields.push_back({format_figure(figures.queries_per_second)});
    if (!oltp()) fields.push_back({format_figure(figures.mib_per_second)});
    if (oltp()) fields.push_back({core::format_count(figures.deadlocks)});
    const core::LatencySummary& latency = figures.merged.latency;
    fields.push_back({latency.count > 0 ? format_figure(latency.mean_ms) : "-"});
    fields.push_back({percentile(latency, 95, latency.p95_ms)});
    fields.push_back({percentile(latency, 99, latency.p99_ms)});
  }

  std::string percentile(const core::LatencySummary& latency, double percent, double value_ms) {
    if (latency.count == 0) return "-";
    const bool rough = static_cast<double>(latency.count) * (100 - percent) / 100 < kSamplesBeyond;
    measures_.marks.rough = measures_.marks.rough || rough;
    return (rough ? "~" : "") + format_figure(value_ms);
  }

  // Of two targets the first one's line carries the ratio: "ssd ... 4.1x". Of more, each other one's line its own.
  Field ratio_field(const Cell& cell, std::size_t target) {
    const bool below = layout_.interval == MeasureLayout::Interval::below;
    const std::size_t other = pair() ? 1 : target;
    const Comparison* comparison = results::comparison_of(result_, cell, other);
    const bool measured = comparison && comparison->difference != results::Difference::unmeasured;
    const bool interval = measured && comparison->high > 0;
    const std::string range = interval ? fmt::format("({}-{})", results::format_ratio(comparison->low),
                                                     results::format_ratio(comparison->high))
                                       : "";
    if (pair() && target == 1) return {below ? range : "", Tone::faint};
    if (!pair() && target == 0) return {};
    if (!measured) return {"-", Tone::faint};
    std::string text = results::format_times(comparison->ratio);
    if (comparison->difference == results::Difference::not_shown) {
      text = "= " + text;
      measures_.marks.no_difference = true;
    }
    if (interval && !below) text += " " + range;
    return {text, tone_of(comparison->difference)};
  }

  static Tone tone_of(results::Difference difference) {
    if (difference == results::Difference::higher) return Tone::good;
    if (difference == results::Difference::lower) return Tone::bad;
    return Tone::plain;
  }

  // The fastest target of the cell gets the whole bar; what was measured at all gets something.
  Field bar_field(double rate, double fastest) const {
    if (!(rate > 0) || !(fastest > 0)) return {};
    const double columns = rate / fastest * static_cast<double>(layout_.bar);
    if (layout_.charset == RenderOptions::Charset::ascii) {
      return {std::string(static_cast<std::size_t>(std::max(1.0, std::round(columns))), '#'), Tone::faint};
    }
    constexpr const char* kParts[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    const auto eighths = static_cast<std::size_t>(std::max(1.0, std::round(columns * 8)));
    std::string bar;
    for (std::size_t i = 0; i < eighths / 8; ++i) bar += "█";
    return {bar + kParts[eighths % 8], Tone::faint};
  }

  const Result& result_;
  const CellKind kind_;
  const MeasureLayout& layout_;
  Measures measures_;
};

}  // namespace

Measures measure(const Result& result, CellKind kind, const MeasureLayout& layout) {
  return Builder(result, kind, layout).build();
}

Measures measure_to_fit(const Result& result, CellKind kind, std::size_t width, RenderOptions::Charset charset) {
  using Layout = MeasureLayout;
  const MeasureLayout layouts[] = {{.bar = 16, .charset = charset},
                                   {.bar = 10, .charset = charset},
                                   {.bar = 6, .label = 16, .charset = charset},
                                   {.bar = 0, .label = 16, .charset = charset},
                                   {.workload = Layout::Workload::heading, .bar = 0, .label = 12, .charset = charset},
                                   {.interval = Layout::Interval::below,
                                    .workload = Layout::Workload::heading,
                                    .bar = 0,
                                    .label = 12,
                                    .charset = charset},
                                   {.interval = Layout::Interval::below,
                                    .workload = Layout::Workload::heading,
                                    .queries = Layout::Queries::hidden,
                                    .bar = 0,
                                    .label = 8,
                                    .charset = charset}};
  Measures measures;
  for (const MeasureLayout& layout : layouts) {
    measures = measure(result, kind, layout);
    if (width_of(measures.grid) <= width) break;
  }
  return measures;
}

std::vector<std::string> footnotes(const Marks& marks) {
  std::vector<std::string> notes;
  if (marks.rough) notes.push_back("~ rough: fewer than 10 samples lie beyond this percentile");
  if (marks.partial) notes.push_back("! a round was interrupted or failed: the figures are of what did run");
  if (marks.no_difference)
    notes.push_back("= no difference shown: the interval contains 1, or the ratio is within 2 % of it");
  return notes;
}

}  // namespace spindle::report
