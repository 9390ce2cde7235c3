#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fstream>
#include <sstream>

#include "carom/core/error.hpp"
#include "carom/scenario/scenario.hpp"
#include "carom/scenario/validate.hpp"
#include "carom/schema/yaml.hpp"

#include "parts/described.hpp"
#include "reproduce/work.hpp"

namespace carom::scenario {

namespace {

using catalogue::Entry;

/// One model of a set, as it was read.
struct GivenModel {
  std::string name;
  const Value* row = nullptr;
  std::string scenario;
  const Value* set = nullptr;
  std::optional<catalogue::Formula> value;
  bool excluded = false;
};

struct Set {
  std::string title, source, quantity, unit, points;
  bool theory = false;
  std::vector<std::string> point_names;
  std::vector<double> measured;
  double allowed = 0.0;
  std::vector<catalogue::Input> inputs;
  std::vector<GivenModel> models;
};

Fields<GivenModel> model_fields() {
  Fields<GivenModel> fields;
  fields.required("name", &GivenModel::name, text(), "for people")
      .optional("row", &GivenModel::row, catalogue::anything(), "of `carom solve`")
      .optional("scenario", &GivenModel::scenario, text(), "name of a shipped one")
      .optional("set", &GivenModel::set, catalogue::anything(), "path: value, in place of what is there")
      .required(
          "value", [](GivenModel& m) -> std::optional<catalogue::Formula>& { return m.value; },
          catalogue::formula_type(), "what it predicts, of each combination of inputs")
      .optional("excluded", &GivenModel::excluded, boolean(), "whether the measurement rules it out (default: no)")
      .check([](const GivenModel& m, const Value& object, const Path& path, Mistakes& mistakes) {
        if ((m.row == nullptr) == m.scenario.empty())
          mistakes.add(path, object.place(), "needs a `row` or a `scenario`, and not both");
      });
  return fields;
}

Fields<Set> set_fields() {
  Fields<Set> fields;
  fields.required("set", &Set::title, text(), "what was measured, by whom")
      .required("source", &Set::source, text(), "where the numbers stand")
      .optional("theory", &Set::theory, boolean(), "a published theory, not an experiment")
      .required("quantity", &Set::quantity, text(), "which number")
      .optional("unit", &Set::unit, text(), "of it")
      .required("points", &Set::points, text(), "what the points are")
      .required("point_names", &Set::point_names, list_of(text(), 1), "one a measured number")
      .required("measured", &Set::measured, list_of(number(), 1), "in the order of the points")
      .required("allowed", &Set::allowed, number(Range::positive()), "rms error up to which a model agrees")
      .optional("inputs", &Set::inputs, catalogue::inputs_type(), "names and the values they take")
      .required("models", &Set::models, list_of(object(model_fields()), 1), "each with what predicts the numbers")
      .check([](const Set& s, const Value& whole, const Path& path, Mistakes& mistakes) {
        if (s.measured.size() != s.point_names.size())
          mistakes.add(
              path.at("measured"), place_of(whole, "measured"),
              fmt::format("must have a number for each point, {}, got {}", s.point_names.size(), s.measured.size()));
      });
  return fields;
}

Prediction predicted(const Set& set, const GivenModel& model, catalogue::Scenarios& scenarios) {
  Entry entry;
  entry.inputs = set.inputs;
  entry.runs.push_back({"", model.row, model.scenario, model.set});
  entry.value = model.value;
  Prediction prediction;
  prediction.model = model.name;
  prediction.values = catalogue::predictions(entry, scenarios);
  if (prediction.values.size() != set.measured.size())
    throw InvalidInput(model.name, fmt::format("predicts {} numbers, and {} are measured", prediction.values.size(),
                                               set.measured.size()));
  double squares = 0.0;
  for (std::size_t i = 0; i < set.measured.size(); ++i) {
    const double off = std::abs(prediction.values[i] - set.measured[i]);
    if (!std::isfinite(off)) throw InvalidInput(model.name, "predicts no number for " + set.point_names[i]);
    squares += off * off;
    prediction.largest = std::max(prediction.largest, off);
  }
  prediction.rms = std::sqrt(squares / static_cast<double>(set.measured.size()));
  prediction.excluded = prediction.rms > set.allowed;
  prediction.as_expected = prediction.excluded == model.excluded;
  return prediction;
}

}  // namespace

Validation validate(const std::filesystem::path& file, const std::filesystem::path& scenarios,
                    const Progress& progress) {
  const std::string shown = file.string();
  std::ifstream in(file, std::ios::binary);
  if (!in) throw BadScenario(shown, {{0, "", "cannot be opened"}});
  std::ostringstream content;
  content << in.rdbuf();
  const std::string whole = std::move(content).str();
  Tree tree;
  Mistakes mistakes;
  read_yaml(whole, tree, mistakes);
  Set set;
  if (mistakes.count() == 0) set_fields().read(tree.root(), {}, mistakes, set);
  if (mistakes.count() > 0) throw BadScenario(shown, mistakes.list);
  Validation result{file.stem().string(), set.title,  set.source,   set.quantity, set.unit, set.theory,
                    set.point_names,      set.points, set.measured, set.allowed,  {}};
  catalogue::Scenarios runs(scenarios, progress);
  for (const GivenModel& model : set.models) {
    result.predictions.push_back(predicted(set, model, runs));
    progress.at(static_cast<double>(result.predictions.size()) / static_cast<double>(set.models.size()));
  }
  return result;
}

report::Document describe(const Validation& v) {
  report::Document document;
  document.title = v.title;
  document.kind = "validate";
  document.summary =
      fmt::format("{}: {}. {}", v.theory ? "Theory, not an experiment" : "Measured", v.source, "Nothing is fitted.");
  report::Table values{"values", v.quantity + (v.unit.empty() ? "" : " [" + v.unit + "]"), {}};
  const std::string given = v.theory ? "published" : "measured";
  values.columns = {{"point", v.points, ""}, {given, given, v.unit}};
  for (const Prediction& p : v.predictions) values.columns.push_back({p.model, p.model, v.unit});
  for (std::size_t i = 0; i < v.measured.size(); ++i) {
    std::vector<report::Value> row;
    row.emplace_back(v.point_names[i]);
    row.emplace_back(v.measured[i]);
    for (const Prediction& p : v.predictions) row.emplace_back(p.values[i]);
    values.add_row(row);
  }
  report::Table errors{"errors", fmt::format("Errors; a model agrees up to {} rms", v.allowed), {}};
  errors.columns = {{"model", "model", ""},
                    {"rms", "rms error", v.unit},
                    {"largest", "largest error", v.unit},
                    {"verdict", "verdict", ""}};
  for (const Prediction& p : v.predictions) {
    errors.add_row({p.model, p.rms, p.largest, std::string(p.excluded ? "excluded" : "agrees")});
    if (!p.as_expected)
      document.notes.push_back(
          fmt::format("{} {}, where the set says otherwise.", p.model, p.excluded ? "is excluded" : "agrees"));
  }
  document.tables = {std::move(values), std::move(errors)};
  return document;
}

}  // namespace carom::scenario
