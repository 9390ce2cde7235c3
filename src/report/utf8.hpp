// How is UTF-8 text taken apart, put together and measured?
// The writers count what a reader sees (code points), not bytes, and never pass broken UTF-8 on: a malformed byte
// becomes U+FFFD.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace carom::report {

/// Takes the first code point off `text` (which must not be empty); U+FFFD for a malformed byte.
char32_t take_code_point(std::string_view& text);

void append_utf8(std::string& out, char32_t code_point);

/// Columns the text takes on a terminal: code points, combining marks not counted.
std::size_t display_width(std::string_view text);

/// `text` followed by (preceded by) spaces up to `width` columns.
std::string pad_right(std::string_view text, std::size_t width);
std::string pad_left(std::string_view text, std::size_t width);

}  // namespace carom::report
