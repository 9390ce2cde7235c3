// Scenes whose lasting contacts have forces over time. Expected values: independent integrations of the same equations
// (Gonthier et al. 2004, section 4.1), statics, conservation.
#include <cmath>
#include <gtest/gtest.h>

#include "carom/core/error.hpp"
#include "carom/motion/sphere_on_plane.hpp"
#include "carom/motion/world.hpp"

#include "core/random.hpp"

namespace carom {
namespace {

using Eigen::Vector3d;
using testing::refusal;

/// Table II of the paper, with the direction of slip as the reference integrations have it.
WorldForces table_2(double sigma1 = 1e4) {
  return {1e6,
          1.5,
          {.mu_s = 0.45,
           .mu_c = 0.4,
           .sigma0 = 1e5,
           .sigma1 = sigma1,
           .v_s = 0.1,
           .tau_dw = 0.01,
           .direction = SlipDirection::printed}};
}

WorldMaterial material(double e, double sigma1 = 1e4) {
  WorldMaterial m;
  m.restitution = e;
  m.friction = 0.4;
  m.forces = table_2(sigma1);
  return m;
}

WorldBody ball(double mass, double radius, const Vector3d& position, const Vector3d& velocity = Vector3d::Zero()) {
  WorldBody made{Sphere{radius}, body_of(Sphere{radius}, mass), "default"};
  made.body.position = position;
  made.body.velocity = velocity;
  return made;
}

/// The ball of 2 kg falls on the incline, in the plane's axes.
WorldProblem on_incline(double gap) {
  const double incline = M_PI / 9.0;
  WorldProblem p;
  p.gravity = 9.81 * Vector3d(std::sin(incline), 0.0, -std::cos(incline));
  p.bodies = {ball(2.0, 0.1, {0, 0, 0.1 + gap}, {-std::cos(incline), 0.5, -std::sin(incline)})};
  p.planes = {{}};
  p.materials = {material(0.5)};
  p.regularized = WorldRegularized{true, {}, 1e-3};
  return p;
}

WorldProblem in_cylinder(double height, double along) {
  WorldProblem p;
  p.gravity = {0.0, 0.0, -9.81};
  p.bodies = {ball(2.0, 0.1, {0.3, 0, height}, {0, along, 0})};
  p.tubes = {{Vector3d::Zero(), Vector3d::UnitY(), 1.0, "default"}};
  p.materials = {material(0.5)};
  p.regularized = WorldRegularized{true, {}, 1e-3};
  return p;
}

TEST(WorldForces, BallOnTheIncline) {
  WorldProblem p = on_incline(0.5);
  p.end_time = 2.5;
  const WorldRun run = run_world(p, {0.5, 1.0, 1.5, 2.0, 2.5});
  std::vector<double> touches, speeds;
  for (const WorldEvent& event : run.events)
    if (event.type == WorldEventType::presses) touches.push_back(event.time), speeds.push_back(event.speed);
  ASSERT_GE(touches.size(), 4u);
  const double times[] = {0.294343, 0.631445, 0.798877, 0.881194},
               approaches[] = {3.055383, 1.483073, 0.688512, 0.277201};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(touches[i], times[i], 1e-6);
    EXPECT_NEAR(speeds[i], approaches[i], 1e-6);
  }
  ASSERT_EQ(run.samples.size(), 5u);
  const auto at = [&](std::size_t i) { return run.samples[i].bodies[0].body; };
  EXPECT_LT((at(0).position - Vector3d(-0.056098, 0.22079, 0.215306)).norm(), 2e-6);
  // The reference has fixed steps that do not land on the kinks of friction; below, the same to more digits.
  EXPECT_LT((at(1).position - Vector3d(0.553501, 0.399352, 0.099323)).norm(), 2e-5);
  EXPECT_LT((at(3).position - Vector3d(3.477136, 0.756495, 0.099302)).norm(), 2e-5);
  EXPECT_LT((at(2).velocity - Vector3d(2.923674281, 0.357142857, 6.1e-8)).norm(), 2e-5);
  EXPECT_LT((at(4).angular_velocity - Vector3d(-3.57142857, 53.20261125, 0.0)).norm(), 2e-4);
  SphereOnPlaneProblem alone;
  alone.mass = 2.0;
  alone.surface = {1e6, 1.5, 0.5, table_2().friction};
  alone.incline = M_PI / 9.0;
  alone.gravity = 9.81;
  alone.gap = 0.5;
  alone.velocity = p.bodies[0].body.velocity;
  alone.end_time = 2.5;
  const SphereOnPlaneResult truth = sphere_on_plane(alone);
  EXPECT_LT((at(4).position - truth.end.position).norm(), 1e-8);
  EXPECT_LT((at(4).velocity - truth.end.velocity).norm(), 1e-8);
  EXPECT_NEAR(at(4).velocity.y(), 5.0 / 14.0, 1e-7);
  EXPECT_NEAR(at(4).velocity.x() - at(3).velocity.x(), 0.5 * 5.0 / 7.0 * 9.81 * std::sin(M_PI / 9.0), 2e-8);
  EXPECT_EQ(run.samples[4].bodies[0].state, WorldBodyState::pressed);
  EXPECT_LT(std::abs(run.energy.residual), 1e-9 * std::abs(run.energy.start - run.energy.end));
  EXPECT_LT(*run.momentum_residual, 1e-9);
}

TEST(WorldForces, BallInTheCylinder) {
  WorldProblem p = in_cylinder(-0.463, 0.0);
  p.end_time = 5.0;
  std::vector<double> times;
  for (int i = 0; i <= 5000; ++i) times.push_back(1e-3 * i);
  const WorldRun run = run_world(p, times);
  double peak = 0.0, speed = 0.0, slip = 0.0, reach = 0.0;
  for (const WorldSample& s : run.samples) {
    const Body& b = s.bodies[0].body;
    if (b.angular_velocity.norm() > peak) peak = b.angular_velocity.norm(), speed = b.velocity.norm();
    if (s.time > 2.0) slip = std::max(slip, std::abs(b.velocity.norm() - 0.1 * b.angular_velocity.norm()));
    if (s.time > 1.5) reach = std::max(reach, std::abs(b.position.x()));
  }
  int contacts = 0;
  double last = 0.0;
  for (const WorldEvent& event : run.events)
    if (event.type == WorldEventType::presses) ++contacts, last = event.time;
  EXPECT_EQ(contacts, 4);
  EXPECT_NEAR(last, 0.721058, 1e-6);
  EXPECT_NEAR(peak, 9.99995855, 3e-4);
  EXPECT_NEAR(speed, 0.999938509, 3e-5);
  EXPECT_LT(slip, 6.1e-5);
  EXPECT_NEAR(reach, 0.351334, 1e-5);
}

TEST(WorldForces, BallInTheCylinderGoingAlongIt) {
  WorldProblem p = in_cylinder(-0.463, 0.3);
  p.end_time = 5.0;
  std::vector<double> times;
  for (int i = 0; i <= 500; ++i) times.push_back(1e-2 * i);
  const WorldRun run = run_world(p, times);
  double low = INFINITY, high = -INFINITY, off = 0.0, wrong = 0.0;
  for (const WorldSample& s : run.samples) {
    if (s.time < 2.0) continue;
    const Body& b = s.bodies[0].body;
    const Vector3d n = -Vector3d(b.position.x(), 0.0, b.position.z()).normalized();
    const double spin = n.dot(b.angular_velocity),
                 invariant = b.velocity.y() * b.velocity.y() + 2.0 / 7.0 * 0.01 * spin * spin;
    low = std::min(low, invariant), high = std::max(high, invariant);
    off = std::max(off, std::abs(b.velocity.norm() - 0.1 * n.cross(b.angular_velocity).norm()));
    wrong = std::max(wrong, std::abs(b.velocity.norm() - 0.1 * b.angular_velocity.norm()));
  }
  EXPECT_NEAR(low, 0.045878514, 5e-7);
  EXPECT_LT(high - low, 7e-7);
  EXPECT_LT(off, 6e-5);
  EXPECT_GT(wrong, 0.05);
  EXPECT_NEAR(run.energy.start, -8.99406, 1e-5);
  EXPECT_NEAR(run.energy.end + run.energy.stored, -16.202487418, 1e-6);
}

/// Balls that come to rest where bounces have no sum: without forces the run ends there.
TEST(WorldForces, LastingContactsGoOn) {
  // In a tube, in a groove of two planes, in the dent between three balls that do not move.
  WorldProblem tube = in_cylinder(-0.8, 0.1);
  WorldProblem groove;
  groove.bodies = {ball(2.0, 0.1, {0.02, 0, 0.5}, {0.1, 0.2, 0})};
  groove.planes = {{Vector3d::Zero(), Vector3d(std::sqrt(0.5), 0, std::sqrt(0.5)), "default"},
                   {Vector3d::Zero(), Vector3d(-std::sqrt(0.5), 0, std::sqrt(0.5)), "default"}};
  groove.materials = {material(0.5)};
  WorldProblem dent;
  for (int i = 0; i < 3; ++i) {
    const double turn = 2.0 * M_PI * i / 3.0;
    dent.bodies.push_back(ball(1.0, 0.1, 0.1155 * Vector3d(std::cos(turn), std::sin(turn), 0.0)));
    dent.bodies.back().body = immovable_body();
    dent.bodies.back().body.position = 0.1155 * Vector3d(std::cos(turn), std::sin(turn), 0.0);
  }
  dent.bodies.push_back(ball(0.5, 0.08, {0.001, 0.0005, 0.145}));
  dent.materials = {material(0.5)};
  for (WorldProblem* p : {&tube, &groove, &dent}) {
    p->end_time = 3.0;
    p->regularized.reset();
    EXPECT_EQ(run_world(*p).verdict, WorldVerdict::zeno);
    p->regularized = WorldRegularized{};
    const WorldRun run = run_world(*p);
    EXPECT_EQ(run.verdict, WorldVerdict::time);
    EXPECT_TRUE(run.flags.has(WorldFlag::regularized));
    EXPECT_EQ(run.final.back().state, WorldBodyState::pressed);
    EXPECT_LT(std::abs(run.energy.residual), 1e-9 * std::abs(run.energy.start - run.energy.end));
    EXPECT_LT(*run.momentum_residual, 1e-9);
  }
}

/// Two balls, one on the other, in a narrow tube on a floor: they come to rest as springs under their weight, and a
/// third one that falls on them is caught.
WorldProblem stack() {
  WorldProblem p;
  p.bodies = {ball(1.0, 0.1, {0.004, 0, 0.1}), ball(1.0, 0.1, {-0.005, 0, 0.35}), ball(0.5, 0.1, {0.003, 0, 3.0})};
  p.planes = {{}};
  p.tubes = {{Vector3d::Zero(), Vector3d::UnitZ(), 0.106, "default"}};
  p.materials = {material(0.3, 300.0)};
  p.regularized = WorldRegularized{};
  p.end_time = 2.0;
  return p;
}

TEST(WorldForces, StackInATube) {
  const WorldProblem p = stack();
  const WorldRun run = run_world(p);
  EXPECT_EQ(run.verdict, WorldVerdict::time);
  for (const WorldBodyAt& at : run.final) {
    EXPECT_EQ(at.state, WorldBodyState::pressed);
    EXPECT_LT(at.body.velocity.norm(), 1e-3);
  }
  // The floor carries all.
  const double depth = 0.1 - run.final[0].body.position.z();
  EXPECT_NEAR(1e6 * std::pow(depth, 1.5), 2.5 * standard_gravity, 0.02 * 2.5 * standard_gravity);
  EXPECT_LT(std::abs(run.energy.residual), 1e-9 * (run.energy.start - run.energy.end));
  EXPECT_GT(run.energy.stored, 0.0);
  EXPECT_LT(*run.momentum_residual, 1e-9);
}

// Looking at a run, or putting it away and taking it up again, does not change a bit of it.
TEST(WorldForces, TheSameBits) {
  const WorldProblem p = stack();
  std::vector<double> times;
  for (int i = 0; i < 200; ++i) times.push_back(0.0100003 * i);
  const WorldRun plain = run_world(p), looked = run_world(p, times);
  ASSERT_EQ(plain.events.size(), looked.events.size());
  World first(p);
  first.run(0.9);
  World second(p, first.save());
  std::size_t told = first.events();
  second.run(p.end_time, [&](const WorldEvent& event) {
    ASSERT_LT(told, plain.events.size());
    EXPECT_EQ(event.time, plain.events[told].time);
    EXPECT_EQ(event.type, plain.events[told].type);
    ++told;
  });
  EXPECT_EQ(told, plain.events.size());
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(plain.final[i].body.position, looked.final[i].body.position);
    EXPECT_EQ(plain.final[i].body.position, second.body(i).body.position);
    EXPECT_EQ(plain.final[i].body.velocity, second.body(i).body.velocity);
  }
  EXPECT_NEAR(second.energy().residual, plain.energy.residual, 1e-12);
}

