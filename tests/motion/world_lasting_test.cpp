// Scenes in time: contacts that last, and work that must end.
#include <algorithm>
#include <gtest/gtest.h>

#include "core/random.hpp"
#include "world_scenes.hpp"

namespace carom::testing {
namespace {

using Eigen::Vector3d;

/// A ball r = .05 on an arm of .5 m from the origin, swinging in the plane y = 0.
WorldProblem pendulum(double angle, double restitution) {
  WorldProblem problem;
  problem.materials = {surface(restitution)};
  problem.bodies = {ball(.05, 1, {.5 * std::sin(angle), 0, -.5 * std::cos(angle)})};
  problem.supports = {WorldPendulum{0, Vector3d::Zero(), -Vector3d::UnitY()}};
  return problem;
}

WorldPlane wall(const Vector3d& point, const Vector3d& normal) {
  WorldPlane plane;
  plane.point = point;
  plane.normal = normal;
  return plane;
}

// On an arm the bounces have no closed sum: the run ends, as on a fixed ball, and the ball stays on its arm.
TEST(WorldLasting, APendulumPressedOnAPlaneEndsTheRun) {
  const WorldPlane left = wall({-.05, 0, 0}, {-1, 0, 0}), below = wall({0, 0, -.45}, {0, 0, 1});
  for (const auto& [plane, restitution] : {std::pair{left, .5}, {left, 0.0}, {below, .5}, {below, 0.0}}) {
    WorldProblem problem = pendulum(-std::atan2(.4, .3), restitution);
    problem.planes = {plane};
    problem.end_time = 20.0;
    const WorldRun run = run_world(problem);
    EXPECT_EQ(run.verdict, WorldVerdict::zeno);
    EXPECT_TRUE(run.flags.has(WorldFlag::sustained_contact));
    EXPECT_NEAR(run.final[0].body.position.norm(), .5, 1e-15);
    EXPECT_LE(run.final[0].body.velocity.norm(), 2e-6);
    EXPECT_NEAR(run.energy.residual, 0.0, 1e-13);
  }
}

// A pendulum that meets a wall, or a fixed ball, where it hangs: it comes back after half a period, however small the
// swing has become.
TEST(WorldLasting, APendulumLosesItsSwingAtAWall) {
  for (const double restitution : {.8, .5})
    for (const bool wall_there : {true, false}) {
      WorldProblem problem = pendulum(1.0, restitution);
      if (wall_there)
        problem.planes = {wall({-.05, 0, 0}, {1, 0, 0})};
      else
        problem.bodies.push_back(fixed_ball(.05, {-.1, 0, -.5}));
      problem.end_time = 200.0;
      const auto hits = impacts(run_world(problem));
      const double half = std::numbers::pi * std::sqrt(.5 / 9.81);
      ASSERT_NEAR(static_cast<double>(hits.size()), 200.0 / half, 2.0) << restitution << wall_there;
      for (std::size_t k = 100; k < hits.size(); ++k) EXPECT_NEAR(hits[k].time - hits[k - 1].time, half, 1e-9);
      EXPECT_NEAR(hits[150].contacts[0].impulse.norm() / hits[149].contacts[0].impulse.norm(), restitution, 1e-9);
    }
}

TEST(WorldLasting, APendulumThatMeetsNothingIsSearchedForOnePeriodOnly) {
  WorldProblem problem = pendulum(.5, .8);
  problem.planes = {wall({0, 0, -.6}, {0, 0, 1})};
  problem.end_time = 1e18;
  EXPECT_TRUE(run_world(problem).events.empty());
  problem.planes.clear();
  problem.bodies.push_back(ball(.05, 1, {-.3, 0, -.7}));
  problem.supports.push_back(WorldPendulum{1, {-.3, 0, 0}, -Vector3d::UnitY()});
  EXPECT_TRUE(run_world(problem).events.empty());
  // Side by side, a little apart, with periods that have no common multiple: the search is given up.
  problem.bodies[1] = ball(.05, 1, {0, .11, -.7}, {.4, 0, 0});
  problem.supports[1] = WorldPendulum{1, {0, .11, 0}, -Vector3d::UnitY()};
  EXPECT_EQ(run_world(problem).verdict, WorldVerdict::event_limit);
}

// Passing the lowest point just above a plane is no impact, whatever the last digits say.
TEST(WorldLasting, APendulumGrazesAPlane) {
  Rng rng(5);
  for (int k = 0; k < 50; ++k) {
    WorldProblem problem = pendulum(uniform(rng, .1, 2.0), .8);
    const Vector3d anchor = random_vector<3>(rng, 2.0);
    problem.bodies[0].body.position += anchor;
    problem.supports = {WorldPendulum{0, anchor, -Vector3d::UnitY()}};
    problem.planes = {wall(anchor + Vector3d(0, 0, -.55), {0, 0, 1})};
    problem.end_time = 5.0;
    EXPECT_TRUE(impacts(run_world(problem)).empty()) << k;
    problem.planes[0].point.z() += 1e-9;  // just too high
    EXPECT_FALSE(impacts(run_world(problem)).empty()) << k;
  }
}

// Many bodies that travel far: the work is bounded by what can meet, not by the way.
TEST(WorldLasting, BodiesMayTravelFar) {
  Rng rng(6);
  WorldProblem problem;
  problem.materials = {surface(.9)};
  for (int k = 0; k < 200; ++k) {
    const Vector3d cell(k % 6, k / 6 % 6, k / 36);
    problem.bodies.push_back(ball(.04, 1, .2 * cell + random_vector<3>(rng, .05), random_vector<3>(rng, 1.0)));
  }
  problem.end_time = 1.0;
  const std::size_t soon = run_world(problem).events.size();
  EXPECT_GT(soon, 20U);
  for (const double gravity : {9.81, 0.0}) {
    problem.gravity = {0, 0, -gravity};
    problem.end_time = 1e9;
    const WorldRun run = run_world(problem);
    EXPECT_EQ(run.verdict, WorldVerdict::time);
    EXPECT_GE(run.events.size(), soon);
    problem.end_time = 1e3;  // after which they are all under way for good
    EXPECT_EQ(run_world(problem).events.size(), run.events.size());
  }
  // The broad phase only filters: few bodies, looked at without it, say the same of two that meet far away.
  problem.bodies.resize(40);
  for (std::size_t i = 0; i < problem.bodies.size(); ++i)
    problem.bodies[i].body.velocity = Vector3d(0, 1.0 + static_cast<double>(i % 3), 0);
  problem.bodies[0].body.position = {500, 0, 0};
  problem.bodies[0].body.velocity = {-10, 0, 0};
  problem.bodies[1].body.position = {-700, 0, 0};
  problem.bodies[1].body.velocity = {2, 0, 0};
  problem.end_time = 1000.0;
  const auto many = impacts(run_world(problem));
  problem.bodies.resize(2);
  const auto two = impacts(run_world(problem));
  ASSERT_EQ(two.size(), 1U);
  EXPECT_TRUE(std::any_of(many.begin(), many.end(), [&](const WorldEvent& event) {
    return event.bodies == two[0].bodies && event.time == two[0].time;
  }));
}

/// A ball that rolls along a cushion on a cloth.
WorldProblem at_a_cushion(double pull, double rolling) {
  WorldProblem problem;
  problem.gravity = {pull, 0, -9.81};
  problem.planes = {ground(), wall({.1, 0, 0}, {-1, 0, 0})};
  problem.planes[0].material = "cloth";
  WorldMaterial cloth = surface(.5);
  cloth.second = "cloth";
  problem.materials = {surface(.9), cloth};
  problem.bodies = {ball(.05, 1, {0, 0, .05}, {0, -.3, 0})};
  problem.supports = {WorldCloth{0, {0}, {.2, rolling, 0.0}, true}};
  problem.end_time = 20.0;
  problem.max_events = 10000;
  return problem;
}

TEST(WorldLasting, ABallPressedOnACushionEndsTheRun) {
  const WorldRun run = run_world(at_a_cushion(.5, .01));
  EXPECT_EQ(run.verdict, WorldVerdict::zeno);
  EXPECT_TRUE(run.flags.has(WorldFlag::sustained_contact));
  EXPECT_LT(run.events.size(), 50U);
  EXPECT_LE(-run.final[0].body.velocity.x(), 1e-6);
  // A carpet that holds it on the slope: it comes to rest, perhaps after a touch, and nothing lasts.
  EXPECT_EQ(run_world(at_a_cushion(.5, .06)).verdict, WorldVerdict::time);
  // Level: rolling resistance only hinders, it does not press.
  WorldProblem level = at_a_cushion(0.0, .01);
  level.stop = StopAt::rest;
  for (const double speed : {1e-7, 1e-6, 1e-3, .05}) {
    level.bodies[0].body.velocity = {speed, 0, 0};
    level.bodies[0].body.angular_velocity = {0, speed / .05, 0};
    level.bodies[0].body.position = {.05 - 1e-9 * speed, 0, .05};
    EXPECT_EQ(run_world(level).verdict, WorldVerdict::rest) << speed;
  }
}

// micro_speed is for what is pressed, and gives max(e v, min(v, micro_speed)).
TEST(WorldLasting, MicroBouncesComeAsTheyWent) {
  WorldProblem problem;
  problem.materials = {surface(.5)};
  problem.bodies = {ball(.1, 1, {0, 0, .7}), fixed_ball(.5, {0, 0, 0})};
  problem.micro_speed = .01;
  problem.max_events = 40;
  const auto hits = impacts(run_world(problem));
  ASSERT_EQ(hits.size(), 40U);
  // 1.400714 m/s at first, halved at every impact; the rebound of the 21st is the first within 1e-6 m/s.
  const double first = std::sqrt(2.0 * 9.81 * .1);
  EXPECT_NEAR(hits[19].contacts[0].impulse.z(), 1.5 * first * std::pow(.5, 19), 1e-13);
  for (std::size_t k = 20; k < 40; ++k)
    EXPECT_NEAR(hits[k].contacts[0].impulse.z(), 2.0 * first * std::pow(.5, 20), 1e-13) << k;
  // Faster than micro_speed it leaves with micro_speed, or with e v where that is more.
  problem.zeno_speed = .02;
  problem.max_events = 9;  // comes with .0219 m/s at the 7th, would leave with .0109
  const auto slow = impacts(run_world(problem));
  const double seventh = first * std::pow(.5, 6);
  EXPECT_NEAR(slow[6].contacts[0].impulse.z(), seventh * 1.5, 1e-12);
  EXPECT_NEAR(slow[7].contacts[0].impulse.z(), .5 * seventh + .01, 1e-12);
  EXPECT_NEAR(slow[8].contacts[0].impulse.z(), .02, 1e-12);
}

TEST(WorldLasting, WhatIsNotPressedKnowsNoMicroSpeed) {
  for (const GroupModel model : {GroupModel::simultaneous, GroupModel::lcp, GroupModel::rodriguez}) {
    WorldProblem row;
    row.gravity.setZero();
    row.materials = {surface(.9)};
    row.groups.model = model;
    row.bodies = {ball(1, 1, {0, 0, 0}, {.5, 0, 0}), ball(1, 1, {2, 0, 0}), ball(1, 1, {4, 0, 0})};
    const WorldRun without = run_world(row);
    row.micro_speed = 1.0;
    const WorldRun with = run_world(row);
    EXPECT_FALSE(with.flags.has(WorldFlag::micro_bounces));
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(with.final[i].body.velocity, without.final[i].body.velocity) << i;
    if (model == GroupModel::simultaneous) {
      EXPECT_NEAR(with.final[0].body.velocity.x(), -.0327, 1e-4);
      EXPECT_NEAR(with.final[2].body.velocity.x(), .4491, 1e-4);
    }
  }
  WorldProblem falling;
  falling.materials = {surface(.5)};
  falling.bodies = {ball(.1, 1, {0, 0, 0}, {.5, 0, 0}), ball(.1, 1, {.25, 0, 0}), ball(.1, 1, {.5, 0, 0}),
                    ball(.1, 1, {.75, 0, 0}, {-.3, 0, 0})};
  falling.end_time = 3.0;
  const WorldRun without = run_world(falling);
  falling.micro_speed = falling.zeno_speed = 1.0;
  const WorldRun with = run_world(falling);
  ASSERT_GE(with.events.size(), 5U);
  EXPECT_EQ(with.events.size(), without.events.size());
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(with.final[i].body.velocity, without.final[i].body.velocity) << i;
}

// Along the inside of a tube its own way presses a ball on it, also where gravity does not.
TEST(WorldLasting, WhatSlidesAlongATubeIsPressedOnIt) {
  WorldProblem problem;
  problem.gravity.setZero();
  problem.tubes = {WorldTube{}};
  problem.materials = {surface(0.0)};
  problem.bodies = {ball(.1, 1, {.5, 0, 0}, {1, 1, 0})};
  const WorldRun run = run_world(problem);
  EXPECT_EQ(run.verdict, WorldVerdict::zeno);
  EXPECT_EQ(run.events.size(), 1U);
  // Over a fixed ball it goes away: faster than gravity bends its way.
  problem.gravity = {0, 0, -9.81};
  problem.tubes.clear();
  problem.bodies = {ball(.1, 1, {0, 0, .2}, {3, 0, -1e-3}), fixed_ball(.1, {0, 0, 0})};
  EXPECT_EQ(run_world(problem).verdict, WorldVerdict::time);
  problem.bodies[0].body.velocity.x() = .1;
  EXPECT_EQ(run_world(problem).verdict, WorldVerdict::zeno);
}

// A law whose restitution grows to 1 has no last bounce; below the rounding of its speed the ball lies there.
TEST(WorldLasting, ALawThatGrowsToOneLetsABallLie) {
  WorldProblem problem;
  problem.planes = {ground()};
  problem.materials = {surface(1.0, .1)};
  problem.materials[0].restitution = RestitutionPower{.4, 1.0, .03};
  for (const double speed : {1.0, 3.0}) {
    problem.bodies = {ball(.1, 1, {0, 0, .6}, {speed, 0, 0})};
    problem.end_time = 5.0;
    const WorldRun run = run_world(problem);
    EXPECT_EQ(run.verdict, WorldVerdict::time) << speed;
    EXPECT_LT(run.events.size(), 2000U) << speed;
    EXPECT_NEAR(run.final[0].body.position.z(), .1, 1e-12);
    EXPECT_NEAR(run.energy.residual, 0.0, 1e-12);
  }
}

}  // namespace
}  // namespace carom::testing
