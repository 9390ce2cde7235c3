#include "carom/core/json_writer.hpp"
#include "carom/scenario/scenario.hpp"
#include "carom/schema/json.hpp"

#include "kind.hpp"

namespace carom::scenario {

Kind planar_impact_kind();
Kind spatial_impact_kind();
Kind compliant_impact_kind();
Kind collide_kind();
Kind rod_kind();
Kind flight_kind();
Kind world_kind();
Kind normal_impact_kind();
Kind contact_parameters_kind();
Kind stick_slip_kind();
Kind pendulum_impact_kind();
Kind pendulum_drop_kind();
Kind tick_kind();
Kind batting_kind();
Kind fit_kind();
Kind fem_kind();
Kind rest_shape_kind();
Kind squeeze_kind();

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all = {
      planar_impact_kind(),
      spatial_impact_kind(),
      compliant_impact_kind(),
      collide_kind(),
      rod_kind(),
      flight_kind(),
      world_kind(),
      normal_impact_kind(),
      contact_parameters_kind(),
      stick_slip_kind(),
      pendulum_impact_kind(),
      pendulum_drop_kind(),
      tick_kind(),
      batting_kind(),
      fit_kind(),
      fem_kind(),
      rest_shape_kind(),
      squeeze_kind(),
  };
  return all;
}

const Kind* find_kind(const Value& root, Mistakes& mistakes, Head& head) {
  std::vector<std::pair<std::string, std::string>> names, models;
  for (const Kind& kind : kinds())
    if (names.empty() || names.back().first != kind.kind) names.emplace_back(kind.kind, kind.kind);
  const Path top;
  const auto read_one = [&](const char* key, std::string Head::*member,
                            const std::vector<std::pair<std::string, std::string>>& options) {
    const Value* value = root.find(key);
    const Path path = top.at(key);
    if (value == nullptr || value->is_null()) {
      std::string list;
      for (const auto& option : options) list += (list.empty() ? "" : ", ") + option.first;
      mistakes.add(path, value != nullptr ? value->place() : root.place(), "is required: one of " + list);
      return false;
    }
    return choice(options).read(*value, path, mistakes, head.*member);
  };
  if (!read_one("kind", &Head::kind, names)) return nullptr;
  for (const Kind& kind : kinds()) {
    if (kind.kind != head.kind) continue;
    if (kind.model.empty()) return &kind;
    models.emplace_back(kind.model, kind.model);
  }
  if (!read_one("model", &Head::model, models)) return nullptr;
  for (const Kind& kind : kinds())
    if (kind.kind == head.kind && kind.model == head.model) return &kind;
  return nullptr;
}

std::string json_schema() {
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  json.key("$schema"), json.text("https://json-schema.org/draft/2020-12/schema");
  json.key("title"), json.text("carom scenario");
  json.key("description"), json.text("A scenario file of carom, in YAML or JSON");
  json.key("type"), json.text("object");
  json.key("required"), json.raw(R"(["kind"])");
  json.key("oneOf");
  json.begin_array();
  for (const Kind& kind : kinds()) {
    std::string one = kind.schema;  // an object: its description becomes its last member
    one.pop_back();
    json.raw(one + ",\"description\":" + json_quoted(kind.description) + "}");
  }
  json.end_array();
  json.key("$defs");
  json.begin_object();
  json.key("sweep"), json.raw(sweep_schema());
  json.end_object();
  json.end_object();
  return indented(text) + "\n";
}

}  // namespace carom::scenario
