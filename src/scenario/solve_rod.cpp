#include <limits>

#include "carom/elastic/rod.hpp"

#include "solve_model.hpp"

namespace carom::scenario {

namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();  // written as null

/// Times that increase from zero on.
Type<std::vector<double>> increasing_times() {
  const auto plain = list_of(number(Range::at_least(0.0)));
  return {[plain](const Value& value, const Path& path, Mistakes& mistakes, std::vector<double>& out) {
            if (!plain.read(value, path, mistakes, out)) return false;
            const Value* before = nullptr;
            std::size_t i = 0;
            for (const Value& time : value.items()) {
              if (i > 0 && !(out[i] > out[i - 1])) {
                mistakes.add(path, value.place(),
                             "must increase, got " + shown(time) + " after " + shown(*before) + " at [" +
                                 std::to_string(i) + "]");
                return false;
              }
              before = &time;
              ++i;
            }
            return true;
          },
          plain.schema};
}

const Fields<RodProblem>& fields() {
  static const Fields<RodProblem> all = [] {
    Fields<RodProblem> f = row_fields<RodProblem>();
    f.required("wave_speed", &RodProblem::wave_speed, number(Range::positive()), "[m/s]")
        .required("length", &RodProblem::length, number(Range::positive()), "[m]")
        .required("gravity", &RodProblem::gravity, number(Range::at_least(0.0)), "[m/s^2]")
        .required("damping", &RodProblem::damping, number(Range::at_least(0.0)), "[1/s] viscous, [m^2/s] structural")
        .required("damping_kind", &RodProblem::damping_kind,
                  choice<DampingKind>(),
                  "what resists the motion")
        .required("impact_speed", &RodProblem::impact_speed, number(Range::at_least(0.0)), "[m/s]")
        .optional("contact", &RodProblem::contact,
                  choice<ContactCondition>(),
                  "when the ground lets go")
        .optional("bounces", &RodProblem::bounces, integer(1, rod_max_bounces), "lift-offs to follow")
        .optional("sample_times", &RodProblem::sample_times, increasing_times(), "[s] from first touch");
    return f;
  }();
  return all;
}

}  // namespace

void solve_rod(const Value& value, Mistakes& mistakes, JsonWriter& json) {
  RodProblem problem;
  if (!read_row(fields(), value, mistakes, problem)) return;
  const RodResult result = rod_impact(problem);

  json.key("status"), json.text(name(result.status));
  json.key("t_b"), json.number(result.t_b.value_or(missing));
  json.key("momentum"), json.number(result.momentum);
  json.key("height"), json.number(result.height);
  json.key("energy_total"), json.number(result.energy_total);
  json.key("energy_translation"), json.number(result.energy_translation);
  json.key("energy_vibration"), json.number(result.energy_vibration);
  json.key("e_momentum"), json.number(result.e_momentum.value_or(missing));
  json.key("e_energy"), json.number(result.e_energy.value_or(missing));
  json.key("h_max"), json.number(result.h_max.value_or(missing));
  json.key("margin"), json.number(result.margin.value_or(missing));
  json.key("flags");
  json.begin_array();
  for (const auto& [flag, text] : names_of<RodFlag>)
    if (result.flags.has(flag)) json.text(text);
  json.end_array();
  if (problem.bounces > 1) {
    json.key("events");
    json.begin_array();
    for (const RodEvent& event : result.events) {
      json.begin_object();
      json.key("type"), json.text(name(event.type));
      json.key("t"), json.number(event.t);
      json.key("momentum"), json.number(event.momentum);
      json.key("height"), json.number(event.height);
      json.key("energy_total"), json.number(event.energy_total);
      json.end_object();
    }
    json.end_array();
  }
  if (problem.sample_times.empty()) return;
  json.key("samples");
  json.begin_array();
  for (const RodSample& sample : result.samples) {
    json.begin_object();
    json.key("t"), json.number(sample.t);
    json.key("stress"), json.number(sample.stress);
    json.key("momentum"), json.number(sample.momentum);
    json.key("height"), json.number(sample.height);
    json.key("bottom"), json.number(sample.bottom);
    json.end_object();
  }
  json.end_array();
}

}  // namespace carom::scenario
