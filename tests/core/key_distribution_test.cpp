#include "core/key_distribution.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <stdexcept>
#include <vector>

namespace spindle::core {
namespace {

constexpr std::size_t kDraws = 200'000;
constexpr std::uint64_t kHuge = 10'000'000'000;

KeyDistributionOptions options_of(KeyDistributionKind kind) {
  KeyDistributionOptions options;
  options.kind = kind;
  return options;
}

std::vector<std::uint64_t> draws(const KeyDistributionOptions& options, std::uint64_t keys,
                                 std::size_t count = kDraws) {
  const KeyDistribution distribution(options, keys);
  Random random(42);
  std::vector<std::uint64_t> drawn(count);
  std::generate(drawn.begin(), drawn.end(), [&] { return distribution.draw(random); });
  return drawn;
}

// The probability that draws with these chances deviate as much as the counts do, or more (Pearson's test).
double chi_square_p(const std::vector<double>& chances, const std::vector<std::size_t>& counts) {
  double total = 0;
  for (const std::size_t count : counts) total += static_cast<double>(count);
  double statistic = 0;
  for (std::size_t i = 0; i < chances.size(); ++i) {
    const double expected = total * chances[i];
    EXPECT_GT(expected, 5) << "class " << i << " is too small for the test";
    statistic += std::pow(static_cast<double>(counts[i]) - expected, 2) / expected;
  }
  const boost::math::chi_squared law(static_cast<double>(chances.size() - 1));
  return boost::math::cdf(boost::math::complement(law, statistic));
}

// The same seed gives the same draws on every run, so a bound that holds once holds always; 0.001 is what a correct
// generator misses once in a thousand seeds.
constexpr double kImplausible = 0.001;

// Counts draws in `classes` equal parts of the keys and compares them with a cumulative distribution over [0, 1].
double p_of_positions(const KeyDistributionOptions& options, std::uint64_t keys,
                      const std::function<double(double)>& cumulative, std::size_t classes = 50) {
  std::vector<std::size_t> counts(classes);
  for (const std::uint64_t key : draws(options, keys)) {
    ++counts[static_cast<std::size_t>((static_cast<double>(key) - 0.5) / static_cast<double>(keys) *
                                      static_cast<double>(classes))];
  }
  std::vector<double> chances;
  for (std::size_t i = 0; i < classes; ++i) {
    const auto n = static_cast<double>(classes);
    chances.push_back(cumulative((static_cast<double>(i) + 1) / n) - cumulative(static_cast<double>(i) / n));
  }
  return chi_square_p(chances, counts);
}

TEST(KeyDistribution, UniformDrawsEveryKeyAlike) {
  const auto identity = [](double x) { return x; };
  EXPECT_GT(p_of_positions(options_of(KeyDistributionKind::uniform), 1000, identity), kImplausible);
  EXPECT_GT(p_of_positions(options_of(KeyDistributionKind::uniform), kHuge, identity), kImplausible);
}

TEST(KeyDistribution, ParetoFollowsItsLaw) {
  // key / n = u^p with p = ln h / ln(1 - h), so P(key / n < x) = x^(1 / p).
  const double power = std::log(0.2) / std::log(0.8);
  const auto law = [power](double x) { return std::pow(x, 1 / power); };
  EXPECT_GT(p_of_positions(options_of(KeyDistributionKind::pareto), 100'000, law), kImplausible);
  EXPECT_GT(p_of_positions(options_of(KeyDistributionKind::pareto), kHuge, law), kImplausible);
}

TEST(KeyDistribution, ParetoGivesFourFifthsOfTheDrawsToOneFifthOfTheKeys) {
  const std::vector<std::uint64_t> keys = draws(options_of(KeyDistributionKind::pareto), 100'000);
  const auto low = std::count_if(keys.begin(), keys.end(), [](std::uint64_t key) { return key <= 20'000; });
  EXPECT_NEAR(static_cast<double>(low) / kDraws, 0.8, 0.005);
}

TEST(KeyDistribution, GaussianHasTheMeanAndTheDeviationOfAMeanOfUniformNumbers) {
  for (const std::uint64_t keys : {std::uint64_t{100'000}, kHuge}) {
    double sum = 0, squares = 0;
    for (const std::uint64_t key : draws(options_of(KeyDistributionKind::gaussian), keys)) {
      const double position = (static_cast<double>(key) - 0.5) / static_cast<double>(keys);
      sum += position;
      squares += position * position;
    }
    const double mean = sum / kDraws;
    // The mean of 12 uniform numbers has the variance 1 / (12 * 12).
    EXPECT_NEAR(mean, 0.5, 4 * (1.0 / 12) / std::sqrt(kDraws));
    EXPECT_NEAR(std::sqrt(squares / kDraws - mean * mean), 1.0 / 12, 0.0006);
  }
}

TEST(KeyDistribution, GaussianOfTwoNumbersIsTriangular) {
  KeyDistributionOptions options = options_of(KeyDistributionKind::gaussian);
  options.spec_iter = 2;
  const auto triangle = [](double x) { return x < 0.5 ? 2 * x * x : 1 - 2 * (1 - x) * (1 - x); };
  EXPECT_GT(p_of_positions(options, 1'000'000, triangle), kImplausible);
}

TEST(KeyDistribution, SpecialSendsItsShareToTheMiddle) {
  // A share r of the draws is uniform over the middle p of the keys, the others follow the triangle of two numbers.
  KeyDistributionOptions options = options_of(KeyDistributionKind::special);
  options.spec_iter = 2;
  options.spec_pct = 10;
  options.spec_res = 75;
  const auto law = [](double x) {
    const double triangle = x < 0.5 ? 2 * x * x : 1 - 2 * (1 - x) * (1 - x);
    return 0.25 * triangle + 0.75 * std::clamp((x - 0.45) / 0.1, 0.0, 1.0);
  };
  EXPECT_GT(p_of_positions(options, 1'000'000, law, 40), kImplausible);
  EXPECT_GT(p_of_positions(options, kHuge, law, 40), kImplausible);
}

TEST(KeyDistribution, SpecialDefaultsHeatOnePercent) {
  const std::vector<std::uint64_t> keys = draws(options_of(KeyDistributionKind::special), 1'000'000);
  const auto hot =
      std::count_if(keys.begin(), keys.end(), [](std::uint64_t key) { return key > 495'000 && key <= 505'000; });
  // Beside the 75 %, the normal law with a deviation of n / 12 puts 4.8 % of the other quarter there.
  const boost::math::normal normal(0.5, 1.0 / 12);
  const double others = boost::math::cdf(normal, 0.505) - boost::math::cdf(normal, 0.495);
  EXPECT_NEAR(static_cast<double>(hot) / kDraws, 0.75 + 0.25 * others, 0.005);
}

// The probability of each of the first ranks, and of all others together.
double zipfian_p(double exponent, std::uint64_t keys, std::size_t ranks) {
  KeyDistributionOptions options = options_of(KeyDistributionKind::zipfian);
  options.zipfian_exp = exponent;
  double norm = 0;
  for (std::uint64_t rank = keys; rank > 0; --rank) norm += std::pow(static_cast<double>(rank), -exponent);
  std::vector<double> chances;
  double others = 1;
  for (std::size_t rank = 1; rank <= ranks; ++rank) {
    chances.push_back(std::pow(static_cast<double>(rank), -exponent) / norm);
    others -= chances.back();
  }
  if (keys > ranks) chances.push_back(others);
  std::vector<std::size_t> counts(chances.size());
  for (const std::uint64_t key : draws(options, keys)) ++counts[std::min<std::uint64_t>(key - 1, ranks)];
  return chi_square_p(chances, counts);
}

TEST(KeyDistribution, ZipfianFollowsItsLaw) {
  EXPECT_GT(zipfian_p(0.8, 100'000, 100), kImplausible);
  EXPECT_GT(zipfian_p(1.0, 100'000, 100), kImplausible);
  EXPECT_GT(zipfian_p(1.5, 100'000, 40), kImplausible);
  EXPECT_GT(zipfian_p(0.0, 50, 50), kImplausible);
  EXPECT_GT(zipfian_p(0.8, 3, 3), kImplausible);
}

TEST(KeyDistribution, ZipfianReachesTheFarEndOfAHugeTable) {
  // With exponent 0.8, P(key <= n x) is close to x^0.2 for a large n.
  const auto law = [](double x) { return std::pow(x, 0.2); };
  EXPECT_GT(p_of_positions(options_of(KeyDistributionKind::zipfian), kHuge, law, 20), kImplausible);
}

TEST(KeyDistribution, ScatteredZipfianMovesEachRankToAKeyOfItsOwn) {
  KeyDistributionOptions ranked = options_of(KeyDistributionKind::zipfian);
  KeyDistributionOptions scattered = ranked;
  scattered.zipfian_order = ZipfianOrder::scattered;
  std::map<std::uint64_t, std::set<std::uint64_t>> keys_of_rank, ranks_of_key;
  const std::vector<std::uint64_t> ranks = draws(ranked, 1000), keys = draws(scattered, 1000);
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    keys_of_rank[ranks[i]].insert(keys[i]);
    ranks_of_key[keys[i]].insert(ranks[i]);
  }
  EXPECT_EQ(keys_of_rank.size(), 1000U);
  EXPECT_EQ(ranks_of_key.size(), 1000U);
  for (const auto& [rank, set] : keys_of_rank) EXPECT_EQ(set.size(), 1U) << rank;
  const std::uint64_t first = *keys_of_rank[1].begin(), second = *keys_of_rank[2].begin();
  EXPECT_GT(std::max(first, second) - std::min(first, second), 100U) << "the two hottest share no page";
}

TEST(KeyDistribution, NoKeyIsOutsideTheTable) {
  for (const std::string& name : key_distribution_names()) {
    for (const std::uint64_t keys :
         {std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{7}, kHuge, std::uint64_t{1} << 62U}) {
      for (const std::uint64_t key : draws(options_of(parse_key_distribution(name)), keys, 20'000)) {
        ASSERT_GE(key, 1U) << name;
        ASSERT_LE(key, keys) << name;
      }
    }
  }
}

TEST(KeyDistribution, TheSameNumbersGiveTheSameKeys) {
  for (const std::string& name : key_distribution_names()) {
    const KeyDistributionOptions options = options_of(parse_key_distribution(name));
    EXPECT_EQ(draws(options, 1000, 100), draws(options, 1000, 100)) << name;
  }
}

TEST(KeyDistribution, BadParametersAreNamed) {
  const auto message = [](auto change) -> std::string {
    KeyDistributionOptions options;
    change(options);
    try {
      const KeyDistribution distribution(options, 10);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(message([](auto& options) { options.pareto_h = 1; }),
            "--rand-pareto-h 1: a number between 0 and 1 is needed");
  EXPECT_EQ(message([](auto& options) { options.zipfian_exp = -1; }),
            "--rand-zipfian-exp -1: from 0 to 10 are possible");
  EXPECT_EQ(message([](auto& options) { options.spec_pct = 0; }), "--rand-spec-pct 0: from 1 to 100 are possible");
  EXPECT_EQ(message([](auto& options) { options.spec_res = 101; }), "--rand-spec-res 101: from 0 to 100 are possible");
  EXPECT_THROW(parse_key_distribution("normal"), std::invalid_argument);
}

TEST(KeyDistribution, DescribesItself) {
  KeyDistributionOptions options = options_of(KeyDistributionKind::zipfian);
  options.zipfian_order = ZipfianOrder::scattered;
  EXPECT_EQ(options.describe(), "zipfian, exponent 0.8, scattered");
  EXPECT_EQ(options_of(KeyDistributionKind::special).describe(), "special, 75 % of the accesses to 1 % of the keys");
  EXPECT_EQ(KeyDistributionOptions{}.describe(), "uniform");
}

}  // namespace
}  // namespace spindle::core
