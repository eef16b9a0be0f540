#include "report/text.h"

namespace spindle::report {
namespace {

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

const char* escape_of(Tone tone) {
  switch (tone) {
    case Tone::plain:
      return "";
    case Tone::strong:
      return "\x1b[1m";
    case Tone::faint:
      return "\x1b[2m";
    case Tone::good:
      return "\x1b[32m";
    case Tone::bad:
      return "\x1b[31m";
    case Tone::warning:
      return "\x1b[33m";
  }
  return "";
}

}  // namespace

std::string printable(std::string_view text) {
  std::string clean;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    // U+0080 to U+009F, encoded as C2 80 to C2 9F, are control characters too.
    const bool c1 = byte == 0xC2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xA0;
    if (c1) ++i;
    clean += byte < 0x20 || byte == 0x7F || c1 ? ' ' : text[i];
  }
  return clean;
}

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  for (const char c : text) width += is_continuation(c) ? 0 : 1;
  return width;
}

std::string shorten(std::string_view text, std::size_t columns) {
  if (display_width(text) <= columns) return std::string(text);
  if (columns <= 2) return std::string(text.substr(0, 0));
  std::size_t bytes = 0, width = 0;
  while (bytes < text.size()) {
    if (!is_continuation(text[bytes]) && ++width > columns - 2) break;
    ++bytes;
  }
  return std::string(text.substr(0, bytes)) + "..";
}

std::string paint(std::string_view text, Tone tone, const RenderOptions& options) {
  if (options.color == RenderOptions::Color::never || tone == Tone::plain || text.empty()) return std::string(text);
  return std::string(escape_of(tone)) + std::string(text) + "\x1b[0m";
}

std::string wrap(std::string_view first, std::string_view text, std::size_t width) {
  const std::string indent(display_width(first), ' ');
  const std::string clean = printable(text);
  std::string lines, line(first);
  bool has_word = false;
  for (std::size_t begin = 0; begin < clean.size();) {
    begin = clean.find_first_not_of(' ', begin);
    if (begin == std::string::npos) break;
    const std::size_t end = std::min(clean.find(' ', begin), clean.size());
    const std::string_view word = std::string_view(clean).substr(begin, end - begin);
    if (has_word && display_width(line) + 1 + display_width(word) > width) {
      lines += line + '\n';
      line = indent;
      has_word = false;
    }
    if (has_word) line += ' ';
    line += word;
    has_word = true;
    begin = end;
  }
  return lines + line + '\n';
}

std::string enumerate(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " and " : ", ";
    text += words[i];
  }
  return text;
}

std::vector<std::string> split_list(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t at = std::min(text.find(separator), text.size());
    std::string_view part = text.substr(0, at);
    while (!part.empty() && part.front() == ' ') part.remove_prefix(1);
    while (!part.empty() && part.back() == ' ') part.remove_suffix(1);
    if (!part.empty()) parts.emplace_back(part);
    text.remove_prefix(std::min(at + 1, text.size()));
  }
  return parts;
}

}  // namespace spindle::report
