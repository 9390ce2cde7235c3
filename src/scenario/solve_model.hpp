// One row of the table behind `carom solve`: a model's name and how it answers. Adding a model adds a file with its
// fields and one line in solve.cpp.
#pragma once

#include <string_view>

#include "carom/core/error.hpp"
#include "carom/core/json_writer.hpp"

#include "fields.hpp"

namespace carom::scenario {

struct SolveModel {
  std::string_view name;
  /// Read the row, solve it, and write the members of the answer into the object that `json` has open. Writes nothing
  /// when the row is at fault: then `mistakes` says why. May throw InvalidInput, also before writing.
  void (*answer)(const Value& row, Mistakes& mistakes, JsonWriter& json);
};

/// Fields of a row of type T; every row also has "model" and "id", which the caller has dealt with.
template <class T>
Fields<T> row_fields() {
  Fields<T> fields;
  fields.ignored("model", "which model answers", "{}").ignored("id", "echoed", "{}");
  return fields;
}

/// Read the fields of a row. False when something is wrong with them, or when that is all that is asked.
template <class T>
bool read_row(const Fields<T>& fields, const Value& value, Mistakes& mistakes, T& row) {
  return fields.read(value, {}, mistakes, row) && !mistakes.thorough;
}

/// What the library has against an object, said of the field that the object has: "contacts[3].friction" ->
/// "contacts[3].mu".
void blame(const Value& object, const Path& path, const InvalidInput& error, Mistakes& mistakes);

/// Calls something that throws when an object is wrong.
template <class Call>
void look_for(const Value& object, const Path& path, Mistakes& mistakes, const Call& call) {
  try {
    call();
  } catch (const InvalidInput& error) {
    blame(object, path, error, mistakes);
  }
}

/// What solve_row would answer to a line if something is wrong with its fields, else nothing. Does not solve.
std::string checked_row(std::string_view line);

void solve_planar(const Value& row, Mistakes& mistakes, JsonWriter& json);
void solve_spatial(const Value& row, Mistakes& mistakes, JsonWriter& json);
void solve_compliant(const Value& row, Mistakes& mistakes, JsonWriter& json);
void solve_simultaneous(const Value& row, Mistakes& mistakes, JsonWriter& json);
void solve_multipoint(const Value& row, Mistakes& mistakes, JsonWriter& json);
void solve_rod(const Value& row, Mistakes& mistakes, JsonWriter& json);

}  // namespace carom::scenario
