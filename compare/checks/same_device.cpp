// same-device: two labels on one block device. What differs between them is then noise, not the disk.
#include <fmt/format.h>

#include "compare/checks/check.h"
#include "results/environment.h"

namespace spindle::compare {
namespace {

constexpr const char* kName = "same-device";

// Targets whose server settings differ on purpose may share a device: then the settings are compared.
bool share_device(const results::Target& a, const results::Target& b) {
  return results::share_disk(a.device, b.device) && a.overrides == b.overrides;
}

std::optional<results::Check> check(const results::Result& result) {
  std::vector<std::string> findings;
  for (std::size_t i = 0; i < result.targets.size(); ++i) {
    for (std::size_t j = i + 1; j < result.targets.size(); ++j) {
      const results::Target& a = result.targets[i];
      const results::Target& b = result.targets[j];
      if (!share_device(a, b)) continue;
      findings.push_back(
          fmt::format("{} and {} are on one device, {} ({})", a.label, b.label, a.device.name, a.device.id));
    }
  }
  if (findings.empty()) return std::nullopt;
  return results::Check{kName, join_findings(findings) + ": one disk was compared with itself",
                        "give directories on different disks (findmnt -T DIR shows where one is)"};
}

const core::Register<CheckFunction> kRegistered{kName, check};

}  // namespace
}  // namespace spindle::compare