// Events come in order; contacts that close and open take turns.
TEST(WorldForces, Events) {
  WorldProblem p = on_incline(0.1);
  const WorldRun run = run_world(p);
  double before = 0.0;
  bool touching = false;
  for (const WorldEvent& event : run.events) {
    EXPECT_GE(event.time, before);
    before = event.time;
    ASSERT_EQ(event.contacts.size(), 1u);
    EXPECT_EQ(event.type, touching ? WorldEventType::lifts : WorldEventType::presses);
    EXPECT_EQ(event.contacts[0].normal, Vector3d(0, 0, 1));
    EXPECT_NEAR(event.contacts[0].point.z(), 0.0, 1e-12);
    touching = !touching;
  }
  EXPECT_TRUE(touching);
}

// A ball on a plane alone keeps its exact rule unless blows have forces too.
TEST(WorldForces, OnlyWhereThereIsNoRule) {
  WorldProblem p = on_incline(0.1);
  p.regularized->impacts = false;
  p.end_time = 3.0;
  const WorldRun run = run_world(p);
  EXPECT_FALSE(run.flags.has(WorldFlag::regularized));
  EXPECT_EQ(run.final[0].state, WorldBodyState::rolls);
}

/// A solid over a floor, its lasting contacts with forces.
WorldProblem over_the_floor(const Shape& shape, double mass, double height, const Eigen::Quaterniond& turn,
                            double restitution = 0.4) {
  WorldProblem p;
  WorldBody body{shape, body_of(shape, mass), "default"};
  body.body.position.z() = height;
  body.body.orientation = turn;
  p.bodies = {body};
  p.planes = {{}};
  p.materials = {material(restitution)};
  p.regularized = WorldRegularized{};
  return p;
}

