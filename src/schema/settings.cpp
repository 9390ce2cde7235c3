#include "carom/schema/settings.hpp"

#include <algorithm>
#include <charconv>
#include <memory>
#include <optional>
#include <vector>

#include "carom/core/error.hpp"
#include "carom/schema/yaml.hpp"

namespace carom::schema {

namespace {

/// One step of a path: a key, or the index of a list.
struct Step {
  std::string_view key;
  std::optional<std::size_t> index;
};

/// "bodies[0].velocity" in steps; nothing if it is not a path.
std::optional<std::vector<Step>> steps_of(std::string_view path) {
  std::vector<Step> steps;
  while (!path.empty()) {
    if (path.front() == '[') {
      std::size_t index = 0;
      const auto [end, error] = std::from_chars(path.data() + 1, path.data() + path.size(), index);
      if (error != std::errc() || end == path.data() + path.size() || *end != ']') return std::nullopt;
      steps.push_back({{}, index});
      path.remove_prefix(static_cast<std::size_t>(end + 1 - path.data()));
    } else {
      if (!steps.empty()) {
        if (path.front() != '.') return std::nullopt;
        path.remove_prefix(1);
      }
      const std::string_view key = path.substr(0, path.find_first_of(".["));
      if (key.empty()) return std::nullopt;
      steps.push_back({key, std::nullopt});
      path.remove_prefix(key.size());
    }
  }
  if (steps.empty()) return std::nullopt;
  return steps;
}

/// A setting, read.
struct Target {
  std::string_view path;
  std::vector<Step> steps;
  Tree value;
};
using Targets = std::vector<const Target*>;

std::size_t nodes_of(const Value& value) { return static_cast<std::size_t>(value.next() - &value); }

class Copier {
public:
  Copier(Tree& out, Mistakes& mistakes) : out_(out), mistakes_(mistakes) {}

  /// @param targets  those whose path leads here by `depth` steps
  void copy(const Value& value, const Targets& targets, std::size_t depth, int place) {
    if (put(targets, depth, place)) return;
    if (value.kind() == Value::Kind::object) return copy_object(value, targets, depth, place);
    if (value.kind() == Value::Kind::list) return copy_list(value, targets, depth, place);
    for (const Target* target : targets) refuse(*target, depth, "is neither an object nor a list");
    out_.add(value.kind(), value.text(), at(place));
  }

private:
  static std::size_t at(int place) { return static_cast<std::size_t>(std::max(place, 0)); }

  /// The value of the last target that ends here, if one does.
  bool put(const Targets& targets, std::size_t depth, int place) {
    for (auto target = targets.rbegin(); target != targets.rend(); ++target)
      if ((*target)->steps.size() == depth) return insert((*target)->value.root(), place), true;
    return false;
  }

  /// A value of a setting and all it holds, at one place: that of what it replaces.
  void insert(const Value& value, int place) {
    if (value.kind() != Value::Kind::object && value.kind() != Value::Kind::list)
      return out_.add(value.kind(), out_.keep(value.text()), at(place));
    const std::size_t node = out_.open(value.kind(), at(place));
    for (const Value& item : value.items()) {
      out_.count_item(node);
      insert(item, place);
    }
    for (const auto& [key, member] : value.members()) {
      add_member(node, out_.keep(key), place);
      insert(member, place);
    }
    out_.close(node);
  }

  void copy_object(const Value& object, const Targets& targets, std::size_t depth, int place) {
    const std::size_t node = out_.open(Value::Kind::object, at(place));
    Targets rest = with_keys(targets, depth, "is an object, not a list");
    for (const auto& [key, value] : object.members()) {
      add_member(node, key, value.place());
      copy(value, take(rest, depth, key), depth + 1, value.place());
    }
    add_new_members(node, rest, depth, place);
    out_.close(node);
  }

