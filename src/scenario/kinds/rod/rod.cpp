#include "rod.hpp"

#include <cmath>
#include <fmt/format.h>
#include <limits>

#include "carom/elastic/rod_modes.hpp"

namespace carom::scenario {

namespace {

using report::Document;
using report::Table;

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

/// A damping of the same kind, or {damping, damping_kind}.
Type<OtherRod> other_rod() {
  Fields<OtherRod> fields;
  fields.required("damping", &OtherRod::damping, number(Range::at_least(0.0)), "[1/s] viscous, [m^2/s] structural")
      .optional("damping_kind", &OtherRod::damping_kind, choice<DampingKind>(), "(default: of the first rod)");
  const auto full = object(fields);
  const auto plain = number(Range::at_least(0.0));
  return custom<OtherRod>(
      [full, plain](const Value& value, const Path& path, Mistakes& mistakes, OtherRod& out) {
        if (value.kind() == Value::Kind::object) return full.read(value, path, mistakes, out);
        return plain.read(value, path, mistakes, out.damping);
      },
      R"({"anyOf":[)" + plain.json_schema() + "," + full.json_schema() + "]}");
}

Type<std::vector<std::vector<double>>> profile() { return list_of(list_of(number(), 2, 2), 1, 1000); }

void check_profile(const RodScenario& s, const std::vector<std::vector<double>>& points, const char* name,
                   const Value& root, const Path& path, Mistakes& mistakes) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double x = points[i][0];
    const auto refuse = [&](const std::string& why) {
      const Path list = path.at(name);
      mistakes.add(list.at(static_cast<int>(i)), place_of(root, name), why);
    };
    if (!(x >= 0.0 && x <= s.length)) return refuse(fmt::format("its x must be in [0, {}], got {}", s.length, x));
    if (i > 0 && x < points[i - 1][0])
      return refuse(fmt::format("x must not fall, got {} after {}", x, points[i - 1][0]));
  }
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
      .optional("impact_speed", &RodScenario::impact_speed, number(Range::at_least(0.0)), "[m/s], of the whole rod")
      .optional(
          "initial_velocity", &RodScenario::initial_velocity, profile(),
          "[[x, v], ..] instead of an impact speed: upward velocity [m/s] at heights x along the rod [m], straight "
          "between; only the first contact is followed")
      .optional("load", &RodScenario::load, profile(),
                "[[x, a], ..]: upward force per mass [m/s^2] along the rod, beside gravity, while on the ground")
      .optional("contact", &RodScenario::contact, choice<ContactCondition>(),
                "when the ground lets go (default stress)")
      .optional("bounces", &RodScenario::bounces, integer(1, 200), "lift-offs to follow (default 1)")
      .optional("compare", &RodScenario::compare, list_of(other_rod(), 1, 7),
                "other dampings, whose stress and energy are drawn too: a number, or {damping, damping_kind}")
      .optional("terms", &RodScenario::terms, list_of(integer(1, rod_max_terms), 1, 4),
                "what so many terms of the series give, drawn beside")
      .check([](const RodScenario& s, const Value& root, const Path& path, Mistakes& mistakes) {
        if (s.material.has_value() == s.wave_speed.has_value())
          mistakes.add(path, root.place(), "needs either `material` or `wave_speed`");
        else if (s.material && !rod_wave_speed(*s.material))
          mistakes.add(path.at("material"), place_of(root, "material"),
                       "must be one of steel, concrete, rubber, got \"" + *s.material + "\"" +
                           suggestion(*s.material, {"steel", "concrete", "rubber"}));
        if (s.impact_speed.has_value() != s.initial_velocity.empty())
          mistakes.add(path, root.place(), "needs either `impact_speed` or `initial_velocity`");
        check_profile(s, s.initial_velocity, "initial_velocity", root, path, mistakes);
        check_profile(s, s.load, "load", root, path, mistakes);
        if (s.initial_velocity.empty() && s.load.empty()) return;
        // What only the falling rod of one piece has.
        const char* why = "goes with `impact_speed` alone: a velocity or load along the rod is followed until lift-off";
        if (s.bounces > 1) mistakes.add(path.at("bounces"), place_of(root, "bounces"), why);
        if (!s.compare.empty()) mistakes.add(path.at("compare"), place_of(root, "compare"), why);
        if (!s.terms.empty()) mistakes.add(path.at("terms"), place_of(root, "terms"), why);
        if (s.damping > 0.0 && s.damping_kind == DampingKind::structural)
          mistakes.add(path.at("damping_kind"), place_of(root, "damping_kind"),
                       "must be viscous with a velocity or load along the rod, got structural");
      });
  return all;
}

