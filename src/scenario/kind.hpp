// A scenario kind is one folder: the typed problem with its fields, run(problem) -> result, facts and document of a
// result, its pictures, and its name in registry.cpp.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "carom/core/progress.hpp"
#include "carom/report/document.hpp"
#include "carom/scenario/scenario.hpp"

#include "parts/described.hpp"

namespace carom::scenario {

using Facts = std::vector<report::Fact>;

/// What a run is for.
struct RunRequest {
  Progress progress = {};
  bool pictures = true;  ///< false: only facts, so what is only drawn need not be computed
};

/// A kind of scenario, whatever its problem and result are.
struct Kind {
  std::string kind;
  std::string model;  ///< empty if the kind has no choice of models: then files have no such key
  std::string description;
  std::string schema;   ///< of the whole file
  std::string example;  ///< a scenario that comes with carom
  /// The typed problem of a file; nothing after adding a mistake.
  std::function<std::shared_ptr<const void>(const Value&, Mistakes&)> read;
  std::function<std::shared_ptr<const void>(const void* problem, const RunRequest&)> run;
  /// The key numbers of a result, and those that a document has in its tables.
  std::function<Facts(const void* problem, const void* result)> facts;
  std::function<Facts(const void* problem, const void* result)> details;
  /// The document without its heading and facts.
  std::function<report::Document(const void* problem, const void* result)> describe;
};

/// The same, typed.
template <class Problem, class Result>
struct KindOf {
  std::string kind, model, description;
  Fields<Problem> fields;
  Result (*run)(const Problem&, const RunRequest&);
  Facts (*facts)(const Problem&, const Result&);
  Facts (*details)(const Problem&, const Result&);
  report::Document (*describe)(const Problem&, const Result&);
};

/// The JSON Schema of the key `sweep`, which every kind has.
std::string sweep_schema();

template <class Problem, class Result>
Kind make_kind(KindOf<Problem, Result> typed) {
  Fields<Problem>& fields = typed.fields;
  if (!typed.model.empty())
    fields.ignored("model", "which model answers", "{\"const\":" + json_quoted(typed.model) + "}");
  fields.ignored("kind", "what the file asks for", "{\"const\":" + json_quoted(typed.kind) + "}")
      .ignored("title", "a heading for the answer", R"({"type":"string"})")
      .ignored("about", "what to look at", R"({"type":"string"})")
      .ignored("sweep", "many runs, with one or two numbers of the file changed", R"({"$ref":"#/$defs/sweep"})");
  const auto of_result = [](auto function) {
    return [function](const void* problem, const void* result) {
      return function(*static_cast<const Problem*>(problem), *static_cast<const Result*>(result));
    };
  };
  Kind kind;
  kind.kind = std::move(typed.kind);
  kind.model = std::move(typed.model);
  kind.description = std::move(typed.description);
  kind.schema = fields.json_schema();
  kind.run = [run = typed.run](const void* problem, const RunRequest& request) -> std::shared_ptr<const void> {
    return std::make_shared<const Result>(run(*static_cast<const Problem*>(problem), request));
  };
  kind.facts = of_result(typed.facts);
  kind.details = of_result(typed.details);
  kind.describe = of_result(typed.describe);
  kind.read = [fields = std::move(fields)](const Value& value, Mistakes& mistakes) -> std::shared_ptr<const void> {
    auto problem = std::make_shared<Problem>();
    if (!fields.read(value, {}, mistakes, *problem)) return nullptr;
    return problem;
  };
  return kind;
}

/// Every kind there is.
const std::vector<Kind>& kinds();

/// Their names, as a message lists them.
std::string listed_kinds();

/// The kind a file names, after checking its `kind` and `model`; nullptr after adding a mistake.
const Kind* find_kind(const Value& root, Mistakes& mistakes, Head& head);

}  // namespace carom::scenario
