// What a check is: it looks at a result and says when a mistake makes the figures mean something else than they seem
// to.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "core/registry.h"
#include "results/result.h"

namespace spindle::compare {

// Nothing when the mistake is not there, or when the result does not hold what the check needs.
using CheckFunction = std::function<std::optional<results::Check>(const results::Result&)>;
using CheckRegistry = core::Registry<CheckFunction>;

// All registered checks, those that fired, in order of their names.
std::vector<results::Check> run_checks(const results::Result& result);

// Whether the result holds a run of that kind that measured something.
bool has_runs(const results::Result& result, results::CellKind kind);

// "ssd", "ssd and sas", "a, b and c"
std::string join_words(const std::vector<std::string>& words);

// Findings of one check in one message: the first three, and how many more there are.
std::string join_findings(const std::vector<std::string>& findings);

}  // namespace spindle::compare
