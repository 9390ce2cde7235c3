// What if one number of a file were another?
// A setting names a value of a tree by its path and gives it anew: `bodies[0].velocity[2]` = `-3`.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "carom/schema/mistakes.hpp"
#include "carom/schema/value.hpp"

#pragma GCC visibility push(default)

namespace carom::schema {

/// One value from outside.
struct Setting {
  std::string path;   ///< "bodies[0].velocity[2]", as in the messages about a file
  std::string value;  ///< in YAML: a number, a word, `[1, 2]`, `{friction: 0.3}`
};

/// "path=value" taken apart.
/// @throws InvalidInput naming `set` if there is no `=` or nothing before it
Setting setting_of(std::string_view text);

/// A copy of a tree with the settings in place, later ones over earlier ones. Keys that an object lacks are added;
/// whether they mean anything is for the reader to say.
/// @param root      of another tree, which must outlive `out`, as must the settings
/// @param mistakes  gets what is wrong with a setting: a path that is none, that leads through something that is not an
///                  object or list, or beyond a list; a value that is not YAML. Then `out` is of no use
void with_settings(const Value& root, std::span<const Setting> settings, Tree& out, Mistakes& mistakes);

}  // namespace carom::schema

#pragma GCC visibility pop
