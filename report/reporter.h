// What a report is: a result drawn onto a stream. One file an output; a report knows a result, never a runner.
#pragma once

#include <functional>
#include <ostream>
#include <string_view>

#include "core/registry.h"
#include "results/result.h"

namespace spindle::report {

// How to draw, where the output has a choice. Only the table heeds all of it.
struct RenderOptions {
  enum class Color : std::uint8_t { never, always };
  enum class Charset : std::uint8_t { unicode, ascii };
  enum class Detail : std::uint8_t { summary, full };  // full: every statement, disk and CPU figures, row counts
  Color color = Color::never;
  Charset charset = Charset::unicode;
  Detail detail = Detail::summary;
  int width = 100;  // columns of the terminal; below 80 lines may be longer
};

using Reporter = std::function<void(const results::Result&, std::ostream&, const RenderOptions&)>;
using ReporterRegistry = core::Registry<Reporter>;

inline constexpr std::string_view kDefaultFormat = "table";

// Throws std::invalid_argument that lists the formats when there is none of that name.
void render(std::string_view format, const results::Result& result, std::ostream& out, const RenderOptions& options);

}  // namespace spindle::report
