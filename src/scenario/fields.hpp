// How is a typed problem described once, so that reading, error messages and the JSON Schema all follow?
// A Type<T> knows how to read a T from a Value and what its schema is. Fields<T> lists the members of a struct, each
// with its name, type, description and whether it is required. Adding a field is one line.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "carom/core/names.hpp"
#include "carom/scenario/scenario.hpp"

#include "value.hpp"

namespace carom::scenario {

/// Where the reader is, as a chain on the stack; made into text only when there is something to say.
struct Path {
  const Path* up = nullptr;
  std::string_view key = {};
  int index = -1;

  Path at(std::string_view name) const& { return {this, name, -1}; }
  Path at(int i) const& { return {this, {}, i}; }
  Path at(std::string_view) const&& = delete;  // the path would point at a temporary
  Path at(int) const&& = delete;
  std::string text() const;  ///< "bodies[0].mass"
};

/// More mistakes than this are counted, not listed: nobody reads them, and a file must not make its own report endless.
inline constexpr std::size_t max_mistakes = 100;

/// What was found wrong so far, and where the names of other files start. Of a file all mistakes are kept in the order
/// they were found, their places are lines. Of a row only the one that stands first is, places are bytes.
struct Mistakes {
  enum class Of { file, row };
  explicit Mistakes(Of what = Of::file) : of(what) {}

  void add(const Path& path, int place, std::string message);
  /// Something that an object lacks. In a row that comes after all the object has.
  void add_missing(const Path& path, const Value& object, std::string message);
  /// Whether a mistake at this place would be kept: what only makes its message can be left out otherwise.
  bool wants(int place) const {
    return of == Of::file ? list.size() < max_mistakes : list.empty() || place < list.front().line;
  }
  std::size_t count() const { return count_; }  ///< found so far, kept or not

  Of of;
  /// Look for everything that could be wrong with a row, also for what solving it would find: Fields::late_check.
  bool thorough = false;
  std::vector<Mistake> list;
  std::filesystem::path folder = {};

private:
  std::size_t count_ = 0;
};

/// How to read a T. `read` returns false after adding at least one mistake.
template <class T>
struct Type {
  std::function<bool(const Value&, const Path&, Mistakes&, T&)> read;
  std::string schema;  ///< a JSON Schema object
};

/// The range a number must lie in.
struct Range {
  std::optional<double> low, high;
  bool low_excluded = false;

