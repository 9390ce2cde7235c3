#include "utf8.hpp"

#include "carom/core/utf8.hpp"

namespace carom::report {

namespace {

bool is_combining(char32_t c) { return (c >= 0x0300 && c <= 0x036F) || (c >= 0x20D0 && c <= 0x20FF); }

}  // namespace

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) width += is_combining(take_code_point(text)) ? 0 : 1;
  return width;
}

std::string pad_right(std::string_view text, std::size_t width) {
  std::string out(text);
  if (const std::size_t has = display_width(text); has < width) out.append(width - has, ' ');
  return out;
}

std::string pad_left(std::string_view text, std::size_t width) {
  std::string out;
  if (const std::size_t has = display_width(text); has < width) out.append(width - has, ' ');
  return out += text;
}

}  // namespace carom::report
