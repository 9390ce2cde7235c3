#include "carom/impact/simultaneous.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <tuple>

#include "carom/core/contact_graph.hpp"
#include "carom/core/error.hpp"

#include "system.hpp"

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

/// Velocities whose largest is a power of two outside these bounds are scaled by one first, which is exact: the solver
/// then sees neither squares that overflow nor numbers with few digits.
constexpr int largest_exponent = 300;

/// Softer tangential springs than this answer as this: their forces are nothing either way, and eta0^2 must not
/// overflow.
constexpr double softest_eta0 = 1e100;

/// The least promise that rounding is asked to keep (see Flag::ill_conditioned): a hundred times that of velocities of
/// order one in a tight rack.
constexpr double finest_promise = 1e-12;

/// The units in which the solvers work; velocities are those of the bodies times 2^-shift.
struct Units {
  double speed = 0.0, mass = 1.0, time = 1.0, stiffness = 1.0, exponent = 1.0;
  int shift = 0;
  double velocity(double x) const { return std::ldexp(x, shift); }
  double energy(double x) const { return std::ldexp(mass * speed * speed * x, 2 * shift); }
  double length() const { return velocity(speed) * time; }
  double force() const { return velocity(mass * speed) / time; }
};

/// The power of two that brings the fastest body into range; 0 if it is.
int velocity_shift(const std::vector<Body>& bodies) {
  double fastest = 0.0;
  for (const Body& body : bodies)
    fastest = std::max({fastest, body.velocity.cwiseAbs().maxCoeff(), body.angular_velocity.cwiseAbs().maxCoeff()});
  if (fastest == 0.0) return 0;
  const int exponent = std::ilogb(fastest);
  return std::abs(exponent) > largest_exponent ? exponent : 0;
}

void shift_velocities(std::vector<Body>& bodies, int shift) {
  if (shift == 0) return;
  for (Body& body : bodies)
    for (Eigen::Vector3d* v : {&body.velocity, &body.angular_velocity})
      *v = v->unaryExpr([shift](double x) { return std::ldexp(x, shift); });
}

Units units_of(const SimultaneousProblem& problem, const ContactGraph& graph, const std::vector<Eigen::Vector3d>& u,
               int shift) {
  Units units;
  units.shift = shift;
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
  units.stiffness = stiffness;
  units.exponent = exponent;
  // (m0 v0^(1-p) / k0)^(1/(p+1)), factor by factor: their product may leave the range of a double.
  const double power = 1.0 / (exponent + 1.0);
  units.time = std::pow(units.mass, power) / std::pow(stiffness, power) *
               (exponent == 1.0 ? 1.0
                                : std::pow(units.speed, (1.0 - exponent) * power) *
                                      std::exp2(static_cast<double>(shift) * (1.0 - exponent) * power));
  return units;
}

