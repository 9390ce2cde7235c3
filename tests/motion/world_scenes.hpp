// Scenes that several tests run.
#pragma once

#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "carom/motion/world.hpp"

namespace carom::testing {

inline WorldBody ball(double radius, double mass, const Eigen::Vector3d& position,
                      const Eigen::Vector3d& velocity = Eigen::Vector3d::Zero(),
                      const Eigen::Vector3d& angular_velocity = Eigen::Vector3d::Zero()) {
  WorldBody body;
  body.shape = Sphere{radius};
  body.body = body_of(body.shape, mass);
  body.body.position = position;
  body.body.velocity = velocity;
  body.body.angular_velocity = angular_velocity;
  return body;
}

inline WorldBody fixed_ball(double radius, const Eigen::Vector3d& position) {
  WorldBody body = ball(radius, 1.0, position);
  body.body.immovable = true;
  return body;
}

inline WorldMaterial surface(double restitution, double friction = 0.0) {
  WorldMaterial material;
  material.restitution = restitution;
  material.friction = friction;
  return material;
}

inline WorldPlane ground() { return {}; }

/// Five balls of Wang 2017, section 3.4.1, the first one pulled aside.
inline WorldProblem cradle(PendulumMotion motion, double exponent = 1.0, double restitution = .95) {
  const double length = .129, radius = .011, angle = 5.0 * std::numbers::pi / 36.0;
  WorldProblem problem;
  problem.materials = {surface(restitution)};
  problem.materials[0].exponent = exponent;
  for (std::size_t i = 0; i < 5; ++i) {
    const Eigen::Vector3d anchor(2.0 * radius * static_cast<double>(i), 0.0, 0.0);
    const double a = i == 0 ? -angle : 0.0;
    const Eigen::Vector3d out = motion == PendulumMotion::exact ? Eigen::Vector3d(std::sin(a), 0.0, -std::cos(a))
                                                                : Eigen::Vector3d(a, 0.0, -1.0);
    problem.bodies.push_back(ball(radius, .05, anchor + length * out));
    // Growing angles go towards +x: axis x down = +x for the axis -y.
    problem.supports.push_back(WorldPendulum{i, anchor, -Eigen::Vector3d::UnitY(), motion});
  }
  return problem;
}

inline WorldMaterial thesis_balls(double friction, double exponent = 1.0) {
  WorldMaterial material = surface(.96, friction);
  material.exponent = exponent;
  return material;
}

inline PlaneFriction thesis_cloth() { return {.2, rolling_friction_of_torque(.01), 0.0}; }

/// Wang 2017, section 3.5: a cue ball .30 m before a rack of nine; rows along x, ball 1 foremost.
inline WorldProblem nine_ball_break(double spin, double exponent = 1.5) {
  const double r = .03, m = .17;
  WorldProblem problem;
  problem.gravity = {0.0, 0.0, -9.8};
  problem.planes = {ground()};
  problem.materials = {thesis_balls(.03, exponent)};
  problem.bodies.push_back(ball(r, m, {-2.0 * r - .30, 0.0, r}, {1.0, 0.0, 0.0}, {0.0, spin, 0.0}));
  const int rows[] = {1, 2, 3, 2, 1};
  for (int row = 0; row < 5; ++row)
    for (int k = 0; k < rows[row]; ++k)
      problem.bodies.push_back(ball(r, m, {std::sqrt(3.0) * r * row, r * (2.0 * k - (rows[row] - 1)), r}));
  WorldCloth cloth;
  for (std::size_t i = 0; i < problem.bodies.size(); ++i) cloth.bodies.push_back(i);
  cloth.friction = thesis_cloth();
  problem.supports = {cloth};
  problem.end_time = 20.0;
  problem.stop = StopAt::rest;
  return problem;
}

/// Rodriguez 2010, chapter 5: a ball falls and flies into the corner of floor and wall, both met at the same instant.
inline WorldProblem corner(int number, GroupModel model) {
  const double heights[] = {5.0, 1.5, 1.5}, speeds[] = {4.0, 8.0, 4.0}, r = .5, g = 9.81;
  const double height = heights[number - 1], speed = speeds[number - 1];
  const double fall = std::sqrt(2.0 * (height - r) / g);
  WorldProblem problem;
  problem.gravity = {0.0, -g, 0.0};
  WorldBody body = ball(r, 1.0, {0.0, height, 0.0}, {speed, 0.0, 0.0});
  body.body.inertia = .125 * Eigen::Matrix3d::Identity();
  problem.bodies = {body};
  WorldPlane floor, wall;
  floor.normal = Eigen::Vector3d::UnitY();
  wall.normal = -Eigen::Vector3d::UnitX();
  wall.point = {speed * fall + r, 0.0, 0.0};
  problem.planes = {floor, wall};
  problem.materials = {surface(.5, .25)};
  problem.groups.model = model;
  problem.end_time = 1.2;
  return problem;
}

inline std::vector<WorldEvent> impacts(const WorldRun& run) {
  std::vector<WorldEvent> found;
  for (const WorldEvent& event : run.events)
    if (event.type == WorldEventType::impact) found.push_back(event);
  return found;
}

}  // namespace carom::testing
