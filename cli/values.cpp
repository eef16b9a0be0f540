#include "cli/values.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <stdexcept>

#include "core/units.h"

namespace spindle::cli {
namespace {

std::string allowed_text(CountRange range) {
  if (range.high == std::numeric_limits<std::uint64_t>::max())
    return fmt::format("give a whole number from {}", range.low);
  return fmt::format("give a whole number from {} to {}", range.low, range.high);
}

std::uint64_t parse_count(const std::string& option, const std::string& text, CountRange range) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < range.low || value > range.high) {
    throw CLI::ValidationError(option, fmt::format("'{}' is not allowed: {}", text, allowed_text(range)));
  }
  return value;
}

// Runs a parser of core/units and adds the option's name to its complaint.
template <class Parse>
auto parse_as(const std::string& option, const std::string& text, Parse parse) {
  try {
    return parse(text);
  } catch (const std::invalid_argument& error) {
    throw CLI::ValidationError(option, error.what());
  }
}

std::vector<std::string> split(const std::vector<std::string>& arguments) {
  std::vector<std::string> items;
  for (const std::string& argument : arguments) {
    for (std::string& part : split_list(argument)) items.push_back(std::move(part));
  }
  return items;
}

std::size_t edit_distance(const std::string& left, const std::string& right) {
  std::vector<std::size_t> row(right.size() + 1);
  for (std::size_t j = 0; j <= right.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= left.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= right.size(); ++j) {
      const std::size_t replaced = diagonal + (left[i - 1] == right[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row[right.size()];
}

template <class Integer>
CLI::Option* add_integer(CLI::App& app, const std::string& name, Integer& field, CountRange range,
                         const std::string& help) {
  range.high = std::min<std::uint64_t>(range.high, std::numeric_limits<Integer>::max());
  return app
      .add_option_function<std::string>(
          name,
          [option = name.substr(0, name.find(',')), range, &field](const std::string& text) {
            field = static_cast<Integer>(parse_count(option, text, range));
          },
          help)
      ->type_name("N")
      ->default_str(fmt::format("{}", field));
}

}  // namespace

std::vector<std::string> split_list(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    if (end > begin) parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

void check_name(const std::string& option, const std::string& value, const std::vector<std::string>& allowed) {
  if (std::find(allowed.begin(), allowed.end(), value) != allowed.end()) return;
  const std::string hint = nearest(value, allowed);
  throw CLI::ValidationError(
      option.substr(0, option.find(',')),
      fmt::format("'{}' is not known{}: there are {}", value,
                  hint.empty() ? "" : fmt::format(" (did you mean '{}'?)", hint), fmt::join(allowed, ", ")));
}

CLI::Option* add_switch(CLI::App& app, const std::string& name, bool& field, const std::string& help) {
  return app.add_flag(name, field, help + (field ? " (default on; --x=off)" : " (default off)"));
}

CLI::Option* add_size(CLI::App& app, const std::string& name, std::uint64_t& field, const std::string& help,
                      std::uint64_t smallest) {
  return app
      .add_option_function<std::string>(
          name,
          [name, smallest, &field](const std::string& text) {
            field = parse_as(name, text, core::parse_size);
            if (field < smallest) {
              throw CLI::ValidationError(
                  name, fmt::format("'{}' is too small: give at least {}", text, core::format_size(smallest)));
            }
          },
          help)
      ->type_name("SIZE")
      ->default_str(core::format_size(field));
}

CLI::Option* add_duration(CLI::App& app, const std::string& name, core::Nanoseconds& field, const std::string& help) {
  return app
      .add_option_function<std::string>(
          name, [name, &field](const std::string& text) { field = parse_as(name, text, core::parse_duration); }, help)
      ->type_name("TIME")
      ->default_str(core::format_duration(field));
}

CLI::Option* add_count(CLI::App& app, const std::string& name, std::uint64_t& field, CountRange range,
                       const std::string& help) {
  return add_integer(app, name, field, range, help);
}

CLI::Option* add_count(CLI::App& app, const std::string& name, std::uint32_t& field, CountRange range,
                       const std::string& help) {
  return add_integer(app, name, field, range, help);
}

CLI::Option* add_counts(CLI::App& app, const std::string& name, std::vector<std::uint32_t>& field, CountRange range,
                        const std::string& help) {
  return app
      .add_option_function<std::vector<std::string>>(
          name,
          [name, range, &field](const std::vector<std::string>& texts) {
            field.clear();
            for (const std::string& text : split(texts)) {
              field.push_back(static_cast<std::uint32_t>(parse_count(name, text, range)));
            }
            if (field.empty()) throw CLI::ValidationError(name, "the list is empty");
          },
          help)
      ->type_name("N,...")
      ->expected(1)
      ->default_str(fmt::format("{}", fmt::join(field, ",")));
}

CLI::Option* add_names(CLI::App& app, const std::string& name, std::vector<std::string>& field,
                       const std::vector<std::string>& allowed, const std::string& help) {
  return app
      .add_option_function<std::vector<std::string>>(
          name,
          [name, allowed, &field](const std::vector<std::string>& texts) {
            field = split(texts);
            if (field == std::vector<std::string>{"none"}) field.clear();
            for (const std::string& value : field) check_name(name, value, allowed);
          },
          help)
      ->type_name("NAME,...")
      ->expected(1)
      ->default_str(fmt::format("{}", fmt::join(field, ",")));
}

CLI::Option* add_name(CLI::App& app, const std::string& name, std::string& field,
                      const std::vector<std::string>& allowed, const std::string& help) {
  return app
      .add_option_function<std::string>(
          name,
          [name, allowed, &field](const std::string& text) {
            check_name(name, text, allowed);
            field = text;
          },
          help)
      ->type_name("NAME")
      ->default_str(field);
}

std::string nearest(const std::string& word, const std::vector<std::string>& candidates) {
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(2, word.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < best_distance) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

}  // namespace spindle::cli
