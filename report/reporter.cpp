#include "report/reporter.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <stdexcept>

namespace spindle::report {

void render(std::string_view format, const results::Result& result, std::ostream& out, const RenderOptions& options) {
  const ReporterRegistry& registry = ReporterRegistry::instance();
  const Reporter* reporter = registry.find(format);
  if (!reporter) {
    throw std::invalid_argument(
        fmt::format("there is no format '{}': give {}", format, fmt::join(registry.names(), ", ")));
  }
  (*reporter)(result, out, options);
}

}  // namespace spindle::report
