// Where there is no libyaml: of YAML, what is also JSON, and single words.
#include <algorithm>

#include "carom/schema/json.hpp"
#include "carom/schema/yaml.hpp"

namespace carom::schema {

namespace {

/// A word such as `newton` or `30 deg`: the value of a setting.
bool is_word(std::string_view text) {
  return !text.empty() && text.find_first_of("{}[]\"\n#:,") == std::string_view::npos;
}

}  // namespace

void read_yaml(std::string_view text, Tree& tree, Mistakes& mistakes) {
  std::string problem;
  if (read_json(text, tree, problem)) {
    // Values of a file stand at lines, from 1. Nodes come in the order of the text.
    std::size_t at = 0, line = 1;
    for (std::size_t node = 0; node < tree.size(); ++node) {
      const auto place = std::min(static_cast<std::size_t>(std::max(tree[node].place(), 0)), text.size());
      if (place > at) {
        line += static_cast<std::size_t>(std::count(text.begin() + static_cast<std::ptrdiff_t>(at),
                                                    text.begin() + static_cast<std::ptrdiff_t>(place), '\n'));
        at = place;
      }
      tree.put(node, line);
    }
    return;
  }
  tree.start(1);
  if (is_word(text)) {
    tree.add(Value::Kind::text, tree.keep(text), 1);
  } else {
    tree.add(Value::Kind::null, {}, 0);
    mistakes.add({}, 1, "is not JSON, which is all that this build reads: " + problem);
  }
}

}  // namespace carom::schema
