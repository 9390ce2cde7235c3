#include "rod.hpp"

#include <limits>

#include "kind.hpp"

namespace carom::scenario {

namespace {

using report::Document;
using report::Table;

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

Type<RodSweep> sweep() {
  Fields<RodSweep> fields;
  fields.required("from", &RodSweep::from, number(Range::at_least(0.0)), "least impact speed [m/s]")
      .required("to", &RodSweep::to, number(Range::positive()), "greatest impact speed [m/s]")
      .optional("steps", &RodSweep::steps, integer(2, 10'000), "number of speeds (default 100)")
      .optional("dampings", &RodSweep::dampings, list_of(number(Range::at_least(0.0)), 1, 8), "one curve each")
      .check([](const RodSweep& s, const Value& object, const Path& path, Mistakes& mistakes) {
        if (!(s.to > s.from)) mistakes.add(path.at("to"), place_of(object, "to"), "must be greater than `from`");
      });
  return object(fields);
}

Type<RodMap> map() {
  Fields<RodMap> fields;
  fields.required("speed_from", &RodMap::speed_from, number(Range::at_least(0.0)), "least impact speed [m/s]")
      .required("speed_to", &RodMap::speed_to, number(Range::positive()), "greatest impact speed [m/s]")
      .required("damping_from", &RodMap::damping_from, number(Range::at_least(0.0)), "least damping")
      .required("damping_to", &RodMap::damping_to, number(Range::positive()), "greatest damping")
      .optional("size", &RodMap::size, integer(2, 400), "cells along each side (default 80)")
      .check([](const RodMap& m, const Value& object, const Path& path, Mistakes& mistakes) {
        if (!(m.speed_to > m.speed_from))
          mistakes.add(path.at("speed_to"), place_of(object, "speed_to"), "must be greater than `speed_from`");
        if (!(m.damping_to > m.damping_from))
          mistakes.add(path.at("damping_to"), place_of(object, "damping_to"), "must be greater than `damping_from`");
      });
  return object(fields);
}

Fields<RodScenario> fields() {
  Fields<RodScenario> all;
  all.optional("material", &RodScenario::material, text(), "steel, concrete or rubber: gives the wave speed")
      .optional("wave_speed", &RodScenario::wave_speed, number(Range::positive()), "[m/s], instead of a material")
      .required("length", &RodScenario::length, number(Range::positive()), "[m]")
      .optional("gravity", &RodScenario::gravity, number(Range::at_least(0.0)), "[m/s^2] (default 9.81)")
      .optional("damping", &RodScenario::damping, number(Range::at_least(0.0)),
                "[1/s] viscous, [m^2/s] structural (default 0)")
      .optional("damping_kind", &RodScenario::damping_kind, choice<DampingKind>(),
                "what resists the motion (default viscous)")
      .required("impact_speed", &RodScenario::impact_speed, number(Range::at_least(0.0)), "[m/s]")
      .optional("contact", &RodScenario::contact, choice<ContactCondition>(),
                "when the ground lets go (default stress)")
      .optional("bounces", &RodScenario::bounces, integer(1, 200), "lift-offs to follow (default 1)")
      .optional("compare", &RodScenario::compare, list_of(number(Range::at_least(0.0)), 1, 7),
                "other dampings, whose stress at the bottom is drawn too")
      .optional("sweep", &RodScenario::sweep, sweep(), "energies over impact speed")
      .optional("map", &RodScenario::map, map(), "restitution over impact speed and damping")
      .check([](const RodScenario& s, const Value& root, const Path& path, Mistakes& mistakes) {
        if (s.material.has_value() == s.wave_speed.has_value())
          mistakes.add(path, root.place(), "needs either `material` or `wave_speed`");
        else if (s.material && !rod_wave_speed(*s.material))
          mistakes.add(path.at("material"), place_of(root, "material"),
                       "must be one of steel, concrete, rubber, got \"" + *s.material + "\"" +
                           suggestion(*s.material, {"steel", "concrete", "rubber"}));
      });
  return all;
}

RodRun run(const RodScenario& scenario) {
  RodRun result;
  RodProblem& problem = result.problem;
  problem.wave_speed = scenario.wave_speed ? *scenario.wave_speed : *rod_wave_speed(*scenario.material);
  problem.length = scenario.length;
  problem.gravity = scenario.gravity;
  problem.damping = scenario.damping;
  problem.damping_kind = scenario.damping_kind;
  problem.impact_speed = scenario.impact_speed;
  problem.contact = scenario.contact;
  problem.bounces = scenario.bounces;
  result.result = rod_impact(problem);

  RodProblem other = problem;
  other.bounces = 1;
  for (const double damping : scenario.compare) {
    other.damping = damping;
    result.compared.push_back(other);
    result.compared_results.push_back(rod_impact(other));
  }
  other.damping = problem.damping;
  if (scenario.sweep) {
    result.sweep = scenario.sweep;
    if (result.sweep->dampings.empty()) result.sweep->dampings = {scenario.damping};
    for (const double damping : result.sweep->dampings) {
      other.damping = damping;
      auto& curve = result.swept.emplace_back();
      for (int i = 0; i < result.sweep->steps; ++i) {
        other.impact_speed = swept_speed(*result.sweep, i);
        curve.push_back(rod_impact(other));
      }
    }
  }
  if (scenario.map) {
    result.map = scenario.map;
    const RodMap& m = *scenario.map;
    for (int j = 0; j < m.size; ++j)
      for (int i = 0; i < m.size; ++i) {  // at the middle of each cell
        other.damping = m.damping_from + (m.damping_to - m.damping_from) * (j + 0.5) / m.size;
        other.impact_speed = m.speed_from + (m.speed_to - m.speed_from) * (i + 0.5) / m.size;
        result.map_e_energy.push_back(rod_rebound(other).e_energy);
      }
  }
  return result;
}

Table events_table(const RodResult& result) {
  Table table{"events", "Lift-offs and touches", {}, {}};
  table.columns = {{"event", "event", ""},
                   {"t", "time", "s"},
                   {"momentum", "momentum", "m$^2$/s"},
                   {"height", "height", "m"},
                   {"energy_total", "energy", "m$^3$/s$^2$"}};
  for (const RodEvent& e : result.events)
    table.rows.push_back({name(e.type), e.t, e.momentum, e.height, e.energy_total});
  return table;
}

Table compare_table(const RodRun& run) {
  Table table{"compare", "Dampings side by side", {}, {}};
  table.columns = {{"damping", "damping", ""},
                   {"status", "status", ""},
                   {"t_b", "contact time", "s"},
                   {"e_momentum", "$e_P$", ""},
                   {"e_energy", "$e_E$", ""}};
  const auto add = [&](double damping, const RodResult& r) {
    table.rows.push_back({damping, name(r.status), r.t_b.value_or(missing), r.e_momentum.value_or(missing),
                          r.e_energy.value_or(missing)});
  };
  add(run.problem.damping, run.result);
  for (std::size_t i = 0; i < run.compared.size(); ++i) add(run.compared[i].damping, run.compared_results[i]);
  return table;
}

Table sweep_table(const RodRun& run) {
  Table table{"sweep", "Energies over impact speed", {}, {}};
  table.columns = {{"damping", "damping", ""},     {"speed", "speed", "m/s"},   {"status", "status", ""},
                   {"t_b", "contact time", "s"},   {"e_momentum", "$e_P$", ""}, {"e_energy", "$e_E$", ""},
                   {"vibration", "$E_z/E_0$", ""}, {"total", "$E/E_0$", ""}};
  for (std::size_t d = 0; d < run.swept.size(); ++d)
    for (std::size_t i = 0; i < run.swept[d].size(); ++i) {
      const RodResult& r = run.swept[d][i];
      RodProblem problem = run.problem;
      problem.impact_speed = swept_speed(*run.sweep, static_cast<int>(i));
      const double speed = problem.impact_speed, before = rod_energy_before(problem);
      table.rows.push_back({run.sweep->dampings[d], speed, name(r.status), r.t_b.value_or(missing),
                            r.e_momentum.value_or(missing), r.e_energy.value_or(missing), r.energy_vibration / before,
                            r.energy_total / before});
    }
  return table;
}

Document describe(const RodScenario&, const RodRun& run) {
  const RodResult& r = run.result;
  const double before = rod_energy_before(run.problem);
  std::string flags;
  for (const auto& [flag, called] : names_of<RodFlag>)
    if (r.flags.has(flag)) flags += (flags.empty() ? "" : ", ") + std::string(called);
  Document document;
  document.summary = r.status == RodStatus::bounce
                         ? "The rod bounces: the ground lets go when the released wave comes back."
                         : "The rod does not bounce: the ground never has to pull.";
  document.facts = {{"status", "status", std::string(name(r.status)), ""},
                    {"t_b", "contact ends", r.t_b.value_or(missing), "s"},
                    {"round_trip", "round trip of a wave, $2L/c$", rod_round_trip(run.problem), "s"},
                    {"e_momentum", "restitution of momentum, $e_P$", r.e_momentum.value_or(missing), ""},
                    {"e_energy", "restitution of energy, $e_E$", r.e_energy.value_or(missing), ""},
                    {"h_max", "greatest height of the centre", r.h_max.value_or(missing), "m"},
                    {"margin", "margin to no bounce", r.margin.value_or(missing), ""},
                    {"momentum", "momentum at lift-off", r.momentum, "m$^2$/s"},
                    {"energy_before", "energy before", before, "m$^3$/s$^2$"},
                    {"energy_total", "energy at lift-off", r.energy_total, "m$^3$/s$^2$"},
                    {"energy_translation", "of that, translation", r.energy_translation, "m$^3$/s$^2$"},
                    {"energy_vibration", "of that, vibration", r.energy_vibration, "m$^3$/s$^2$"},
                    {"flags", "flags", flags, ""}};
  if (!r.events.empty()) document.tables.push_back(events_table(r));
  if (!run.compared.empty()) document.tables.push_back(compare_table(run));
  if (run.sweep) document.tables.push_back(sweep_table(run));
  document.plots = rod_pictures(run);
  if (r.flags.has(RodFlag::near_tangency))
    document.notes.push_back(
        "near_tangency: a change of one in a million in the data may move the end of contact by a "
        "jump or undo the bounce.");
  if (r.flags.has(RodFlag::undefined_e_energy))
    document.notes.push_back(
        "undefined_e_energy: the centre of mass has less than no energy at lift-off, because it is "
        "below where it started.");
  if (r.flags.has(RodFlag::downward_at_liftoff))
    document.notes.push_back("downward_at_liftoff: the centre of mass is still falling when the bottom lets go.");
  return document;
}

}  // namespace

double swept_speed(const RodSweep& sweep, int step) {
  return sweep.from + (sweep.to - sweep.from) * step / (sweep.steps - 1);
}

Kind rod_kind() {
  return make_kind<RodScenario, RodRun>("rod", "", "An elastic rod falls on the ground: where restitution comes from",
                                        fields(), run, describe);
}

}  // namespace carom::scenario