RodRun run(const RodScenario& scenario, const RunRequest&) {
  RodRun result;
  RodProblem& problem = result.problem;
  problem.wave_speed = scenario.wave_speed ? *scenario.wave_speed : *rod_wave_speed(*scenario.material);
  problem.length = scenario.length;
  problem.gravity = scenario.gravity;
  problem.damping = scenario.damping;
  problem.damping_kind = scenario.damping_kind;
  problem.impact_speed = scenario.impact_speed.value_or(0.0);
  problem.contact = scenario.contact;
  problem.bounces = scenario.bounces;
  if (!scenario.initial_velocity.empty() || !scenario.load.empty()) return run_held(scenario, problem);
  result.result = rod_impact(problem);
  result.terms = scenario.terms;

  RodProblem other = problem;
  other.bounces = 1;
  for (const OtherRod& rod : scenario.compare) {
    other.damping = rod.damping;
    other.damping_kind = rod.damping_kind.value_or(problem.damping_kind);
    result.compared.push_back(other);
    result.compared_results.push_back(rod_impact(other));
  }
  return result;
}

Table events_table(const RodResult& result) {
  Table table{"events", "Lift-offs and touches", {}};
  table.columns = {{"event", "event", ""},
                   {"t", "time", "s"},
                   {"momentum", "momentum", "m$^2$/s"},
                   {"height", "height", "m"},
                   {"energy_total", "energy", "m$^3$/s$^2$"}};
  for (const RodEvent& e : result.events) table.add_row({name(e.type), e.t, e.momentum, e.height, e.energy_total});
  return table;
}

Table compare_table(const RodRun& run) {
  Table table{"compare", "Dampings side by side", {}};
  table.columns = {{"damping", "damping", ""},  {"status", "status", ""},  {"t_b", "contact time", "s"},
                   {"e_momentum", "$e_P$", ""}, {"e_energy", "$e_E$", ""}, {"damping_kind", "kind of damping", ""}};
  const auto add = [&](const RodProblem& rod, const RodResult& r) {
    table.add_row({rod.damping, name(r.status), r.t_b.value_or(missing), r.e_momentum.value_or(missing),
                   r.e_energy.value_or(missing), name(rod.damping_kind)});
  };
  add(run.problem, run.result);
  for (std::size_t i = 0; i < run.compared.size(); ++i) add(run.compared[i], run.compared_results[i]);
  return table;
}

Facts facts(const RodScenario&, const RodRun& run) {
  if (run.held) return held_facts(run);
  const RodResult& r = run.result;
  const auto at_lift_off = [&r](double value) { return r.status == RodStatus::bounce ? value : missing; };
  return {
      {"status", "status", std::string(name(r.status)), ""},
      {"t_b", "contact ends", r.t_b.value_or(missing), "s"},
      {"round_trip", "round trip of a wave, $2L/c$", rod_round_trip(run.problem), "s"},
      {"e_momentum", "restitution of momentum, $e_P$", r.e_momentum.value_or(missing), ""},
      {"e_energy", "restitution of energy, $e_E$", r.e_energy.value_or(missing), ""},
      {"h_max", "greatest height of the centre", r.h_max.value_or(missing), "m"},
      {"t_h_max", "when it is there", r.t_h_max.value_or(missing), "s"},
      {"margin", "margin to no bounce", r.margin.value_or(missing), ""},
      {"round_trip_speed", "speed above which contact lasts one round trip",
       rod_round_trip_speed(run.problem).value_or(missing), "m/s"},
      {"momentum", "momentum at lift-off, or at rest", r.momentum, "m$^2$/s"},
      {"energy_before", "energy before", rod_energy_before(run.problem), "m$^3$/s$^2$"},
      {"energy_total", "energy at lift-off, or at rest, $E$", r.energy_total, "m$^3$/s$^2$"},
      {"energy_translation", "energy of translation at lift-off, $E_h$", at_lift_off(r.energy_translation),
       "m$^3$/s$^2$"},
      {"energy_vibration", "energy of vibration at lift-off, $E_z$", at_lift_off(r.energy_vibration), "m$^3$/s$^2$"},
      {"flags", "flags", flags_of(run), ""}};
}

