// buffer-pool: the data (nearly) fit into the buffer pool, so that MySQL hardly read the disk that was to be measured.
#include <fmt/format.h>

#include <charconv>

#include "compare/checks/check.h"
#include "core/units.h"
#include "results/durability.h"

namespace spindle::compare {
namespace {

constexpr const char* kName = "buffer-pool";

// Arithmetic: with uniform keys and data of twice the pool about half of the page reads are served from memory; below
// that memory is measured more than the disk.
constexpr double kLeastDataPerPool = 2.0;

std::uint64_t whole_number(const std::string& text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && end == text.data() + text.size() ? number : 0;
}

// The server's own value where it is known; it differs from the option where a target was given another.
std::uint64_t pool_of(const results::Result& result, const results::Target& target) {
  const std::uint64_t pool = whole_number(results::variable(target.variables, "innodb_buffer_pool_size"));
  return pool > 0 ? pool : whole_number(results::variable(result.options, "buffer_pool"));
}

std::optional<results::Check> check(const results::Result& result) {
  const std::uint64_t data = whole_number(results::variable(result.options, "data_bytes"));
  if (data == 0 || !has_runs(result, results::CellKind::oltp)) return std::nullopt;
  std::vector<std::string> small;
  for (const results::Target& target : result.targets) {
    const std::uint64_t pool = pool_of(result, target);
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
