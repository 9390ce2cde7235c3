#include "carom/schema/mistakes.hpp"

#include <algorithm>

#include "carom/schema/value.hpp"

namespace carom::schema {

std::string Path::text() const {
  std::string result = up != nullptr ? up->text() : "";
  if (index >= 0) return result + "[" + std::to_string(index) + "]";
  if (!result.empty() && !key.empty()) result += ".";
  return result.append(key);
}

void Mistakes::add(const Path& path, int place, std::string message) {
  ++count_;
  if (!keeps(place)) return;
  if (of == Of::row) list.clear();
  list.push_back({place, path.text(), std::move(message)});
}

void Mistakes::warn(const Path& path, int place, std::string message) {
  if (of == Of::file && warnings.size() < max_mistakes) warnings.push_back({place, path.text(), std::move(message)});
}

void Mistakes::add_missing(const Path& path, const Value& object, std::string message) {
  if (of == Of::file) return add(path, object.place(), std::move(message));
  const Value* last = &object;  // the last thing in it; what is wrong with that stands first
  while (last->size() > 0) {
    const Value* item = nullptr;
    for (const Value::Member member : last->members()) item = &member.value;
    for (const Value& each : last->items()) item = &each;
    last = item;
  }
  add(path, last->place() + 1, std::move(message));
}

bool wrong_type(std::string_view wanted, const Value& value, const Path& path, Mistakes& mistakes) {
  mistakes.add(path, value.place(),
               mistakes.keeps(value.place()) ? "must be " + std::string(wanted) + ", got " + shown(value) : "");
  return false;
}

namespace {

/// Edits (insert, delete, replace, swap neighbours) that lead from a to b.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i)
    for (std::size_t j = 1; j <= b.size(); ++j) {
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  return d[a.size()][b.size()];
}

}  // namespace

std::string suggestion(std::string_view name, const std::vector<std::string>& known) {
  constexpr std::size_t longest = 64;  // no name is misspelt into something longer
  if (name.empty() || name.size() > longest) return "";
  const std::string* best = nullptr;
  std::size_t least = 1 + std::max<std::size_t>(1, name.size() / 3);
  for (const std::string& candidate : known)
    if (const std::size_t distance = edit_distance(name, candidate); distance < least) {
      least = distance;
      best = &candidate;
    }
  return best != nullptr ? ", did you mean '" + *best + "'?" : "";
}

}  // namespace carom::schema
