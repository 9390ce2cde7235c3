// One row of the table behind `carom solve`: a model is its name, the fields of its problem, a function that solves it
// and the fields of its result. Adding a model adds a file and one line in solve.cpp.
#pragma once

#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "carom/core/error.hpp"

#include "parts/described.hpp"

namespace carom::scenario {

struct RowModel {
  using AnySolve = void (*)();
  std::string_view name;
  std::shared_ptr<const ObjectFormat> problem, result;
  AnySolve solve;
  /// Read the row, solve it, and write the members of the answer into the object that `json` has open. Writes nothing
  /// when the row is at fault (then `mistakes` says why) or when mistakes are all that is asked for. May throw
  /// InvalidInput, also before writing.
  void (*answer)(const RowModel& model, const Value& row, Mistakes& mistakes, JsonWriter& json);
};

template <class Problem, class Result>
RowModel row_model(std::string_view name, const Fields<Problem>& problem, Result (*solve)(const Problem&),
                   const Fields<Result>& result) {
  return {name, problem.format(), result.format(), reinterpret_cast<RowModel::AnySolve>(solve),
          [](const RowModel& model, const Value& row, Mistakes& mistakes, JsonWriter& json) {
            Problem given;
            if (!model.problem->read(row, {}, mistakes, &given) || mistakes.thorough) return;
            const Result found = reinterpret_cast<Result (*)(const Problem&)>(model.solve)(given);
            model.result->write_members(json, &found);
          }};
}

/// Fields of a row of type T; every row also has "model" and "id", which the caller has dealt with.
template <class T>
Fields<T> row_fields() {
  Fields<T> fields;
  fields.ignored("model", "which model answers", "{}").ignored("id", "echoed", "{}");
  return fields;
}

/// The items of a list that can be read, up to the first that cannot.
template <class T>
std::vector<T> good_part(const Value* list, const Type<T>& type) {
  std::vector<T> good;
  if (list == nullptr) return good;
  for (const Value& item : list->items()) {
    Mistakes scratch(Mistakes::Of::row);
    T one;
    if (!type.read(item, {}, scratch, one)) break;
    good.push_back(std::move(one));
  }
  return good;
}

/// Calls something that throws when an object is wrong, and blames the object's fields for it.
template <class Call>
void look_for(const Format& format, const Value& object, const Path& path, Mistakes& mistakes, const Call& call) {
  try {
    call();
  } catch (const InvalidInput& error) {
    add_library_error(format, object, path, error, mistakes);
  }
}

}  // namespace carom::scenario
