// The saved form of a result: JSON text, whose fields docs/result-format.md describes.
#pragma once

#include <string>
#include <string_view>

#include "results/result.h"

namespace spindle::results {

// One line of UTF-8. Bytes that are no UTF-8 (a server's message in another charset) are replaced by U+FFFD.
std::string to_json(const Result& result);

// Summaries are computed again. Throws std::runtime_error whose message names the field that is wrong or missing; never
// crashes, whatever the text holds.
Result from_json(std::string_view text);

}  // namespace spindle::results
