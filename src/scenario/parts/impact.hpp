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
#include "restitution.hpp"
#include "touch.hpp"

namespace carom::scenario {

Type<Surfaces> material();

/// How fast the bodies approach at a contact, along its normal [m/s].
template <class Space>
double approach_speed(const Space& space) {
  return -space.velocity[space.velocity.size() - 1];
}

/// What the impact makes of a law of the speed, as a fact; nothing where restitution is a number.
void add_restitution_used(std::vector<report::Fact>& facts, const Restitution& given, double used);

/// Of a spring F = k d^p: 1 (linear) or 1.5 (Hertz).
Type<double> spring_exponent();

Type<MechanicalSystem> mechanical_system(int dimension);

/// "jamb, energy_gain"
std::string flag_list(Flags flags);

/// Where the energy went, the flags, and the generalized velocity after of a mechanical system (empty: none).
/// @param whose  what the energies before and after belong to, see energy_owner()
std::vector<report::Fact> ledger_facts(const EnergyLedger& energy, const std::string& whose, Flags flags,
                                       const Eigen::VectorXd& system_velocity_after);

/// "rodriguez, striking edge" -> "rodriguez_striking_edge": a name that people gave, for machines.
std::string key_of(const std::string& name);

/// A body's name, or "A" or "B" when it has none.
std::string name_of(const std::string& name, std::size_t index);

/// How a body moves after the impact, as facts <key>_velocity [m/s] and <key>_spin [rad/s].
/// @param who   for people: "the ball"
/// @param axes  "$(x, y)$"
void add_motion(std::vector<report::Fact>& facts, const std::string& who, const std::string& key,
                const std::string& axes, report::Value velocity, report::Value spin);
/// The same with a key made from the name.
void add_motion(std::vector<report::Fact>& facts, const std::string& who, const std::string& axes,
                report::Value velocity, report::Value spin);

/// What the flags mean, where that is the same for every model.
void note_flags(report::Document& document, Flags flags);

/// 3-D impacts side by side, a row each; `what` tells them apart, `whose` are the energies (energy_owner()).
report::Table outcomes_table(const char* name, const char* title, const report::Column& what, const std::string& whose);
template <class Impact>
void add_outcome(report::Table& table, std::string what, const Impact& impact) {
  const auto& i = impact.impulse;
  const auto& v = impact.velocity_after;
  table.add_row({std::move(what), std::vector<double>{i[0], i[1], i[2]}, std::vector<double>{v[0], v[1], v[2]},
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
      return;
    }
    check_contact_point(*s.bodies, 0, 1, s.contact->point, root.find("contact"), path.at("contact"), mistakes);
  }
}

/// The contact space of what collides.
template <class Scenario>
auto space_of(const Scenario& scenario) {
  using Space = typename decltype(scenario.space)::value_type;
  if (scenario.space) return *scenario.space;
  if (scenario.bodies) return contact_space((*scenario.bodies)[0].body, (*scenario.bodies)[1].body, *scenario.contact);
  if constexpr (std::is_same_v<Space, PlanarContactSpace>)
    return planar_contact_space(*scenario.system);
  else
    return contact_space(*scenario.system);
}

/// The surfaces at the speed with which the impact of a scenario begins.
template <class Scenario>
Material material_at_touch(const Scenario& scenario) {
  return scenario.material.at(approach_speed(space_of(scenario)));
}

/// Whose kinetic energy a scenario reports: that of the bodies or the system where they are given. With only a contact
/// space nothing is known but the relative motion.
template <class Scenario>
const char* energy_owner(const Scenario& scenario) {
  return scenario.bodies ? "of the bodies" : scenario.system ? "of the system" : "of the relative motion";
}

/// An impact, its energies those of energy_owner(), and what collided after it.
template <class Impact, class NamedBodies>
struct Struck {
  Impact impact;
  NamedBodies bodies;               ///< empty without bodies
  Eigen::VectorXd system_velocity;  ///< empty without a system
};

/// @param of_bodies  (a, b, contact) -> collision
/// @param of_space   contact space -> impact
template <class Scenario, class OfBodies, class OfSpace>
auto strike(const Scenario& scenario, const OfBodies& of_bodies, const OfSpace& of_space) {
  Struck<decltype(of_space(space_of(scenario))), typename decltype(scenario.bodies)::value_type> struck;
  if (scenario.bodies) {
    struck.bodies = *scenario.bodies;
    auto collision = of_bodies(struck.bodies[0].body, struck.bodies[1].body, *scenario.contact);
    struck.impact = std::move(collision.impact);
    struck.bodies[0].body = collision.a;
    struck.bodies[1].body = collision.b;
    return struck;
  }
  struck.impact = of_space(space_of(scenario));
  if (scenario.system) {
    MechanicalSystem system = *scenario.system;
    struck.impact.energy.before = kinetic_energy(system);
    system.velocity = velocity_after(system, struck.impact.impulse);
    struck.impact.energy.after = kinetic_energy(system);
    struck.system_velocity = system.velocity;
  }
  return struck;
}

/// Runs a scenario under its own law and those it compares with; what collides moves on after the first.
/// @param of_bodies  (a, b, contact, law) -> collision
/// @param of_space   problem -> impact
template <class Run, class Scenario, class OfBodies, class OfSpace>
Run run_laws(const Scenario& scenario, const OfBodies& of_bodies, const OfSpace& of_space) {
  Run run;
  run.problem.space = space_of(scenario);
  run.problem.material = material_at_touch(scenario);
  run.problem.law = scenario.law;
  run.laws = {scenario.law};
  for (const RestitutionLaw law : scenario.compare)
    if (std::find(run.laws.begin(), run.laws.end(), law) == run.laws.end()) run.laws.push_back(law);
  for (const RestitutionLaw law : run.laws) {
    auto struck = strike(
        scenario, [&](const auto& a, const auto& b, const auto& contact) { return of_bodies(a, b, contact, law); },
        [&](const auto& space) {
          auto problem = run.problem;
          problem.space = space;
          problem.law = law;
          return of_space(problem);
        });
    if (run.impacts.empty()) {
      run.bodies_after = std::move(struck.bodies);
      run.system_velocity_after = std::move(struck.system_velocity);
    }
    run.impacts.push_back(std::move(struck.impact));
  }
  return run;
}

}  // namespace carom::scenario