  static Range any() { return {}; }
  static Range positive() { return {0.0, std::nullopt, true}; }
  static Range at_least(double low) { return {low, std::nullopt, false}; }
  static Range between(double low, double high) { return {low, high, false}; }
  /// "must be >= 0", or nothing if `value` is inside.
  std::optional<std::string> problem(double value) const;
};

Type<double> number(Range range = Range::any());
Type<int> integer(int low, int high);  ///< may be written 2.0
Type<double> angle();                  ///< radians, or text such as "30 deg"
Type<bool> truth();
Type<std::string> text();

/// A vector of exactly N, or a matrix of exactly N x N numbers.
template <int N>
Type<Eigen::Matrix<double, N, 1>> vector();
template <int N>
Type<Eigen::Matrix<double, N, N>> matrix();
/// A vector or matrix of any size but empty; the rows of a matrix are equally long.
Type<Eigen::VectorXd> vector_of_any_size();
Type<Eigen::MatrixXd> matrix_of_any_size();

/// An inverse inertia: N x N, symmetric (then averaged), positive definite.
template <int N>
Type<Eigen::Matrix<double, N, N>> inverse_inertia();

/// A unit vector, normalised if it is within the unit tolerance.
template <int N>
Type<Eigen::Matrix<double, N, 1>> unit_vector();

// --- building blocks that the templates below share ---

bool wrong_type(const char* wanted, const Value& value, const Path& path, Mistakes& mistakes);  ///< adds, returns false
std::string json_quoted(std::string_view text);                                                 ///< as JSON
/// "did you mean 'x'?" when a known name is near, else "".
std::string suggestion(std::string_view name, const std::vector<std::string>& known);

/// One of a few names.
template <class E>
Type<E> choice(std::vector<std::pair<std::string, E>> options) {
  std::vector<std::string> names;
  std::string list, schema;
  for (const auto& [name, value] : options) {
    names.push_back(name);
    list += (list.empty() ? "" : ", ") + name;
    schema += (schema.empty() ? "" : ",") + json_quoted(name);
  }
  return {
      [options = std::move(options), names, list](const Value& value, const Path& path, Mistakes& mistakes, E& out) {
        if (value.kind() == Value::Kind::text)
          for (const auto& [name, meaning] : options)
            if (name == value.text()) {
              out = meaning;
              return true;
            }
        mistakes.add(path, value.place(),
                     "must be one of " + list + ", got " + shown(value) + suggestion(value.text(), names));
        return false;
      },
      "{\"enum\":[" + schema + "]}"};
}

/// One of the names of an enum.
template <class E>
Type<E> choice() {
  std::vector<std::pair<std::string, E>> options;
  for (const Named<E>& each : names_of<E>) options.emplace_back(each.name, each.value);
  return choice<E>(std::move(options));
}

/// A list of at least `least` items.
template <class T>
Type<std::vector<T>> list_of(Type<T> item, std::size_t least = 0, std::size_t most = 100'000) {
  std::string schema = "{\"type\":\"array\",\"minItems\":" + std::to_string(least) + ",\"items\":" + item.schema + "}";
  return {[item = std::move(item), least, most](const Value& value, const Path& path, Mistakes& mistakes,
                                                std::vector<T>& out) {
            if (value.kind() != Value::Kind::list) return wrong_type("a list", value, path, mistakes);
            if (value.size() < least || value.size() > most) {
              mistakes.add(path, value.place(),
                           (value.size() < least ? "must have at least " + std::to_string(least)
                                                 : "must have at most " + std::to_string(most)) +
                               " items, got " + std::to_string(value.size()));
              return false;
            }
            bool good = true;
            out.clear();
            if (sizeof(T) <= sizeof(Value)) out.reserve(value.size());  // else room only for what is really there
            for (const Value& each : value.items()) {
              const int i = static_cast<int>(out.size());
              good &= item.read(each, path.at(i), mistakes, out.emplace_back());
              if (!good && mistakes.of == Mistakes::Of::row) break;  // what follows is not the first mistake
            }
            return good;
          },
          std::move(schema)};
}

/// The members of an object.
template <class T>
class Fields {
public:
  /// A member that must be given.
  template <class M>
  Fields& required(std::string name, M T::*member, Type<M> type, std::string description) {
    return add(std::move(name), member, std::move(type), std::move(description), true);
  }
  /// A member that keeps its default when it is absent or null.
  template <class M>
  Fields& optional(std::string name, M T::*member, Type<M> type, std::string description) {
    return add(std::move(name), member, std::move(type), std::move(description), false);
  }
  /// An optional member that remembers whether it was given.
  template <class M>
  Fields& optional(std::string name, std::optional<M> T::*member, Type<M> type, std::string description) {
    auto read = [type, member](const Value& value, const Path& path, Mistakes& mistakes, T& out) {
      return type.read(value, path, mistakes, (out.*member).emplace());
    };
    return add_field({std::move(name), std::move(description), type.schema, false, std::move(read)});
  }
  /// A key that is accepted here but read elsewhere.
  Fields& ignored(std::string name, std::string description, std::string schema) {
    return add_field({std::move(name), std::move(description), std::move(schema), false,
                      [](const Value&, const Path&, Mistakes&, T&) { return true; }});
  }
  /// A key that does not belong here but is worth more than "unknown field".
  Fields& refused(std::string name, std::string message) {
    return add_field({std::move(name), message, R"({"not":{}})", false,
                      [message](const Value& value, const Path& path, Mistakes& mistakes, T&) {
                        mistakes.add(path, value.place(), message);
                        return false;
                      }});
  }
  using Rule = std::function<void(const T&, const Value&, const Path&, Mistakes&)>;
  /// Something about several members together, looked at once everything about the object is fine.
  Fields& check(Rule rule) {
    rules_.push_back({std::move(rule), 0, true, false});
    return *this;
  }
  /// The same, looked at once the members it needs are fine, whatever is wrong with the others.
  Fields& check(std::initializer_list<std::string_view> needs, Rule rule) {
    rules_.push_back({std::move(rule), mask_of(needs), false, false});
    return *this;
  }
  /// The same for what solving a row would find anyway: looked at only when something is wrong with the row, because
  /// then its first bad field must be known.
  Fields& late_check(std::initializer_list<std::string_view> needs, Rule rule) {
    rules_.push_back({std::move(rule), mask_of(needs), false, true});
    return *this;
  }

