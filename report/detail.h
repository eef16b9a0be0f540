// The detail section of the table: every statement kind, what disk and CPU did meanwhile, and row counts.
#pragma once

#include <ostream>

#include "report/reporter.h"

namespace spindle::report {

void print_detail(const results::Result& result, std::ostream& out, const RenderOptions& options);

}  // namespace spindle::report
