#include <algorithm>
#include <charconv>

#include "solve_model.hpp"

namespace carom::scenario {

namespace {

/// What the library calls a thing, and what rows do. Where a row has neither name, the first line says what it is
/// called.
constexpr struct {
  std::string_view library, row;
} row_names[] = {
    {"friction", "mu"},
    {"restitution", "e"},
    {"static_friction", "mu_s"},
    {"dynamic_friction", "mu_d"},
    {"inverse_inertia", "W"},
    {"velocity", "v"},
    {"stiffness_ratio_root", "eta0"},
    {"inertia", "principal"},
    {"inverse_inertia", "bodies"},
    {"velocity", "bodies"},
    {"factor", "jacobian"},
};

}  // namespace

void blame(const Value& object, const Path& path, const InvalidInput& error, Mistakes& mistakes) {
  std::string name_in_row;
  const Value* at = &object;  // what has been named so far; nullptr from where the row has no such thing
  const Value* last = &object;
  std::string_view rest = error.field();
  while (!rest.empty()) {
    if (rest.starts_with('[')) {
      const std::string_view index = rest.substr(0, std::min(rest.find(']'), rest.size() - 1) + 1);
      name_in_row += index;
      rest.remove_prefix(index.size());
      const Value* item = nullptr;
      std::size_t i = 0, wanted = 0;
      std::from_chars(index.data() + 1, index.data() + index.size(), wanted);
      if (at != nullptr)
        for (const Value& each : at->items())
          if (i++ == wanted) item = &each;
      at = item;
    } else {
      if (rest.starts_with('.')) rest.remove_prefix(1);
      const std::string_view name = rest.substr(0, rest.find_first_of(".["));
      rest.remove_prefix(name.size());
      const Value* member = at != nullptr ? at->find(name) : nullptr;
      std::string_view called = name;
      if (member == nullptr)
        for (const auto& names : row_names) {
          if (names.library != name) continue;
          if (called == name) called = names.row;
          if (member = at != nullptr ? at->find(names.row) : nullptr; member != nullptr) {
            called = names.row;
            break;
          }
        }
      name_in_row += (name_in_row.empty() ? "" : ".") + std::string(called);
      at = member;
    }
    if (at != nullptr) last = at;
  }
  const Path whole = path.at(std::string_view(name_in_row));
  if (at != nullptr)
    mistakes.add(whole, at->place(), error.message());
  else
    mistakes.add_missing(whole, *last, error.message());
}

}  // namespace carom::scenario
