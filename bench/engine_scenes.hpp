// The scenes in which engines are compared (engines_bench.cpp): those of scenarios/, made of balls and boxes.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "motion/world_scenes.hpp"

namespace carom::bench {

using Eigen::Vector3d;

inline WorldBody block(const Vector3d& size, double mass, const Vector3d& position) {
  WorldBody body;
  body.shape = Box{size};
  body.body = body_of(body.shape, mass);
  body.body.position = position;
  return body;
}

/// Where contacts last, they go on in bounces of this speed [m/s].
inline void bounce_at(WorldProblem& problem, double speed) {
  problem.micro_speed = problem.zeno_speed = speed;
  problem.max_events = 10'000'000;
}

/// Newton's cradle: five balls, e = .95, ten seconds.
inline WorldProblem cradle_scene() {
  WorldProblem problem = testing::cradle(PendulumMotion::exact);
  problem.end_time = 10.0;
  return problem;
}

/// A rack of nine struck at 1 m/s, floating: what the break itself does, without a cloth.
inline WorldProblem break_scene() {
  WorldProblem problem = testing::nine_ball_break(0.0, 1.0);
  problem.gravity.setZero();
  problem.planes.clear();
  problem.supports.clear();
  problem.stop = StopAt::time;
  problem.end_time = 1.5;
  return problem;
}

/// scenarios/box_down_stairs.yaml
inline WorldProblem stairs_scene() {
  WorldProblem problem;
  problem.bodies.push_back(block({.12, .10, .08}, 1.0, {-.1, 0, .95}));
  Body& box = problem.bodies[0].body;
  box.orientation = Eigen::AngleAxisd(25.0 * std::numbers::pi / 180.0, Vector3d(.36, .8, .48));
  box.velocity = {.9, .05, 0};
  box.angular_velocity = {1, 4, .5};
  WorldBody stairs;
  for (int k = 0; k < 4; ++k) {
    const double height = .8 - .2 * k;
    stairs.parts.push_back({Box{{.3, 1, height}}, {-.15 + .3 * k, 0, .5 * height}});
  }
  stairs.body.mass = 1.0;
  stairs.body.immovable = true;
  problem.bodies.push_back(stairs);
  problem.planes = {testing::ground()};
  problem.materials = {testing::surface(.5, .3)};
  bounce_at(problem, .03);
  problem.end_time = 1.5;
  return problem;
}

/// scenarios/dominoes.yaml, ten of them.
inline WorldProblem dominoes_scene() {
  WorldProblem problem;
  for (int k = 0; k < 10; ++k) problem.bodies.push_back(block({.008, .025, .05}, .02, {.03 * k, 0, .025}));
  problem.bodies[0].body.velocity = {.1, 0, 0};
  problem.bodies[0].body.angular_velocity = {0, 4, 0};
  problem.planes = {testing::ground()};
  problem.materials = {testing::surface(.3, .4)};
  bounce_at(problem, .02);
  problem.end_time = .6;
  return problem;
}

/// scenarios/dice_throw.yaml
inline WorldProblem dice_scene() {
  WorldProblem problem;
  problem.bodies = {block(Vector3d::Constant(.016), .005, {0, 0, .15}),
                    block(Vector3d::Constant(.016), .005, {.03, .01, .17})};
  Body &first = problem.bodies[0].body, &second = problem.bodies[1].body;
  first.orientation = Eigen::AngleAxisd(20.0 * std::numbers::pi / 180.0, Vector3d(.6, .8, 0));
  first.velocity = {1, .05, .2};
  first.angular_velocity = {20, 15, -10};
  second.orientation = Eigen::AngleAxisd(50.0 * std::numbers::pi / 180.0, Vector3d(0, .6, .8));
  second.velocity = {.8, -.05, .1};
  second.angular_velocity = {-10, 25, 12};
  WorldPlane wall;
  wall.point = {.35, 0, 0};
  wall.normal = -Vector3d::UnitX();
  problem.planes = {testing::ground(), wall};
  problem.materials = {testing::surface(.45, .35)};
  bounce_at(problem, .02);
  problem.end_time = 1.2;
  return problem;
}

/// A ball of 6 mm at 40 m/s towards a fixed plate of 1 mm, from somewhere up to 10 cm away: what touches, bounces back.
inline WorldProblem shot_scene(std::mt19937_64& random) {
  WorldProblem problem;
  problem.gravity.setZero();
  const double x = std::generate_canonical<double, 53>(random), y = std::generate_canonical<double, 53>(random),
               away = std::generate_canonical<double, 53>(random);
  WorldBody plate = block({.1, .1, .001}, 1.0, Vector3d::Zero());
  plate.body.immovable = true;
  problem.bodies = {testing::ball(.003, .001, {.04 * (x - .5), .04 * (y - .5), .01 + .1 * away}, {0, 0, -40}), plate};
  problem.materials = {testing::surface(.7, .2)};
  problem.end_time = .03;
  return problem;
}

/// The same scene with its bodies listed the other way round.
inline WorldProblem listed_backwards(WorldProblem problem) {
  std::reverse(problem.bodies.begin(), problem.bodies.end());
  const auto turned = [&](std::size_t i) { return problem.bodies.size() - 1 - i; };
  for (WorldSupport& support : problem.supports) {
    if (auto* arm = std::get_if<WorldPendulum>(&support)) arm->body = turned(arm->body);
    if (auto* cloth = std::get_if<WorldCloth>(&support))
      for (std::size_t& body : cloth->bodies) body = turned(body);
  }
  return problem;
}

}  // namespace carom::bench
