// A section of the report on one run. A new one is one new file under report/sections/ with one registration line.
#pragma once

#include <cstdint>
#include <functional>
#include <ostream>

#include "core/registry.h"
#include "report/reporter.h"
#include "results/result.h"

namespace spindle::report {

struct Section {
  // Smaller comes first: 100 what to know before reading, 200 did it happen, 300 throughput, 350 threads, 400 latency,
  // 450 percentiles and histograms, 500 errors, 600 open loop, 700 steady state, 800 server, 850 cost, 900 disk.
  int order = 0;
  // Prints a heading and what is below it, or nothing at all where there is nothing to say.
  std::function<void(const results::Result&, const results::Run&, std::ostream&, const RenderOptions&)> print;
};
using Sections = core::Registry<Section>;

// What stands before the main table (smaller than kMainTable), and what stands after it.
enum class Place : std::uint8_t { opening, body };
inline constexpr int kMainTable = 300;

// The sections of that place in their order; those of one order by name.
void print_sections(Place place, const results::Result& result, const results::Run& run, std::ostream& out,
                    const RenderOptions& options);

}  // namespace spindle::report
