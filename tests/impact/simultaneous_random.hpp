// Random scenes of simultaneous impact, and what is asked of any of them.
#pragma once

#include <algorithm>

#include "carom/impact/simultaneous.hpp"

#include "core/random.hpp"

namespace carom::testing {

enum class SceneFriction { none, rigid, springs };

/// Bodies touching at random points in one piece with one loop; sometimes one of them is immovable.
inline SimultaneousProblem random_scene(Rng& rng, double exponent, SceneFriction friction, bool ground,
                                        std::size_t most_bodies = 8) {
  SimultaneousProblem problem;
  const std::size_t count = 2 + rng() % (most_bodies - 1);
  for (std::size_t i = 0; i < count; ++i) {
    problem.bodies.push_back(random_body(rng));
    problem.bodies.back().angular_velocity *= 0.3;
  }
  if (ground) problem.bodies[0] = immovable_body();
  const auto add = [&](std::size_t i, std::size_t j) {
    SpringContact contact;
    contact.first = i;
    contact.second = j;
    contact.point = 0.5 * (problem.bodies[i].position + problem.bodies[j].position) + random_vector<3>(rng, 0.2);
    contact.normal = random_direction<3>(rng);
    contact.stiffness = std::exp(uniform(rng, -1.5, 1.5));
    contact.exponent = exponent;
    contact.material.restitution = uniform(rng, 0.3, 1.0);
    if (friction != SceneFriction::none) contact.material.friction = uniform(rng, 0.0, 0.6);
    if (friction == SceneFriction::springs) contact.eta0 = uniform(rng, 0.7, 1.5);
    problem.contacts.push_back(contact);
  };
  for (std::size_t i = 1; i < count; ++i) add(i, static_cast<std::size_t>(rng() % i));
  if (count > 2) add(0, count - 1);
  return problem;
}

/// Momentum, and angular momentum about the origin.
inline Eigen::Matrix<double, 6, 1> momentum(const std::vector<Body>& bodies) {
  Eigen::Matrix<double, 6, 1> sum = Eigen::Matrix<double, 6, 1>::Zero();
  for (const Body& body : bodies) {
    if (body.immovable) continue;
    sum.head<3>() += body.mass * body.velocity;
    sum.tail<3>() += body.position.cross(body.mass * body.velocity) + world_inertia(body) * body.angular_velocity;
  }
  return sum;
}

/// Largest difference between the velocities of b and those of a, scaled and turned; spins count by a body's size, .3.
inline double difference(const std::vector<Body>& a, const std::vector<Body>& b, double scale = 1.0,
                         const Eigen::Matrix3d& turn = Eigen::Matrix3d::Identity()) {
  double largest = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i)
    largest =
        std::max({largest, (scale * turn * a[i].velocity - b[i].velocity).norm(),
                  0.3 * (scale * turn.determinant() * turn * a[i].angular_velocity - b[i].angular_velocity).norm()});
  return largest;
}

/// The scene seen in a mirror and turned: positions and velocities by `turn`, an orthogonal matrix of either sign;
/// spins are axial vectors.
inline SimultaneousProblem turned(const SimultaneousProblem& problem, const Eigen::Matrix3d& turn) {
  SimultaneousProblem out = problem;
  const double sign = turn.determinant();
  for (Body& body : out.bodies) {
    if (!body.immovable) body.inertia = turn * world_inertia(body) * turn.transpose();
    body.orientation.setIdentity();
    body.position = turn * body.position;
    body.velocity = turn * body.velocity;
    body.angular_velocity = sign * turn * body.angular_velocity;
  }
  for (SpringContact& contact : out.contacts) {
    contact.point = turn * contact.point;
    contact.normal = (turn * contact.normal).normalized();
  }
  return out;
}

/// The same contacts in another order.
inline SimultaneousProblem shuffled(SimultaneousProblem problem, Rng& rng) {
  std::shuffle(problem.contacts.begin(), problem.contacts.end(), rng);
  return problem;
}

}  // namespace carom::testing
