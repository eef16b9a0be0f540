// Whether AppArmor keeps the server away from directories other than its own, and what to do about it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace spindle::server {

// One sentence with the cure, or nothing where the binary is not confined. `root` stands for "/" in tests.
std::optional<std::string> confinement_hint(const std::filesystem::path& binary,
                                            const std::filesystem::path& root = "/");

}  // namespace spindle::server
