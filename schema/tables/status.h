// The values of the status table: what its rows hold and which conditions find how many of them.
//
// A status is 24 characters: five words of four letters, each drawn from a vocabulary of about half as many words as
// the table has rows. So a word stands in about ten rows, and LIKE '%word%' and MATCH ... AGAINST ('word') find the
// same ones. Words have no vowels: the server's stop words all have one.
//
// `time` splits the rows in two. Ordinary rows are spread evenly over [0, kOrdinaryTimes), and nothing but a DELETE by
// primary key removes them; recent rows lie above kRecentTimes, are made by a run only, and DELETE WHERE time > n
// removes all of them. `uid` is spread evenly over [1, kUids]. New and changed rows draw from the same distributions,
// so every condition finds as many rows at the end of a long run as at its start.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/random.h"

namespace spindle::schema {

inline constexpr std::size_t kStatusLength = 24;
inline constexpr std::size_t kWordLength = 4;
inline constexpr std::int64_t kOrdinaryTimes = 1'000'000'000;
inline constexpr std::int64_t kRecentTimes = 1'500'000'000;  // to 2,000,000,000
inline constexpr std::int64_t kUids = 2'000'000'000;

using Status = std::array<char, kStatusLength>;
using Word = std::array<char, kWordLength>;

class StatusValues {
 public:
  explicit StatusValues(std::uint64_t rows);

  Word word(core::Random& random) const;
  Status status(core::Random& random) const;
  std::int64_t uid(core::Random& random) const { return random.between(1, kUids); }
  std::int64_t ordinary_time(core::Random& random) const { return random.between(0, kOrdinaryTimes - 1); }
  std::int64_t recent_time(core::Random& random) const {
    return random.between(kRecentTimes + 1, kRecentTimes * 4 / 3);
  }

  // The n of WHERE time > n that finds 1 to 20 ordinary rows on average, and all recent ones.
  std::int64_t time_above(core::Random& random) const { return kOrdinaryTimes - tail(random, kOrdinaryTimes); }
  // The n of WHERE time > n that finds the recent rows only.
  std::int64_t time_above_ordinary(core::Random& random) const { return random.between(kOrdinaryTimes, kRecentTimes); }
  // The n of WHERE uid > n that finds 1 to 20 rows on average.
  std::int64_t uid_above(core::Random& random) const { return kUids - tail(random, kUids); }

  std::uint64_t rows() const { return rows_; }

 private:
  std::int64_t tail(core::Random& random, std::int64_t range) const;

  std::uint64_t rows_;
  std::uint64_t words_;
};

inline std::string_view view(const Status& status) { return {status.data(), status.size()}; }
inline std::string_view view(const Word& word) { return {word.data(), word.size()}; }

}  // namespace spindle::schema