Eigen::Quaterniond turned(double angle, const Vector3d& axis) {
  return Eigen::Quaterniond(Eigen::AngleAxisd(angle, axis.normalized()));
}

void expect_balance(const WorldRun& run, double share = 1e-8) {
  EXPECT_EQ(run.verdict, WorldVerdict::time);
  EXPECT_TRUE(run.flags.has(WorldFlag::regularized));
  EXPECT_LT(std::abs(run.energy.residual), share * (run.energy.start - run.energy.end));
  EXPECT_LT(*run.momentum_residual, 1e-8);
}

// Statics: each of the four corners carries a quarter of the weight, k d^p = m g / 4.
TEST(WorldForces, ABoxRattlesToRestOnItsFourCorners) {
  WorldProblem p = over_the_floor(Box{{.2, .15, .1}}, 1.0, .3, turned(.5, {1, 2, .5}));
  p.bodies[0].body.angular_velocity = {2, -1, 3};
  p.end_time = 2.5;
  const WorldRun run = run_world(p);
  expect_balance(run);
  const WorldBodyAt& box = run.final[0];
  EXPECT_EQ(box.state, WorldBodyState::pressed);
  EXPECT_LT(box.body.velocity.norm(), 1e-4);
  EXPECT_LT(box.body.angular_velocity.norm(), 1e-3);
  const Eigen::Matrix3d axes = box.body.orientation.toRotationMatrix();
  Eigen::Index down = 0;
  EXPECT_NEAR(axes.row(2).cwiseAbs().maxCoeff(&down), 1.0, 1e-6);  // it lies on a face
  const double half[] = {.1, .075, .05};
  EXPECT_NEAR(half[down] - box.body.position.z(), std::pow(standard_gravity / 4.0 / 1e6, 1.0 / 1.5), 2e-5);
}

