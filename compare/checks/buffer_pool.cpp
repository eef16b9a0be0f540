// buffer-pool: the data (nearly) fit into the buffer pool, so that MySQL hardly read the disk that was to be measured.
#include <fmt/format.h>

#include "compare/checks/check.h"
#include "core/units.h"
#include "results/settings.h"

namespace spindle::compare {
namespace {

constexpr const char* kName = "buffer-pool";

// Arithmetic: with uniform keys and data of twice the pool about half of the page reads are served from memory; below
// that memory is measured more than the disk.
constexpr double kLeastDataPerPool = 2.0;

std::optional<results::Check> check(const results::Result& result) {
  const std::uint64_t data = results::whole_number(result.options, "data_bytes");
  if (data == 0 || !has_runs(result, results::CellKind::oltp)) return std::nullopt;
  std::vector<std::string> small;
  for (const results::Target& target : result.targets) {
    const std::uint64_t pool = results::buffer_pool_bytes(result, target);
    const double times = pool > 0 ? static_cast<double>(data) / static_cast<double>(pool) : kLeastDataPerPool;
    if (times >= kLeastDataPerPool) continue;
    small.push_back(fmt::format("{:.1f}x the buffer pool of {} ({})", times, target.label, core::format_size(pool)));
  }
  if (small.empty()) return std::nullopt;
  return results::Check{
      kName,
      fmt::format("the data ({}) are {}: much of what was measured is memory, not the disk", core::format_size(data),
                  join_findings(small)),
      "more data or less memory: --tables and --table-size up, or --buffer-pool down, until the data are several times "
      "the pool"};
}

const core::Register<CheckFunction> kRegistered{kName, check};

}  // namespace
}  // namespace spindle::compare
