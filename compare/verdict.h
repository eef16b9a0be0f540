// The answer in a few sentences: which target is faster, by how much, how sure that is, and what to mind.
#pragma once

#include <string>

#include "results/result.h"

namespace spindle::compare {

// From the runs and the checks of the result; complete and true also when cells failed, rounds are few, or a part was
// left out. A line for each target that the first one is compared with.
std::string make_verdict(const results::Result& result);

// Fills comparisons, checks and verdict from the runs; may be called again after more runs.
void conclude(results::Result& result);

}  // namespace spindle::compare