  bool read(const Value& value, const Path& path, Mistakes& mistakes, T& out) const {
    if (value.kind() != Value::Kind::object) return wrong_type("an object", value, path, mistakes);
    const std::size_t before = mistakes.count();
    std::uint64_t seen = 0, bad = 0;                  // fields as bits
    for (const auto [key, item] : value.members()) {  // in the order of the input
      std::size_t f = 0;
      while (f < fields_.size() && fields_[f].name != key) ++f;
      if (f == fields_.size()) {
        mistakes.add(path.at(key), item.place(),
                     mistakes.wants(item.place()) ? "unknown key" + suggestion(key, names_) : "");
        continue;
      }
      const std::uint64_t bit = std::uint64_t{1} << f;
      bool good = true;
      if ((seen & bit) != 0) {
        mistakes.add(path.at(key), item.place(), "is given twice");
        good = false;
      } else if (item.is_null()) {
        if (fields_[f].required) mistakes.add(path.at(key), item.place(), "is required");
        good = !fields_[f].required;
        if (fields_[f].required) seen |= bit;
      } else {
        seen |= bit;
        good = fields_[f].read(item, path.at(key), mistakes, out);
      }
      if (!good) bad |= bit;
    }
    for (std::size_t f = 0; f < fields_.size(); ++f)
      if (const std::uint64_t bit = std::uint64_t{1} << f; fields_[f].required && (seen & bit) == 0) {
        mistakes.add_missing(path.at(fields_[f].name), value, "is required");
        bad |= bit;
      }
    for (const auto& rule : rules_) {
      if (rule.late && !mistakes.thorough) continue;
      if (rule.needs_all ? mistakes.count() == before : (rule.needs & bad) == 0) rule.look(out, value, path, mistakes);
    }
    return mistakes.count() == before;
  }

  std::string schema() const {
    std::string properties, required;
    for (const auto& field : fields_) {
      // The description goes into the field's own schema, as its first entry.
      properties += (properties.empty() ? "" : ",") + json_quoted(field.name) +
                    ":{\"description\":" + json_quoted(field.description) +
                    (field.schema == "{}" ? "}" : "," + field.schema.substr(1));
      if (field.required) required += (required.empty() ? "" : ",") + json_quoted(field.name);
    }
    return "{\"type\":\"object\",\"additionalProperties\":false,\"required\":[" + required + "],\"properties\":{" +
           properties + "}}";
  }

private:
  struct Field {
    std::string name, description, schema;
    bool required;
    std::function<bool(const Value&, const Path&, Mistakes&, T&)> read;
  };
  template <class M>
  Fields& add(std::string name, M T::*member, Type<M> type, std::string description, bool required) {
    auto read = [type, member](const Value& value, const Path& path, Mistakes& mistakes, T& out) {
      return type.read(value, path, mistakes, out.*member);
    };
    return add_field({std::move(name), std::move(description), type.schema, required, std::move(read)});
  }
  Fields& add_field(Field field) {
    if (fields_.size() == 64) throw std::logic_error("an object has more fields than the reader has bits for");
    names_.push_back(field.name);
    fields_.push_back(std::move(field));
    return *this;
  }

  struct RuleRow {
    Rule look;
    std::uint64_t needs;  // fields as bits
    bool needs_all, late;
  };
  std::uint64_t mask_of(std::initializer_list<std::string_view> names) const {
    std::uint64_t mask = 0;
    for (const std::string_view name : names) {
      const auto found = std::find(names_.begin(), names_.end(), name);
      if (found == names_.end()) throw std::logic_error("no such field: " + std::string(name));
      mask |= std::uint64_t{1} << (found - names_.begin());
    }
    return mask;
  }

  std::vector<Field> fields_;
  std::vector<std::string> names_;
  std::vector<RuleRow> rules_;
};

/// An object with these members.
template <class T>
Type<T> object(Fields<T> fields) {
  std::string schema = fields.schema();
  return {[fields = std::move(fields)](const Value& value, const Path& path, Mistakes& mistakes, T& out) {
            return fields.read(value, path, mistakes, out);
          },
          std::move(schema)};
}

/// The place to blame for a member: its own if it is in the object, else the object's.
inline int place_of(const Value& object, std::string_view key) {
  const Value* value = object.find(key);
  return value != nullptr ? value->place() : object.place();
}

}  // namespace carom::scenario
