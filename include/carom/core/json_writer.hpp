// How is JSON written fast and exactly?
// A forward-only writer that appends to a string: shortest round-trip numbers, null for numbers that do not exist,
// no intermediate tree.
#pragma once

#include <string>
#include <string_view>

#pragma GCC visibility push(default)

namespace carom {

/// Appends one JSON value to `out`. Commas and quotes are its business, nesting order the caller's.
class JsonWriter {
public:
  explicit JsonWriter(std::string& out) : out_(out) {}

  void begin_object();
  void end_object();
  void begin_array();
  void end_array();
  void key(std::string_view name);
  void raw_key(std::string_view json);  ///< already JSON: quoted, without the colon
  void text(std::string_view value);    ///< escaped; must be UTF-8
  void number(double value);            ///< null when not finite; integers without a fraction
  void boolean(bool value);
  void null();
  void raw(std::string_view json);  ///< already JSON

private:
  void separate();
  std::string& out_;
  bool needs_comma_ = false;
};

/// A range of numbers as a JSON array.
template <class Range>
void number_array(JsonWriter& json, const Range& values) {
  json.begin_array();
  for (const double value : values) json.number(value);
  json.end_array();
}

}  // namespace carom

#pragma GCC visibility pop
