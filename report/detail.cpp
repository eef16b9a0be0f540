#include "report/detail.h"

#include <fmt/format.h>

#include <map>

#include "core/units.h"
#include "report/grid.h"
#include "results/aggregate.h"
#include "results/wording.h"

namespace spindle::report {
namespace {

using core::format_count;
using core::format_figure;
using results::Run;

Grid operations_grid(const core::Summary& summary) {
  Grid grid;
  grid.columns = {{"operation", "", Align::left},
                  {"count", ""},
                  {"rate", "1/s"},
                  {"mean", "ms"},
                  {"p95", "ms"},
                  {"p99", "ms"},
                  {"max", "ms"},
                  {"errors", ""},
                  {"rows", ""}};
  for (const core::OperationSummary& operation : summary.operations) {
    const core::LatencySummary& latency = operation.latency;
    if (latency.count == 0 && operation.errors == 0) continue;
    grid.add_row({{operation.name},
                  {format_count(latency.count)},
                  {format_figure(operation.per_second)},
                  {format_figure(latency.mean_ms)},
                  {format_figure(latency.p95_ms)},
                  {format_figure(latency.p99_ms)},
                  {format_figure(latency.max_ms)},
                  {format_count(operation.errors)},
                  {format_count(operation.rows)}});
  }
  return grid;
}

// "disk.read_iops 1,234/s, server.cpu 85 %": means over the rounds that know the figure.
std::string metrics_text(const std::vector<const Run*>& runs) {
  struct Sum {
    double total = 0;
    std::size_t count = 0;
    std::string unit;
  };
  std::map<std::string, Sum> sums;
  for (const Run* run : runs) {
    for (const results::Metric& metric : run->metrics) {
      Sum& sum = sums[metric.name];
      sum.total += metric.value;
      ++sum.count;
      sum.unit = metric.unit;
    }
  }
  std::string text;
  for (const auto& [name, sum] : sums) {
    const std::string unit = sum.unit == "1/s" ? "/s" : sum.unit.empty() ? "" : " " + sum.unit;
    text += fmt::format("{}{} {}{}", text.empty() ? "" : ", ", name,
                        format_figure(sum.total / static_cast<double>(sum.count)), unit);
  }
  return text;
}

std::string counters_text(const core::Summary& summary) {
  std::string text;
  for (const core::CounterSummary& counter : summary.counters) {
    if (counter.count > 0)
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", counter.name, format_count(counter.count));
  }
  return text;
}

// "status 10,000 -> 10,012" for each round.
std::string rows_text(const std::vector<const Run*>& runs) {
  std::string text;
  for (const Run* run : runs) {
    for (const auto& [table, before] : run->rows_before) {
      const auto after = run->rows_after.find(table);
      text += fmt::format("{}round {}: {} {} -> {}", text.empty() ? "" : ", ", run->round, table, format_count(before),
                          after == run->rows_after.end() ? "?" : format_count(after->second));
    }
  }
  return text;
}

void print_fact(const char* name, const std::string& text, std::ostream& out, const RenderOptions& options) {
  if (!text.empty()) out << wrap(fmt::format("   {:<9} ", name), text, static_cast<std::size_t>(options.width));
}

void print_cell(const results::Result& result, const results::Cell& cell, std::size_t target, std::ostream& out,
                const RenderOptions& options) {
  const std::vector<const Run*> runs = results::runs_of(result, cell, target);
  if (runs.empty()) return;
  const results::CellFigures figures = results::figures_of(result, cell, target);
  const core::Accounts& accounts = figures.merged.accounts;
  out << '\n'
      << ' '
      << paint(fmt::format("{} on {}", printable(results::name_of(cell)), printable(result.targets[target].label)),
               Tone::strong, options)
      << fmt::format(" ({})\n", results::counted(runs.size(), "round"));
  print(operations_grid(figures.merged), out, options);
  std::string units =
      fmt::format("{} done, {} failed", format_count(accounts.committed), format_count(accounts.failed));
  if (accounts.skipped > 0) units += fmt::format(", {} skipped", format_count(accounts.skipped));
  print_fact("units", units, out, options);
  print_fact("events", counters_text(figures.merged), out, options);
  print_fact("meanwhile", metrics_text(runs), out, options);
  print_fact("rows", rows_text(runs), out, options);
}

}  // namespace

void print_detail(const results::Result& result, std::ostream& out, const RenderOptions& options) {
  for (const results::Cell& cell : results::cells_of(result)) {
    for (std::size_t target = 0; target < result.targets.size(); ++target) {
      print_cell(result, cell, target, out, options);
    }
  }
}

}  // namespace spindle::report
