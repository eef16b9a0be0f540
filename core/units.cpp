#include "core/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <stdexcept>

namespace spindle::core {
namespace {

struct Quantity {
  double number;
  bool whole;  // written without a decimal point
  std::string unit;
};

// "1.5G" -> {1.5, "g"}; nothing when the text does not begin with a number.
std::optional<Quantity> split(std::string_view text) {
  const std::size_t end = std::min(text.find_first_not_of("0123456789."), text.size());
  Quantity quantity{0, text.substr(0, end).find('.') == std::string_view::npos, {}};
  const auto [stop, error] = std::from_chars(text.data(), text.data() + end, quantity.number);
  if (error != std::errc{} || stop != text.data() + end || end == 0) return std::nullopt;
  for (const char c : text.substr(end)) {
    quantity.unit += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  }
  return quantity;
}

[[noreturn]] void refuse(std::string_view text, std::string_view what, std::string_view allowed) {
  throw std::invalid_argument(fmt::format("'{}' is not a {}: {}", text, what, allowed));
}

}  // namespace

std::uint64_t parse_size(std::string_view text) {
  constexpr std::string_view kAllowed = "give digits and one of k, m, g, t (powers of 1,024), such as 16k or 1.5G";
  const std::optional<Quantity> quantity = split(text);
  if (!quantity) refuse(text, "size", kAllowed);
  std::string_view unit = quantity->unit;
  if (unit.size() > 1 && unit.ends_with("ib")) unit.remove_suffix(2);
  if (unit.ends_with('b') || unit.ends_with('i')) unit.remove_suffix(1);
  const std::size_t power = unit.empty() ? 0 : std::string_view("kmgt").find(unit) + 1;
  if (unit.size() > 1 || (!unit.empty() && power == 0) || (unit.empty() && !quantity->whole))
    refuse(text, "size", kAllowed);
  const double bytes = quantity->number * std::pow(1024.0, static_cast<double>(power));
  if (bytes >= 9e18) refuse(text, "size", "it is larger than 8 EiB");
  return static_cast<std::uint64_t>(std::llround(bytes));
}

Nanoseconds parse_duration(std::string_view text) {
  constexpr std::string_view kAllowed = "give digits and one of ms, s, m, h, such as 90s or 1.5m";
  const std::optional<Quantity> quantity = split(text);
  if (!quantity) refuse(text, "duration", kAllowed);
  const std::string& unit = quantity->unit;
  double seconds = quantity->number;
  if (unit == "ms") {
    seconds /= 1000;
  } else if (unit == "m" || unit == "min") {
    seconds *= 60;
  } else if (unit == "h") {
    seconds *= 3600;
  } else if (!unit.empty() && unit != "s") {
    refuse(text, "duration", kAllowed);
  }
  if (seconds > 1e9) refuse(text, "duration", "it is longer than 30 years");
  return from_seconds(seconds);
}

std::string format_size(std::uint64_t bytes) {
  constexpr std::string_view kUnits = "kMGTP";
  if (bytes < 1024) return fmt::format("{}", bytes);
  double value = static_cast<double>(bytes);
  std::size_t power = 0;
  while (value >= 1024 && power < kUnits.size()) {
    value /= 1024;
    ++power;
  }
  const bool whole = value == std::floor(value);
  return fmt::format("{:.{}f}{}", value, whole ? 0 : 1, kUnits[power - 1]);
}

std::string format_duration(Nanoseconds duration) {
  const double seconds = to_seconds(duration);
  if (seconds < 0.9995) return fmt::format("{:.0f}ms", seconds * 1000);
  if (seconds < 9.95 && std::abs(seconds - std::round(seconds)) > 0.05) return fmt::format("{:.1f}s", seconds);
  const auto whole = static_cast<long long>(std::llround(seconds));
  if (whole < 120) return fmt::format("{}s", whole);
  if (whole < 7200) return fmt::format("{}m {:02}s", whole / 60, whole % 60);
  return fmt::format("{}h {:02}m", whole / 3600, whole % 3600 / 60);
}

std::string format_count(std::uint64_t count) {
  std::string digits = fmt::format("{}", count);
  for (std::size_t position = digits.size(); position > 3; position -= 3) digits.insert(position - 3, ",");
  return digits;
}

std::string format_figure(double value) {
  if (!std::isfinite(value)) return "-";
  const double magnitude = std::abs(value);
  if (magnitude >= 99.95) {
    const std::string whole = format_count(static_cast<std::uint64_t>(std::llround(std::min(magnitude, 1e18))));
    return value < 0 ? "-" + whole : whole;
  }
  if (magnitude >= 9.995) return fmt::format("{:.1f}", value);
  if (magnitude >= 0.9995) return fmt::format("{:.2f}", value);
  if (magnitude >= 0.0005) return fmt::format("{:.3f}", value);
  return magnitude == 0 ? "0" : fmt::format("{:.2g}", value);
}

}  // namespace spindle::core
