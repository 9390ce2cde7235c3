// How wide is text on a terminal?
// The writers count what a reader sees (code points), not bytes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace carom::report {

/// Columns the text takes on a terminal: code points, combining marks not counted.
std::size_t display_width(std::string_view text);

/// `text` followed by (preceded by) spaces up to `width` columns.
std::string pad_right(std::string_view text, std::size_t width);
std::string pad_left(std::string_view text, std::size_t width);

}  // namespace carom::report
