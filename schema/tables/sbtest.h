// What a run needs to know about the values in sbtest1..N.
#pragma once

#include <array>
#include <cstddef>

#include "core/random.h"

namespace spindle::schema {

inline constexpr std::size_t kDigitsPerGroup = 11;
inline constexpr std::size_t kCLength = 119;   // ten groups joined by '-'
inline constexpr std::size_t kPadLength = 59;  // five groups

// Writes groups of 11 random digits joined by '-' until `out` is full; its size must be 12 * groups - 1.
template <std::size_t Size>
void write_digit_groups(core::Random& random, std::array<char, Size>& out) {
  static_assert(Size % (kDigitsPerGroup + 1) == kDigitsPerGroup);
  for (std::size_t begin = 0; begin < Size; begin += kDigitsPerGroup + 1) {
    std::uint64_t digits = random.below(100'000'000'000);
    for (std::size_t i = kDigitsPerGroup; i-- > 0; digits /= 10) out[begin + i] = static_cast<char>('0' + digits % 10);
    if (begin + kDigitsPerGroup < Size) out[begin + kDigitsPerGroup] = '-';
  }
}

}  // namespace spindle::schema
