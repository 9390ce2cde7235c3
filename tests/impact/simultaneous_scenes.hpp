// Scenes of simultaneous impact shared by tests and benchmarks.
#pragma once

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "carom/impact/simultaneous.hpp"

namespace carom::testing {

/// The surfaces used throughout a scene.
struct Surface {
  double exponent = 1.0;
  double e = 1.0;
  double mu = 0.0;
  std::optional<double> eta0 = std::nullopt;
};

inline Body ball(const Eigen::Vector3d& position, double mass = 1.0, double radius = 0.5) {
  Body body;
  body.mass = mass;
  body.inertia = 0.4 * mass * radius * radius * Eigen::Matrix3d::Identity();
  body.position = position;
  return body;
}

inline SpringContact touching(std::size_t first, std::size_t second, const Eigen::Vector3d& point,
                              const Eigen::Vector3d& normal, const Surface& surface, double stiffness = 1.0) {
  return {{{point, normal}, first, second}, {stiffness, surface.exponent, {surface.mu, surface.e}, surface.eta0}};
}

/// Contacts wherever two balls of this radius touch (gaps below 1e-6 of it).
inline void touch_all(SimultaneousProblem& problem, double radius, const Surface& surface) {
  for (std::size_t i = 0; i < problem.bodies.size(); ++i)
    for (std::size_t j = i + 1; j < problem.bodies.size(); ++j) {
      const Eigen::Vector3d gap = problem.bodies[i].position - problem.bodies[j].position;
      if (gap.norm() > 2.0 * radius * (1.0 + 1e-6)) continue;
      const Eigen::Vector3d point = 0.5 * (problem.bodies[i].position + problem.bodies[j].position);
      problem.contacts.push_back(touching(i, j, point, gap.normalized(), surface));
    }
}

/// Equal balls in a row along x, the first one moving at unit speed.
inline SimultaneousProblem chain(std::size_t count, const Surface& surface) {
  SimultaneousProblem problem;
  for (std::size_t i = 0; i < count; ++i) {
    problem.bodies.push_back(ball({static_cast<double>(i), 0, 0}));
    if (i > 0)
      problem.contacts.push_back(
          touching(i - 1, i, {static_cast<double>(i) - 0.5, 0, 0}, -Eigen::Vector3d::UnitX(), surface));
  }
  problem.bodies[0].velocity.x() = 1.0;
  return problem;
}

/// Balls that fall on an immovable floor (body 0), some of them obliquely.
inline SimultaneousProblem balls_on_a_floor(std::size_t count, const Surface& surface) {
  SimultaneousProblem problem;
  problem.bodies.push_back(ball({0, 0, -1}));
  problem.bodies[0].immovable = true;
  for (std::size_t i = 0; i < count; ++i) {
    const double x = 1.5 * static_cast<double>(i);
    problem.bodies.push_back(ball({x, 0, .5}));
    const double aside = i % 3 == 0 ? 0.0 : .1 * static_cast<double>(i % 7);
    problem.bodies.back().velocity = {aside, 0, -1.0 - .01 * static_cast<double>(i % 5)};
    problem.contacts.push_back(touching(i + 1, 0, {x, 0, 0}, Eigen::Vector3d::UnitZ(), surface));
  }
  return problem;
}

/// A cue ball touching the apex of a rack with these rows, moving into it along x.
inline SimultaneousProblem rack(const std::vector<int>& rows, const Surface& surface, double spin = 0.0) {
  constexpr double r = 0.03, m = 0.17;
  SimultaneousProblem problem;
  problem.bodies.push_back(ball({-2 * r, 0, 0}, m, r));
  for (std::size_t row = 0; row < rows.size(); ++row)
    for (int i = 0; i < rows[row]; ++i)
      problem.bodies.push_back(
          ball({std::sqrt(3.0) * r * static_cast<double>(row), r * (2 * i - rows[row] + 1), 0}, m, r));
  problem.bodies[0].velocity.x() = 1.0;
  problem.bodies[0].angular_velocity.y() = spin;
  touch_all(problem, r, surface);
  return problem;
}

/// How far the velocities are from mirror symmetry left to right (y to -y), for bodies placed so at `positions`.
inline double asymmetry(const std::vector<Body>& positions, const std::vector<Eigen::Vector3d>& velocities) {
  double largest = 0.0;
  const Eigen::Vector3d mirror(1, -1, 1);
  for (std::size_t i = 0; i < positions.size(); ++i)
    for (std::size_t j = 0; j < positions.size(); ++j)
      if ((positions[i].position - mirror.cwiseProduct(positions[j].position)).norm() < 1e-9)
        largest = std::max(largest, (velocities[i] - mirror.cwiseProduct(velocities[j])).norm());
  return largest;
}

inline SimultaneousProblem nine_ball(const Surface& surface, double spin = 0.0) {
  return rack({1, 2, 3, 2, 1}, surface, spin);
}

/// One ball onto two touching ones (Bernoulli); stiffness of the first contact given.
inline SimultaneousProblem bernoulli(const Surface& surface, double ratio = 1.0) {
  SimultaneousProblem problem;
  problem.bodies = {ball({-std::sqrt(0.75), 0, 0}), ball({0, 0.5, 0}), ball({0, -0.5, 0})};
  problem.bodies[0].velocity.x() = 1.0;
  touch_all(problem, 0.5, surface);
  problem.contacts[0].stiffness = ratio;
  return problem;
}

/// A block on a plane turning about its left lower edge, so that the right one strikes (half-width 1, half-height .5).
inline SimultaneousProblem rocking_block(const Surface& surface) {
  SimultaneousProblem problem;
  Body block;
  block.inertia = Eigen::Vector3d(1.0, 1.0, (1.0 + 0.25) / 3.0).asDiagonal();
  block.position = {0, 0.5, 0};
  block.angular_velocity.z() = -1.0;
  block.velocity = {0.5, -1.0, 0};  // zero at the pivot (-1, 0)
  problem.bodies = {block, immovable_body()};
  problem.contacts = {touching(0, 1, {-1, 0, 0}, Eigen::Vector3d::UnitY(), surface),
                      touching(0, 1, {1, 0, 0}, Eigen::Vector3d::UnitY(), surface)};
  return problem;
}

/// A ball with velocity (.3, 0, -1) in a groove whose two normals stand at `angle` from the vertical.
inline SimultaneousProblem groove(const Surface& surface, double angle) {
  SimultaneousProblem problem;
  problem.bodies = {ball({0, 0, 0}), immovable_body()};
  problem.bodies[0].velocity = {0.3, 0, -1};
  for (const double side : {1.0, -1.0}) {
    const Eigen::Vector3d normal(side * std::sin(angle), 0, std::cos(angle));
    problem.contacts.push_back(touching(0, 1, -0.5 * normal, normal, surface));
  }
  return problem;
}

}  // namespace carom::testing
