#include "impact_spatial.hpp"

#include "carom/impact/impulse_space.hpp"

#include "kind.hpp"

namespace carom::scenario {

namespace {

using report::Document;
using report::Table;

Fields<SpatialScenario> fields() {
  Fields<SpatialScenario> all;
  all.optional("bodies", &SpatialScenario::bodies, list_of(spatial_body(), 0, 2), "the two bodies, A and B")
      .optional("contact", &SpatialScenario::contact, spatial_contact(), "where and which way the bodies touch")
      .optional("contact_space", &SpatialScenario::space, spatial_space(), "W and v instead of bodies")
      .optional("system", &SpatialScenario::system, mechanical_system(3), "any mechanical system instead of bodies")
      .required("material", &SpatialScenario::material, material(), "the touching surfaces")
      .optional("law", &SpatialScenario::law, choice<RestitutionLaw>(), "restitution law (default energetic)")
      .optional("compare", &SpatialScenario::compare, list_of(choice<RestitutionLaw>(), 1, 3),
                "laws to set side by side")
      .optional("bundle", &SpatialScenario::bundle, integer(1, 360),
                "also draw this many hodographs from unit sliding velocities")
      .optional("frames", &SpatialScenario::frames, frames(), "pictures of the flight before and after")
      .check(check_what_collides<SpatialScenario>)
      .check(check_frames<SpatialScenario>);
  return all;
}

SpatialRun run(const SpatialScenario& scenario, const RunRequest&) {
  const Material material = material_at_touch(scenario);
  const auto of_bodies = [&](const Body& a, const Body& b, const Contact& contact, RestitutionLaw law) {
    return collide(a, b, contact, material, law);
  };
  SpatialRun result = run_laws<SpatialRun>(scenario, of_bodies, spatial_impact);
  result.bundle = scenario.bundle;
  return result;
}

std::string summary_of(SpatialCase process) {
  switch (process) {
    case SpatialCase::none:
      return "The bodies do not approach: no impact.";
    case SpatialCase::stick:
      return "The contact sticks from first touch to the end.";
    case SpatialCase::slip_from_rest:
      return "The contact starts at rest but friction cannot hold it: it slips away.";
    case SpatialCase::curved_slip:
      return "The contact slips throughout, along a curve.";
    case SpatialCase::slip_ends_in_compression:
      return "Slip follows a curve and ends during compression.";
    case SpatialCase::slip_ends_in_restitution:
      return "Slip follows a curve and ends during restitution.";
    case SpatialCase::straight_ends_in_compression:
      return "Slip is straight, along an invariant direction, and ends during compression.";
    case SpatialCase::straight_ends_in_restitution:
      return "Slip is straight, along an invariant direction, and ends during restitution.";
    case SpatialCase::straight_slip:
      return "The contact slips throughout, straight along an invariant direction.";
    case SpatialCase::late_straight_ends:
    case SpatialCase::late_straight_slip:
      break;  // labels of the text, never outcomes
  }
  return "";
}

Table laws_table(const SpatialRun& run, const std::string& whose) {
  Table table = outcomes_table("laws", "Restitution laws side by side", {"law", "law", ""}, whose);
  for (std::size_t i = 0; i < run.laws.size(); ++i) add_outcome(table, name(run.laws[i]), run.impacts[i]);
  return table;
}

Table trace_table(const SpatialRun& run) {
  Table table{"trace", "What happened, in order", {}};
  table.columns = {
      {"law", "law", ""}, {"event", "event", ""}, {"impulse", "impulse", "N s"}, {"velocity", "velocity", "m/s"}};
  for (std::size_t i = 0; i < run.laws.size(); ++i)
    for (const auto& event : run.impacts[i].events)
      table.add_row({name(run.laws[i]), name(event.type), numbers(event.impulse), numbers(event.velocity)});
  return table;
}

Table directions_table(const SpatialProblem& problem) {
  Table table{"invariant_directions", "Invariant directions of slip", {}};
  table.columns = {{"direction", "direction", ""}, {"rate", "$d|v_t|/dI_n$", "1/kg"}, {"kind", "kind", ""}};
  for (const auto& d : invariant_directions(problem.space.inverse_inertia, problem.material.friction).directions)
    table.add_row({std::vector<double>{d.direction[0], d.direction[1]}, d.rate,
                   std::string(d.centrifugal ? "centrifugal" : "centripetal")});
  return table;
}

Facts facts(const SpatialScenario& scenario, const SpatialRun& run) {
  const SpatialImpact& impact = run.impacts.front();
  const Eigen::Matrix3d& w = run.problem.space.inverse_inertia;
  Facts facts = {{"law", "restitution law", std::string(name(run.laws.front())), ""},
                 {"verdict", "verdict", std::string(name(impact.verdict)), ""},
                 {"case", "case", std::string(name(impact.process)), ""},
                 {"inverse_inertia_t1", "$W$, row $t1$", numbers(w.row(0)), "1/kg"},
                 {"inverse_inertia_t2", "$W$, row $t2$", numbers(w.row(1)), "1/kg"},
                 {"inverse_inertia_n", "$W$, row $n$", numbers(w.row(2)), "1/kg"},
                 {"critical_friction", "friction that holds, $|W_{tt}^{-1} W_{tn}|$", critical_friction(w), ""},
                 {"velocity_before", "velocity before $(t1, t2, n)$", numbers(run.problem.space.velocity), "m/s"},
                 {"velocity_after", "velocity after $(t1, t2, n)$", numbers(impact.velocity_after), "m/s"},
                 {"impulse", "impulse $(t1, t2, n)$", numbers(impact.impulse), "N s"}};
  add_restitution_used(facts, scenario.material.restitution, run.problem.material.restitution);
  for (report::Fact& fact :
       ledger_facts(impact.energy, energy_owner(scenario), impact.flags, run.system_velocity_after))
    facts.push_back(std::move(fact));
  return facts;
}

Facts details(const SpatialScenario&, const SpatialRun& run) { return motion_facts(run.bodies_after); }

Document describe(const SpatialScenario& scenario, const SpatialRun& run) {
  const SpatialImpact& impact = run.impacts.front();
  Document document;
  document.summary = summary_of(impact.process);
  if (run.laws.size() > 1) document.tables.push_back(laws_table(run, energy_owner(scenario)));
  if (!impact.events.empty()) document.tables.push_back(trace_table(run));
  if (scenario.bodies)
    document.tables.push_back(
        bodies_table("The bodies before and after (" + std::string(name(run.laws.front())) + "), world axes",
                     *scenario.bodies, run.bodies_after));
  if (invariant_directions(run.problem.space.inverse_inertia, run.problem.material.friction).every_direction)
    document.notes.push_back("invariant_directions: every direction of slip is invariant, so slip is always straight.");
  else
    document.tables.push_back(directions_table(run.problem));
  const bool drawable = impact.verdict == Verdict::separated && !impact.flags.has(Flag::overflow);
  if (drawable) document.plots = {hodograph(run), impulse_curve(run)};
  if (scenario.frames) {
    for (auto& plot : motion_pictures(*scenario.bodies, run.bodies_after, *scenario.contact, *scenario.frames))
      document.plots.push_back(std::move(plot));
    document.scenes = {motion_scene(*scenario.bodies, run.bodies_after, *scenario.contact, *scenario.frames)};
  }
  if (drawable && run.bundle) document.plots.push_back(hodograph_bundle(run, *run.bundle));
  for (std::size_t i = 0; i < run.laws.size(); ++i)
    if (run.impacts[i].flags.has(Flag::energy_gain))
      document.notes.push_back(std::string(name(run.laws[i])) +
                               ": kinetic energy rises. Only the energetic law can never create energy.");
  note_flags(document, impact.flags);
  return document;
}

}  // namespace

Kind spatial_impact_kind() {
  return make_kind<SpatialScenario, SpatialRun>({"impact", "spatial",
                                                 "Two bodies hit each other in space, with friction", fields(), run,
                                                 facts, details, describe});
}

}  // namespace carom::scenario