// A cylinder that slides across its axis comes to roll at 2/3 of its speed (angular momentum about a line of the
// floor).
TEST(WorldForces, ASlidingCylinderComesToRoll) {
  WorldProblem p = over_the_floor(Cylinder{.05, .3}, 1.0, .05, turned(M_PI / 2, {1, 0, 0}));
  p.bodies[0].body.velocity = {0.9, 0, 0};
  p.end_time = 0.6;
  const WorldRun run = run_world(p);
  expect_balance(run);
  EXPECT_NEAR(run.final[0].body.velocity.x(), 0.6, 2e-3);
  EXPECT_NEAR(run.final[0].body.angular_velocity.y(), 0.6 / .05, 0.05);
  EXPECT_LT(std::abs(run.final[0].body.velocity.y()), 1e-6);
}

// A coin falls on its rim, claps down and lies: its four places carry it, k d^p = m g / 4.
TEST(WorldForces, ACoinComesToLie) {
  WorldProblem p = over_the_floor(Cylinder{.0121, .0019}, .0057, .0127, turned(.5, {1, 0, 0}));
  p.materials[0].forces->stiffness = 1e5;
  p.materials[0].forces->friction.sigma0 = 1e3;
  p.materials[0].forces->friction.sigma1 = 3.0;
  p.end_time = 1.5;
  const WorldRun run = run_world(p);
  expect_balance(run, 1e-6);
  EXPECT_NEAR(std::abs((run.final[0].body.orientation * Vector3d::UnitZ()).z()), 1.0, 1e-4);
  EXPECT_NEAR(run.final[0].body.position.z(), .00095 - std::pow(.0057 * standard_gravity / 4.0 / 1e5, 1.0 / 1.5), 1e-8);
  EXPECT_LT(run.final[0].body.angular_velocity.norm(), 1e-3);
}

