#include "impact_planar.hpp"

#include <cmath>
#include <fmt/format.h>
#include <limits>

#include "kind.hpp"

namespace carom::scenario {

namespace {

using report::Document;
using report::Table;

Type<AskedMethod> other_method() {
  Fields<AskedMethod> fields;
  fields.required("method", &AskedMethod::method, choice<OtherMethod>(), "assumed_mode, lowered_friction or one_step")
      .optional("law", &AskedMethod::law,
                choice<RestitutionLaw>({{"newton", RestitutionLaw::newton}, {"poisson", RestitutionLaw::poisson}}),
                "its restitution (default newton); lowered_friction has no other")
      .optional("mode", &AskedMethod::mode,
                choice<PlanarMode>({{"sliding", PlanarMode::sliding},
                                    {"C-sticking", PlanarMode::c_sticking},
                                    {"R-sticking", PlanarMode::r_sticking},
                                    {"C-reversed", PlanarMode::c_reversed},
                                    {"R-reversed", PlanarMode::r_reversed}}),
                "the mode that assumed_mode assumes (default sliding)")
      .check([](const AskedMethod& m, const Value& object, const Path& path, Mistakes& mistakes) {
        if (m.method == OtherMethod::lowered_friction && m.law != RestitutionLaw::newton)
          mistakes.add(path.at("law"), place_of(object, "law"), "must be newton for lowered_friction");
        if (m.method != OtherMethod::assumed_mode && object.find("mode") != nullptr)
          mistakes.add(path.at("mode"), place_of(object, "mode"), "goes with `method: assumed_mode` only");
      });
  return object(fields);
}

Type<ModeMapAsked> mode_map() {
  Fields<MarkedImpact> mark;
  mark.required("name", &MarkedImpact::name, text(), "what to call it")
      .required("friction", &MarkedImpact::friction, number(Range::at_least(0.0)), "its coefficient")
      .required("velocity", &MarkedImpact::velocity, vector<2>(), "(t, n) [m/s]; without approach it lies at the edge")
      .check([](const MarkedImpact& m, const Value& object, const Path& path, Mistakes& mistakes) {
        if (m.velocity[1] > 0.0 || m.velocity.isZero(0.0))
          mistakes.add(path.at("velocity"), place_of(object, "velocity"), "must approach, or slide without approach");
      });
  Fields<ModeMapAsked> fields;
  fields
      .optional("friction_to", &ModeMapAsked::friction_to, number(Range{0.0, 1e6, true}),
                "greatest coefficient of friction shown (default 2)")
      .optional("slip_to", &ModeMapAsked::slip_to, number(Range{0.0, 1e6, true}),
                "greatest slip over approach shown, to either side (default 2)")
      .optional("marks", &ModeMapAsked::marks, list_of(object(mark), 0, 50), "impacts to mark beside the file's own");
  return object(fields);
}

void check(const PlanarScenario& s, const Value& root, const Path& path, Mistakes& mistakes) {
  const std::size_t before = mistakes.count();
  check_what_collides(s, root, path, mistakes);
  if (!s.gravity || mistakes.count() > before) return;
  const auto refuse = [&](const char* message) {
    mistakes.add(path.at("gravity"), place_of(root, "gravity"), message);
  };
  if (!s.bodies)
    refuse("goes with `bodies` only; with a contact space give `free_acceleration`");
  else if ((*s.bodies)[0].body.immovable == (*s.bodies)[1].body.immovable)
    refuse("needs one body that moves and one that is immovable");
  else if (s.free_acceleration)
    refuse("gives the free acceleration: leave out `free_acceleration`");
}

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
      .optional("gravity", &PlanarScenario::gravity, number(Range::at_least(0.0)),
                "along -y [m/s^2], instead of `free_acceleration`: also asks for finite contact forces")
      .optional("frictions", &PlanarScenario::frictions, list_of(number(Range::at_least(0.0)), 1, 8),
                "further coefficients of friction to draw in the same diagram")
      .optional("others", &PlanarScenario::others, list_of(other_method(), 1, 12),
                "methods of others to set beside: they may break laws, and say so")
      .optional("mode_map", &PlanarScenario::mode_map, mode_map(), "which mode over friction and slip")
      .optional("panels", &PlanarScenario::panels, boolean(), "also draw the diagrams of all signs (default false)")
      .check(check);
  return all;
}

PlanarRun run(const PlanarScenario& scenario, const RunRequest&) {
  const Material material = material_at_touch(scenario);
  PlanarProblem problem{.space = space_of(scenario), .material = material, .law = scenario.law};
  std::optional<PlanarTouch> touch = touch_of(scenario, problem);
  problem.free_acceleration =
      touch ? touch->contact.free_acceleration[1] : scenario.free_acceleration.value_or(problem.free_acceleration);
  const auto of_bodies = [&](const PlanarBody& a, const PlanarBody& b, const PlanarContact& contact,
                             RestitutionLaw law) {
    return collide(a, b, contact, material, law, problem.free_acceleration);
  };
  const auto of_space = [&](PlanarProblem each) {
    each.free_acceleration = problem.free_acceleration;
    return planar_impact(each);
  };
  auto run = run_laws<PlanarRun>(scenario, of_bodies, of_space);
  run.problem.free_acceleration = problem.free_acceleration;
  run.thresholds = planar_thresholds(problem);
  run.touch = std::move(touch);
  run.others = other_answers(scenario, problem);
  for (const double friction : scenario.frictions) {
    problem.material.friction = friction;
    run.beside.push_back(planar_impact(problem));
  }
  return run;
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

/// The scenario's own friction and those beside it.
Table frictions_table(const PlanarScenario& scenario, const PlanarRun& run) {
  Table table{"frictions", "Other frictions (" + std::string(name(run.laws.front())) + ")", {}};
  table.columns = {{"friction", "friction", ""},           {"mode", "mode", ""},
                   {"impulse_t", "$P_t$", "N s"},          {"impulse_n", "$P_n$", "N s"},
                   {"velocity_t", "$v_t$", "m/s"},         {"velocity_n", "$v_n$", "m/s"},
                   {"energy_change", "energy change", "J"}};
  const auto row = [&](double friction, const PlanarImpact& impact) {
    table.add_row({friction, name(impact.mode), impact.impulse[0], impact.impulse[1], impact.velocity_after[0],
                   impact.velocity_after[1], impact.energy.after - impact.energy.before});
  };
  row(scenario.material.friction, run.impacts.front());
  for (std::size_t i = 0; i < run.beside.size(); ++i) row(scenario.frictions[i], run.beside[i]);
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
  for (const OtherAnswer& other : run.others)
    if (other.impact.broken.has(BrokenLaw::energy_gain))
      document.notes.push_back(fmt::format("{}: kinetic energy rises by {:.4g} J.", other.name,
                                           other.impact.energy.after - other.impact.energy.before));
  constexpr double close = 1e-9;  // of the slip: hardly meant
  const Eigen::Vector2d& v = run.problem.space.velocity;
  if (run.touch && v[1] != 0.0 && std::abs(v[1]) <= close * std::abs(v[0]))
    document.notes.push_back(
        fmt::format("$v_n$ = {:.3g} m/s is not exactly zero, so the bodies count as {}. Sliding without approach, and "
                    "finite contact forces, need exactly zero.",
                    v[1], v[1] < 0.0 ? "approaching" : "separating"));
  if (run.touch && run.touch->touches && run.touch->forces.size() != 1)
    document.notes.push_back(run.touch->forces.empty()
                                 ? "No finite contact force obeys Coulomb's law here: only an impact keeps the bodies "
                                   "apart."
                                 : fmt::format("{} finite contact forces obey all laws: rigid-body mechanics does not "
                                               "say which one acts.",
                                               run.touch->forces.size()));
}

/// The thresholds, those that there are none of as missing.
void add_thresholds(Facts& facts, const PlanarThresholds& t) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  facts.push_back({"thresholds", "$\\mu_s$, $\\mu_d$, $\\mu_q$",
                   std::vector<double>{t.mu_s, t.mu_d.value_or(none), t.mu_q.value_or(none)}, ""});
  facts.push_back({"slip_products", "$P_d$, $P_q$", std::vector<double>{t.p_d, t.p_q}, "m/(s kg)"});
  facts.push_back({"stick_friction", "sticks, once slip has ended, from friction", t.stick_friction, ""});
  facts.push_back({"slip_end_friction", "slip ends above friction", t.slip_end_friction.value_or(none), ""});
  facts.push_back(
      {"early_slip_end_friction", "in compression above friction", t.early_slip_end_friction.value_or(none), ""});
  facts.push_back({"jamb_friction", "sliding jams from friction", t.jamb_friction.value_or(none), ""});
}

/// How many finite forces there are, and which.
void add_touch(Facts& facts, const PlanarTouch& touch) {
  facts.push_back(
      {"free_acceleration", "free acceleration $(a_t, a_n)$", both(touch.contact.free_acceleration), "m/s^2"});
  if (touch.touches) {
    std::vector<double> normal;
    for (const FiniteForce& force : touch.forces) normal.push_back(force.force[1]);
    facts.push_back({"finite_forces", "finite contact forces", static_cast<double>(touch.forces.size()), ""});
    facts.push_back({"normal_force", "their normal force", normal, "N"});
  }
  if (!touch.corner) return;
  const LeastJamb least = least_jamb(touch.body, touch.arm.norm());
  facts.push_back({"least_jamb_friction", "least friction without a finite force, any pose", least.friction, ""});
  facts.push_back({"least_jamb_angle", "at an angle of", least.angle * 180.0 / M_PI, "deg"});
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
  add_thresholds(facts, run.thresholds);
  if (run.touch) add_touch(facts, *run.touch);
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
  if (!run.others.empty()) document.tables.push_back(others_table(run));
  if (!run.beside.empty()) document.tables.push_back(frictions_table(scenario, run));
  if (run.touch && !run.touch->forces.empty()) document.tables.push_back(forces_table(*run.touch));
  if (!impact.events.empty()) document.tables.push_back(trace_table(run));
  if (scenario.bodies) document.tables.push_back(bodies_table(scenario, run));
  if (scenario.bodies && !impact.flags.has(Flag::overflow)) document.plots.push_back(bodies_picture(scenario, run));
  if (!impact.flags.has(Flag::overflow)) {
    document.plots.push_back(routh_diagram(scenario, run));
    if (!run.others.empty()) document.plots.push_back(others_picture(run));
    if (scenario.mode_map) document.plots.push_back(mode_map_picture(scenario, run));
    if (scenario.panels) document.plots.push_back(panels_picture(run));
    if (run.touch && run.touch->corner) document.plots.push_back(forces_chart(run));
  }
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
