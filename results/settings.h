// Numbers among the settings of a result, which are kept as text.
#pragma once

#include <cstdint>
#include <string>

#include "results/result.h"

namespace spindle::results {

// 0 where the setting is missing or is not a whole number.
std::uint64_t whole_number(const Settings& settings, const std::string& name);

// The buffer pool of a target, in bytes: the server's own value where it is known, which differs from the option where
// a target was given another. 0 where neither is known.
std::uint64_t buffer_pool_bytes(const Result& result, const Target& target);

}  // namespace spindle::results
