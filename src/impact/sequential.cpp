#include "carom/impact/sequential.hpp"

#include <algorithm>
#include <numeric>
#include <string>

#include "carom/core/contact_graph.hpp"
#include "carom/core/error.hpp"
#include "carom/impact/collide.hpp"

namespace carom {

namespace {

/// Kinetic energy above this share of the initial one counts as a gain; below it is rounding.
constexpr double energy_gain_tolerance = 1e-12;

std::vector<std::size_t> checked_order(std::span<const std::size_t> order, std::size_t contacts) {
  std::vector<std::size_t> list(order.begin(), order.end());
  if (list.empty()) {
    list.resize(contacts);
    std::iota(list.begin(), list.end(), std::size_t{0});
    return list;
  }
  std::vector<bool> seen(contacts, false);
  for (const std::size_t k : list) {
    if (k >= contacts || seen[k])
      throw InvalidInput("order", "must name each of the " + std::to_string(contacts) + " contacts once, got " +
                                      std::to_string(k) + (k >= contacts ? "" : " twice"));
    seen[k] = true;
  }
  if (list.size() != contacts)
    throw InvalidInput("order", "must name each of the " + std::to_string(contacts) + " contacts once, got only " +
                                    std::to_string(list.size()));
  return list;
}

double total_energy(const std::vector<Body>& bodies) {
  double sum = 0.0;
  for (const Body& body : bodies) sum += kinetic_energy(body);
  return sum;
}

}  // namespace

SimultaneousImpact sequential_impact(const SimultaneousProblem& problem, std::span<const std::size_t> order) {
  const std::vector<std::size_t> list = checked_order(order, problem.contacts.size());
  for (std::size_t k = 0; k < problem.contacts.size(); ++k) {
    const SpringContact& contact = problem.contacts[k];
    try {
      require_valid(contact.material);
    } catch (const InvalidInput& error) {
      throw InvalidInput("contacts[" + std::to_string(k) + "]." + error.field(), error.message());
    }
  }
  const std::vector<PairContact> pairs(problem.contacts.begin(), problem.contacts.end());
  const ContactGraph graph(problem.bodies, pairs);

  SimultaneousImpact impact;
  impact.bodies = problem.bodies;
  impact.contacts.resize(problem.contacts.size());
  impact.energy.before = total_energy(problem.bodies);
  double fastest = 0.0;
  for (const Eigen::Vector3d& u : graph.velocities(problem.bodies)) fastest = std::max(fastest, -u.z());
  bool struck = fastest > 0.0;
  while (struck && impact.verdict != Verdict::event_limit) {
    struck = false;
    for (const std::size_t k : list) {
      const SpringContact& contact = problem.contacts[k];
      Body &a = impact.bodies[contact.first], &b = impact.bodies[contact.second];
      const double approach = -contact.normal.dot(velocity_at(a, contact.point) - velocity_at(b, contact.point));
      if (!(approach > sequential_rest_share * fastest)) continue;
      if (impact.steps == max_sequential_collisions) {
        impact.verdict = Verdict::event_limit;
        impact.flags.set(Flag::event_limit);
        break;
      }
      struck = true;
      impact.verdict = Verdict::separated;
      const Collision<SpatialImpact> collision = collide(a, b, contact, contact.material);
      a = collision.a;
      b = collision.b;
      const SpatialImpact& one = collision.impact;
      ContactOutcome& outcome = impact.contacts[k];
      outcome.impulse += graph.edges()[k].frame * one.impulse;
      outcome.restitution_loss += one.energy.restitution_loss;
      outcome.friction_loss += one.energy.friction_loss;
      ++outcome.compressions;
      const auto time = static_cast<double>(impact.steps++);
      impact.events.push_back({EventType::closes, k, time, outcome.impulse});
    }
  }
  const std::vector<Eigen::Vector3d> u = graph.velocities(impact.bodies);
  impact.energy.after = total_energy(impact.bodies);
  for (std::size_t k = 0; k < impact.contacts.size(); ++k) {
    impact.contacts[k].velocity_after = graph.edges()[k].frame * u[k];
    impact.energy.restitution_loss += impact.contacts[k].restitution_loss;
    impact.energy.friction_loss += impact.contacts[k].friction_loss;
  }
  impact.flags.set(Flag::energy_gain, impact.energy.after > impact.energy.before * (1.0 + energy_gain_tolerance));
  return impact;
}

}  // namespace carom