// One that rolls on its rim slips nowhere and so loses nothing: contacts alone do not stop it, as bounces do.
TEST(WorldForces, ACoinThatRollsKeepsItsEnergy) {
  WorldProblem p = over_the_floor(Cylinder{.0121, .0019}, .0057, .0122, turned(M_PI / 2 - .1, {1, 0, 0}));
  p.bodies[0].body.angular_velocity = {0, 0, 25};
  p.materials[0].forces->stiffness = 1e5;
  p.materials[0].forces->friction.sigma0 = 1e3;
  p.materials[0].forces->friction.sigma1 = 3.0;
  p.end_time = .2;
  World world(p);
  world.run(.05);
  const double early = world.energy().end;
  world.run(.2);
  EXPECT_NEAR(world.energy().end, early, .02 * early);
}

// Bodies that are not balls have forces on planes only: on each other they would pass through, so the run ends.
TEST(WorldForces, SolidsOnEachOtherEndTheRun) {
  WorldProblem p = over_the_floor(Box{{.2, .2, .1}}, 1.0, .05, Eigen::Quaterniond::Identity());
  p.bodies.push_back(p.bodies[0]);
  p.bodies[1].body.position.z() = .3;
  p.end_time = 3.0;
  const WorldRun run = run_world(p);
  EXPECT_EQ(run.verdict, WorldVerdict::zeno);
  EXPECT_TRUE(run.flags.has(WorldFlag::sustained_contact));
  EXPECT_LT(run.time, 1.0);
  EXPECT_GT(run.final[1].body.position.z(), .149);
}

TEST(WorldForces, NamesWhatIsWrong) {
  const auto text = [](auto change) {
    WorldProblem p = stack();
    change(p);
    return refusal([&] { World{p}; });
  };
  EXPECT_EQ(text([](auto& p) { p.materials[0].forces.reset(); }),
            "materials[0].forces: is required for forces over time");
  EXPECT_EQ(text([](auto& p) { p.materials[0].forces->friction.sigma0 = 0.0; }),
            "materials[0].forces.friction.sigma0: must be positive, got 0");
  EXPECT_EQ(text([](auto& p) { p.materials[0].restitution = 0.0; }).substr(0, 24), "materials[0].restitution");
  EXPECT_EQ(text([](auto& p) { p.regularized->tick = 0.0; }), "regularized.tick: must be positive, got 0");
  EXPECT_EQ(text([](auto& p) { p.gravity.setZero(); }), "regularized.v_min: is required where there is no gravity");
  EXPECT_EQ(text([](auto& p) { p.micro_speed = 1e-3; }), "micro_speed: does not go together with forces over time");
  EXPECT_EQ(text([](auto& p) { p.supports = {WorldCloth{}}; }).substr(0, 8), "supports");
}

}  // namespace
}  // namespace carom
