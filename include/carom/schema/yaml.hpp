// How does a YAML file become values?
#pragma once

#include <string_view>

#include "carom/schema/mistakes.hpp"
#include "carom/schema/value.hpp"

#pragma GCC visibility push(default)

namespace carom::schema {

/// The one document in a YAML text (JSON is YAML). Mistakes of syntax go to `mistakes`; then the root is null.
void read_yaml(std::string_view text, Tree& tree, Mistakes& mistakes);

}  // namespace carom::schema

#pragma GCC visibility pop
