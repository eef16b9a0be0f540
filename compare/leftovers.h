// What a spindle that was killed could not take away, and how it is told from what is kept or still in use.
#pragma once

#include <filesystem>
#include <vector>

#include "compare/options.h"
#include "compare/target.h"

namespace spindle::compare {

// The folder of a target's test files. Files to be kept have another name, so that no later run takes them for
// leftovers, nor uses them and removes them at its end.
std::filesystem::path files_folder(const TargetSpec& target, Removal removal);

// Removes servers and test files that killed spindles left in the targets' directories, and says so. Called before the
// free space is looked at: it may be taken by them. What cannot be removed is a warning.
void remove_leftovers(const std::vector<TargetSpec>& targets);

}  // namespace spindle::compare