/// Where the energy is at lift-off, as shares; missing without a bounce.
Facts details(const RodScenario&, const RodRun& run) {
  if (run.held) return {};
  const RodResult& r = run.result;
  const double before = rod_energy_before(run.problem);
  const auto share = [&r](double value) { return r.status == RodStatus::bounce ? value : missing; };
  Facts facts = {
      {"translation_share", "energy of translation at lift-off, $E_h/E_0$", share(r.energy_translation / before), ""},
      {"vibration_share", "energy of vibration at lift-off, $E_z/E_0$", share(r.energy_vibration / before), ""},
      {"energy_share", "energy left at lift-off, $E/E_0$", share(r.energy_total / before), ""},
      {"translation_of_left", "share of translation in the energy left, $E_h/E$",
       // Of less than no energy there are no shares: the centre is then below where it started.
       share(r.energy_translation >= 0.0 && r.energy_total > 0.0 ? r.energy_translation / r.energy_total : missing),
       ""}};
  // Wang 2017, figure C.6: (E(0) + dE)/E(0), also where the rod has let go before.
  const double round_trip = rod_round_trip(run.problem);
  facts.push_back({"energy_share_round_trip", "energy left at $2L/c$ if held, $E/E_0$",
                   rod_held_energy(run.problem, round_trip) / before, ""});
  if (!run.terms.empty()) {
    const RodModes modes(run.problem, run.terms.front());
    facts.push_back({"energy_share_terms", fmt::format("the same, {} terms", run.terms.front()),
                     1.0 - modes.dissipated(0.0, run.problem.length, round_trip) / before, ""});
  }
  // Wang 2017, figure 5.7: is the energy left that of free decay over one round trip?
  if (run.problem.damping_kind == DampingKind::viscous)
    facts.push_back({"energy_share_scaled", "energy left against free decay, $(E/E_0) e^{2 r t_1}$",
                     share(r.energy_total / before * std::exp(2.0 * run.problem.damping * rod_round_trip(run.problem))),
                     ""});
  return facts;
}

Document describe(const RodScenario&, const RodRun& run) {
  if (run.held) return describe_held(run);
  const RodResult& r = run.result;
  Document document;
  document.summary = r.status == RodStatus::bounce
                         ? "The rod bounces: the ground lets go when the released wave comes back."
                         : "The rod does not bounce: the ground never has to pull.";
  if (!r.events.empty()) document.tables.push_back(events_table(r));
  if (!run.compared.empty()) document.tables.push_back(compare_table(run));
  if (!run.terms.empty()) document.tables.push_back(terms_table(run));
  document.plots = rod_pictures(run);
  note_limits(document, run.problem);
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

std::string flags_of(const RodRun& run) {
  std::string flags;
  const auto add = [&flags](const char* called) { flags += (flags.empty() ? "" : ", ") + std::string(called); };
  for (const auto& [flag, called] : names_of<RodFlag>)
    if (run.result.flags.has(flag)) add(called);
  const FlagSet<RodLimit> limits = rod_limits(run.problem);
  for (const auto& [limit, called] : names_of<RodLimit>)
    if (limits.has(limit)) add(called);
  return flags;
}

void note_limits(Document& document, const RodProblem& problem) {
  const FlagSet<RodLimit> limits = rod_limits(problem);
  const auto few_digits = [](double value) { return fmt::format("{:.3g}", value); };
  if (limits.has(RodLimit::supersonic))
    document.notes.push_back(
        "supersonic: the rod is " + few_digits(problem.impact_speed / problem.wave_speed) +
        " times as fast as the waves in it. The wave equation is linear and knows no shocks: these "
        "numbers are not those of a real rod.");
  else if (limits.has(RodLimit::large_strain))
    document.notes.push_back("large_strain: the rod is strained by up to " + few_digits(100.0 * rod_strain(problem)) +
                             " %. The wave equation is linear: beyond a few percent it says little about a real rod.");
}

Kind rod_kind() {
  return make_kind<RodScenario, RodRun>({"rod", "", "An elastic rod falls on the ground: where restitution comes from",
                                         fields(), run, facts, details, describe});
}

}  // namespace carom::scenario