std::vector<Spring> springs_of(const SimultaneousProblem& problem, const ContactGraph& graph, const Units& units,
                               Flags& flags) {
  std::vector<Spring> springs;
  const double reach = simultaneous::friction_reach(graph);
  for (std::size_t c = 0; c < problem.contacts.size(); ++c) {
    const SpringContact& contact = problem.contacts[c];
    const double e = std::max(contact.material.restitution, smallest_restitution);
    if (e > contact.material.restitution) flags.set(Flag::e_clamped);
    if (contact.exponent != problem.contacts[0].exponent) flags.set(Flag::mixed_exponents);
    Spring spring;
    spring.p = contact.exponent;
    spring.k = contact.stiffness / units.stiffness;
    if (spring.p != units.exponent && units.speed > 0.0)
      spring.k *= std::pow(units.length(), spring.p - units.exponent);
    if (units.speed > 0.0 && !std::isnormal(spring.k))
      throw InvalidInput(
          "contacts[" + std::to_string(c) + "].stiffness",
          "is out of all proportion to that of the other contacts, got " + number_text(contact.stiffness));
    spring.e2 = e * e;
    spring.mu = simultaneous::effective_friction(contact.material.friction, reach);
    if (contact.eta0 && spring.mu > 0.0) {
      const bool rigid = problem.method == SimultaneousMethod::events && *contact.eta0 < rigid_simultaneous_eta0;
      const double eta0 = std::min(*contact.eta0, softest_eta0);
      spring.eta2 = rigid ? 0.0 : eta0 * eta0;
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
  simultaneous::Work work(simultaneous_work_bound(problem.contacts.size()));
  const bool steps = problem.method == SimultaneousMethod::kick_drift_kick;
  const double step = 1.0 / problem.steps_per_time_unit;
  if (std::any_of(springs.begin(), springs.end(), [](const Spring& s) { return s.mu > 0.0; })) {
    const System<3> system(graph, order, springs, u, units.mass, units.speed);
    return steps ? solve_kick_drift_kick(system, step) : solve_flow(system, problem.tolerance, work, log);
  }
  const System<1> system(graph, order, springs, u, units.mass, units.speed);
  if (steps) return solve_kick_drift_kick(system, step);
  const bool hertz = std::any_of(springs.begin(), springs.end(), [](const Spring& s) { return s.hertz(); });
  return hertz ? solve_flow(system, problem.tolerance, work, log) : solve_series(system, work, log);
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

/// The rounding of the velocities u0 + W P of the contacts, a share of the impact speed: half a unit in the last place
/// of every term.
double velocity_rounding(const ContactGraph& graph, const std::vector<Eigen::Vector3d>& impulses, double speed) {
  using Vector6 = Eigen::Matrix<double, 6, 1>;
  constexpr double half_ulp = 0.5 * std::numeric_limits<double>::epsilon();
  std::vector<Vector6> pushed(graph.body_count(), Vector6::Zero());
  for (std::size_t c = 0; c < impulses.size(); ++c)
    for (const std::size_t side : {0U, 1U})
      pushed[graph.edges()[c].body[side]] += graph.edges()[c].half[side].cwiseAbs() * impulses[c].cwiseAbs();
  double largest = 0.0;
  for (const ContactGraph::Edge& edge : graph.edges())
    for (const std::size_t side : {0U, 1U})
      largest = std::max(largest, (edge.half[side].cwiseAbs().transpose() * pushed[edge.body[side]]).maxCoeff());
  return half_ulp * largest / speed;
}

bool all_finite(const SimultaneousImpact& impact) {
  double sum = impact.time_unit + impact.velocity_error;
  const EnergyLedger& energy = impact.energy;
  for (const double x : {energy.before, energy.after, energy.restitution_loss, energy.friction_loss, energy.residual})
    sum += 0.0 * x;
  for (const Body& body : impact.bodies) sum += 0.0 * (body.velocity.sum() + body.angular_velocity.sum());
  for (const ContactOutcome& c : impact.contacts)
    sum += 0.0 * (c.impulse.sum() + c.velocity_after.sum() + c.restitution_loss + c.friction_loss);
  for (const SimultaneousEvent& event : impact.events) sum += 0.0 * (event.time + event.impulse.sum());
  return std::isfinite(sum);
}

/// Velocities of contacts, or the unit of time or of impulse, leave the range of a double: there is no answer.
void lose(SimultaneousImpact& impact) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  for (Body& body : impact.bodies) {
    if (body.immovable) continue;
    body.velocity.setConstant(none);
    body.angular_velocity.setConstant(none);
  }
  for (ContactOutcome& contact : impact.contacts) {
    contact.impulse.setConstant(none);
    contact.velocity_after.setConstant(none);
    contact.restitution_loss = contact.friction_loss = none;
  }
  impact.energy.after = impact.energy.restitution_loss = impact.energy.friction_loss = none;
  impact.verdict = Verdict::event_limit;
  impact.flags.set(Flag::event_limit);
  impact.flags.set(Flag::overflow);
}

double total_energy(const std::vector<Body>& bodies) {
  double sum = 0.0;
  for (const Body& body : bodies) sum += kinetic_energy(body);
  return sum;
}

void tell(SimultaneousImpact& impact, const Log& log, const ContactGraph& graph, const Units& units) {
  const double impulse_unit = units.velocity(units.mass * units.speed);
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
  for (std::size_t k = 0; k < problem.contacts.size(); ++k) require_valid(problem.contacts[k], k, problem.method);
  const std::vector<PairContact> pairs(problem.contacts.begin(), problem.contacts.end());
  const ContactGraph graph(problem.bodies, pairs);

  SimultaneousImpact impact;
  impact.bodies = problem.bodies;
  impact.contacts.resize(problem.contacts.size());
  const int shift = velocity_shift(problem.bodies);
  shift_velocities(impact.bodies, -shift);
  std::vector<Eigen::Vector3d> u = graph.velocities(impact.bodies);
  const auto energy_now = [&] { return std::ldexp(total_energy(impact.bodies), 2 * shift); };
  impact.energy.before = impact.energy.after = energy_now();
  const Units units = units_of(problem, graph, u, shift);
  const std::vector<Spring> springs = springs_of(problem, graph, units, impact.flags);
  const bool in_range = std::all_of(u.begin(), u.end(), [](const Eigen::Vector3d& x) { return x.allFinite(); }) &&
                        (units.speed == 0.0 || (std::isnormal(units.mass * units.speed) && std::isnormal(units.time)));
  if (!in_range) {
    lose(impact);
    return impact;
  }
  if (units.speed > 0.0) {
    impact.time_unit = units.time;
    Log log;
    log.trace = problem.trace;
    Outcome out = solve(problem, graph, springs, u, units, log);
    const bool in_cones = simultaneous::put_into_cones(graph, springs, units.mass, problem.tolerance, out.impulse);
    for (Eigen::Vector3d& p : out.impulse) p *= units.mass * units.speed;
    const double rounding = velocity_rounding(graph, out.impulse, units.speed);
    graph.apply(out.impulse, impact.bodies);
    u = graph.velocities(impact.bodies);
    impact.energy.after = energy_now();
    for (std::size_t c = 0; c < impact.contacts.size(); ++c) {
      ContactOutcome& contact = impact.contacts[c];
      contact.impulse =
          (graph.edges()[c].frame * out.impulse[c]).unaryExpr([&](double x) { return units.velocity(x); });
      contact.compressions = out.state[c].compressions;
      contact.restitution_loss = units.energy((1.0 - springs[c].e2) * out.state[c].absorbed);
      contact.friction_loss = units.energy(out.friction_work[c]);
      impact.energy.restitution_loss += contact.restitution_loss;
      impact.energy.friction_loss += contact.friction_loss;
    }
    impact.energy.residual = units.energy(out.residual);
    impact.verdict = out.finished ? Verdict::separated : Verdict::event_limit;
    impact.steps = out.steps;
    impact.velocity_error = units.velocity(out.error * units.speed);
    tell(impact, log, graph, units);
    impact.flags.set(Flag::event_limit, !out.finished);
    impact.flags.set(Flag::overflow, out.overflow);
    impact.flags.set(Flag::ill_conditioned, !in_cones || rounding > std::max(finest_promise, problem.tolerance));
    impact.flags.set(Flag::energy_gain,
                     impact.energy.after > impact.energy.before * (1.0 + energy_gain_tolerance + problem.tolerance));
  }
  for (std::size_t c = 0; c < impact.contacts.size(); ++c)
    impact.contacts[c].velocity_after =
        (graph.edges()[c].frame * u[c]).unaryExpr([&](double x) { return units.velocity(x); });
  shift_velocities(impact.bodies, shift);
  if (!all_finite(impact)) impact.flags.set(Flag::overflow);
  return impact;
}

}  // namespace carom
