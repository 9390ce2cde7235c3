// How is UTF-8 text taken apart, put together and made safe for XML?
// What is passed on is never broken: a malformed byte becomes U+FFFD.
#pragma once

#include <string>
#include <string_view>

#pragma GCC visibility push(default)

namespace carom {

/// Takes the first code point off `text` (which must not be empty); U+FFFD for a malformed byte.
char32_t take_code_point(std::string_view& text);

void append_utf8(std::string& out, char32_t code_point);

/// Text made safe for XML content and attributes; characters XML forbids become U+FFFD.
std::string xml_escape(std::string_view text);

}  // namespace carom

#pragma GCC visibility pop
