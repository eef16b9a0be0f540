// The options of the data set and of the statements, for `oltp` and `compare`.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "oltp/options.h"

namespace spindle::cli {

// Tables, rows, seed, character set.
void add_tables(CLI::App& app, oltp::Options& options);
// Counts of statements, ranges, weights, retries.
void add_statements(CLI::App& app, oltp::Options& options);

}  // namespace spindle::cli
