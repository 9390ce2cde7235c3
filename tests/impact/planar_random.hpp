// Seeded random planar impacts of physically possible contacts: two free bodies, or one against an immovable one.
#pragma once

#include <cmath>
#include <random>

#include "carom/impact/planar.hpp"

namespace carom::testing {

inline PlanarBody random_planar_body(std::mt19937_64& rng) {
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  PlanarBody body;
  body.mass = std::exp(unit(rng));
  const double gyration = 0.2 + 0.4 * std::abs(unit(rng));
  body.inertia = body.mass * gyration * gyration;
  body.position = {unit(rng), unit(rng)};
  body.velocity = {unit(rng), unit(rng)};
  body.angular_velocity = unit(rng);
  return body;
}

/// An approaching pair at the origin, friction 0 to 2, restitution 0 to 1.
inline PlanarProblem random_planar_problem(std::mt19937_64& rng, RestitutionLaw law) {
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  PlanarProblem problem;
  const PlanarBody a = random_planar_body(rng);
  const PlanarBody b = unit(rng) < 0.5 ? random_planar_body(rng) : immovable_planar_body();
  problem.space = contact_space(a, b, PlanarContact{});
  problem.space.velocity[1] = -std::abs(problem.space.velocity[1]);
  problem.material = {.friction = 2.0 * unit(rng) * unit(rng), .restitution = unit(rng)};
  problem.law = law;
  return problem;
}

}  // namespace carom::testing
