// Options as a result keeps them: each by its name, with the value that was in effect. Sizes are bytes, times seconds.
#pragma once

#include "fileio/options.h"
#include "oltp/options.h"
#include "results/result.h"

namespace spindle::compare {

results::Settings settings_of(const oltp::Options& options);
// The directory and the seed are not among them.
results::Settings settings_of(const fileio::Options& options);

}  // namespace spindle::compare
