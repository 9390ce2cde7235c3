// Scenes in time: what must hold for every one of them.
#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <set>

#include "core/random.hpp"
#include "world_scenes.hpp"

namespace carom::testing {
namespace {

using Eigen::Vector3d;

/// A closed box of half width `half`, balls of two sizes inside, without overlap.
WorldProblem boxed(Rng& rng, std::size_t count, double half, double restitution, double friction, double gravity) {
  WorldProblem problem;
  problem.gravity = {0, 0, -gravity};
  problem.materials = {surface(restitution, friction)};
  for (int axis = 0; axis < 3; ++axis)
    for (const double side : {-1.0, 1.0}) {
      WorldPlane plane;
      plane.point = side * half * Vector3d::Unit(axis);
      plane.normal = -side * Vector3d::Unit(axis);
      problem.planes.push_back(plane);
    }
  while (problem.bodies.size() < count) {
    const double radius = uniform(rng, .05, .15);
    const Vector3d x = random_vector<3>(rng, half - radius);
    const bool free = std::none_of(problem.bodies.begin(), problem.bodies.end(), [&](const WorldBody& other) {
      return (other.body.position - x).norm() < radius + std::get<Sphere>(other.shape).radius;
    });
    if (free)
      problem.bodies.push_back(
          ball(radius, uniform(rng, .5, 2.0), x, random_vector<3>(rng, 2.0), random_vector<3>(rng, 5.0)));
  }
  problem.end_time = 1.0;
  return problem;
}

bool same(const Body& a, const Body& b) {
  return a.position == b.position && a.velocity == b.velocity && a.angular_velocity == b.angular_velocity &&
         a.orientation.coeffs() == b.orientation.coeffs();
}

/// The flight of a ball between two events, by its definition.
Vector3d place(const WorldBodyAt& from, const Vector3d& gravity, double time) {
  return from.body.position + time * from.body.velocity + .5 * time * time * gravity;
}

// Between two impacts nothing overlaps, however closely one looks: none was passed over. And at each impact its pairs
// touch and approach: none was met twice.
TEST(World, NoImpactIsMissedOrMetTwice) {
  Rng rng(1);
  for (int scene = 0; scene < 40; ++scene) {
    WorldProblem problem = boxed(rng, 8, .6, scene % 2 == 0 ? 1.0 : .8, 0.2, scene % 3 == 0 ? 0.0 : 9.81);
    World world(problem);
    WorldEvent event;
    for (bool more = true; more;) {
      const std::vector<WorldBodyAt> before = world.bodies();
      const double start = world.time();
      more = world.step(problem.end_time, event);
      const double span = (more ? event.time : world.time()) - start;
      constexpr int looks = 200;
      for (int k = 0; k <= looks; ++k) {
        const double t = span * k / looks;
        for (std::size_t i = 0; i < before.size(); ++i) {
          if (before[i].state != WorldBodyState::flight) continue;
          const double r = std::get<Sphere>(problem.bodies[i].shape).radius;
          const Vector3d x = place(before[i], problem.gravity, t);
          EXPECT_LT(x.cwiseAbs().maxCoeff() + r, .6 + 1e-12);
          for (std::size_t j = 0; j < i; ++j) {
            if (before[j].state != WorldBodyState::flight) continue;
            EXPECT_GT((x - place(before[j], problem.gravity, t)).norm() - r -
                          std::get<Sphere>(problem.bodies[j].shape).radius,
                      -1e-12);
          }
        }
      }
      if (!more || event.type != WorldEventType::impact) continue;
      if (event.contacts.size() == 1) {
        EXPECT_GT(event.contacts[0].impulse.dot(event.contacts[0].normal), 0.0);
      }
    }
    EXPECT_GT(world.events(), 5U);
    const WorldEnergy energy = world.energy();
    EXPECT_NEAR(energy.residual, 0.0, 1e-12);
    EXPECT_NEAR(*world.momentum_residual(), 0.0, 1e-11);
  }
}

// The order in which bodies are listed changes no bit; nor does a mirror, where only pairs meet.
TEST(World, TheListAndAMirrorChangeNoBit) {
  Rng rng(2);
  int mirrored_scenes = 0;
  for (int scene = 0; scene < 30; ++scene) {
    const WorldProblem problem = boxed(rng, 30, .8, .9, .3, 9.81);
    const WorldRun run = run_world(problem);
    WorldProblem shuffled = problem;
    std::vector<std::size_t> order(problem.bodies.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::shuffle(order.begin(), order.end(), rng);
    for (std::size_t i = 0; i < order.size(); ++i) shuffled.bodies[i] = problem.bodies[order[i]];
    const WorldRun other = run_world(shuffled);
    ASSERT_EQ(run.events.size(), other.events.size());
    for (std::size_t i = 0; i < order.size(); ++i) EXPECT_TRUE(same(other.final[i].body, run.final[order[i]].body));
    EXPECT_EQ(run.energy.end, other.energy.end);
    EXPECT_EQ(run.energy.restitution_loss, other.energy.restitution_loss);
    EXPECT_EQ(run.energy.friction_loss, other.energy.friction_loss);
    const bool only_pairs = std::all_of(run.events.begin(), run.events.end(),
                                        [](const WorldEvent& event) { return event.contacts.size() <= 1; });
    for (int axis = 0; axis < 2 && only_pairs; ++axis) {
      ++mirrored_scenes;
      WorldProblem mirrored = problem;
      const auto mirror = [&](Body& body) {
        body.position[axis] = -body.position[axis];
        body.velocity[axis] = -body.velocity[axis];
        body.angular_velocity = -body.angular_velocity;
        body.angular_velocity[axis] = -body.angular_velocity[axis];
      };
      for (WorldBody& body : mirrored.bodies) mirror(body.body);
      const WorldRun image = run_world(mirrored);
      ASSERT_EQ(image.events.size(), run.events.size());
      for (std::size_t i = 0; i < order.size(); ++i) {
        Body back = image.final[i].body;
        mirror(back);
        EXPECT_EQ(back.position, run.final[i].body.position);
        EXPECT_EQ(back.velocity, run.final[i].body.velocity);
        EXPECT_EQ(back.angular_velocity, run.final[i].body.angular_velocity);
      }
    }
  }
  EXPECT_GT(mirrored_scenes, 50);
}

TEST(World, EventsComeInOrderAndALaterStartGoesOnWithTheSameBits) {
  Rng rng(3);
  for (int scene = 0; scene < 6; ++scene) {
    WorldProblem problem = boxed(rng, 12, .5, .7, .2, 9.81);
    problem.end_time = 3.0;
    problem.zeno_speed = 1e-3;
    problem.micro_speed = 1e-2;
    problem.max_events = 1000;
    const WorldRun run = run_world(problem);
    EXPECT_TRUE(std::is_sorted(run.events.begin(), run.events.end(),
                               [](const WorldEvent& a, const WorldEvent& b) { return a.time < b.time; }));
    World world(problem);
    world.run(.37);
    World again(problem, world.save());
    World copy = world;
    std::vector<double> times, other_times;
    world.run(problem.end_time, [&](const WorldEvent& event) { times.push_back(event.time); });
    again.run(problem.end_time, [&](const WorldEvent& event) { other_times.push_back(event.time); });
    copy.run(problem.end_time);
    EXPECT_EQ(times, other_times);
    ASSERT_EQ(world.verdict(), again.verdict());
    for (std::size_t i = 0; i < problem.bodies.size(); ++i) {
      EXPECT_TRUE(same(world.body(i).body, again.body(i).body));
      EXPECT_TRUE(same(world.body(i).body, copy.body(i).body));
      EXPECT_TRUE(same(world.body(i).body, run.final[i].body));
    }
    EXPECT_EQ(world.energy().residual, again.energy().residual);
  }
}

TEST(World, TenThousandBouncesKeepTheirHeight) {
  WorldProblem problem;
  problem.planes = {ground()};
  problem.materials = {surface(.999)};
  problem.bodies = {ball(.1, 1, {0, 0, 1.1})};
  problem.end_time = 1e6;
  problem.max_events = 10000;
  problem.zeno_speed = 0.0;
  const WorldRun run = run_world(problem);
  EXPECT_EQ(run.verdict, WorldVerdict::event_limit);
  const double speed = run.final[0].body.velocity.z();
  EXPECT_NEAR(speed * speed / (2.0 * 9.81) / std::pow(.999, 20000.0), 1.0, 1e-9);
}

TEST(World, GroupsAreStruckTogetherAndTheirMirrorAgrees) {
  const WorldRun run = run_world(nine_ball_break(20));
  for (const auto& [left, right] : {std::pair{2, 3}, std::pair{4, 6}, std::pair{7, 8}}) {
    const Vector3d a = run.final[static_cast<std::size_t>(left)].body.position,
                   b = run.final[static_cast<std::size_t>(right)].body.position;
    EXPECT_NEAR(a.x(), b.x(), 1e-9);
    EXPECT_NEAR(a.y(), -b.y(), 1e-9);
  }
}

TEST(World, SixtySecondsOfCradleBalance) {
  for (const PendulumMotion motion : {PendulumMotion::exact, PendulumMotion::small_angle})
    for (const double exponent : {1.0, 1.5}) {
      WorldProblem problem = cradle(motion, exponent);
      problem.end_time = 60.0;
      const WorldRun run = run_world(problem);
      EXPECT_EQ(run.verdict, WorldVerdict::time);
      EXPECT_NEAR(run.energy.residual, 0.0, 1e-10 * (run.energy.start - 5 * .05 * 9.81 * -.129));
      EXPECT_FALSE(run.momentum_residual.has_value());
      EXPECT_GT(run.events.size(), 160U);
    }
}

// Small angles: all balls meet at the bottom, again and again, until they swing together at v0/5.
TEST(World, TheCradleEndsSwingingTogether) {
  for (const auto& [exponent, collisions] : {std::pair{1.0, 124U}, std::pair{1.5, 68U}}) {
    WorldProblem problem = cradle(PendulumMotion::small_angle, exponent);
    problem.end_time = 60.0;
    const double v0 = 5.0 * std::numbers::pi / 36.0 * std::sqrt(9.81 * .129);
    World world(problem);
    WorldEvent event;
    unsigned count = 0, below = 0;
    while (below == 0 && world.step(60.0, event)) {
      ++count;
      double low = 1e9, high = -1e9;
      for (const WorldBodyAt& each : world.bodies()) {
        low = std::min(low, std::abs(each.body.velocity.x()));
        high = std::max(high, std::abs(each.body.velocity.x()));
      }
      if (high - low < 1e-3 * v0) {
        below = count;
        EXPECT_NEAR(high, v0 / 5.0, 1e-3 * v0);
      }
    }
    EXPECT_EQ(below, collisions);
  }
}

TEST(World, RollsAwayFromAnInclineAndMeetsAWall) {
  // Down a slope of 30 degrees: a ball that grips rolls with 5/7 g sin 30.
  const double tilt = std::numbers::pi / 6.0;
  WorldProblem problem;
  WorldPlane slope;
  slope.normal = {std::sin(tilt), 0, std::cos(tilt)};
  WorldPlane wall;
  wall.normal = {-1, 0, 0};
  wall.point = {3, 0, 0};
  problem.planes = {slope, wall};
  problem.materials = {surface(.5, .8)};
  problem.bodies = {ball(.1, 1, .1 * slope.normal)};
  problem.end_time = 5.0;
  const auto hits = impacts(run_world(problem));
  ASSERT_GE(hits.size(), 1U);
  const double way = (2.9 - .1 * std::sin(tilt)) / std::cos(tilt), a = 5.0 / 7.0 * 9.81 * std::sin(tilt);
  EXPECT_NEAR(hits[0].time, std::sqrt(2.0 * way / a), 1e-12);
  EXPECT_EQ(hits[0].contacts.size(), 2U);  // the slope is struck too
}

// A ball that starts along an incline is on it, though its velocity is along it only up to rounding.
TEST(World, StartsOnAnyIncline) {
  Rng rng(7);
  for (int k = 0; k < 200; ++k) {
    WorldProblem problem;
    WorldPlane slope;
    slope.normal = random_direction<3>(rng);
    slope.normal.z() = std::abs(slope.normal.z());
    problem.planes = {slope};
    problem.materials = {surface(.5, .3)};
    const Vector3d v = random_vector<3>(rng, 2.0);
    problem.bodies = {ball(.1, 1, .1 * slope.normal, v - v.dot(slope.normal) * slope.normal)};
    problem.end_time = .01;
    const WorldRun run = run_world(problem, {0.0});
    EXPECT_TRUE(impacts(run).empty()) << k;
    EXPECT_EQ(run.samples[0].bodies[0].state, WorldBodyState::slides) << k;
  }
}

// At rest in the air, whatever plane is below.
TEST(World, FallsFromRestOnAnyPlane) {
  Rng rng(8);
  for (int k = 0; k < 100; ++k) {
    WorldProblem problem;
    problem.planes = {ground()};
    problem.planes[0].normal = random_direction<3>(rng);
    problem.gravity = -9.81 * problem.planes[0].normal;
    problem.materials = {surface(.5)};
    problem.bodies = {ball(.1, 1, 1.1 * problem.planes[0].normal)};
    problem.end_time = .5;
    const auto hits = impacts(run_world(problem));
    ASSERT_EQ(hits.size(), 1U) << k;
    EXPECT_NEAR(hits[0].time, std::sqrt(2.0 / 9.81), 1e-14);
  }
}

// So far that its energy is no number: said, not passed over.
TEST(World, SaysWhenNumbersOverflow) {
  WorldProblem problem;
  problem.bodies = {ball(.1, 1, {0, 0, 0}, {1, 0, 0})};
  problem.end_time = 1e300;
  EXPECT_TRUE(run_world(problem).impact_flags.has(Flag::overflow));
  problem.end_time = 1e30;
  const WorldRun run = run_world(problem);
  EXPECT_FALSE(run.impact_flags.has(Flag::overflow));
  EXPECT_EQ(run.final[0].body.position.x(), 1e30);
}

TEST(World, BouncesWithoutEndAreSaid) {
  // In a groove, and on another ball.
  WorldProblem groove;
  WorldPlane left, right;
  left.normal = Vector3d(1, 0, 1).normalized();
  right.normal = Vector3d(-1, 0, 1).normalized();
  groove.planes = {left, right};
  groove.materials = {surface(.5, .1)};
  groove.bodies = {ball(.1, 1, {0.05, 0, 1})};
  groove.end_time = 20.0;
  WorldRun run = run_world(groove);
  EXPECT_EQ(run.verdict, WorldVerdict::zeno);
  EXPECT_TRUE(run.flags.has(WorldFlag::sustained_contact));
  WorldProblem tower;
  tower.planes = {ground()};
  tower.materials = {surface(.5)};
  tower.bodies = {ball(.1, 1, {0, 0, .1}), ball(.1, 1, {0, 0, .6})};
  tower.end_time = 20.0;
  run = run_world(tower);
  EXPECT_EQ(run.verdict, WorldVerdict::zeno);
  tower.zeno_speed = tower.micro_speed.emplace(.01);
  tower.end_time = 2.0;
  run = run_world(tower);
  EXPECT_EQ(run.verdict, WorldVerdict::time);
  EXPECT_TRUE(run.flags.has(WorldFlag::micro_bounces));
  EXPECT_NEAR(run.final[1].body.position.z(), .3, 1e-4);
  EXPECT_NEAR(run.energy.residual, 0.0, 1e-10);
}

// Balls into a box that they nearly fill: rows jam between walls, columns lose their energy in endless impacts.
TEST(World, ABoxfulOfBallsComesToRest) {
  WorldProblem box;
  box.materials = {surface(.5, .3)};
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> off(-.003, .003);
  const double r = .03, half = .16;
  for (int k = 0; k < 48; ++k) {
    const double x = (k % 4 - 1.5) * .068 + off(random), y = (k / 4 % 4 - 1.5) * .068 + off(random);
    box.bodies.push_back(ball(r, .1, {x, y, .05 + k / 16 * .075}));
  }
  box.planes = {ground()};
  for (int axis = 0; axis < 2; ++axis)
    for (const double side : {-1.0, 1.0}) {
      WorldPlane wall;
      wall.point = side * half * Vector3d::Unit(axis);
      wall.normal = -side * Vector3d::Unit(axis);
      box.planes.push_back(wall);
    }
  box.zeno_speed = box.micro_speed.emplace(.1);
  box.end_time = 1.2;
  World world(box);
  const double start = world.energy().start;
  world.run(box.end_time);
  EXPECT_EQ(world.verdict(), WorldVerdict::time);
  EXPECT_TRUE(world.flags().has(WorldFlag::micro_bounces));
  EXPECT_NEAR(world.energy().residual, 0.0, 1e-12);
  EXPECT_NEAR(*world.momentum_residual(), 0.0, 1e-11);
  const std::vector<WorldBodyAt> after = world.bodies();
  double moving = 0.0;
  for (std::size_t i = 0; i < after.size(); ++i) {
    const Vector3d& x = after[i].body.position;
    moving += .05 * after[i].body.velocity.squaredNorm();
    EXPECT_GE(x.z(), r - 1e-7);
    EXPECT_LE(std::max(std::abs(x.x()), std::abs(x.y())), half - r + 1e-7);
    for (std::size_t j = 0; j < i; ++j) EXPECT_GE((x - after[j].body.position).norm(), 2.0 * r - 1e-7);
  }
  EXPECT_LT(moving, .01 * start);
}

// Two groups at one instant: the one with the least body first, also where the body struck is not that one.
TEST(World, GroupsOfOneInstantComeByTheirLeastBody) {
  WorldProblem problem;
  problem.gravity.setZero();
  problem.materials = {surface(.9)};
  // 0 touches 3, which 4 strikes; far away 2 strikes 1.
  problem.bodies = {ball(.1, 1, {0, 0, 0}), ball(.1, 1, {0, 5, 0}), ball(.1, 1, {.7, 5, 0}, {-1, 0, 0}),
                    ball(.1, 1, {.2, 0, 0}), ball(.1, 1, {.9, 0, 0}, {-1, 0, 0})};
  problem.end_time = 1.0;
  auto hits = impacts(run_world(problem));
  ASSERT_EQ(hits.size(), 2U);
  EXPECT_EQ(hits[0].bodies, (std::vector<std::size_t>{0, 3, 4}));
  EXPECT_EQ(hits[1].bodies, (std::vector<std::size_t>{1, 2}));
  EXPECT_EQ(hits[0].time, hits[1].time);
}

TEST(World, SettlesByTheClosedForm) {
  // e = 0 settles at once; friction of the infinitely many bounces is min(mu P, stick).
  WorldProblem problem;
  problem.planes = {ground()};
  problem.materials = {surface(0.0, .3)};
  problem.bodies = {ball(.1, 2.0, {0, 0, .6}, {1, 0, 0})};
  problem.end_time = .5;
  WorldRun run = run_world(problem);
  ASSERT_GE(run.events.size(), 2U);
  EXPECT_EQ(run.events[1].type, WorldEventType::settles);
  EXPECT_EQ(run.events[1].time, run.events[0].time);
  // A large zeno_speed sums up bounces early: the sum of all their times, impulses and ways.
  problem.materials = {surface(.5)};
  problem.zeno_speed = 10.0;
  problem.bodies = {ball(.1, 2.0, {0, 0, .1}, {3, 0, -4})};
  run = run_world(problem, {.2});
  ASSERT_EQ(run.samples.size(), 1U);
  EXPECT_EQ(run.samples[0].bodies[0].state, WorldBodyState::settling);
  problem.end_time = 2.0;
  run = run_world(problem);
  ASSERT_EQ(run.events.size(), 2U);
  const double rebound = 2.0;
  EXPECT_NEAR(run.events[1].time, 2.0 * rebound / (9.81 * .5), 1e-14);
  EXPECT_NEAR(run.events[1].impulse.z(), 2.0 * rebound * 1.5 / .5, 1e-13);
  EXPECT_NEAR(run.final[0].body.position.x(), 3.0 * 2.0, 1e-13);
  EXPECT_NEAR(run.energy.residual, 0.0, 1e-13);
}

TEST(World, LawsOfSpeedAndOfGroups) {
  WorldProblem problem;
  problem.planes = {ground()};
  problem.materials = {surface(1.0)};
  problem.materials[0].restitution = RestitutionSlope{.1};
  problem.bodies = {ball(.1, 1, {0, 0, .1}, {0, 0, -2})};
  problem.end_time = .01;
  EXPECT_NEAR(run_world(problem).final[0].body.velocity.z(), 2.0 * .8 - .0981, 1e-14);
  // Rodriguez's corner, the wall examined: the table of the multipoint sheet.
  WorldProblem first = corner(1, GroupModel::rodriguez);
  first.materials[0].static_friction = .5;
  first.groups.examine = Partner{PartnerKind::plane, 1};
  WorldRun run = run_world(first);
  EXPECT_NEAR(run.final[0].body.angular_velocity.z(), -7.811172, 1e-5);
  EXPECT_EQ(impacts(run).at(0).model, WorldImpactModel::rodriguez);
  WorldProblem third = corner(3, GroupModel::lcp);
  third.end_time = .46;
  run = run_world(third);
  EXPECT_NEAR(run.final[0].body.angular_velocity.z(), .515, 1e-3);
  EXPECT_FALSE(run.flags.has(WorldFlag::not_exhaustive));
  third.materials[0].static_friction = .5;
  run = run_world(third);
  EXPECT_TRUE(run.flags.has(WorldFlag::several_solutions));
  const WorldRun none = [&] {
    WorldProblem stuck = corner(3, GroupModel::lcp);
    stuck.materials[0].friction = 1.3;
    stuck.bodies[0].body.velocity = {4, 0, 0};
    return run_world(stuck, {.1, 1.0});
  }();
  if (none.verdict == WorldVerdict::no_solution) {
    EXPECT_TRUE(none.events.empty());
    EXPECT_EQ(none.samples.size(), 1U);
  }
}

TEST(World, RefusesWhatCannotBe) {
  const auto refused = [](const char* field, const std::function<void(WorldProblem&)>& change) {
    WorldProblem problem;
    problem.planes = {ground()};
    problem.materials = {surface(.5)};
    problem.bodies = {ball(.1, 1, {0, 0, 1}), ball(.1, 1, {1, 0, 1})};
    change(problem);
    try {
      run_world(problem);
      ADD_FAILURE() << field << " was taken";
    } catch (const InvalidInput& error) {
      EXPECT_EQ(error.field(), field) << error.message();
    }
  };
  refused("bodies[1].position", [](WorldProblem& p) { p.bodies[1].body.position = {.1, 0, 1}; });
  refused("bodies[0].position", [](WorldProblem& p) { p.bodies[0].body.position = {0, 0, 0}; });
  refused("bodies[0].shape.radius", [](WorldProblem& p) { p.bodies[0].shape = Sphere{0.0}; });
  refused("bodies[1].shape.type", [](WorldProblem& p) { p.bodies[1].shape = Disc{}; });
  refused("bodies[1].mass", [](WorldProblem& p) { p.bodies[1].body.mass = -1.0; });
  refused("bodies[0].inertia", [](WorldProblem& p) { p.bodies[0].body.inertia(0, 0) *= 2.0; });
  refused("materials", [](WorldProblem& p) { p.bodies[1].material = "felt"; });
  refused("materials[0].friction", [](WorldProblem& p) { p.materials[0].friction = -1.0; });
  refused("materials[0].restitution", [](WorldProblem& p) { p.materials[0].restitution = 2.0; });
  refused("materials[0].static_friction", [](WorldProblem& p) {
    p.materials[0].friction = .5;
    p.materials[0].static_friction = .4;
  });
  refused("materials[1].between", [](WorldProblem& p) { p.materials.push_back(surface(.5)); });
  refused("bodies[0].shape.radius", [](WorldProblem& p) { p.bodies[0].shape = Sphere{1e-100}; });
  refused("bodies[1].mass", [](WorldProblem& p) { p.bodies[1].body.mass = 1e100; });
  refused("bodies[1].velocity", [](WorldProblem& p) { p.bodies[1].body.velocity.y() = -1e200; });
  refused("bodies[0].angular_velocity", [](WorldProblem& p) { p.bodies[0].body.angular_velocity.x() = 1e150; });
  refused("gravity", [](WorldProblem& p) { p.gravity.z() = -1e200; });
  refused("end_time", [](WorldProblem& p) { p.end_time = 0.0; });
  refused("end_time", [](WorldProblem& p) { p.end_time = std::numeric_limits<double>::infinity(); });
  refused("gravity", [](WorldProblem& p) { p.gravity.x() = std::nan(""); });
  refused("planes[0].normal", [](WorldProblem& p) { p.planes[0].normal *= 2.0; });
  refused("micro_speed", [](WorldProblem& p) { p.micro_speed = 0.0; });
  refused("max_events", [](WorldProblem& p) { p.max_events = 0; });
  refused("groups.examine", [](WorldProblem& p) { p.groups.examine = Partner{}; });
  refused("supports[0].bodies[0]", [](WorldProblem& p) { p.supports = {WorldCloth{0, {0}, {.2, 0, 0}, true}}; });
  refused("supports[0].plane", [](WorldProblem& p) { p.supports = {WorldCloth{3, {}, {}, true}}; });
  refused("supports[0].anchor", [](WorldProblem& p) { p.supports = {WorldPendulum{0, {0, 1, 2}, Vector3d::UnitY()}}; });
  refused("supports[0].anchor", [](WorldProblem& p) { p.supports = {WorldPendulum{0, {0, 0, 1}, Vector3d::UnitY()}}; });
  refused("materials[0].friction", [](WorldProblem& p) {
    p.materials[0].friction = .1;
    p.supports = {WorldPendulum{0, {0, 0, 2}, Vector3d::UnitY()}};
  });
  refused("bodies", [](WorldProblem& p) { p.bodies.clear(); });
}

}  // namespace
}  // namespace carom::testing
