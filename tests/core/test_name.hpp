// Names of the tests of a list of cases, made of what tells the cases apart.
#pragma once

#include <cctype>
#include <string>
#include <string_view>

namespace carom {

/// `text` as a name of letters, digits and _, with the number of the case before it.
inline std::string test_name(std::size_t index, std::string_view text) {
  std::string name = std::to_string(index);
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0)
      name += c;
    else if (name.back() != '_')
      name += '_';
    if (name.size() > 70) break;
  }
  return name;
}

}  // namespace carom
