// Which rows a run touches: numbers from 1 to n, drawn from one of the distributions that sysbench has.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/random.h"

namespace spindle::core {

enum class KeyDistributionKind : std::uint8_t { uniform, special, gaussian, pareto, zipfian };

// The names in the order of the enum, and the way back; throws std::invalid_argument that lists them.
const std::vector<std::string>& key_distribution_names();
KeyDistributionKind parse_key_distribution(std::string_view name);

enum class ZipfianOrder : std::uint8_t {
  ranked,    // key 1 is the hottest, key 2 the next, ...: hot rows share pages
  scattered  // hot keys lie all over the table, as they do in life
};

// Parameters with sysbench's names (--rand-...) and defaults.
struct KeyDistributionOptions {
  KeyDistributionKind kind = KeyDistributionKind::uniform;
  std::uint32_t spec_iter = 12;  // special, gaussian: uniform numbers whose mean is one key
  std::uint32_t spec_pct = 1;    // special: percent of the keys that are hot, in the middle
  std::uint32_t spec_res = 75;   // special: percent of the draws that go to them
  double pareto_h = 0.2;         // pareto: this share of the keys gets the share 1 - h of the draws
  double zipfian_exp = 0.8;      // zipfian: key k is drawn with a probability that falls as k^-exp
  ZipfianOrder zipfian_order = ZipfianOrder::ranked;
  // "uniform", "zipfian, exponent 0.8, scattered": for headers.
  std::string describe() const;
};

// Immutable after construction: one for all threads, each with its own random numbers.
//
// uniform:  every key alike.
// gaussian: the mean of spec_iter uniform numbers (Irwin-Hall; 12 of them have a standard deviation of n / 12).
// special:  spec_res % of the draws uniform over the middle spec_pct % of the keys, the others gaussian over all.
// pareto:   key ~ n * u^(ln h / ln(1 - h)), so that the share h of the keys, the lowest, gets 1 - h of the draws.
// zipfian:  rejection-inversion (W. Hörmann and G. Derflinger, "Rejection-inversion to generate variates from monotone
//           discrete distributions", ACM TOMACS 6(3), 1996): exact, constant time, no table, whatever n.
class KeyDistribution {
 public:
  // Throws std::invalid_argument, naming the option, where a parameter is out of range or keys is 0 or above 2^62.
  KeyDistribution(const KeyDistributionOptions& options, std::uint64_t keys);

  // A key in [1, keys]. Takes as many random numbers as it needs; allocates nothing.
  std::uint64_t draw(Random& random) const {
    return options_.kind == KeyDistributionKind::uniform ? 1 + random.below(keys_) : draw_skewed(random);
  }
  std::uint64_t keys() const { return keys_; }

 private:
  std::uint64_t draw_skewed(Random& random) const;
  std::uint64_t gaussian(Random& random) const;
  std::uint64_t special(Random& random) const;
  std::uint64_t pareto(Random& random) const;
  std::uint64_t zipfian(Random& random) const;
  std::uint64_t key_at(double position) const;
  double area(double x) const;
  double area_inverse(double area) const;
  double height(double x) const;

  KeyDistributionOptions options_;
  std::uint64_t keys_;
  double pareto_power_ = 1;
  double zipfian_first_ = 0, zipfian_last_ = 0, zipfian_squeeze_ = 0;
  std::uint64_t scatter_ = 1;  // coprime to keys_
};

}  // namespace spindle::core
