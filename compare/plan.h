// The order in which a comparison measures, and what that will cost.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compare/options.h"
#include "core/clock.h"
#include "results/result.h"

namespace spindle::compare {

struct Step {
  std::size_t target;   // index into Options::targets
  std::uint32_t round;  // from 1
  results::Cell cell;
};

struct Plan {
  std::vector<Step> steps;
  core::Nanoseconds preparing{0};  // estimated: starting servers, loading tables, writing files
  core::Nanoseconds measuring{0};  // estimated: all steps
  std::uint64_t data_bytes = 0;    // estimated size of all tables of one target
  std::uint64_t bytes_needed = 0;  // estimated peak space of one throwaway target: tables, logs, files
  core::Nanoseconds duration() const { return preparing + measuring; }
};

// Every cell is measured on all targets one after the other before the next cell starts; the order of the targets is
// turned around from round to round (A B, B A, ...), so that a linear drift of the machine cancels over an even number
// of rounds. Cells that cannot run on a target (fileio on a server that exists) are left out there.
Plan make_plan(const Options& options);

// The plan for people: cells, rounds, duration, space. One string, with line ends.
std::string describe(const Plan& plan, const Options& options);

}  // namespace spindle::compare
