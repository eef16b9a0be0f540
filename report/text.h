// Text on a terminal: its width, its colour, and where lines break.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/reporter.h"

namespace spindle::report {

enum class Tone : std::uint8_t { plain, strong, faint, good, bad, warning };

// Without control characters: a result may come from anywhere, and a server's message must not steer the terminal.
std::string printable(std::string_view text);

// Columns that UTF-8 text takes (one a character).
std::size_t display_width(std::string_view text);

// Cut to that many columns; the last is an ellipsis then.
std::string shorten(std::string_view text, std::size_t columns);

std::string paint(std::string_view text, Tone tone, const RenderOptions& options);

// Words laid out in lines: the first line begins after `first`, the others after as many blanks.
std::string wrap(std::string_view first, std::string_view text, std::size_t width);

// "1, 16 and 64"
std::string enumerate(const std::vector<std::string>& words);

// The parts between separators, without blanks around them and without empty ones.
std::vector<std::string> split_list(std::string_view text, char separator = ',');

}  // namespace spindle::report
