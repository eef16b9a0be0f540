// Sizes and durations as people write them (16k, 10G, 90s), and figures as people read them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/clock.h"

namespace spindle::core {

// Digits with an optional k, m, g or t (either case, powers of 1,024, an "i", a "b" or "ib" after it is allowed).
// Decimals are allowed with a unit ("1.5G"). Throws std::invalid_argument that names the text and what is allowed.
std::uint64_t parse_size(std::string_view text);
// Digits (decimals allowed) with an optional ms, s, m or h; no unit means seconds. Throws std::invalid_argument.
Nanoseconds parse_duration(std::string_view text);

std::string format_size(std::uint64_t bytes);       // "16k", "1.5G", "512": exact where it can be, else 1 decimal
std::string format_duration(Nanoseconds duration);  // "850ms", "12s", "4m 05s", "2h 10m"
std::string format_count(std::uint64_t count);      // "1,234,567"
std::string format_figure(double value);            // about 3 significant digits: "0.0123", "4.56", "789", "12,345"

}  // namespace spindle::core
