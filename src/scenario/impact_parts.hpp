// What the scenario files of all impact models share: the surfaces, a mechanical system, the ways to say what collides,
// and the list of flags.
#pragma once

#include <algorithm>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "carom/core/contact_space.hpp"
#include "carom/core/error.hpp"
#include "carom/core/material.hpp"
#include "carom/core/mechanical_system.hpp"
#include "carom/impact/impact.hpp"
#include "carom/report/document.hpp"

#include "described.hpp"

namespace carom::scenario {

Type<Material> material();

Type<MechanicalSystem> mechanical_system(int dimension);

/// "jamb, energy_gain"
std::string flag_list(Flags flags);

/// Where the energy went, the flags, and the generalized velocity after of a mechanical system (empty: none).
/// @param whose  what the energies before and after belong to, see energy_owner()
std::vector<report::Fact> ledger_facts(const EnergyLedger& energy, const std::string& whose, Flags flags,
                                       const Eigen::VectorXd& system_velocity_after);

/// What the flags mean, where that is the same for every model.
void note_flags(report::Document& document, Flags flags);

/// 3-D impacts side by side, a row each; `what` tells them apart, `whose` are the energies (energy_owner()).
report::Table outcomes_table(const char* name, const char* title, const report::Column& what, const std::string& whose);
template <class Impact>
void add_outcome(report::Table& table, std::string what, const Impact& impact) {
  const auto& i = impact.impulse;
  const auto& v = impact.velocity_after;
  table.rows.push_back({std::move(what), std::vector<double>{i[0], i[1], i[2]}, std::vector<double>{v[0], v[1], v[2]},
                        impact.energy.after, impact.energy.restitution_loss, impact.energy.friction_loss,
                        flag_list(impact.flags)});
}

/// Exactly one of `bodies` (with `contact`), `contact_space` and `system` must be given, and two bodies must make a
/// contact space.
template <class Scenario>
void check_what_collides(const Scenario& s, const Value& root, const Path& path, Mistakes& mistakes) {
  if (s.bodies.has_value() + s.space.has_value() + s.system.has_value() != 1) {
    mistakes.add(path, root.place(), "needs exactly one of `bodies` (with `contact`), `contact_space` or `system`");
    return;
  }
  if (s.bodies && !s.contact) mistakes.add(path.at("contact"), root.place(), "is required with `bodies`");
  if (!s.bodies && s.contact) mistakes.add(path.at("contact"), place_of(root, "contact"), "goes with `bodies` only");
  if (s.bodies && s.bodies->size() != 2) {
    mistakes.add(path.at("bodies"), place_of(root, "bodies"),
                 "must be two bodies, A and B, got " + std::to_string(s.bodies->size()));
  } else if (s.bodies && s.contact) {
    try {
      contact_space((*s.bodies)[0].body, (*s.bodies)[1].body, *s.contact);
    } catch (const InvalidInput& error) {
      mistakes.add(path.at(error.field()), place_of(root, "bodies"), error.message());
    }
  }
}

/// The contact space of what collides.
template <class Scenario>
auto space_of(const Scenario& scenario) {
  using Space = typename decltype(scenario.space)::value_type;
  if (scenario.space) return *scenario.space;
  if (scenario.bodies) return contact_space((*scenario.bodies)[0].body, (*scenario.bodies)[1].body, *scenario.contact);
  const MechanicalSystem& system = *scenario.system;
  if constexpr (std::is_same_v<Space, PlanarContactSpace>)
    return planar_contact_space(system.mass_matrix, system.jacobian, system.velocity);
  else
    return contact_space(system.mass_matrix, system.jacobian, system.velocity);
}

/// What collides, after an impulse in contact axes.
template <class Scenario, class Impulse>
auto bodies_after(const Scenario& scenario, const Impulse& impulse) {
  auto bodies = *scenario.bodies;
  apply_impulse(bodies[0].body, bodies[1].body, *scenario.contact, impulse);
  return bodies;
}

/// Moves the scenario's bodies or system on into the run, after an impulse in contact axes.
template <class Run, class Scenario, class Impulse>
void move_on(Run& run, const Scenario& scenario, const Impulse& impulse) {
  if (scenario.bodies) run.bodies_after = bodies_after(scenario, impulse);
  if (scenario.system) run.system_velocity_after = velocity_after(*scenario.system, impulse);
}

/// Whose kinetic energy a scenario reports: that of the bodies or the system where they are given. With only a contact
/// space nothing is known but the relative motion.
template <class Scenario>
const char* energy_owner(const Scenario& scenario) {
  return scenario.bodies ? "of the bodies" : scenario.system ? "of the system" : "of the relative motion";
}

/// An impact model's ledger is that of the relative motion; its energies before and after become those of
/// energy_owner().
template <class Scenario, class Impact>
void take_energy_of_owner(const Scenario& scenario, Impact& impact) {
  if (scenario.bodies) {
    const auto sum = [](const auto& bodies) { return kinetic_energy(bodies[0].body) + kinetic_energy(bodies[1].body); };
    impact.energy.before = sum(*scenario.bodies);
    impact.energy.after = sum(bodies_after(scenario, impact.impulse));
  }
  if (scenario.system) {
    MechanicalSystem system = *scenario.system;
    impact.energy.before = kinetic_energy(system);
    system.velocity = velocity_after(system, impact.impulse);
    impact.energy.after = kinetic_energy(system);
  }
}

/// Runs a scenario under its own law and those it compares with, and moves its bodies or system on after the first.
/// @param solve  problem -> impact
template <class Run, class Scenario, class Solve>
Run run_laws(const Scenario& scenario, const Solve& solve) {
  Run run;
  run.problem.space = space_of(scenario);
  run.problem.material = scenario.material;
  run.problem.law = scenario.law;
  run.laws = {scenario.law};
  for (const RestitutionLaw law : scenario.compare)
    if (std::find(run.laws.begin(), run.laws.end(), law) == run.laws.end()) run.laws.push_back(law);
  for (const RestitutionLaw law : run.laws) {
    auto problem = run.problem;
    problem.law = law;
    run.impacts.push_back(solve(problem));
    take_energy_of_owner(scenario, run.impacts.back());
  }
  move_on(run, scenario, run.impacts.front().impulse);
  return run;
}

}  // namespace carom::scenario
