// Tables, cushions, pockets and cues: against closed forms, other models of the house, published rules, and a scan.
#include "carom/motion/billiards.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <numbers>

#include "carom/core/contact.hpp"
#include "carom/impact/collide.hpp"

#include "billiard_scenes.hpp"
#include "core/random.hpp"

namespace carom::testing {
namespace {

using Eigen::Vector2d, Eigen::Vector3d;

constexpr double degree = std::numbers::pi / 180.0;

/// Nothing but a straight cushion along y at x = 0, its free side x < 0, and a ball on a held cloth just before it.
WorldProblem before_cushion(double nose, const Vector3d& velocity, const Vector3d& spin, const WorldMaterial& cushion) {
  const double r = .03;
  WorldProblem problem;
  problem.planes = {ground()};
  problem.cushions = {{{0.0, -9.0, nose}, {0.0, 9.0, nose}, 0.0, Vector3d::UnitZ(), "default"}};
  const double away = std::sqrt(r * r - (nose - r) * (nose - r));
  problem.bodies = {ball(r, .17, {-away, 0.0, r}, velocity, spin)};
  problem.materials = {cushion};
  WorldCloth cloth;
  cloth.bodies = {0};
  cloth.friction = pool_cloth();
  problem.supports = {cloth};
  problem.end_time = 1e-6;
  return problem;
}

/// Velocity and spin of a ball after a cushion by Han's rule (Han, Dynamics in carom and three cushion billiards, J.
/// Mech. Sci. Tech. 19, 2005), the nose above the middle by the angle theta: the impulse across the contact stops the
/// slip (m/7 * 2 times it), but is at most mu times that along the normal; what is vertical is dropped.
struct HanRule {
  Vector3d velocity, spin;
  bool sticks;
};
HanRule han(double m, double r, double theta, double mu, double e, const Vector3d& v, const Vector3d& w) {
  const double c = v.x() * std::cos(theta);
  const double sx = v.x() * std::sin(theta) - v.z() * std::cos(theta) + r * w.y();
  const double sy = -v.y() - r * w.z() * std::cos(theta) + r * w.x() * std::sin(theta);
  const double pe = m * (1.0 + e) * c, ps = 2.0 * m / 7.0 * std::hypot(sx, sy);
  const double p = std::min(ps, mu * pe), inertia = .4 * m * r * r, size = std::hypot(sx, sy);
  const double cx = size > 0.0 ? sx / size : 0.0, cy = size > 0.0 ? sy / size : 0.0;
  const Vector3d force(-p * cx * std::sin(theta) - pe * std::cos(theta), p * cy,
                       p * cx * std::cos(theta) - pe * std::sin(theta));
  const Vector3d arm = r * Vector3d(std::cos(theta), 0.0, std::sin(theta));
  HanRule after{v + force / m, w + arm.cross(force) / inertia, ps <= mu * pe};
  after.velocity.z() = 0.0;
  return after;
}

TEST(Cushion, IsTheImpactOfAPairAtTheNoseAndHansRule) {
  Rng rng(1);
  int sticking = 0;
  for (int i = 0; i < 2000; ++i) {
    const double r = .03, nose = uniform(rng, .8 * r, 1.3 * r), mu = uniform(rng, 0.0, .5), e = uniform(rng, .5, 1.0);
    const Vector3d v(uniform(rng, .3, 5.0), uniform(rng, -4.0, 4.0), 0.0), w = random_vector<3>(rng, 100.0);
    WorldMaterial cushion = surface(e, mu);
    if (i % 2 == 1) cushion.springs = TangentialSprings{uniform(rng, .5, 2.0)};
    const WorldProblem problem = before_cushion(nose, v, w, cushion);
    const WorldRun run = run_world(problem);
    ASSERT_EQ(impacts(run).size(), 1U) << i;
    const WorldEvent hit = impacts(run)[0];
    EXPECT_LT(hit.time, 1e-12);
    const double theta = std::asin((nose - r) / r);
    const Contact contact{{0.0, 0.0, nose}, {-std::cos(theta), 0.0, -std::sin(theta)}};
    const Body& now = problem.bodies[0].body;
    const auto compare = [&](const auto& collision) {
      const Vector3d impulse = contact_frame(contact) * collision.impact.impulse;
      EXPECT_NEAR((hit.contacts[0].impulse - impulse).norm(), 0.0, 1e-11 * impulse.norm()) << i;
      EXPECT_NEAR(hit.restitution_loss, collision.impact.energy.restitution_loss, 1e-11) << i;
      EXPECT_NEAR(hit.friction_loss, collision.impact.energy.friction_loss, 1e-10) << i;
    };
    if (cushion.springs) {
      compare(collide(now, immovable_body(), contact, Material{mu, e}, *cushion.springs));
      continue;
    }
    compare(collide(now, immovable_body(), contact, Material{mu, e}));
    const HanRule rule = han(.17, r, theta, mu, e, v, w);
    sticking += rule.sticks;
    const Vector3d after = v + hit.contacts[0].impulse / .17;
    EXPECT_NEAR((Vector3d(after.x(), after.y(), 0.0) - rule.velocity).norm(), 0.0, 1e-11 * v.norm()) << i;
    EXPECT_NEAR((run.final[0].body.angular_velocity - rule.spin).norm(), 0.0, 1e-2) << i;  // the cloth, for 1e-6 s
    EXPECT_NEAR(run.energy.residual, 0.0, 1e-12);
    EXPECT_NEAR(*run.momentum_residual, 0.0, 1e-13);
  }
  EXPECT_GT(sticking, 100);
  EXPECT_LT(sticking, 900);
}

/// Ball between cushion and cloth by Mathavan, Jackson and Parkin (A theoretical analysis of billiard ball dynamics
/// under cushion impacts, Proc. IMechE C 224, 2010): impulse after impulse of the nose, friction at nose and cloth
/// against the slip there, the cloth carrying whatever presses down; the work of the nose comes back to e^2.
void mathavan(double r, double theta, double mu, double mu_cloth, double e, Vector3d& v, Vector3d& w) {
  const double step = 1e-5 * v.x(), inertia = .4 * r * r;  // mass 1
  const Vector3d nose = r * Vector3d(std::cos(theta), 0.0, std::sin(theta)), bed(0.0, 0.0, -r);
  double work = 0.0, most = 0.0;
  for (bool back = false; !back || work < e * e * most;) {
    const Vector3d n = -nose / r;
    const auto against = [&](const Vector3d& slip) -> Vector3d {
      const double size = slip.norm();
      return size > 1e-9 ? Vector3d(-slip / size) : Vector3d::Zero();
    };
    const Vector3d at_nose = v + w.cross(nose), at_bed = v + w.cross(bed);
    const Vector3d push = n + mu * against(at_nose - n.dot(at_nose) * n);
    const double down = std::max(-push.z(), 0.0);
    const Vector3d carry = down * (Vector3d::UnitZ() + mu_cloth * against({at_bed.x(), at_bed.y(), 0.0}));
    const double before = n.dot(v + w.cross(nose));
    v += step * (push + carry);
    w += step / inertia * (nose.cross(push) + bed.cross(carry));
    const double mean = .5 * (before + n.dot(v + w.cross(nose)));
    if (!back) {
      most -= step * mean;
      back = mean >= 0.0;
    } else {
      work += step * mean;
    }
  }
}

// With the cloth in the impact (hold: false) the rules of Mathavan et al. come out, where nothing lifts off the cloth:
// a stiff bed that gives nothing back. To 1 %: springs, however stiff, give a little.
TEST(Cushion, WithTheClothItIsThatOfMathavan) {
  const double r = .03, nose = 1.4 * r, mu = .14, mu_cloth = .21, e = .98;
  for (const double angle : {0.0, 20.0, 45.0, 60.0})
    for (const double roll : {0.0, 1.0}) {
      const Vector3d v = 2.0 * Vector3d(std::cos(angle * degree), std::sin(angle * degree), 0.0);
      const Vector3d w = roll / r * Vector3d::UnitZ().cross(v);
      WorldMaterial cushion = surface(e, mu), bed = surface(1e-3, mu_cloth);
      WorldProblem problem = before_cushion(nose, v, w, cushion);
      problem.planes[0].material = "bed";
      bed.second = "bed";
      bed.stiffness = 1e4;
      problem.materials.push_back(bed);
      std::get<WorldCloth>(problem.supports[0]).hold = false;
      const WorldRun run = run_world(problem);
      ASSERT_GE(impacts(run).size(), 1U);
      const WorldEvent hit = impacts(run)[0];
      ASSERT_EQ(hit.contacts.size(), 2U);
      Vector3d after = v, spin = w;
      mathavan(r, std::asin(.4), mu, mu_cloth, e, after, spin);
      Vector3d ours = v;
      for (const WorldContact& contact : hit.contacts) ours += contact.impulse / .17;
      EXPECT_NEAR(ours.x(), after.x(), .02) << angle << ' ' << roll;
      EXPECT_NEAR(ours.y(), after.y(), .02) << angle << ' ' << roll;
    }
}

// Two cushions that join in a lip: a ball that meets the lip meets one contact, along the line between lip and centre.
TEST(Cushion, ALipIsOnePoint) {
  const double r = .03;
  WorldProblem problem = before_cushion(r, {1.0, 0.0, 0.0}, Vector3d::Zero(), surface(1.0));
  problem.cushions = {{{0.0, 0.0, r}, {0.0, 2.0, r}, 0.0, Vector3d::UnitZ(), "default"},
                      {{0.0, 0.0, r}, {1.0, -.5, r}, 0.0, Vector3d::UnitZ(), "default"}};
  problem.bodies[0].body.position = {-.1, -.01, r};
  problem.end_time = 1.0;
  const std::vector<WorldEvent> hits = impacts(run_world(problem));
  ASSERT_EQ(hits.size(), 1U);
  ASSERT_EQ(hits[0].contacts.size(), 1U);
  const Vector3d n(-std::sqrt(r * r - 1e-4) / r, -.01 / r, 0.0);
  EXPECT_NEAR((hits[0].contacts[0].normal - n).norm(), 0.0, 1e-12);
}

// Balls flying among noses that stand in every direction, sharp and rounded, through the air or not: none gets into
// one.
TEST(Cushion, AreMetFromEverywhere) {
  Rng rng(6);
  std::size_t met = 0;
  for (int scene = 0; scene < 100; ++scene) {
    WorldProblem problem;
    problem.gravity = {0.0, 0.0, scene % 3 == 0 ? 0.0 : -9.81};
    problem.materials = {surface(.9, .2)};
    if (scene % 2 == 1) problem.air = Air{1.2, .4, AirLaw{0.0, .6, 1.0, 0.0}, 0.0};
    for (int axis = 0; axis < 3; ++axis)
      for (const double side : {-1.0, 1.0})
        problem.planes.push_back({side * Vector3d::Unit(axis), -side * Vector3d::Unit(axis), "default"});
    for (int k = 0; k < 12; ++k) {
      WorldCushion cushion;
      cushion.normal = random_direction<3>(rng);
      cushion.from = random_vector<3>(rng, .6);
      const Vector3d along = random_vector<3>(rng, .5);
      cushion.to = cushion.from + along - along.dot(cushion.normal) * cushion.normal;
      if (k == 0) cushion.to = cushion.from;
      cushion.rounding = k % 2 == 0 ? .1 : 0.0;
      problem.cushions.push_back(cushion);
    }
    const auto into = [&](const WorldCushion& cushion, const Vector3d& p) {
      const Vector3d d = cushion.to - cushion.from;
      const Vector3d flat = p - cushion.normal.dot(p - cushion.from) * cushion.normal;
      const double t =
          d.squaredNorm() > 0.0 ? std::clamp((flat - cushion.from).dot(d) / d.squaredNorm(), 0.0, 1.0) : 0.0;
      const double beside = std::max((flat - cushion.from - t * d).norm() - cushion.rounding, 0.0);
      return std::hypot(beside, cushion.normal.dot(p - cushion.from)) - .05;
    };
    while (problem.bodies.size() < 3) {
      const Vector3d p = random_vector<3>(rng, .9);
      bool free = true;
      for (const WorldBody& other : problem.bodies) free = free && (other.body.position - p).norm() > .11;
      for (const WorldCushion& cushion : problem.cushions) free = free && into(cushion, p) > .01;
      if (free) problem.bodies.push_back(ball(.05, .1, p, random_vector<3>(rng, 6.0), random_vector<3>(rng, 50.0)));
    }
    problem.end_time = 2.0;
    problem.micro_speed = problem.zeno_speed = 1e-3;
    problem.max_events = 400;
    World world(problem);
    WorldEvent event;
    const double start = world.energy().start;
    for (bool more = true; more;) {
      const double from = world.time();
      World look = world;
      more = world.step(problem.end_time, event);
      const double span = world.time() - from;
      for (int k = 1; k < 20 && span > 1e-9; ++k) {
        WorldEvent none;
        ASSERT_FALSE(look.step(from + span * k / 20.0, none));
        for (const WorldBodyAt& now : look.bodies())
          for (const WorldCushion& cushion : problem.cushions)
            ASSERT_GT(into(cushion, now.body.position), -1e-10) << scene;
      }
      for (const WorldContact& contact : event.contacts) met += more && contact.second.kind == PartnerKind::cushion;
    }
    EXPECT_NEAR(world.energy().residual, 0.0, 1e-10 * (start + 10.0)) << scene;
  }
  EXPECT_GT(met, 150U);
}

TEST(Pocket, ARollingBallFallsWhenItsCentreIsOverTheEdge) {
  const BilliardTable table = billiard_table(TableSize::nine_foot);
  const double r = table.ball_radius, v0 = 1.2, a = .01 * standard_gravity;
  const TableParts parts = table_parts(table);
  const WorldPocket& pocket = parts.pockets[3];  // foot, right
  const Vector2d hole = pocket.centre.head<2>();
  const Vector2d from = hole - .5 * Vector2d(1.0, -1.0).normalized();
  const Vector3d v = v0 * Vector3d(1.0, -1.0, 0.0).normalized();
  WorldProblem problem = table_scene(table, {from}, v, Vector3d::UnitZ().cross(v) / r);
  const WorldRun run = run_world(problem);
  ASSERT_EQ(run.verdict, WorldVerdict::rest);
  ASSERT_EQ(run.events.size(), 1U);
  EXPECT_EQ(run.events[0].type, WorldEventType::pocketed);
  EXPECT_EQ(run.events[0].pocket, 3U);
  EXPECT_EQ(parts.pocket_names[3], "foot right pocket");
  const double way = .5 - pocket.radius, t = (v0 - std::sqrt(v0 * v0 - 2.0 * a * way)) / a;
  EXPECT_NEAR(run.events[0].time, t, 1e-13);
  EXPECT_EQ(run.final[0].state, WorldBodyState::pocketed);
  EXPECT_EQ(run.final[0].body.velocity, Vector3d::Zero());
  const double v2 = v0 * v0 - 2.0 * a * way, m = table.ball_mass;
  EXPECT_NEAR(*run.energy.pocketed, .7 * m * v2 + m * standard_gravity * r, 1e-14);
  EXPECT_NEAR(run.energy.residual, 0.0, 1e-15);
  EXPECT_NEAR(*run.momentum_residual, 0.0, 1e-15);
}

/// The distance of a ball's centre from the nose of a cushion, written down once more.
double nose_distance(const WorldCushion& cushion, const Vector3d& centre) {
  const Vector2d a = cushion.from.head<2>(), b = cushion.to.head<2>(), p = centre.head<2>();
  const double length = (b - a).squaredNorm();
  const double t = length > 0.0 ? std::clamp((p - a).dot(b - a) / length, 0.0, 1.0) : 0.0;
  return std::hypot(std::max((p - a - t * (b - a)).norm() - cushion.rounding, 0.0), centre.z() - cushion.from.z());
}

// Random shots on every table, looked at closely from event to event: no ball gets into a nose or another ball, none
// is over a hole and still there, none is where neither the table nor a throat is. Energy and momentum balance.
void scan(const BilliardTable& table, int seed, int shots, bool hold) {
  Rng rng(static_cast<Rng::result_type>(seed));
  const double r = table.ball_radius, x = .5 * table.length - 1.1 * r, y = .5 * table.width - 1.1 * r;
  std::size_t fallen = 0, struck = 0;
  for (int shot = 0; shot < shots; ++shot) {
    std::vector<Vector2d> places;
    const std::vector<WorldPocket> holes = table_parts(table).pockets;
    while (places.size() < 5) {
      const Vector2d p(uniform(rng, -x, x), uniform(rng, -y, y));
      bool free = true;
      for (const Vector2d& q : places) free = free && (p - q).norm() > 2.001 * r;
      for (const WorldPocket& hole : holes) free = free && (p - hole.centre.head<2>()).norm() > hole.radius + 3.0 * r;
      if (free) places.push_back(p);
    }
    double aim = uniform(rng, -std::numbers::pi, std::numbers::pi);
    if (shot % 2 == 1 && !holes.empty()) {  // at the jaws of a pocket
      const WorldPocket& hole = holes[static_cast<std::size_t>(shot / 2) % holes.size()];
      const Vector2d to = hole.centre.head<2>() + random_vector<2>(rng, 1.5 * hole.radius) - places[0];
      aim = std::atan2(to.y(), to.x());
    }
    WorldProblem problem =
        table_scene(table, places, uniform(rng, .5, 8.0) * Vector3d(std::cos(aim), std::sin(aim), 0.0),
                    random_vector<3>(rng, 120.0), hold);
    World world(problem);
    WorldEvent event;
    const double start_energy = world.energy().start;
    for (bool more = true; more;) {
      const double from = world.time();
      World look = world;
      more = world.step(problem.end_time, event);
      const double span = world.time() - from;
      for (int k = 1; k < 12 && span > 1e-9; ++k) {
        WorldEvent none;
        ASSERT_FALSE(look.step(from + span * k / 12.0, none));
        const std::vector<WorldBodyAt> now = look.bodies();
        for (std::size_t i = 0; i < now.size(); ++i) {
          if (now[i].state == WorldBodyState::pocketed) continue;
          const Vector3d& p = now[i].body.position;
          for (const WorldCushion& cushion : problem.cushions) ASSERT_GT(nose_distance(cushion, p), r - 1e-10) << shot;
          double nearest = 1e9;
          for (const WorldPocket& hole : problem.pockets) {
            const double d = (p - hole.centre).head<2>().norm();
            ASSERT_TRUE(now[i].state == WorldBodyState::flight || d > hole.radius - 1e-10) << shot;
            nearest = std::min(nearest, d - hole.radius);
          }
          const bool inside = std::abs(p.x()) < .5 * table.length && std::abs(p.y()) < .5 * table.width;
          if (hold) {
            ASSERT_TRUE(inside || nearest < table.corner.shelf + 2.0 * r) << shot << ": " << p.transpose();
          }
          for (std::size_t j = 0; j < i; ++j) {
            const bool there = now[j].state != WorldBodyState::pocketed;
            ASSERT_TRUE(!there || (p - now[j].body.position).norm() > 2.0 * r - 1e-10) << shot;
          }
        }
      }
      fallen += more && event.type == WorldEventType::pocketed;
      struck += more && event.type == WorldEventType::impact;
    }
    EXPECT_EQ(world.verdict(), WorldVerdict::rest) << shot;
    EXPECT_NEAR(world.energy().residual, 0.0, 1e-10 * start_energy);
    EXPECT_NEAR(*world.momentum_residual(), 0.0, 1e-11);
  }
  EXPECT_GT(struck, static_cast<std::size_t>(3 * shots));
  if (table.corner.mouth > 0.0) {
    EXPECT_GT(fallen, static_cast<std::size_t>(shots / 16));
  }
}

TEST(Table, NoBallLeavesANineFootTable) { scan(billiard_table(TableSize::nine_foot), 1, 120, true); }
TEST(Table, NoBallLeavesASevenFootTable) { scan(billiard_table(TableSize::seven_foot), 2, 80, true); }
TEST(Table, NoBallLeavesASnookerTable) { scan(billiard_table(TableSize::snooker), 3, 80, true); }
TEST(Table, NoBallLeavesACaromTable) { scan(billiard_table(TableSize::carom), 4, 40, true); }

// Published sizes, as cited in the header.
TEST(Table, HasThePublishedSizes) {
  const BilliardTable nine = billiard_table(TableSize::nine_foot), snooker = billiard_table(TableSize::snooker);
  EXPECT_NEAR(nine.length, 2.54, 1e-12);
  EXPECT_NEAR(nine.width, 1.27, 1e-12);
  EXPECT_NEAR(nine.nose_height / (2.0 * nine.ball_radius), .635, 1e-12);
  EXPECT_NEAR(billiard_table(TableSize::eight_foot).length, 92 * .0254, 1e-12);
  EXPECT_NEAR(billiard_table(TableSize::seven_foot).width, 39 * .0254, 1e-12);
  EXPECT_EQ(snooker.length, 3.569);
  EXPECT_EQ(snooker.width, 1.778);
  const TableParts parts = table_parts(nine);
  EXPECT_EQ(parts.cushions.size(), 18U);
  EXPECT_EQ(parts.pockets.size(), 6U);
  // Between the lips of a corner: its mouth; of rounded jaws, between the arcs.
  const auto find = [](const TableParts& of, const std::string& name) {
    for (std::size_t k = 0; k < of.cushions.size(); ++k)
      if (of.cushion_names[k] == name) return of.cushions[k];
    return WorldCushion{};
  };
  EXPECT_NEAR((find(parts, "jaw 1 of foot left pocket").from - find(parts, "jaw 2 of foot left pocket").from).norm(),
              4.5625 * .0254, 1e-12);
  EXPECT_EQ(find(parts, "foot rail").to, find(parts, "jaw 2 of foot left pocket").from);
  const TableParts round = table_parts(snooker);
  const WorldCushion one = find(round, "jaw 1 of left side pocket"), two = find(round, "jaw 2 of left side pocket");
  EXPECT_NEAR((one.from - two.from).norm() - 2.0 * one.rounding, snooker.side.mouth, 1e-12);
  EXPECT_EQ(table_parts(billiard_table(TableSize::carom)).pockets.size(), 0U);
}

// Whatever a break leaves pressed together (balls that roll against each other by a hair's breadth among them) goes on
// at micro_speed: every break comes to rest.
TEST(Table, BreaksComeToRest) {
  Rng rng(21);
  for (int i = 0; i < 12; ++i) {
    WorldProblem problem = table_break(4);
    Body& cue = problem.bodies[0].body;
    const double aim = uniform(rng, -.12, .0), speed = uniform(rng, 1.0, 10.0);
    cue.velocity = speed * Vector3d(std::cos(aim), std::sin(aim), 0.0);
    cue.angular_velocity = random_vector<3>(rng, 60.0);
    problem.max_events = 100'000;
    const WorldRun run = run_world(problem);
    EXPECT_EQ(run.verdict, WorldVerdict::rest) << i << ": " << run.events.size();
    EXPECT_NEAR(run.energy.residual, 0.0, 1e-10 * run.energy.start);
  }
}

// Two balls that roll side by side in touch, their ways not parallel: rolling resistance alone presses them together.
TEST(Table, RollingTogetherIsALastingContact) {
  WorldProblem problem =
      table_scene(billiard_table(TableSize::carom), {{0.0, 0.0}, {.2, .2}}, Vector3d::Zero(), Vector3d::Zero());
  const double r = .03075;
  Body &a = problem.bodies[0].body, &b = problem.bodies[1].body;
  b.position = a.position + Vector3d(0.0, 2.0 * r, 0.0);
  a.velocity = {.004, -.0008, 0.0};
  b.velocity = {.013, -.0008, 0.0};
  for (Body* ball : {&a, &b}) ball->angular_velocity = Vector3d::UnitZ().cross(ball->velocity) / r;
  problem.max_events = 5000;
  const WorldRun run = run_world(problem);
  EXPECT_EQ(run.verdict, WorldVerdict::rest);
  EXPECT_NEAR(run.energy.residual, 0.0, 1e-15);
}

// Throw: friction between the balls turns the way of the object ball off the line of centres, by tan = min(mu, 2 s/(7
// (1
// + e) v_n)) s_h/s with s the slip and s_h its horizontal part. With e = 1 that is Alciatore's (technical proof A.14).
TEST(Table, ThrowIsAlciatores) {
  Rng rng(22);
  const double r = .028575;
  for (int i = 0; i < 500; ++i) {
    const double mu = uniform(rng, .01, .15), e = i % 3 == 0 ? 1.0 : uniform(rng, .8, 1.0),
                 cut = uniform(rng, -1.2, 1.2);
    const double v = uniform(rng, .5, 4.0);
    const Vector3d spin = random_vector<3>(rng, 80.0);
    BilliardTable table = billiard_table(TableSize::carom);
    table.ball_radius = r;
    WorldProblem problem =
        table_scene(table, {{0.0, 0.0}, {2.0 * r + 1e-9, 0.0}}, v * Vector3d(std::cos(cut), std::sin(cut), 0.0), spin);
    problem.materials[0] = surface(e, mu);
    problem.end_time = 1e-6;
    problem.stop = StopAt::time;
    const std::vector<WorldEvent> hits = impacts(run_world(problem));
    ASSERT_EQ(hits.size(), 1U);
    const Vector3d impulse = -hits[0].contacts[0].impulse;  // on the object ball
    const double normal = v * std::cos(cut), across = v * std::sin(cut) + r * spin.z(), up = -r * spin.y();
    const double slip = std::hypot(across, up);
    const double expected = std::min(mu, 2.0 * slip / (7.0 * (1.0 + e) * normal)) * across / slip;
    EXPECT_NEAR(impulse.y() / impulse.x(), expected, 1e-5) << i;  // the cloth acts for a nanosecond
  }
}

// A scene and its mirror image across the length of the table.
TEST(Table, AMirrorImageRunsAsTheMirrorImage) {
  Rng rng(5);
  const BilliardTable table = billiard_table(TableSize::eight_foot);
  for (int i = 0; i < 40; ++i) {
    const Vector2d second(uniform(rng, .1, .5), uniform(rng, -.3, .3));
    const Vector3d v(uniform(rng, 1.0, 5.0), uniform(rng, -2.0, 2.0), 0.0), w = random_vector<3>(rng, 60.0);
    WorldProblem one = table_scene(table, {{-.5, .1}, second}, v, w);
    WorldProblem two =
        table_scene(table, {{-.5, -.1}, {second.x(), -second.y()}}, {v.x(), -v.y(), 0.0}, {-w.x(), w.y(), -w.z()});
    one.max_events = two.max_events = 12;
    const WorldRun a = run_world(one), b = run_world(two);
    ASSERT_EQ(a.events.size(), b.events.size());
    for (std::size_t k = 0; k < 2; ++k) {
      const Vector3d p = b.final[k].body.position;
      EXPECT_NEAR((a.final[k].body.position - Vector3d(p.x(), -p.y(), p.z())).norm(), 0.0, 1e-9) << i;
    }
  }
}

// Balls that hop: hold: false. What lands over a hole falls; what leaves a pocket's jaw in the air is seen as well.
TEST(Table, AHoppingBallThatLandsOverAHoleFalls) {
  const BilliardTable table = billiard_table(TableSize::nine_foot);
  const WorldPocket hole = table_parts(table).pockets[1];
  WorldProblem problem = table_scene(table, {{0.3, 0.0}}, Vector3d::Zero(), Vector3d::Zero(), false);
  // Thrown so that it comes down on the middle of the hole, high over the jaws.
  problem.supports = {};
  const double t = .6;
  Vector3d v = (hole.centre - problem.bodies[0].body.position) / t;
  v.z() = .5 * standard_gravity * t;
  problem.bodies[0].body.velocity = v;
  const WorldRun run = run_world(problem);
  ASSERT_EQ(run.events.size(), 1U);
  EXPECT_EQ(run.events[0].type, WorldEventType::pocketed);
  EXPECT_EQ(run.events[0].pocket, 1U);
  EXPECT_NEAR(run.events[0].time, t, 1e-12);
  EXPECT_NEAR(run.energy.residual, 0.0, 1e-14);
}

TEST(Table, SavedAndGoneOnKeepsItsBits) {
  const WorldProblem problem = table_break(3);
  World straight(problem), first(problem);
  straight.run(problem.end_time);
  first.run(2.5);
  World second(problem, first.save());
  second.run(problem.end_time);
  for (std::size_t i = 0; i < problem.bodies.size(); ++i) {
    EXPECT_EQ(straight.body(i).body.position, second.body(i).body.position);
    EXPECT_EQ(straight.body(i).state, second.body(i).state);
  }
  EXPECT_EQ(*straight.energy().pocketed, *second.energy().pocketed);
}

TEST(Table, RefusesByName) {
  BilliardTable table = billiard_table(TableSize::nine_foot);
  table.corner.mouth = .05;
  EXPECT_EQ(refusal([&] { table_parts(table); }), "corner.mouth: must be wider than a ball (0.05715), got 0.05");
  table = billiard_table(TableSize::nine_foot);
  table.nose_height = .06;
  EXPECT_EQ(refusal([&] { table_parts(table); }),
            "nose_height: must be between 0 and the diameter of a ball (0.05715), got 0.06");
  table = billiard_table(TableSize::nine_foot);
  WorldProblem problem = table_scene(table, {{0.0, 0.0}}, Vector3d::Zero(), Vector3d::Zero());
  problem.bodies[0].body.position.head<2>() = problem.pockets[0].centre.head<2>();
  EXPECT_EQ(refusal([&] { World{problem}; }), "bodies[0].position: body 0 lies over pocket 0");
  problem = table_scene(table, {{0.0, 0.0}}, Vector3d::Zero(), Vector3d::Zero());
  problem.cushions[2].to.z() += .01;
  EXPECT_EQ(refusal([&] { World{problem}; }),
            "cushions[2].to: must be as high as `from`: the line is not across the normal");
  problem.cushions = {};
  problem.pockets[1].plane = 7;
  EXPECT_EQ(refusal([&] { World{problem}; }), "pockets[1].plane: there is no such plane");
}

// --- the cue ---

Body resting_ball() { return body_of(Sphere{.028575}, .17); }
constexpr double pool_radius = .028575;

// A tip that holds and gives nothing back (e = 0): the direction of the ball's way off the cue's is Alciatore's squirt
// (technical proof A.31), tan = 5/2 b sqrt(1 - b^2)/(1 + m/m_end + 5/2 (1 - b^2)), and with a weightless end the speed
// is that of A.30: V (1 + e)/(1 + m/M + 5/2 b^2). What a tip gives back acts along the normal, not along the cue: then
// the squirt is greater.
TEST(CueStrike, SquirtAndSpeedAreAlciatores) {
  Rng rng(11);
  for (int i = 0; i < 500; ++i) {
    Cue cue;
    cue.mass = uniform(rng, .3, .8);
    cue.end_mass = std::exp(uniform(rng, -12.0, -4.0));
    cue.restitution = i % 2 == 0 ? 0.0 : uniform(rng, 0.0, 1.0);
    cue.friction = 1.0;
    CueShot shot;
    shot.speed = uniform(rng, .2, 9.0);
    shot.direction = uniform(rng, -3.0, 3.0);
    const double off = uniform(rng, 0.0, .5), turn = uniform(rng, -3.2, 3.2);
    shot.side = off * std::cos(turn);
    shot.height = off * std::sin(turn);
    const CueStrike strike = cue_strike(resting_ball(), pool_radius, cue, shot);
    ASSERT_EQ(strike.verdict, StrikeVerdict::struck) << i;
    const double a = 1.0 - off * off, ratio = .17 / cue.end_mass;
    const double squirt = std::atan2(2.5 * off * std::sqrt(a), 1.0 + ratio + 2.5 * a);
    const Vector3d axis = cue_direction(shot), v = strike.ball.velocity;
    const double found = std::atan2(v.cross(axis).norm(), v.dot(axis));
    if (cue.restitution == 0.0) {
      EXPECT_NEAR(found, squirt, 1e-9) << i;
    } else {
      EXPECT_GE(found, squirt - 1e-9) << i;
    }
    if (cue.end_mass < 1e-4) {
      const double speed = shot.speed * (1.0 + cue.restitution) / (1.0 + .17 / cue.mass + 2.5 * off * off);
      EXPECT_NEAR(v.norm(), speed, 3e-3 * speed) << i;
    }
    // Struck right of the middle it turns counter-clockwise seen from above, above the middle forwards.
    if (std::abs(shot.side) > 1e-3) {
      EXPECT_GT(strike.ball.angular_velocity.z() * shot.side, 0.0);
    }
    if (std::abs(shot.height) > 1e-3) {
      EXPECT_GT(strike.ball.angular_velocity.dot(Vector3d::UnitZ().cross(axis)) * shot.height, 0.0);
    }
  }
}

// The tip holds as long as the impulse, which runs along the cue where its end is light, lies within the cone: b < sin
// arctan mu. With mu = .6 that is half a radius (.5145).
TEST(CueStrike, MiscuesBeyondTheCone) {
  Cue cue;
  cue.end_mass = 1e-7;
  for (const double mu : {.2, .6, 1.0}) {
    cue.friction = mu;
    const double limit = std::sin(std::atan(mu));
    for (const double side : {-1.0, 1.0}) {
      CueShot shot;
      shot.side = side * (limit - 1e-3);
      EXPECT_EQ(cue_strike(resting_ball(), pool_radius, cue, shot).verdict, StrikeVerdict::struck);
      shot.side = side * (limit + 1e-3);
      const CueStrike miscue = cue_strike(resting_ball(), pool_radius, cue, shot);
      EXPECT_EQ(miscue.verdict, StrikeVerdict::miscue);
      EXPECT_GT(miscue.slip, 0.0);
    }
  }
}

// Any strike, with and without the cloth: momentum of ball and cue, energy against the losses, the cone, no approach
// afterwards.
TEST(CueStrike, BalancesHoweverItStrikes) {
  Rng rng(12);
  int miscues = 0;
  for (int i = 0; i < 1000; ++i) {
    Cue cue;
    cue.mass = uniform(rng, .3, .8);
    cue.end_mass = uniform(rng, .002, .05);
    cue.friction = uniform(rng, 0.0, 1.0);
    cue.restitution = uniform(rng, .1, 1.0);
    CueShot shot;
    shot.speed = uniform(rng, .2, 9.0);
    shot.direction = uniform(rng, -3.0, 3.0);
    shot.elevation = uniform(rng, 0.0, 1.5);
    const double off = uniform(rng, 0.0, .7), turn = uniform(rng, -3.2, 3.2);
    shot.side = off * std::cos(turn);
    shot.height = off * std::sin(turn);
    std::optional<CueCloth> cloth;
    if (i % 10 == 0) cloth = CueCloth{uniform(rng, 0.0, .4), uniform(rng, .1, .9), uniform(rng, 1.0, 50.0)};
    const CueStrike strike = cue_strike(resting_ball(), pool_radius, cue, shot, cloth);
    miscues += strike.verdict == StrikeVerdict::miscue;
    const Vector3d axis = cue_direction(shot), n = (Vector3d::Zero() - strike.tip).normalized();
    const double normal = strike.impulse.dot(n);
    EXPECT_GT(normal, 0.0);
    EXPECT_LE((strike.impulse - normal * n).norm(), cue.friction * normal * (1.0 + 1e-9) + 1e-12);
    const auto cue_energy = [&](const Vector3d& v) {
      const double along = v.dot(axis);
      return .5 * cue.mass * along * along + .5 * cue.end_mass * (v.squaredNorm() - along * along);
    };
    const double before = cue_energy(shot.speed * axis);
    const double after = cue_energy(strike.cue_velocity) + kinetic_energy(strike.ball);
    EXPECT_NEAR(before - after, strike.restitution_loss + strike.friction_loss, 1e-8 * before) << i;
    const Vector3d tip = strike.ball.velocity + strike.ball.angular_velocity.cross(strike.tip) - strike.cue_velocity;
    EXPECT_GT(tip.dot(n), -1e-9 * shot.speed) << i;
    if (!cloth) {
      EXPECT_EQ(strike.cloth_impulse, Vector3d::Zero());
      continue;
    }
    EXPECT_GE(strike.cloth_impulse.z(), -1e-12);
    EXPECT_LE(strike.cloth_impulse.head<2>().norm(), cloth->friction * strike.cloth_impulse.z() * (1.0 + 1e-9) + 1e-12);
  }
  EXPECT_GT(miscues, 100);
  EXPECT_LT(miscues, 900);
}

// A cue from straight above on the middle: nothing but up and down. From behind at 60 degrees: the cloth throws the
// ball up and the tip forwards.
TEST(CueStrike, TheClothHoldsAgainstARaisedCue) {
  CueShot shot;
  shot.elevation = .5 * std::numbers::pi;
  const CueStrike straight = cue_strike(resting_ball(), pool_radius, Cue{}, shot, CueCloth{});
  EXPECT_NEAR(straight.ball.velocity.head<2>().norm(), 0.0, 1e-12);
  EXPECT_GT(straight.cloth_impulse.z(), 0.0);
  EXPECT_GT(straight.ball.velocity.z(), 0.0);
  shot.elevation = 60.0 * degree;
  shot.side = -.2;
  const CueStrike masse = cue_strike(resting_ball(), pool_radius, Cue{}, shot, CueCloth{});
  EXPECT_GT(masse.ball.velocity.x(), 0.0);
  EXPECT_GT(std::abs(masse.ball.angular_velocity.x()), 10.0);  // about its way: it will curve
}

// A cue passes through what lies on the line behind its tip, up to its length, and what is nearer than its radius.
TEST(CueStrike, ACueDoesNotStartInsideABall) {
  const double r = pool_radius;
  std::vector<WorldBody> bodies = {ball(r, .17, {0.0, 0.0, r}), ball(r, .17, {-.5, 0.0, r})};
  CueShot shot;
  EXPECT_EQ(body_in_the_way(shot, bodies, 0), 1U);
  shot.direction = std::numbers::pi;  // the other is before it
  EXPECT_FALSE(body_in_the_way(shot, bodies, 0).has_value());
  shot.direction = 0.0;
  shot.elevation = 4.0 * degree;  // the cue is 35 mm above the middle there: it touches
  EXPECT_EQ(body_in_the_way(shot, bodies, 0), 1U);
  shot.elevation = 5.0 * degree;  // 41 mm
  EXPECT_FALSE(body_in_the_way(shot, bodies, 0).has_value());
  shot.elevation = 0.0;
  bodies[1].body.position.x() = -r - cue_length - r - cue_radius - 1e-9;
  EXPECT_FALSE(body_in_the_way(shot, bodies, 0).has_value());
  bodies[1].body.position.x() += 2e-9;
  EXPECT_EQ(body_in_the_way(shot, bodies, 0), 1U);
}

TEST(CueStrike, RefusesByName) {
  CueShot shot;
  shot.side = .8;
  shot.height = .7;
  EXPECT_EQ(refusal([&] { cue_strike(resting_ball(), pool_radius, Cue{}, shot); }),
            "shot.side: and `height` put the tip beside the ball: together they must be below 1, got " +
                number_text(std::hypot(.8, .7)));
  shot = {};
  shot.elevation = -.1;
  EXPECT_EQ(refusal([&] { cue_strike(resting_ball(), pool_radius, Cue{}, shot); }).substr(0, 15), "shot.elevation:");
  Body ball = resting_ball();
  ball.velocity.x() = 5.0;
  EXPECT_EQ(refusal([&] { cue_strike(ball, pool_radius, Cue{}, CueShot{}); }), "shot: the ball runs away from the tip");
  EXPECT_EQ(refusal([&] { cue_strike(resting_ball(), pool_radius, Cue{.mass = 0.0}, CueShot{}); }),
            "cue.mass: must be positive, got 0");
}

}  // namespace
}  // namespace carom::testing
