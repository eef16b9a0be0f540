// What must be true before anything is started: directories, space, names. Nothing is changed here.
#pragma once

#include <string>
#include <vector>

#include "compare/options.h"
#include "compare/plan.h"

namespace spindle::compare {

// Throws std::invalid_argument for wrong usage (a directory that is none, a label used twice, an unknown workload) and
// std::runtime_error for what stands in the way (not writable, too little space, no server installed, a server that
// lets nobody in). Returns warnings: things that will spoil the comparison, but not stop it.
std::vector<std::string> preflight(const Options& options, const Plan& plan);

}  // namespace spindle::compare
