#include "utf8.hpp"

namespace carom::report {

namespace {

constexpr char32_t replacement = 0xFFFD;

bool is_combining(char32_t c) { return (c >= 0x0300 && c <= 0x036F) || (c >= 0x20D0 && c <= 0x20FF); }

}  // namespace

char32_t take_code_point(std::string_view& text) {
  const auto lead = static_cast<unsigned char>(text.front());
  text.remove_prefix(1);
  if (lead < 0x80) return lead;
  const int more = lead >= 0xF0 && lead <= 0xF4  ? 3
                   : lead >= 0xE0 && lead < 0xF0 ? 2
                   : lead >= 0xC2 && lead < 0xE0 ? 1
                                                 : 0;
  if (more == 0 || text.size() < static_cast<std::size_t>(more)) return replacement;
  char32_t c = lead & (0x3Fu >> more);
  for (int i = 0; i < more; ++i) {
    const auto byte = static_cast<unsigned char>(text[static_cast<std::size_t>(i)]);
    if ((byte & 0xC0u) != 0x80u) return replacement;
    c = (c << 6) | (byte & 0x3Fu);
  }
  // Overlong forms, surrogates and values past the last plane are not UTF-8 although their bytes look like it.
  constexpr char32_t lowest[] = {0, 0x80, 0x800, 0x10000};
  if (c < lowest[more] || c > 0x10FFFF || (c >= 0xD800 && c <= 0xDFFF)) return replacement;
  text.remove_prefix(static_cast<std::size_t>(more));
  return c;
}

void append_utf8(std::string& out, char32_t c) {
  const auto put = [&out](char32_t byte) { out += static_cast<char>(static_cast<unsigned char>(byte)); };
  if (c < 0x80) {
    put(c);
  } else if (c < 0x800) {
    put(0xC0 | (c >> 6));
    put(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    put(0xE0 | (c >> 12));
    put(0x80 | ((c >> 6) & 0x3F));
    put(0x80 | (c & 0x3F));
  } else {
    put(0xF0 | (c >> 18));
    put(0x80 | ((c >> 12) & 0x3F));
    put(0x80 | ((c >> 6) & 0x3F));
    put(0x80 | (c & 0x3F));
  }
}

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
