// How cells and ratios are written, the same in every report, check and verdict.
#pragma once

#include <string>

#include "results/result.h"

namespace spindle::results {

// "0.045", "1.03", "4.1", "73.2", "1,250": two decimals near 1, where they decide; one from 2 to 100.
std::string format_ratio(double ratio);

// "4.1x"
std::string format_times(double ratio);

// "read_write at 16 threads", "fileio randread at 1 thread"
std::string name_of(const Cell& cell);

// "1 round", "6 rounds"
std::string counted(std::size_t count, const std::string& noun);

}  // namespace spindle::results
