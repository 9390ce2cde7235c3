// Boxes, capsules, cylinders, cones and meshes in a scene: every impact once, none passed over.
#include <algorithm>
#include <gtest/gtest.h>

#include "carom/motion/flight.hpp"

#include "core/random.hpp"
#include "internal/motion/world/approach.hpp"
#include "world_scenes.hpp"

namespace carom::testing {
namespace {

using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;

WorldBody solid(const Shape& shape, double mass, const Vector3d& position,
                const Quaterniond& orientation = Quaterniond::Identity(), const Vector3d& velocity = Vector3d::Zero(),
                const Vector3d& angular_velocity = Vector3d::Zero()) {
  WorldBody body;
  body.shape = shape;
  body.body = body_of(shape, mass);
  body.body.position = position;
  body.body.orientation = orientation;
  body.body.velocity = velocity;
  body.body.angular_velocity = angular_velocity;
  return body;
}

Polyhedron tetrahedron() {
  return {{{0, 0, 0}, {.5, 0, 0}, {0, .5, 0}, {0, 0, .5}}, {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}}};
}

/// A skittle: belly, neck and head.
Revolution skittle() {
  return {{{.07, 0},
           {.12, .1},
           {.13, .18},
           {.1, .28},
           {.05, .36},
           {.04, .4},
           {.055, .44},
           {.06, .47},
           {.04, .51},
           {0, .52}}};
}

std::vector<Shape> shapes() {
  return {Sphere{.2},
          Box{{.2, .3, .45}},
          Capsule{.1, .4},
          Cylinder{.15, .35},
          Cone{.2, .4},
          tetrahedron(),
          Cylinder{.25, .04},
          skittle(),
          DrilledBall{.2, {{.05, {.05, 0, 0}, {1, 0, 0}}}},
          TruncatedIcosahedron{.09}};
}

Vector3d centre_of(const Shape& shape) { return mass_properties(shape, 1.0).center; }

/// How deep a point in the frame of a shape is inside [m]; below zero outside. By the definition of each solid.
double depth(const Shape& shape, const Vector3d& p) {
  const double across = std::hypot(p.x(), p.y());
  if (const auto* s = std::get_if<Sphere>(&shape)) return s->radius - p.norm();
  if (const auto* s = std::get_if<Box>(&shape)) return (.5 * s->size - p.cwiseAbs()).minCoeff();
  if (const auto* s = std::get_if<Capsule>(&shape))
    return s->radius - std::hypot(across, std::max(std::abs(p.z()) - .5 * s->length, 0.0));
  if (const auto* s = std::get_if<Cylinder>(&shape))
    return std::min(s->radius - across, .5 * s->height - std::abs(p.z()));
  if (const auto* s = std::get_if<Cone>(&shape)) {
    const double slant = std::hypot(s->radius, s->height);
    return std::min(s->height - p.z(), (p.z() * s->radius - across * s->height) / slant);
  }
  if (const auto* s = std::get_if<DrilledBall>(&shape)) return s->radius - p.norm();
  if (const auto* s = std::get_if<Revolution>(&shape)) {
    const auto& edge = s->profile;
    const double ends = std::min(p.z() - edge.front().y(), edge.back().y() - p.z());
    for (std::size_t k = 1; k < edge.size(); ++k) {
      if (p.z() > edge[k].y() && k + 1 < edge.size()) continue;
      const Eigen::Vector2d along = (edge[k] - edge[k - 1]).normalized();
      return std::min(ends, along.y() * (edge[k].x() - across) - along.x() * (edge[k].y() - p.z()));
    }
  }
  if (const auto* s = std::get_if<TruncatedIcosahedron>(&shape)) {
    static const Polyhedron unit = faces_of(TruncatedIcosahedron{1.0});
    double least = 1.0;
    for (const std::vector<int>& face : unit.faces) {
      const auto corner = [&](std::size_t k) { return unit.vertices[static_cast<std::size_t>(face[k])]; };
      const Vector3d normal = (corner(1) - corner(0)).cross(corner(2) - corner(0)).normalized();
      least = std::min(least, normal.dot(s->edge * corner(0) - p));
    }
    return least;
  }
  return std::min({p.x(), p.y(), p.z(), (.5 - p.sum()) / std::sqrt(3.0)});
}

/// Points of the surface, on edges and rims above all; in the frame of the shape.
std::vector<Vector3d> surface_of(const Shape& shape) {
  std::vector<Vector3d> points;
  const auto ring = [&](double radius, double z) {
    for (int k = 0; k < 24; ++k) {
      const double a = 2.0 * M_PI * k / 24.0;
      points.emplace_back(radius * std::cos(a), radius * std::sin(a), z);
    }
  };
  const auto all_edges = [&](const std::vector<Vector3d>& corners) {
    for (std::size_t i = 0; i < corners.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        for (int k = 0; k <= 8; ++k) points.emplace_back(corners[i] + k / 8.0 * (corners[j] - corners[i]));
  };
  if (const auto* s = std::get_if<Cylinder>(&shape)) {
    for (const double z : {-.5, 0.0, .5}) ring(s->radius, z * s->height);
  } else if (const auto* c = std::get_if<Cone>(&shape)) {
    for (const double z : {0.0, .5, 1.0}) ring(z * c->radius, z * c->height);
  } else if (const auto* r = std::get_if<Revolution>(&shape)) {
    for (const Eigen::Vector2d& p : r->profile) ring(p.x(), p.y());
  } else if (const auto* f = std::get_if<TruncatedIcosahedron>(&shape)) {
    const Polyhedron mesh = faces_of(*f);
    for (const std::vector<int>& face : mesh.faces)
      for (std::size_t k = 0; k < face.size(); ++k) {
        const Vector3d &a = mesh.vertices[static_cast<std::size_t>(face[k])],
                       &b = mesh.vertices[static_cast<std::size_t>(face[(k + 1) % face.size()])];
        points.push_back(a);
        points.push_back(.5 * (a + b));
      }
  } else if (std::holds_alternative<Box>(shape) || std::holds_alternative<Polyhedron>(shape)) {
    all_edges(outline(shape).points);
  } else {
    Rng rng(5);
    for (int k = 0; k < 60; ++k) points.push_back(support(shape, random_direction<3>(rng)));
  }
  return points;
}

/// How deep the surface of one body reaches into another.
double reaches_into(const Shape& a, const Body& at_a, const std::vector<Vector3d>& surface, const Shape& b,
                    const Body& at_b) {
  double most = -1.0;
  const Vector3d centre_a = centre_of(a), centre_b = centre_of(b);
  for (const Vector3d& p : surface) {
    const Vector3d world = at_a.position + at_a.orientation * (p - centre_a);
    most = std::max(most, depth(b, at_b.orientation.conjugate() * (world - at_b.position) + centre_b));
  }
  return most;
}

/// Two bodies thrown at each other, turning, above a floor and between two walls.
WorldProblem meeting(Rng& rng, const Shape& first, const Shape& second, double gravity) {
  WorldProblem problem;
  problem.gravity = {0, 0, -gravity};
  problem.materials = {surface(.9, .3)};
  for (const double side : {-1.0, 1.0})
    problem.bodies.push_back(solid(
        side < 0.0 ? first : second, uniform(rng, .5, 2.0), Vector3d(.55 * side, 0, .7) + random_vector<3>(rng, .08),
        random_rotation(rng), Vector3d(-2.0 * side, 0, 0) + random_vector<3>(rng, 1.0), random_vector<3>(rng, 10.0)));
  problem.planes = {ground()};
  for (const double side : {-1.0, 1.0}) {
    WorldPlane wall;
    wall.point = side * 1.2 * Vector3d::UnitX();
    wall.normal = -side * Vector3d::UnitX();
    problem.planes.push_back(wall);
  }
  problem.max_events = 12;
  return problem;
}

Body later(const WorldBodyAt& from, const Vector3d& gravity, double time) {
  return from.state == WorldBodyState::flight ? free_flight(from.body, gravity, time) : from.body;
}

/// Every pair of shapes. What overlaps is told by the definition of each solid, at points of its surface.
void scan_every_pair(std::uint64_t seed, int scenes_of_a_pair) {
  Rng rng(seed);
  const std::vector<Shape> all = shapes();
  std::vector<std::vector<Vector3d>> surfaces;
  for (const Shape& shape : all) surfaces.push_back(surface_of(shape));
  std::size_t scenes = 0, of_the_pair = 0;
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = 0; j <= i; ++j)
      for (int k = 0; k < scenes_of_a_pair; ++k) {
        const WorldProblem problem = meeting(rng, all[i], all[j], k % 2 == 0 ? 9.81 : 0.0);
        World world(problem);
        ++scenes;
        WorldEvent event;
        for (bool more = true; more;) {
          const std::vector<WorldBodyAt> before = world.bodies();
          const double start = world.time();
          more = world.step(problem.end_time, event);
          const double span = world.time() - start;
          // A ball that rests on the floor is not flown along here.
          const bool flies = before[0].state == WorldBodyState::flight && before[1].state == WorldBodyState::flight;
          for (int look = 0; look <= 12 && flies; ++look) {
            const Body a = later(before[0], problem.gravity, span * look / 12),
                       b = later(before[1], problem.gravity, span * look / 12);
            ASSERT_LT(reaches_into(all[i], a, surfaces[i], all[j], b), 1e-9) << i << " " << j << " " << k;
            ASSERT_LT(reaches_into(all[j], b, surfaces[j], all[i], a), 1e-9) << i << " " << j << " " << k;
            for (const WorldPlane& plane : problem.planes)
              for (const auto& [which, body] : {std::pair(i, a), std::pair(j, b)}) {
                const Vector3d lowest = support(all[which], body.orientation.conjugate() * -plane.normal);
                const Vector3d at = body.position + body.orientation * (lowest - centre_of(all[which]));
                ASSERT_GT(plane.normal.dot(at - plane.point), -1e-11) << i << " " << j << " " << k;
              }
          }
          if (!more || event.type != WorldEventType::impact) continue;
          for (const WorldContact& contact : event.contacts) {
            if (contact.second.kind == PartnerKind::body) ++of_the_pair;
            if (event.contacts.size() > 1) continue;
            EXPECT_GT(contact.impulse.dot(contact.normal), 0.0);
            // They part: an impact is met once.
            Vector3d v = velocity_at(world.body(contact.first).body, contact.point);
            if (contact.second.kind == PartnerKind::body)
              v -= velocity_at(world.body(contact.second.index).body, contact.point);
            EXPECT_GT(v.dot(contact.normal), 0.0);
          }
        }
        EXPECT_NE(*world.verdict(), WorldVerdict::zeno);
        EXPECT_LT(std::abs(world.energy().residual), 1e-11);
        EXPECT_LT(*world.momentum_residual(), 1e-11);
      }
  EXPECT_EQ(scenes, 55U * static_cast<std::size_t>(scenes_of_a_pair));
  EXPECT_GT(of_the_pair, scenes / 2);
}

TEST(WorldSolids, NoImpactIsMissedOrMetTwice) { scan_every_pair(1, 6); }
TEST(SlowWorldSolids, NoImpactIsMissedOrMetTwice) { scan_every_pair(2, 72); }

// Sheet motion.md, section 7.
TEST(WorldSolids, CornerOfATumblingBox) {
  WorldProblem problem;
  problem.bodies = {solid(Box{{.2, .3, .4}}, 1.0, {0, 0, .8}, Quaterniond::Identity(), Vector3d::Zero(), {1, 2, 3})};
  problem.planes = {ground()};
  problem.materials = {surface(.5, .3)};
  const WorldRun run = run_world(problem);
  ASSERT_FALSE(run.events.empty());
  EXPECT_NEAR(run.events[0].time, .3299187692, 1e-10);
  EXPECT_EQ(run.events[0].contacts.size(), 1U);
}

// Closed forms: a plate falls flat, h = g t^2 / 2; all four corners at once, without turning.
TEST(WorldSolids, FlatFallOnFourCorners) {
  WorldProblem problem;
  problem.bodies = {solid(Box{{.4, .3, .1}}, 2.0, {0, 0, 1.05})};
  problem.planes = {ground()};
  problem.materials = {surface(.5)};
  problem.max_events = 1;
  const WorldRun run = run_world(problem);
  ASSERT_EQ(run.events.size(), 1U);
  EXPECT_NEAR(run.events[0].time, std::sqrt(2.0 / 9.81), 1e-14);
  EXPECT_EQ(run.events[0].contacts.size(), 4U);
  EXPECT_EQ(run.events[0].model, WorldImpactModel::simultaneous);
  EXPECT_NEAR(run.final[0].body.velocity.z(), .5 * std::sqrt(2.0 * 9.81), 1e-9);
  EXPECT_LT(run.final[0].body.angular_velocity.norm(), 1e-9);
}

// A cylinder on its side touches at two points, upright at four; a capsule at two.
TEST(WorldSolids, ManifoldsOnAPlane) {
  const Quaterniond lying(Eigen::AngleAxisd(M_PI / 2, Vector3d::UnitX()));
  const struct {
    Shape shape;
    Quaterniond orientation;
    double height;
    std::size_t contacts;
  } cases[] = {
      {Cylinder{.1, .3}, lying, .1, 2},
      {Cylinder{.1, .3}, Quaterniond::Identity(), .15, 4},
      {Capsule{.1, .3}, lying, .1, 2},
      {Capsule{.1, .3}, Quaterniond::Identity(), .25, 1},
      {Box{{.2, .3, .4}}, Quaterniond(Eigen::AngleAxisd(M_PI / 4, Vector3d::UnitX())), .25 * std::sqrt(2.0) * .7, 2}};
  for (const auto& each : cases) {
    const auto body = world::solid_of(solid(each.shape, 1.0, Vector3d::Zero()));
    const world::Wall floor{PartnerKind::plane, Vector3d::Zero(), Vector3d::UnitZ(), 0.0};
    const world::Pose pose{{0, 0, each.height}, each.orientation.toRotationMatrix()};
    const auto touches = world::touches_between(*body, pose, floor, 1e-9, true);
    EXPECT_EQ(touches.size(), each.contacts);
    for (const world::Touch& touch : touches) EXPECT_NEAR(touch.gap.point.z(), .5 * touch.gap.gap, 1e-15);
  }
}

// Two boxes face to face, one turned by 45 degrees: the polygon they share has eight corners.
TEST(WorldSolids, FacesShareAPolygon) {
  const auto box = world::solid_of(solid(Box{{1, 1, 1}}, 1.0, Vector3d::Zero()));
  const auto count = [&](const Vector3d& at, double turn) -> std::size_t {
    const world::Pose upper{at, Eigen::AngleAxisd(turn, Vector3d::UnitZ()).toRotationMatrix()}, lower{};
    const auto touches = world::touches_between(*box, upper, *box, lower, 1e-9, true);
    for (const world::Touch& touch : touches) {
      EXPECT_NEAR(touch.gap.normal.z(), 1.0, 1e-15);
      EXPECT_NEAR(touch.gap.gap, 0.0, 1e-15);
      EXPECT_NEAR(touch.gap.point.z(), .5, 1e-15);
    }
    return touches.size();
  };
  EXPECT_EQ(count({0, 0, 1}, M_PI / 4), 8U);
  EXPECT_EQ(count({0, 0, 1}, 0.0), 4U);
  EXPECT_EQ(count({.3, .2, 1}, 0.0), 4U);
}

// Distances that have closed forms.
TEST(WorldSolids, DistancesAreThoseOfClosedForms) {
  Rng rng(3);
  for (int k = 0; k < 3000; ++k) {
    const Vector3d x = random_vector<3>(rng, 1.5);
    const Matrix3d axes = random_rotation(rng).toRotationMatrix();
    const world::Pose ball_at{x, Matrix3d::Identity()}, at{random_vector<3>(rng, .1), axes};
    const Vector3d p = axes.transpose() * (x - at.position);
    const auto ball = world::solid_of(solid(Sphere{.1}, 1.0, x));
    const auto distance = [&](const Shape& shape) {
      return world::distance_between(*ball, ball_at, *world::solid_of(solid(shape, 1.0, at.position)), at);
    };
    const Vector3d out = (p.cwiseAbs() - Vector3d(.2, .3, .4)).cwiseMax(0.0);
    if (out.norm() > 1e-6) {
      EXPECT_NEAR(distance(Box{{.4, .6, .8}}), out.norm() - .1, 1e-14);
    }
    const double across = std::hypot(p.x(), p.y());
    const double beside = std::max(across - .3, 0.0), above = std::max(std::abs(p.z()) - .5, 0.0);
    if (std::hypot(beside, above) > 1e-6) {
      EXPECT_NEAR(distance(Cylinder{.3, 1.0}), std::hypot(beside, above) - .1, 1e-14);
    }
    EXPECT_NEAR(distance(Capsule{.2, .6}), std::hypot(across, std::max(std::abs(p.z()) - .3, 0.0)) - .3, 1e-14);
    // A skittle: the nearest point of its edge, the neck too.
    const Revolution turned = skittle();
    const Eigen::Vector2d seen(across, p.z() + centre_of(turned).z());
    if (depth(turned, {seen.x(), 0, seen.y()}) > -1e-6) continue;
    double least = std::hypot(std::max(seen.x() - turned.profile[0].x(), 0.0), seen.y());
    for (std::size_t e = 1; e < turned.profile.size(); ++e) {
      const Eigen::Vector2d from = turned.profile[e - 1], way = turned.profile[e] - from;
      const double share = std::clamp((seen - from).dot(way) / way.squaredNorm(), 0.0, 1.0);
      least = std::min(least, (seen - from - share * way).norm());
    }
    EXPECT_NEAR(distance(turned), least - .1, 1e-13);
  }
}

// No direction has a wider slab than the one found, of pairs that are apart or touch.
TEST(WorldSolids, NoDirectionIsBetter) {
  Rng rng(4);
  const std::vector<Shape> all = shapes();
  for (int k = 0; k < 1500; ++k) {
    const auto a = world::solid_of(solid(all[rng() % all.size()], 1.0, Vector3d::Zero())),
               b = world::solid_of(solid(all[rng() % all.size()], 1.0, Vector3d::Zero()));
    world::Placed p{&a->parts[0],
                    {uniform(rng, .5, 1.2) * random_direction<3>(rng), random_rotation(rng).toRotationMatrix()}};
    const world::Placed q{&b->parts[0], {Vector3d::Zero(), random_rotation(rng).toRotationMatrix()}};
    for (const double left : {1.0, 1e-3, 1e-9}) {
      const world::Separation found = world::separation(p, q, p.pose.position);
      if (found.gap <= 0.0) break;
      for (int j = 0; j < 100; ++j) {
        const Vector3d n = (found.normal + std::pow(10.0, uniform(rng, -7, 0)) * random_direction<3>(rng)).normalized();
        EXPECT_LT(world::slab(p, q, n), found.gap + 1e-11);
      }
      p.pose.position -= (1.0 - left) * found.gap * found.normal;
    }
  }
}

// 10,000 bullets at 1000 m/s, turning, against a plate of 1 mm: none comes through.
TEST(WorldSolids, NoBulletPassesAPlate) {
  Rng rng(6);
  const Shape bullets[] = {Sphere{.004}, Box{{.005, .006, .009}}, Capsule{.003, .006}, Cylinder{.004, .01}};
  std::size_t struck = 0;
  for (int k = 0; k < 10'000; ++k) {
    const Quaterniond turn = random_rotation(rng);
    const Vector3d normal = turn * Vector3d::UnitZ();
    WorldProblem problem;
    problem.gravity.setZero();
    problem.bodies = {solid(Box{{.4, .4, .001}}, 1.0, Vector3d::Zero(), turn)};
    problem.bodies[0].body.immovable = true;
    const Vector3d aim = turn * Vector3d(uniform(rng, -.15, .15), uniform(rng, -.15, .15), 0.0);
    const Vector3d way = (random_direction<3>(rng) * .6 - normal).normalized();
    const Shape& bullet = bullets[k % 4];
    problem.bodies.push_back(solid(bullet, .008, aim - uniform(rng, .05, 3.0) * way, random_rotation(rng), 1000.0 * way,
                                   random_vector<3>(rng, 5000.0)));
    problem.materials = {surface(.3, .2)};
    problem.end_time = .01;
    problem.max_events = 1;
    const WorldRun run = run_world(problem);
    ASSERT_EQ(run.events.size(), 1U) << k;
    ++struck;
    if (k % 4 == 0) {  // the ball: when its centre is a radius from the face
      const double height = normal.dot(problem.bodies[1].body.position) - .0005 - .004;
      EXPECT_NEAR(run.time, height / (-1000.0 * normal.dot(way)), 1e-15);
    }
    EXPECT_GT(normal.dot(run.final[1].body.position), .0005);
    EXPECT_GT(normal.dot(run.final[1].body.velocity), -1000.0 * std::abs(normal.dot(way)));
  }
  EXPECT_EQ(struck, 10'000U);
}

// A box in two halves is the same box.
TEST(WorldSolids, PartsMakeABody) {
  Rng rng(7);
  int compared = 0;
  for (int k = 0; k < 40; ++k) {
    WorldProblem whole = meeting(rng, Box{{.2, .3, .4}}, Capsule{.1, .3}, 9.81), halves = whole;
    whole.max_events = halves.max_events = 6;
    halves.bodies[0].parts = {{Box{{.2, .3, .2}}, {0, 0, -.1}, Quaterniond::Identity()},
                              {Box{{.2, .3, .2}}, {0, 0, .1}, Quaterniond::Identity()}};
    const WorldRun a = run_world(whole), b = run_world(halves);
    // Beside the joint both halves are touched, within the tolerance.
    if (std::any_of(b.events.begin(), b.events.end(), [](const WorldEvent& e) { return e.contacts.size() > 1; }))
      continue;
    ++compared;
    ASSERT_EQ(a.events.size(), b.events.size());
    for (std::size_t e = 0; e < a.events.size(); ++e) EXPECT_NEAR(a.events[e].time, b.events[e].time, 1e-10);
  }
  EXPECT_GT(compared, 30);
}

// The order in which bodies are listed changes no bit, and a later start goes on with the same bits.
TEST(WorldSolids, TheListAndALaterStartChangeNoBit) {
  Rng rng(8);
  const std::vector<Shape> all = shapes();
  for (int k = 0; k < 20; ++k) {
    WorldProblem problem = meeting(rng, all[rng() % all.size()], all[rng() % all.size()], 9.81);
    problem.bodies.push_back(
        solid(all[rng() % all.size()], 1.0, {0, 1, 1.5}, random_rotation(rng), {0, -1, 0}, random_vector<3>(rng, 5.0)));
    problem.max_events = 15;
    WorldProblem turned = problem;
    std::reverse(turned.bodies.begin(), turned.bodies.end());
    const WorldRun a = run_world(problem), b = run_world(turned);
    ASSERT_EQ(a.events.size(), b.events.size());
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(a.final[i].body.position, b.final[2 - i].body.position);
      EXPECT_EQ(a.final[i].body.orientation.coeffs(), b.final[2 - i].body.orientation.coeffs());
    }
    World first(problem);
    first.run(.4);
    World second(problem, first.save());
    first.run(problem.end_time);
    second.run(problem.end_time);
    EXPECT_EQ(first.events(), second.events());
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(first.body(i).body.position, second.body(i).body.position);
  }
}

WorldProblem on_the_floor(double micro) {
  WorldProblem problem;
  problem.planes = {ground()};
  problem.materials = {surface(.5, .3)};
  problem.micro_speed = micro;
  problem.zeno_speed = micro;
  return problem;
}

// A tumbling box comes to lie on one of its faces: its energy is that of its height, up to bounces of that speed.
TEST(WorldSolids, ABoxRattlesToRest) {
  Rng rng(9);
  for (int k = 0; k < 6; ++k) {
    WorldProblem problem = on_the_floor(.02);
    problem.bodies = {solid(Box{{.1, .2, .3}}, 1.0, {0, 0, .4}, random_rotation(rng), random_vector<3>(rng, .5),
                            random_vector<3>(rng, 4.0))};
    problem.end_time = 3.0;
    const WorldRun run = run_world(problem);
    EXPECT_EQ(run.verdict, WorldVerdict::time);
    EXPECT_LT(run.events.size(), 20'000U);
    EXPECT_LT(std::abs(run.energy.residual), 1e-11);
    EXPECT_TRUE(run.flags.has(WorldFlag::micro_bounces));
    const double height = run.final[0].body.position.z();
    double nearest = 1.0;
    for (const double half : {.05, .1, .15}) nearest = std::min(nearest, std::abs(height - half));
    EXPECT_LT(nearest, 2e-4);
    EXPECT_LT(kinetic_energy(run.final[0].body), 2e-3);
  }
}

// Without micro_speed a box that comes to lie ends the run, and says why.
TEST(WorldSolids, WithoutMicroSpeedTheRunEndsThere) {
  WorldProblem problem = on_the_floor(.02);
  problem.micro_speed.reset();
  problem.bodies = {solid(Box{{.1, .2, .3}}, 1.0, {0, 0, .3}, Quaterniond(Eigen::AngleAxisd(.4, Vector3d::UnitX())))};
  problem.end_time = 5.0;
  const WorldRun run = run_world(problem);
  EXPECT_EQ(run.verdict, WorldVerdict::zeno);
  EXPECT_TRUE(run.flags.has(WorldFlag::sustained_contact));
  EXPECT_LT(run.events.size(), 10'000U);
}

// A cylinder that slides comes to roll: v = w r, and 2/3 of the speed is left (closed form, I = m r^2 / 2).
TEST(WorldSolids, ASlidingCylinderComesToRoll) {
  WorldProblem problem = on_the_floor(.005);
  const Quaterniond lying(Eigen::AngleAxisd(M_PI / 2, Vector3d::UnitX()));
  problem.bodies = {solid(Cylinder{.05, .2}, 1.0, {0, 0, .05}, lying, {1, 0, 0})};
  problem.end_time = .6;
  const WorldRun run = run_world(problem);
  EXPECT_EQ(run.verdict, WorldVerdict::time);
  const Body& after = run.final[0].body;
  EXPECT_NEAR(after.velocity.x(), 2.0 / 3.0, .02);
  EXPECT_NEAR(after.angular_velocity.y() * .05, after.velocity.x(), .02);
}

TEST(WorldSolids, WhatCannotMoveIsRefusedByName) {
  const auto complaint = [](const auto& change) -> std::string {
    WorldProblem problem = on_the_floor(.01);
    problem.bodies = {solid(Box{{.1, .2, .3}}, 1.0, {0, 0, 1})};
    change(problem);
    try {
      World{problem};
    } catch (const InvalidInput& error) {
      return error.field() + ": " + error.message();
    }
    return "";
  };
  EXPECT_EQ(complaint([](WorldProblem&) {}), "");
  EXPECT_EQ(complaint([](WorldProblem& p) { p.bodies[0].shape = Disc{.1}; }),
            "bodies[0].shape.type: has no volume: only solids move in a scene");
  // A tetrahedron with a dent: a fifth vertex inside it, on one of its faces.
  Polyhedron dented{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {.2, .2, .2}},
                    {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 4}, {2, 3, 4}, {3, 1, 4}}};
  EXPECT_EQ(
      complaint([&](WorldProblem& p) { p.bodies[0].shape = dented; }),
      "bodies[0].shape.faces: the mesh is not convex: vertex 3 stands out from the plane of face 3; give the body "
      "as `parts` that are");
  EXPECT_EQ(
      complaint([&](WorldProblem& p) {
        p.bodies[0].parts = {{dented, Vector3d::Zero(), Quaterniond::Identity()}};
      }),
      "bodies[0].parts[0].shape.faces: the mesh is not convex: vertex 3 stands out from the plane of face 3; give "
      "the body as `parts` that are");
  EXPECT_EQ(complaint([](WorldProblem& p) {
              p.bodies[0].shape = Box{{.1, -.2, .3}};
            }),
            "bodies[0].shape.size[1]: must be positive, got -0.2");
  EXPECT_EQ(
      complaint([](WorldProblem& p) { p.bodies[0].body.inertia = Vector3d(1, 1, 3).asDiagonal(); }),
      "bodies[0].inertia: no solid has principal moments 1, 1, 3: the largest must not exceed the sum of the others");
  EXPECT_EQ(complaint([](WorldProblem& p) { p.tubes.push_back({}); }),
            "bodies[0].shape.type: must be a ball: nothing else moves where there are tubes");
  EXPECT_EQ(complaint([](WorldProblem& p) { p.bodies[0].body.position.z() = .1; }),
            "bodies[0].position: body 0 and plane 0 overlap by 0.05 m");
  EXPECT_EQ(complaint([](WorldProblem& p) {
              p.bodies.push_back(p.bodies[0]);
              p.bodies[1].body.position.x() = .08;
            }),
            "bodies[1].position: body 0 and body 1 overlap by 0.02 m");
}

}  // namespace
}  // namespace carom::testing
