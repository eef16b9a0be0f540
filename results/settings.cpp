#include "results/settings.h"

#include <charconv>

#include "results/durability.h"

namespace spindle::results {

std::uint64_t whole_number(const Settings& settings, const std::string& name) {
  const std::string text = variable(settings, name);
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && end == text.data() + text.size() ? number : 0;
}

std::uint64_t buffer_pool_bytes(const Result& result, const Target& target) {
  const std::uint64_t pool = whole_number(target.variables, "innodb_buffer_pool_size");
  return pool > 0 ? pool : whole_number(result.options, "buffer_pool");
}

}  // namespace spindle::results
