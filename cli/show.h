// Draws a result on stdout the way this terminal can show it.
#pragma once

#include <string_view>

#include "cli/console.h"
#include "report/reporter.h"
#include "results/result.h"

namespace spindle::cli {

using Detail = report::RenderOptions::Detail;

void print(const results::Result& result, const Console& console, Detail detail,
           std::string_view format = report::kDefaultFormat);

}  // namespace spindle::cli
