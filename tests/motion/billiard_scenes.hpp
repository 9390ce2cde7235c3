// Tables with balls, for tests and benchmarks.
#pragma once

#include "carom/motion/billiards.hpp"

#include "world_scenes.hpp"

namespace carom::testing {

inline PlaneFriction pool_cloth() { return {.2, .01, .0127}; }

/// A table, balls on it at these places, the first one as given.
inline WorldProblem table_scene(const BilliardTable& table, const std::vector<Eigen::Vector2d>& places,
                                const Eigen::Vector3d& velocity, const Eigen::Vector3d& spin, bool hold = true) {
  WorldProblem problem;
  TableParts parts = table_parts(table);
  problem.planes = {parts.cloth};
  problem.cushions = parts.cushions;
  problem.pockets = parts.pockets;
  const double r = table.ball_radius;
  for (const Eigen::Vector2d& place : places)
    problem.bodies.push_back(ball(r, table.ball_mass, {place.x(), place.y(), r}));
  problem.bodies[0].body.velocity = velocity;
  problem.bodies[0].body.angular_velocity = spin;
  WorldCloth cloth;
  for (std::size_t i = 0; i < places.size(); ++i) cloth.bodies.push_back(i);
  cloth.friction = pool_cloth();
  cloth.hold = hold;
  problem.supports = {cloth};
  WorldMaterial balls = surface(.95, .06), cushion = surface(.85, .2), bed = surface(.5, .2);
  cushion.second = "cushion";
  bed.second = "cloth";
  problem.materials = {balls, cushion, bed};
  problem.micro_speed = problem.zeno_speed = 1e-4;
  problem.end_time = 60.0;
  problem.stop = StopAt::rest;
  return problem;
}

/// A break on a nine-foot table with pockets: fifteen balls, Hertz contacts, 9 m/s.
inline WorldProblem table_break(int rows_of_rack = 5) {
  const BilliardTable table = billiard_table(TableSize::nine_foot);
  const double r = table.ball_radius;
  std::vector<Eigen::Vector2d> places = {{-.75, .1}};
  for (int row = 0; row < rows_of_rack; ++row)
    for (int k = 0; k <= row; ++k)
      places.emplace_back(.25 * table.length + std::sqrt(3.0) * r * row, r * (2.0 * k - row));
  const Eigen::Vector3d aim = Eigen::Vector3d(.25 * table.length + .75, -.1, 0.0).normalized();
  WorldProblem problem = table_scene(table, places, 9.0 * aim, Eigen::Vector3d::Zero());
  problem.materials[0].exponent = 1.5;
  return problem;
}

}  // namespace carom::testing
