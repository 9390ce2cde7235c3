#include "carom/impact/simultaneous.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>

#include "carom/core/contact_graph.hpp"
#include "carom/core/error.hpp"

#include "encounter.hpp"

namespace carom {

namespace {

double fastest_of(const std::vector<Body>& bodies) {
  double fastest = 0.0;
  for (const Body& body : bodies)
    fastest = std::max({fastest, body.velocity.cwiseAbs().maxCoeff(), body.angular_velocity.cwiseAbs().maxCoeff()});
  return fastest;
}

void shift_velocities(std::vector<Body>& bodies, int shift) {
  if (shift == 0) return;
  for (Body& body : bodies)
    for (Eigen::Vector3d* v : {&body.velocity, &body.angular_velocity})
      *v = v->unaryExpr([shift](double x) { return std::ldexp(x, shift); });
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

double total_energy(const std::vector<Body>& bodies) {
  double sum = 0.0;
  for (const Body& body : bodies) sum += kinetic_energy(body);
  return sum;
}

/// There is no answer.
void lose_velocities(SimultaneousImpact& impact) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  for (Body& body : impact.bodies) {
    if (body.immovable) continue;
    body.velocity.setConstant(none);
    body.angular_velocity.setConstant(none);
  }
  impact.energy.after = none;
}

bool all_finite(const std::vector<Body>& bodies) {
  double sum = 0.0;
  for (const Body& body : bodies) sum += 0.0 * (body.velocity.sum() + body.angular_velocity.sum());
  return std::isfinite(sum);
}

/// The impact, and its samples where there is a place for them.
SimultaneousImpact impact_of(const SimultaneousProblem& problem, std::vector<SimultaneousSample>* samples,
                             std::size_t points) {
  const std::vector<ContactSpring> springs(problem.contacts.begin(), problem.contacts.end());
  simultaneous::require_valid(springs, "contacts", problem.tolerance, problem.method, problem.steps_per_time_unit);
  const std::vector<PairContact> pairs(problem.contacts.begin(), problem.contacts.end());
  const ContactGraph graph(problem.bodies, pairs);

  SimultaneousImpact impact;
  impact.bodies = problem.bodies;
  const int shift = simultaneous::velocity_shift(fastest_of(problem.bodies));
  shift_velocities(impact.bodies, -shift);
  simultaneous::Encounter encounter{simultaneous::Factor(graph),
                                    {},
                                    graph.velocities(impact.bodies),
                                    shift,
                                    "contacts",
                                    springs,
                                    canonical_order(problem.contacts),
                                    problem.tolerance,
                                    problem.method,
                                    problem.steps_per_time_unit};
  for (const ContactGraph::Edge& edge : graph.edges()) encounter.frames.push_back(edge.frame);
  impact.energy.before = impact.energy.after = std::ldexp(total_energy(impact.bodies), 2 * shift);
  const std::vector<Eigen::Vector3d> impulses = strike(encounter, impact, samples, points);
  const bool lost = impulses.empty() && impact.verdict == Verdict::event_limit;
  if (lost) lose_velocities(impact);
  if (!impulses.empty()) {
    graph.apply(impulses, impact.bodies);
    impact.energy.after = std::ldexp(total_energy(impact.bodies), 2 * shift);
  }
  finish(encounter, graph.velocities(impact.bodies), impact);
  shift_velocities(impact.bodies, shift);
  if (!all_finite(impact.bodies)) impact.flags.set(Flag::overflow);
  return impact;
}

}  // namespace

SimultaneousImpact simultaneous_impact(const SimultaneousProblem& problem) { return impact_of(problem, nullptr, 0); }

SimultaneousPath simultaneous_path(const SimultaneousProblem& problem, std::size_t points) {
  if (points < 2) throw InvalidInput("points", "must be >= 2, got " + std::to_string(points));
  SimultaneousPath path;
  path.impact = impact_of(problem, &path.samples, points);
  return path;
}

double stored_energy(const ContactSpring& spring, const SimultaneousSample::Contact& contact) {
  const double e = std::max(spring.material.restitution, smallest_restitution);
  return e * e * contact.force * contact.compression / (spring.exponent + 1.0);
}

}  // namespace carom