  void copy_list(const Value& list, const Targets& targets, std::size_t depth, int place) {
    const std::size_t node = out_.open(Value::Kind::list, at(place));
    for (const Target* target : targets) {
      const Step& step = target->steps[depth];
      if (!step.index)
        refuse(*target, depth, "is a list, not an object");
      else if (*step.index >= list.size())
        refuse(*target, depth, "has " + std::to_string(list.size()) + " items, counted from 0");
    }
    std::size_t index = 0;
    for (const Value& item : list.items()) {
      Targets here;
      for (const Target* target : targets)
        if (target->steps[depth].index == index) here.push_back(target);
      out_.count_item(node);
      copy(item, here, depth + 1, item.place());
      ++index;
    }
    out_.close(node);
  }

  /// What is not there yet: objects down to the values.
  void add_new_members(std::size_t object, Targets rest, std::size_t depth, int place) {
    while (!rest.empty()) {
      const std::string_view key = rest.front()->steps[depth].key;
      const Targets here = take(rest, depth, key);
      add_member(object, key, place);
      if (put(here, depth + 1, place)) continue;
      const std::size_t node = out_.open(Value::Kind::object, at(place));
      add_new_members(node, with_keys(here, depth + 1, "is not there: a list cannot be made item by item"), depth + 1,
                      place);
      out_.close(node);
    }
  }

  /// Those whose next step is a key; the others are refused.
  Targets with_keys(const Targets& targets, std::size_t depth, const char* why_not) {
    Targets kept;
    for (const Target* target : targets) {
      if (target->steps[depth].index)
        refuse(*target, depth, why_not);
      else
        kept.push_back(target);
    }
    return kept;
  }

  /// Takes those whose next step is this key out of the list.
  static Targets take(Targets& from, std::size_t depth, std::string_view key) {
    Targets taken;
    std::erase_if(from, [&](const Target* target) {
      if (target->steps[depth].key != key) return false;
      taken.push_back(target);
      return true;
    });
    return taken;
  }

  void add_member(std::size_t object, std::string_view key, int place) {
    out_.count_item(object);
    out_.add(Value::Kind::text, key, at(place));
  }

  /// The part of its path that leads to the offender, and what is wrong there.
  void refuse(const Target& target, std::size_t depth, const std::string& why) {
    std::string where;
    for (std::size_t i = 0; i < depth; ++i) {
      const Step& step = target.steps[i];
      if (step.index)
        where += "[" + std::to_string(*step.index) + "]";
      else
        where += (where.empty() ? "" : ".") + std::string(step.key);
    }
    const Path top;
    mistakes_.add(top.at(std::string_view(target.path)), 0, "cannot be set: `" + where + "` " + why);
  }

  Tree& out_;
  Mistakes& mistakes_;
};

}  // namespace

Setting setting_of(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0)
    throw InvalidInput("set", "must be path=value, such as material.friction=0.3, got " + std::string(text));
  return {std::string(text.substr(0, equals)), std::string(text.substr(equals + 1))};
}

void with_settings(const Value& root, std::span<const Setting> settings, Tree& out, Mistakes& mistakes) {
  std::vector<std::unique_ptr<Target>> owned;
  Targets targets;
  std::size_t nodes = nodes_of(root);
  const Path top;
  for (const Setting& setting : settings) {
    auto target = std::make_unique<Target>();
    target->path = setting.path;
    if (auto steps = steps_of(setting.path)) {
      target->steps = std::move(*steps);
    } else {
      mistakes.add(top.at(std::string_view(setting.path)), 0,
                   "cannot be set: a path looks like bodies[0].velocity[2] or material.friction");
      continue;
    }
    Mistakes of_value;
    read_yaml(setting.value, target->value, of_value);
    if (of_value.count() > 0) {
      mistakes.add(top.at(std::string_view(setting.path)), 0, "cannot be set: " + of_value.list.front().message);
      continue;
    }
    nodes += nodes_of(target->value.root()) + 2 * target->steps.size();
    targets.push_back(target.get());
    owned.push_back(std::move(target));
  }
  out.start(nodes);
  Copier(out, mistakes).copy(root, targets, 0, root.place());
}

}  // namespace carom::schema
