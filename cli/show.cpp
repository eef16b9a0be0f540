#include "cli/show.h"

#include <iostream>

namespace spindle::cli {

void print(const results::Result& result, const Console& console, Detail detail, std::string_view format) {
  using report::RenderOptions;
  RenderOptions options;
  options.color = console.color() ? RenderOptions::Color::always : RenderOptions::Color::never;
  options.charset = console.unicode() ? RenderOptions::Charset::unicode : RenderOptions::Charset::ascii;
  options.detail = detail;
  options.width = console.width();
  report::render(format, result, std::cout, options);
}

}  // namespace spindle::cli
