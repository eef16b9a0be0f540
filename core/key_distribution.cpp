#include "core/key_distribution.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

namespace spindle::core {
namespace {

constexpr std::uint64_t kMostKeys = std::uint64_t{1} << 62U;
constexpr double kGoldenRatio = 0.6180339887498949;

// (exp(x) - 1) / x and log(1 + x) / x, continued to x = 0.
double exp_quotient(double x) { return std::abs(x) < 1e-8 ? 1 + x / 2 : std::expm1(x) / x; }
double log_quotient(double x) { return std::abs(x) < 1e-8 ? 1 - x / 2 : std::log1p(x) / x; }

void require(bool holds, const char* option, double value, const char* allowed) {
  if (!holds) throw std::invalid_argument(fmt::format("{} {:g}: {}", option, value, allowed));
}

// Near the golden section of n, so that neighbours come to lie far apart, and coprime to n, so that no two meet.
std::uint64_t scattering_factor(std::uint64_t n) {
  auto factor = static_cast<std::uint64_t>(static_cast<double>(n) * kGoldenRatio);
  for (factor = std::max<std::uint64_t>(factor, 1); std::gcd(factor, n) != 1; ++factor) {
  }
  return factor;
}

}  // namespace

const std::vector<std::string>& key_distribution_names() {
  static const std::vector<std::string> names{"uniform", "special", "gaussian", "pareto", "zipfian"};
  return names;
}

KeyDistributionKind parse_key_distribution(std::string_view name) {
  const std::vector<std::string>& names = key_distribution_names();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) {
    throw std::invalid_argument(
        fmt::format("no key distribution is called '{}': there are {}", name, fmt::join(names, ", ")));
  }
  return static_cast<KeyDistributionKind>(found - names.begin());
}

std::string KeyDistributionOptions::describe() const {
  const std::string& name = key_distribution_names()[static_cast<std::size_t>(kind)];
  switch (kind) {
    case KeyDistributionKind::uniform:
      break;
    case KeyDistributionKind::special:
      return fmt::format("{}, {} % of the accesses to {} % of the keys", name, spec_res, spec_pct);
    case KeyDistributionKind::gaussian:
      return fmt::format("{}, mean of {} numbers", name, spec_iter);
    case KeyDistributionKind::pareto:
      return fmt::format("{}, h {:g}", name, pareto_h);
    case KeyDistributionKind::zipfian:
      return fmt::format("{}, exponent {:g}{}", name, zipfian_exp,
                         zipfian_order == ZipfianOrder::scattered ? ", scattered" : "");
  }
  return name;
}

KeyDistribution::KeyDistribution(const KeyDistributionOptions& options, std::uint64_t keys)
    : options_(options), keys_(keys) {
  if (keys == 0 || keys > kMostKeys) {
    throw std::invalid_argument(fmt::format("{} keys: from 1 to 2^62 are possible", keys));
  }
  require(options.spec_iter >= 1 && options.spec_iter <= 1000, "--rand-spec-iter", options.spec_iter,
          "from 1 to 1000 are possible");
  require(options.spec_pct >= 1 && options.spec_pct <= 100, "--rand-spec-pct", options.spec_pct,
          "from 1 to 100 are possible");
  require(options.spec_res <= 100, "--rand-spec-res", options.spec_res, "from 0 to 100 are possible");
  require(options.pareto_h > 0 && options.pareto_h < 1, "--rand-pareto-h", options.pareto_h,
          "a number between 0 and 1 is needed");
  require(options.zipfian_exp >= 0 && options.zipfian_exp <= 10, "--rand-zipfian-exp", options.zipfian_exp,
          "from 0 to 10 are possible");
  pareto_power_ = std::log(options.pareto_h) / std::log(1 - options.pareto_h);
  zipfian_first_ = area(1.5) - 1;
  zipfian_last_ = area(static_cast<double>(keys) + 0.5);
  zipfian_squeeze_ = 2 - area_inverse(area(2.5) - height(2));
  if (options.zipfian_order == ZipfianOrder::scattered) scatter_ = scattering_factor(keys);
}

std::uint64_t KeyDistribution::draw_skewed(Random& random) const {
  switch (options_.kind) {
    case KeyDistributionKind::uniform:
      break;
    case KeyDistributionKind::special:
      return special(random);
    case KeyDistributionKind::gaussian:
      return gaussian(random);
    case KeyDistributionKind::pareto:
      return pareto(random);
    case KeyDistributionKind::zipfian:
      return zipfian(random);
  }
  return 1 + random.below(keys_);
}

// `position` in [0, 1) of the keys.
std::uint64_t KeyDistribution::key_at(double position) const {
  const auto below = static_cast<std::uint64_t>(position * static_cast<double>(keys_));
  return 1 + std::min(below, keys_ - 1);
}

std::uint64_t KeyDistribution::gaussian(Random& random) const {
  double sum = 0;
  for (std::uint32_t i = 0; i < options_.spec_iter; ++i) sum += random.unit();
  return key_at(sum / options_.spec_iter);
}

std::uint64_t KeyDistribution::special(Random& random) const {
  if (random.below(100) >= options_.spec_res) return gaussian(random);
  const double width = options_.spec_pct / 100.0;
  return key_at(0.5 - width / 2 + random.unit() * width);
}

std::uint64_t KeyDistribution::pareto(Random& random) const { return key_at(std::pow(random.unit(), pareto_power_)); }

// The area below x^-exp from 1 to x, and its inverse.
double KeyDistribution::area(double x) const {
  const double log_x = std::log(x);
  return exp_quotient((1 - options_.zipfian_exp) * log_x) * log_x;
}
double KeyDistribution::area_inverse(double area) const {
  const double scaled = std::max(area * (1 - options_.zipfian_exp), -1.0);
  return std::exp(log_quotient(scaled) * area);
}
double KeyDistribution::height(double x) const { return std::exp(-options_.zipfian_exp * std::log(x)); }

std::uint64_t KeyDistribution::zipfian(Random& random) const {
  const auto last = static_cast<double>(keys_);
  for (;;) {
    const double under = zipfian_last_ + random.unit() * (zipfian_first_ - zipfian_last_);
    const double x = area_inverse(under);
    const double rank = std::clamp(std::floor(x + 0.5), 1.0, last);
    if (rank - x > zipfian_squeeze_ && under < area(rank + 0.5) - height(rank)) continue;
    const std::uint64_t index = std::min(static_cast<std::uint64_t>(rank), keys_) - 1;
    __extension__ using Wide = unsigned __int128;
    return 1 + static_cast<std::uint64_t>(static_cast<Wide>(index) * scatter_ % keys_);
  }
}

}  // namespace spindle::core
