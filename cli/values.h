// Option values with units and lists, with errors that name the option, the value and what is allowed.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "core/clock.h"

namespace spindle::cli {

// Each adds one option whose default is the field's present value, shown in the help with its unit.
CLI::Option* add_size(CLI::App& app, const std::string& name, std::uint64_t& field, const std::string& help,
                      std::uint64_t smallest = 0);
CLI::Option* add_duration(CLI::App& app, const std::string& name, core::Nanoseconds& field, const std::string& help);

struct CountRange {
  std::uint64_t low = 0;
  std::uint64_t high = std::numeric_limits<std::uint64_t>::max();
};
CLI::Option* add_count(CLI::App& app, const std::string& name, std::uint64_t& field, CountRange range,
                       const std::string& help);
CLI::Option* add_count(CLI::App& app, const std::string& name, std::uint32_t& field, CountRange range,
                       const std::string& help);
CLI::Option* add_counts(CLI::App& app, const std::string& name, std::vector<std::uint32_t>& field, CountRange range,
                        const std::string& help);
// A comma-separated list of names, each one of `allowed`; an unknown name gets the nearest as a hint. "none" empties
// it.
CLI::Option* add_names(CLI::App& app, const std::string& name, std::vector<std::string>& field,
                       const std::vector<std::string>& allowed, const std::string& help);
CLI::Option* add_name(CLI::App& app, const std::string& name, std::string& field,
                      const std::vector<std::string>& allowed, const std::string& help);

// A value out of a few names.
template <class Enum>
CLI::Option* add_choice(CLI::App& app, const std::string& name, Enum& field,
                        const std::vector<std::pair<std::string, Enum>>& choices, const std::string& help);
// on or off: `--x` and `--x=on`, `--x=off`.
CLI::Option* add_switch(CLI::App& app, const std::string& name, bool& field, const std::string& help);

// The parts between commas; empty ones are left out.
std::vector<std::string> split_list(const std::string& text);
// Throws CLI::ValidationError with the nearest name as a hint.
void check_name(const std::string& option, const std::string& value, const std::vector<std::string>& allowed);

// The candidate with the smallest edit distance to `word`, or "" when none is near.
std::string nearest(const std::string& word, const std::vector<std::string>& candidates);

template <class Enum>
CLI::Option* add_choice(CLI::App& app, const std::string& name, Enum& field,
                        const std::vector<std::pair<std::string, Enum>>& choices, const std::string& help) {
  std::vector<std::string> names;
  std::string current;
  for (const auto& [text, value] : choices) {
    names.push_back(text);
    if (value == field) current = text;
  }
  return app
      .add_option_function<std::string>(
          name,
          [name, names, choices, &field](const std::string& text) {
            check_name(name, text, names);
            for (const auto& [known, value] : choices) {
              if (known == text) field = value;
            }
          },
          help)
      ->type_name("NAME")
      ->default_str(current);
}

}  // namespace spindle::cli
