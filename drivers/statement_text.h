// Where the placeholders of a statement are: the text between them, for drivers that fill them in themselves.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace spindle::drivers {

// The literal parts around each `?`: N placeholders give N + 1 parts. A `?` inside quotes ('...', "...", `...`) or
// comments (-- , #, /* */) is text. A backslash escapes the next character inside '...' and "...".
std::vector<std::string> split_at_placeholders(std::string_view sql);

}  // namespace spindle::drivers
