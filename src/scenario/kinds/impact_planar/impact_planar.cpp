#include "impact_planar.hpp"

#include <fmt/format.h>

#include "kind.hpp"

namespace carom::scenario {

namespace {

using report::Document;
using report::Table;

Fields<PlanarScenario> fields() {
  Fields<PlanarScenario> all;
  all.optional("bodies", &PlanarScenario::bodies, list_of(planar_body(), 0, 2), "the two bodies, A and B")
      .optional("contact", &PlanarScenario::contact, planar_contact(), "where and which way the bodies touch")
      .optional("contact_space", &PlanarScenario::space, planar_space(), "W and v instead of bodies")
      .optional("system", &PlanarScenario::system, mechanical_system(2), "any mechanical system instead of bodies")
      .required("material", &PlanarScenario::material, material(), "the touching surfaces")
      .optional("law", &PlanarScenario::law, choice<RestitutionLaw>(), "restitution law (default energetic)")
      .optional("compare", &PlanarScenario::compare, list_of(choice<RestitutionLaw>(), 1, 3),
                "laws to set side by side")
      .optional("free_acceleration", &PlanarScenario::free_acceleration, number(),
                "normal acceleration without contact force [m/s^2], for sliding without approach (default -1)")
      .check(check_what_collides<PlanarScenario>);
  return all;
}

PlanarRun run(const PlanarScenario& scenario, const RunRequest&) {
  const Material material = material_at_touch(scenario);
  const auto of_bodies = [&](const PlanarBody& a, const PlanarBody& b, const PlanarContact& contact,
                             RestitutionLaw law) {
    return collide(a, b, contact, material, law, scenario.free_acceleration);
  };
  const auto of_space = [&](PlanarProblem problem) {
    problem.free_acceleration = scenario.free_acceleration;
    return planar_impact(problem);
  };
  return run_laws<PlanarRun>(scenario, of_bodies, of_space);
}

std::vector<double> both(const Eigen::Vector2d& v) { return {v[0], v[1]}; }

/// Why there is no impact.
std::string why_none(const PlanarProblem& problem) {
  const Eigen::Matrix2d& w = problem.space.inverse_inertia;
  const Eigen::Vector2d& v = problem.space.velocity;
  if (v[1] > 0.0) return "The bodies separate: no impact.";
  if (v[0] == 0.0) return "The bodies touch without moving against each other: no impact.";
  // Friction presses the bodies together where sliding lets the normal velocity fall, k1 = w_nn - s mu w_tn <= 0.
  const double coupling = v[0] > 0.0 ? w(0, 1) : -w(0, 1);
  const std::string slides = "The contact slides without approach, and ";
  if (coupling <= 0.0) return slides + "this way no friction presses the bodies together: no impact.";
  if (w(1, 1) > problem.material.friction * coupling)
    return slides +
           fmt::format("friction below {:.6g} does not press the bodies together: no impact.", w(1, 1) / coupling);
  return slides + "nothing presses the bodies together (`free_acceleration` is not negative): no impact.";
}

/// One sentence about how the contact moved.
std::string summary_of(const PlanarRun& run) {
  const PlanarImpact& impact = run.impacts.front();
  switch (impact.mode) {
    case PlanarMode::none:
      return why_none(run.problem);
    case PlanarMode::sliding:
      return "The contact slides in one direction throughout.";
    case PlanarMode::c_sticking:
      return impact.classes.direct ? "The contact sticks from first touch to the end."
                                   : "Slip ends during compression and the contact sticks from there on.";
    case PlanarMode::r_sticking:
      return "Slip ends during restitution and the contact sticks from there on.";
    case PlanarMode::c_reversed:
      return "Slip ends during compression and reverses.";
    case PlanarMode::r_reversed:
      return "Slip ends during restitution and reverses.";
  }
  return "";
}

Table laws_table(const PlanarRun& run, const std::string& whose) {
  Table table{"laws", "Restitution laws side by side (energies " + whose + ")", {}};
  table.columns = {{"law", "law", ""},
                   {"mode", "mode", ""},
                   {"impulse_t", "$P_t$", "N s"},
                   {"impulse_n", "$P_n$", "N s"},
                   {"velocity_t", "$v_t$", "m/s"},
                   {"velocity_n", "$v_n$", "m/s"},
                   {"energy_after", "energy after", "J"},
                   {"restitution_loss", "lost normally", "J"},
                   {"friction_loss", "lost to friction", "J"},
                   {"flags", "flags", ""}};
  for (std::size_t i = 0; i < run.laws.size(); ++i) {
    const PlanarImpact& impact = run.impacts[i];
    table.add_row({name(run.laws[i]), name(impact.mode), impact.impulse[0], impact.impulse[1], impact.velocity_after[0],
                   impact.velocity_after[1], impact.energy.after, impact.energy.restitution_loss,
                   impact.energy.friction_loss, flag_list(impact.flags)});
  }
  return table;
}

Table trace_table(const PlanarRun& run) {
  Table table{"trace", "What happened, in order", {}};
  table.columns = {{"law", "law", ""},
                   {"event", "event", ""},
                   {"impulse_t", "$P_t$", "N s"},
                   {"impulse_n", "$P_n$", "N s"},
                   {"velocity_t", "$v_t$", "m/s"},
                   {"velocity_n", "$v_n$", "m/s"}};
  for (std::size_t i = 0; i < run.laws.size(); ++i)
    for (const auto& event : run.impacts[i].events)
      table.add_row({name(run.laws[i]), name(event.type), event.impulse[0], event.impulse[1], event.velocity[0],
                     event.velocity[1]});
  return table;
}

Table bodies_table(const PlanarScenario& scenario, const PlanarRun& run) {
  Table table{"bodies", "The bodies before and after (" + std::string(name(run.laws.front())) + ")", {}};
  table.columns = {{"body", "body", ""},
                   {"velocity_before", "velocity before", "m/s"},
                   {"spin_before", "spin before", "rad/s"},
                   {"velocity_after", "velocity after", "m/s"},
                   {"spin_after", "spin after", "rad/s"}};
  for (std::size_t i = 0; i < run.bodies_after.size(); ++i) {
    const PlanarBody &before = (*scenario.bodies)[i].body, &after = run.bodies_after[i].body;
    table.add_row({name_of(run.bodies_after[i].name, i), both(before.velocity), before.angular_velocity,
                   both(after.velocity), after.angular_velocity});
  }
  return table;
}

void add_notes(Document& document, const PlanarRun& run) {
  for (std::size_t i = 0; i < run.laws.size(); ++i) {
    const Flags flags = run.impacts[i].flags;
    const std::string law = name(run.laws[i]);
    if (flags.has(Flag::energy_gain))
      document.notes.push_back(law +
                               ": kinetic energy rises. Newton's law prescribes the final velocity whatever "
                               "friction did, and can create energy; Poisson's and the energetic law cannot.");
    if (flags.has(Flag::overflow))
      document.notes.push_back(law + ": a result is too large for a double; choose other units.");
  }
  const Flags flags = run.impacts.front().flags;
  note_flags(document, flags);
  if (flags.has(Flag::marginal))
    document.notes.push_back("marginal: exactly on the edge between no impact and a tangential impact.");
}

Facts facts(const PlanarScenario& scenario, const PlanarRun& run) {
  const PlanarImpact& impact = run.impacts.front();
  const Eigen::Matrix2d& w = run.problem.space.inverse_inertia;
  Facts facts = {{"law", "restitution law", std::string(name(run.laws.front())), ""},
                 {"verdict", "verdict", std::string(name(impact.verdict)), ""},
                 {"mode", "mode", std::string(name(impact.mode)), ""},
                 {"classes", "class of impact",
                  std::string(impact.classes.direct ? "direct" : "oblique") + ", " +
                      (impact.classes.central ? "central" : "eccentric") + ", " +
                      (run.problem.space.velocity[1] > 0.0 ? "separating"
                       : impact.classes.tangential         ? "tangential"
                                                           : "meeting"),
                  ""},
                 {"inverse_inertia", "$B_1$, $B_2$, $B_3$", std::vector<double>{w(0, 0), w(1, 1), -w(0, 1)}, "1/kg"},
                 {"velocity_before", "velocity before $(v_t, v_n)$", both(run.problem.space.velocity), "m/s"},
                 {"velocity_after", "velocity after $(v_t, v_n)$", both(impact.velocity_after), "m/s"},
                 {"impulse", "impulse $(P_t, P_n)$", both(impact.impulse), "N s"}};
  add_restitution_used(facts, scenario.material.restitution, run.problem.material.restitution);
  for (report::Fact& fact :
       ledger_facts(impact.energy, energy_owner(scenario), impact.flags, run.system_velocity_after))
    facts.push_back(std::move(fact));
  return facts;
}

Facts details(const PlanarScenario&, const PlanarRun& run) {
  Facts facts;
  for (std::size_t i = 0; i < run.bodies_after.size(); ++i)
    if (const PlanarBody& body = run.bodies_after[i].body; !body.immovable)
      add_motion(facts, name_of(run.bodies_after[i].name, i), "$(x, y)$", both(body.velocity), body.angular_velocity);
  return facts;
}

Document describe(const PlanarScenario& scenario, const PlanarRun& run) {
  const PlanarImpact& impact = run.impacts.front();
  Document document;
  document.summary = summary_of(run);
  if (run.laws.size() > 1) document.tables.push_back(laws_table(run, energy_owner(scenario)));
  if (!impact.events.empty()) document.tables.push_back(trace_table(run));
  if (scenario.bodies) document.tables.push_back(bodies_table(scenario, run));
  if (scenario.bodies && !impact.flags.has(Flag::overflow)) document.plots.push_back(bodies_picture(scenario, run));
  if (impact.verdict == Verdict::separated && !impact.flags.has(Flag::overflow))
    document.plots.push_back(routh_diagram(run));
  add_notes(document, run);
  return document;
}

}  // namespace

Kind planar_impact_kind() {
  return make_kind<PlanarScenario, PlanarRun>({"impact", "planar",
                                               "Two bodies hit each other in the plane, with friction", fields(), run,
                                               facts, details, describe});
}

}  // namespace carom::scenario
