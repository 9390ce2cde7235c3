#include "carom/impact/simultaneous.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <tuple>

#include "carom/core/contact_graph.hpp"
#include "carom/core/error.hpp"

#include "simultaneous_system.hpp"

namespace carom {

namespace {

using simultaneous::Log;
using simultaneous::Outcome;
using simultaneous::Spring;
using simultaneous::System;

/// Kinetic energy above this share of the initial one, beyond what the tolerance allows, counts as a gain.
constexpr double energy_gain_tolerance = 1e-12;

void require_valid(const SpringContact& contact, std::size_t k, SimultaneousMethod method) {
  const std::string name = "contacts[" + std::to_string(k) + "].";
  require_positive(name + "stiffness", contact.stiffness);
  if (contact.exponent != 1.0 && contact.exponent != 1.5)
    throw InvalidInput(name + "exponent", "must be 1 or 1.5, got " + number_text(contact.exponent));
  try {
    carom::require_valid(contact.material);
  } catch (const InvalidInput& error) {
    throw InvalidInput(name + error.field(), error.message());
  }
  if (contact.eta0) require_positive(name + "eta0", *contact.eta0);
  if (method == SimultaneousMethod::kick_drift_kick && contact.material.friction > 0.0 && !contact.eta0)
    throw InvalidInput(name + "eta0", "is needed: kick_drift_kick has no rigid friction");
}

/// The units in which the solvers work.
struct Units {
  double speed = 0.0, mass = 1.0, time = 1.0;
  double length() const { return speed * time; }
  double force() const { return mass * speed / time; }
  double energy() const { return mass * speed * speed; }
};

Units units_of(const SimultaneousProblem& problem, const ContactGraph& graph, const std::vector<Eigen::Vector3d>& u) {
  Units units;
  double inverse_mass = 0.0, stiffness = 0.0, exponent = 1.0;
  for (std::size_t c = 0; c < u.size(); ++c) {
    units.speed = std::max(units.speed, -u[c].z());
    const auto& half = graph.edges()[c].half;
    inverse_mass = std::max(inverse_mass, half[0].col(2).squaredNorm() + half[1].col(2).squaredNorm());
    const SpringContact& s = problem.contacts[c];
    if (s.stiffness > stiffness || (s.stiffness == stiffness && s.exponent > exponent)) {
      stiffness = s.stiffness;
      exponent = s.exponent;
    }
  }
  if (u.empty() || !(units.speed > 0.0)) return units;
  units.mass = 1.0 / inverse_mass;
  units.time = std::pow(units.mass * std::pow(units.speed, 1.0 - exponent) / stiffness, 1.0 / (exponent + 1.0));
  return units;
}

std::vector<Spring> springs_of(const SimultaneousProblem& problem, const Units& units, Flags& flags) {
  std::vector<Spring> springs;
  for (const SpringContact& contact : problem.contacts) {
    const double e = std::max(contact.material.restitution, smallest_restitution);
    if (e > contact.material.restitution) flags.set(Flag::e_clamped);
    if (contact.exponent != problem.contacts[0].exponent) flags.set(Flag::mixed_exponents);
    Spring spring;
    spring.p = contact.exponent;
    spring.k = contact.stiffness * std::pow(units.length(), spring.p) / units.force();
    spring.e2 = e * e;
    spring.mu = contact.material.friction;
    if (contact.eta0 && spring.mu > 0.0) {
      const bool rigid = problem.method == SimultaneousMethod::events && *contact.eta0 < rigid_simultaneous_eta0;
      spring.eta2 = rigid ? 0.0 : *contact.eta0 * *contact.eta0;
      if (rigid) flags.set(Flag::rigid_limit);
    }
    springs.push_back(spring);
  }
  return springs;
}

/// An order of the contacts that depends on the scene and not on the list: sums over contacts then round alike, and the
/// outcome has the same bits in whatever order the contacts are given.
std::vector<std::size_t> canonical_order(const std::vector<SpringContact>& contacts) {
  std::vector<std::size_t> order(contacts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto key = [&](std::size_t c) {
    const SpringContact& s = contacts[c];
    return std::tuple(s.point.x(), s.point.y(), s.point.z(), s.normal.x(), s.normal.y(), s.normal.z(), s.first,
                      s.second);
  };
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
  return order;
}

Outcome solve_in_order(const SimultaneousProblem& problem, const ContactGraph& graph,
                       const std::vector<std::size_t>& order, const std::vector<Spring>& springs,
                       const std::vector<Eigen::Vector3d>& u, const Units& units, Log& log) {
  const bool steps = problem.method == SimultaneousMethod::kick_drift_kick;
  const double step = 1.0 / problem.steps_per_time_unit;
  if (std::any_of(springs.begin(), springs.end(), [](const Spring& s) { return s.mu > 0.0; })) {
    const System<3> system(graph, order, springs, u, units.mass, units.speed);
    return steps ? solve_kick_drift_kick(system, step) : solve_flow(system, problem.tolerance, log);
  }
  const System<1> system(graph, order, springs, u, units.mass, units.speed);
  if (steps) return solve_kick_drift_kick(system, step);
  const bool hertz = std::any_of(springs.begin(), springs.end(), [](const Spring& s) { return s.hertz(); });
  return hertz ? solve_flow(system, problem.tolerance, log) : solve_series(system, log);
}

/// The outcome with its contacts in the order of the problem.
Outcome solve(const SimultaneousProblem& problem, const ContactGraph& graph, const std::vector<Spring>& springs,
              const std::vector<Eigen::Vector3d>& u, const Units& units, Log& log) {
  const std::vector<std::size_t> order = canonical_order(problem.contacts);
  Outcome sorted = solve_in_order(problem, graph, order, springs, u, units, log), out = sorted;
  for (std::size_t c = 0; c < order.size(); ++c) {
    out.impulse[order[c]] = sorted.impulse[c];
    out.friction_work[order[c]] = sorted.friction_work[c];
    out.state[order[c]] = sorted.state[c];
  }
  for (Log::Entry& entry : log.events) entry.contact = order[entry.contact];
  for (Log::Sample& sample : log.samples) {
    const auto contacts = sample.contacts;
    for (std::size_t c = 0; c < order.size(); ++c) sample.contacts[order[c]] = contacts[c];
  }
  return out;
}

double total_energy(const std::vector<Body>& bodies) {
  double sum = 0.0;
  for (const Body& body : bodies) sum += kinetic_energy(body);
  return sum;
}

void tell(SimultaneousImpact& impact, const Log& log, const ContactGraph& graph, const Units& units) {
  const double impulse_unit = units.mass * units.speed;
  for (const Log::Entry& e : log.events)
    impact.events.push_back({e.type, e.contact, e.time, graph.edges()[e.contact].frame * e.impulse * impulse_unit});
  for (const Log::Sample& s : log.samples) {
    impact.samples.push_back({s.time, s.contacts});
    for (auto& contact : impact.samples.back().contacts) {
      contact.force *= units.force();
      contact.compression *= units.length();
      contact.friction *= units.force();
    }
  }
  impact.flags.set(Flag::recompression, log.recompression);
  impact.flags.set(Flag::hyperstatic, log.hyperstatic);
}

}  // namespace

SimultaneousImpact simultaneous_impact(const SimultaneousProblem& problem) {
  require_between("tolerance", problem.tolerance, 1e-14, 1e-2);
  require_between("steps_per_time_unit", problem.steps_per_time_unit, 8.0, 1e6);
  std::vector<GraphContact> pairs;
  for (std::size_t k = 0; k < problem.contacts.size(); ++k) {
    const SpringContact& contact = problem.contacts[k];
    require_valid(contact, k, problem.method);
    pairs.push_back({contact.first, contact.second, contact.point, contact.normal});
  }
  const ContactGraph graph(problem.bodies, pairs);
  std::vector<Eigen::Vector3d> u = graph.velocities(problem.bodies);

  SimultaneousImpact impact;
  impact.bodies = problem.bodies;
  impact.contacts.resize(problem.contacts.size());
  impact.energy.before = impact.energy.after = total_energy(problem.bodies);
  const Units units = units_of(problem, graph, u);
  const std::vector<Spring> springs = springs_of(problem, units, impact.flags);
  if (units.speed > 0.0) {
    impact.time_unit = units.time;
    Log log;
    log.trace = problem.trace;
    Outcome out = solve(problem, graph, springs, u, units, log);
    for (Eigen::Vector3d& p : out.impulse) p *= units.mass * units.speed;
    graph.apply(out.impulse, impact.bodies);
    u = graph.velocities(impact.bodies);
    impact.energy.after = total_energy(impact.bodies);
    for (std::size_t c = 0; c < impact.contacts.size(); ++c) {
      ContactOutcome& contact = impact.contacts[c];
      contact.impulse = graph.edges()[c].frame * out.impulse[c];
      contact.compressions = out.state[c].compressions;
      contact.restitution_loss = (1.0 - springs[c].e2) * out.state[c].absorbed * units.energy();
      contact.friction_loss = out.friction_work[c] * units.energy();
      impact.energy.restitution_loss += contact.restitution_loss;
      impact.energy.friction_loss += contact.friction_loss;
    }
    impact.energy.residual = out.residual * units.energy();
    impact.verdict = out.finished ? Verdict::separated : Verdict::event_limit;
    impact.steps = out.steps;
    impact.velocity_error = out.error * units.speed;
    tell(impact, log, graph, units);
    impact.flags.set(Flag::event_limit, !out.finished);
    impact.flags.set(Flag::energy_gain,
                     impact.energy.after > impact.energy.before * (1.0 + energy_gain_tolerance + problem.tolerance));
  }
  for (std::size_t c = 0; c < impact.contacts.size(); ++c)
    impact.contacts[c].velocity_after = graph.edges()[c].frame * u[c];
  return impact;
}

}  // namespace carom
