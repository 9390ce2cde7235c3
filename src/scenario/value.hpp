// A parsed file or row before anyone knows what it means: null, truths, numbers, text, lists and objects, each with
// the line it stood on. YAML and JSON both end up here, so one reader (fields.hpp) serves scenario files and `solve`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "carom/report/json_writer.hpp"
#include "carom/scenario/scenario.hpp"

namespace carom::scenario {

struct Value {
  enum class Kind : unsigned char { null, boolean, number, text, list, object };
  Kind kind = Kind::null;
  bool boolean = false;
  bool overflow = false;  ///< a number too large for a double
  int line = 0;           ///< from 1; 0 when unknown
  double number = 0.0;
  std::string text;               ///< of text; of a number as it was written
  std::vector<Value> items;       ///< of a list; of an object, its values
  std::vector<std::string> keys;  ///< of an object, in the order of the file; duplicates are kept

  /// The first value under `key`, or nullptr.
  const Value* find(std::string_view key) const;
};

/// The value as a message shows it: JSON, shortened when long.
std::string shown(const Value& value);

/// The value as JSON, numbers as they were written.
void write_json(report::JsonWriter& json, const Value& value);

/// The one document in a YAML text (JSON is YAML). Mistakes of syntax go to `mistakes`.
Value read_yaml(std::string_view text, std::vector<Mistake>& mistakes);

/// One JSON text. Returns false, with the reason in `problem`, when it is not valid JSON or not UTF-8.
bool read_json(std::string_view text, Value& value, std::string& problem);

}  // namespace carom::scenario
