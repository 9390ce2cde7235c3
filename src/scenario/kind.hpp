// A scenario kind is one file: the typed problem with its fields, run(problem) -> result, describe(problem, result) ->
// document, and one line in registry.cpp.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "carom/report/document.hpp"

#include "parts/described.hpp"

namespace carom::scenario {

/// What every scenario file starts with.
struct Head {
  std::string kind, model, title, about;
};

struct Kind {
  std::string kind;
  std::string model;  ///< empty if the kind has no choice of models: then files have no such key
  std::string description;
  std::string schema;  ///< of the whole file
  /// Read the file's fields; on success, what to run.
  std::function<std::function<report::Document()>(const Value&, const Head&, Mistakes&)> read;
};

template <class Problem, class Result>
Kind make_kind(std::string kind, std::string model, std::string description, Fields<Problem> fields,
               Result (*run)(const Problem&), report::Document (*describe)(const Problem&, const Result&)) {
  if (!model.empty()) fields.ignored("model", "which model answers", "{\"const\":" + json_quoted(model) + "}");
  fields.ignored("kind", "what the file asks for", "{\"const\":" + json_quoted(kind) + "}")
      .ignored("title", "a heading for the answer", R"({"type":"string"})")
      .ignored("about", "what to look at", R"({"type":"string"})");
  std::string schema = fields.json_schema();
  return {std::move(kind), std::move(model), std::move(description), std::move(schema),
          [fields = std::move(fields), run, describe](const Value& value, const Head& head,
                                                      Mistakes& mistakes) -> std::function<report::Document()> {
            const auto problem = std::make_shared<Problem>();
            if (!fields.read(value, {}, mistakes, *problem)) return {};
            return [problem, head, run, describe] {
              report::Document document = describe(*problem, run(*problem));
              document.kind = head.kind;
              document.title = head.title;
              return document;
            };
          }};
}

Kind planar_impact_kind();
Kind spatial_impact_kind();
Kind compliant_impact_kind();
Kind bounces_kind();
Kind rod_kind();
Kind collide_kind();

}  // namespace carom::scenario
