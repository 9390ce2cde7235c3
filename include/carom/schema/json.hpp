// How does a JSON text become values?
#pragma once

#include <string>
#include <string_view>

#include "carom/schema/value.hpp"

#pragma GCC visibility push(default)

namespace carom::schema {

/// One JSON text, which must outlive the tree. Returns false, with the reason in `problem`, when it is not valid JSON
/// or not UTF-8.
bool read_json(std::string_view text, Tree& tree, std::string& problem);

/// The value of a valid JSON text that starts at `place`, as it was written.
std::string_view json_slice(std::string_view text, std::size_t place);

/// A valid JSON text on lines of its own: members and items indented by two spaces.
std::string indented(std::string_view json);

}  // namespace carom::schema

#pragma GCC visibility pop
