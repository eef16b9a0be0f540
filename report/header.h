// The head of a report: what was compared with what, under which conditions, as pairs of a word and a text.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "results/result.h"

namespace spindle::report {

using Facts = std::vector<std::pair<std::string, std::string>>;

// "ssd against sas"
std::string title_of(const results::Result& result);

// Where and on what each target is, data against buffer pool, durability, load, client. Unknown facts are left out.
Facts facts_of(const results::Result& result);

// What the workload names of that kind mean, as far as they are spindle's own: "rndrd: random reads".
std::string legend_of(const results::Result& result, results::CellKind kind);

}  // namespace spindle::report
