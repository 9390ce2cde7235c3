// One row of the table behind `carom solve`: a model's name and how it answers. Adding a model adds a file with its
// fields and one line in solve.cpp.
#pragma once

#include <string_view>

#include "carom/report/json_writer.hpp"

#include "fields.hpp"

namespace carom::scenario {

struct SolveModel {
  std::string_view name;
  /// Read the row, solve it, and write the members of the answer into the object that `json` has open. Writes nothing
  /// when the row is at fault: then `mistakes` says why. May throw InvalidInput, also before writing.
  void (*answer)(const Value& row, Mistakes& mistakes, report::JsonWriter& json);
};

/// Fields of a row of type T; every row also has "model" and "id", which the caller has dealt with.
template <class T>
Fields<T> row_fields() {
  Fields<T> fields;
  fields.ignored("model", "which model answers", "{}").ignored("id", "echoed", "{}");
  return fields;
}

void solve_planar(const Value& row, Mistakes& mistakes, report::JsonWriter& json);
void solve_spatial(const Value& row, Mistakes& mistakes, report::JsonWriter& json);
void solve_compliant(const Value& row, Mistakes& mistakes, report::JsonWriter& json);
void solve_simultaneous(const Value& row, Mistakes& mistakes, report::JsonWriter& json);
void solve_multipoint(const Value& row, Mistakes& mistakes, report::JsonWriter& json);
void solve_rod(const Value& row, Mistakes& mistakes, report::JsonWriter& json);

}  // namespace carom::scenario
