// The main table: a line for each cell and target with rate, latency and ratio. Terminal and Markdown draw the same
// grid.
#pragma once

#include <string>
#include <vector>

#include "report/grid.h"
#include "results/aggregate.h"

namespace spindle::report {

// What a narrow page leaves out or moves. The defaults are for unlimited width.
struct MeasureLayout {
  enum class Interval : std::uint8_t { beside, below };  // of a ratio; below: on the second target's line
  enum class Workload : std::uint8_t { column, heading };
  enum class Queries : std::uint8_t { shown, hidden };
  enum class Blanks : std::uint8_t { repeat, leave };  // whether each line repeats workload and threads
  Interval interval = Interval::beside;
  Workload workload = Workload::column;
  Queries queries = Queries::shown;
  Blanks blanks = Blanks::leave;
  std::size_t bar = 16;    // columns of the bar that draws the rate; 0 = none
  std::size_t label = 24;  // columns of a target's label at most
  RenderOptions::Charset charset = RenderOptions::Charset::unicode;
};

// Marks that were used in a grid and want a footnote.
struct Marks {
  bool rough = false;          // ~
  bool partial = false;        // !
  bool no_difference = false;  // =
};

struct Measures {
  Grid grid;
  Marks marks;
};

Measures measure(const results::Result& result, results::CellKind kind, const MeasureLayout& layout);

// The widest layout that fits into `width` columns; the narrowest where none does.
Measures measure_to_fit(const results::Result& result, results::CellKind kind, std::size_t width,
                        RenderOptions::Charset charset);

// A footnote for each mark in use.
std::vector<std::string> footnotes(const Marks& marks);

}  // namespace spindle::report
