// How is a typed problem described once, so that reading, error messages and the JSON Schema all follow?
// A Type<T> knows how to read a T from a Value and what its schema is. Fields<T> lists the members of a struct, each
// with its name, type, description and whether it is required. Adding a field is one line.
#pragma once

#include <Eigen/Core>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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

/// What was found wrong so far, in the order it was found; and where the names of other files start.
struct Mistakes {
  void add(const Path& path, int line, std::string message) { list.push_back({line, path.text(), std::move(message)}); }
  std::vector<Mistake> list;
  std::filesystem::path folder = {};
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
        if (value.kind == Value::Kind::text)
          for (const auto& [name, meaning] : options)
            if (name == value.text) {
              out = meaning;
              return true;
            }
        mistakes.add(path, value.line,
                     "must be one of " + list + ", got " + shown(value) + suggestion(value.text, names));
        return false;
      },
      "{\"enum\":[" + schema + "]}"};
}

/// A list of at least `least` items.
template <class T>
Type<std::vector<T>> list_of(Type<T> item, std::size_t least = 0, std::size_t most = 100'000) {
  std::string schema = "{\"type\":\"array\",\"minItems\":" + std::to_string(least) + ",\"items\":" + item.schema + "}";
  return {[item = std::move(item), least, most](const Value& value, const Path& path, Mistakes& mistakes,
                                                std::vector<T>& out) {
            if (value.kind != Value::Kind::list) return wrong_type("a list", value, path, mistakes);
            if (value.items.size() < least || value.items.size() > most) {
              mistakes.add(path, value.line,
                           (value.items.size() < least ? "must have at least " + std::to_string(least)
                                                       : "must have at most " + std::to_string(most)) +
                               " items, got " + std::to_string(value.items.size()));
              return false;
            }
            bool good = true;
            out.clear();
            out.resize(value.items.size());
            for (std::size_t i = 0; i < out.size(); ++i)
              good &= item.read(value.items[i], path.at(static_cast<int>(i)), mistakes, out[i]);
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
  /// Something about several members together, looked at once each of them is fine.
  Fields& check(std::function<void(const T&, const Value&, const Path&, Mistakes&)> rule) {
    rules_.push_back(std::move(rule));
    return *this;
  }

  bool read(const Value& value, const Path& path, Mistakes& mistakes, T& out) const {
    if (value.kind != Value::Kind::object) return wrong_type("an object", value, path, mistakes);
    const std::size_t before = mistakes.list.size();
    std::vector<bool> seen(fields_.size(), false);
    for (std::size_t i = 0; i < value.items.size(); ++i) {  // in the order of the input
      const std::string& key = value.keys[i];
      const Value& item = value.items[i];
      std::size_t f = 0;
      while (f < fields_.size() && fields_[f].name != key) ++f;
      if (f == fields_.size()) {
        mistakes.add(path.at(key), item.line, "unknown key" + suggestion(key, names_));
      } else if (seen[f]) {
        mistakes.add(path.at(key), item.line, "is given twice");
      } else if (item.kind == Value::Kind::null) {
        if (fields_[f].required) mistakes.add(path.at(key), item.line, "is required");
        seen[f] = fields_[f].required;
      } else {
        seen[f] = true;
        fields_[f].read(item, path.at(key), mistakes, out);
      }
    }
    for (std::size_t f = 0; f < fields_.size(); ++f)
      if (fields_[f].required && !seen[f]) mistakes.add(path.at(fields_[f].name), value.line, "is required");
    if (mistakes.list.size() == before)
      for (const auto& rule : rules_) rule(out, value, path, mistakes);
    return mistakes.list.size() == before;
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
    names_.push_back(field.name);
    fields_.push_back(std::move(field));
    return *this;
  }

  std::vector<Field> fields_;
  std::vector<std::string> names_;
  std::vector<std::function<void(const T&, const Value&, const Path&, Mistakes&)>> rules_;
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

/// The line to blame for a member: its own if it is in the object, else the object's.
inline int line_of(const Value& object, std::string_view key) {
  const Value* value = object.find(key);
  return value != nullptr ? value->line : object.line;
}

}  // namespace carom::scenario
