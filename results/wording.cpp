#include "results/wording.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/units.h"

namespace spindle::results {

std::string format_ratio(double ratio) {
  if (!std::isfinite(ratio)) return "-";
  if (ratio >= 99.95) return core::format_count(static_cast<std::uint64_t>(std::llround(std::min(ratio, 1e18))));
  if (ratio >= 1.995) return fmt::format("{:.1f}", ratio);
  if (ratio >= 0.095) return fmt::format("{:.2f}", ratio);
  return fmt::format("{:.2g}", ratio);
}

std::string format_times(double ratio) { return format_ratio(ratio) + "x"; }

std::string name_of(const Cell& cell) {
  return fmt::format("{}{} at {}", cell.kind == CellKind::fileio ? "fileio " : "", cell.workload,
                     counted(cell.threads, "thread"));
}

std::string counted(std::size_t count, const std::string& noun) {
  return fmt::format("{} {}{}", core::format_count(count), noun, count == 1 ? "" : "s");
}

}  // namespace spindle::results
