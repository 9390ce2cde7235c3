// A bouncing ball: heights, times and places between bounces, energy, and the printed and recomputed numbers.
#include "carom/motion/bounces.hpp"

#include <cmath>
#include <gtest/gtest.h>

#include "carom/core/shape.hpp"
#include "carom/motion/time_of_impact.hpp"

#include "core/random.hpp"

namespace carom::testing {
namespace {

using Eigen::Vector3d;

BounceProblem falling(double restitution, double friction, const Vector3d& velocity, const Vector3d& spin) {
  BounceProblem problem;
  problem.ball = body_of(Sphere{1.0}, 1.0);
  problem.ball.position = {0.0, 0.0, 1.0};
  problem.ball.velocity = velocity;
  problem.ball.angular_velocity = spin;
  problem.material = {friction, restitution};
  problem.bounces = 8;
  return problem;
}

TEST(Bounces, WithoutFrictionAreAGeometricSeries) {
  BounceProblem problem = falling(0.5, 0.0, {2.0, -1.0, -8.0}, {3.0, 0.0, 1.0});
  const std::vector<Bounce> bounces = bounces_of(problem);
  ASSERT_EQ(bounces.size(), 8U);
  double time = 0.0, up = 4.0;
  for (const Bounce& b : bounces) {
    EXPECT_EQ(b.time, time);
    EXPECT_NEAR(b.ball.velocity.z(), up, 1e-14 * up);
    EXPECT_EQ(b.ball.velocity.x(), 2.0);
    EXPECT_EQ(b.ball.angular_velocity, problem.ball.angular_velocity);
    EXPECT_NEAR(b.ball.position.x(), 2.0 * time, 1e-14);
    EXPECT_NEAR(b.ball.position.y(), -time, 1e-14);
    EXPECT_EQ(b.ball.position.z(), 1.0);
    EXPECT_NEAR(b.energy.restitution_loss, 1.5 * up * up, 1e-13);  // (4 - 1) up^2 / 2
    time += flight_time(b.ball.velocity.z(), problem.gravity);
    up *= 0.5;
  }
}

/// Jia 2012, Table 1, with flight (g = 9.8): times of two independent codes and, of the last bounce, velocity and spin.
TEST(Bounces, OfASpinningBall) {
  BounceProblem problem = falling(0.5, 0.4, {-1.0, 0.0, -5.0}, {6.0, 6.0, 0.0});
  problem.springs = TangentialSprings{std::sqrt(17.0 / 14.0)};
  problem.gravity = 9.8;
  const std::vector<Bounce> bounces = bounces_of(problem);
  ASSERT_EQ(bounces.size(), 8U);
  const double times[] = {0.0,         .5102040816, .7653061224,  .8928571429,
                          .9566326531, .9885204082, 1.0044642857, 1.0124362245};
  for (std::size_t i = 0; i < 8; ++i) EXPECT_NEAR(bounces[i].time, times[i], 1e-10);
  EXPECT_NEAR(bounces[7].ball.velocity.x(), .9931710725, 1e-10);
  EXPECT_NEAR(bounces[7].ball.velocity.y(), -1.7084323479, 1e-10);
  EXPECT_NEAR(bounces[7].ball.angular_velocity.x(), 1.7289191303, 1e-10);
  EXPECT_NEAR(bounces[7].ball.angular_velocity.y(), 1.0170723187, 1e-10);
}

TEST(Bounces, BalanceTheEnergyOfTheBall) {
  Rng rng(5);
  for (int i = 0; i < 50; ++i) {
    BounceProblem problem = falling(uniform(rng, 0.3, 1.0), uniform(rng, 0.0, 1.0), random_vector<3>(rng, 3.0),
                                    random_vector<3>(rng, 10.0));
    problem.ball.velocity.z() = -uniform(rng, 1.0, 5.0);
    if (i % 2 == 0) problem.springs = TangentialSprings{uniform(rng, 0.8, 1.4)};
    double before = kinetic_energy(problem.ball);
    for (const Bounce& b : bounces_of(problem)) {
      EXPECT_NEAR(b.energy.before, before, 1e-12 * before);  // flight ends as fast as it began
      EXPECT_EQ(b.energy.after, kinetic_energy(b.ball));
      EXPECT_NEAR(b.energy.imbalance(), 0.0, 1e-9 * before);
      EXPECT_LE(b.energy.after, before * (1.0 + 1e-12));
      before = b.energy.after;
    }
  }
}

/// A rigid contact that rolls goes on rolling: v_x = r w_y.
TEST(Bounces, RigidOnesEndInRolling) {
  const std::vector<Bounce> bounces = bounces_of(falling(0.8, 0.3, {2.0, 1.0, -5.0}, {0.0, -10.0, 3.0}));
  ASSERT_EQ(bounces.size(), 8U);
  const Body& last = bounces.back().ball;
  EXPECT_NEAR(last.velocity.x(), last.angular_velocity.y(), 1e-13);
  EXPECT_NEAR(last.velocity.y(), -last.angular_velocity.x(), 1e-13);
  EXPECT_EQ(last.angular_velocity.z(), 3.0);
}

TEST(Bounces, EndWhereTheBallStays) {
  EXPECT_EQ(bounces_of(falling(0.0, 0.4, {1.0, 0.0, -1.0}, Vector3d::Zero())).size(), 1U);
  BounceProblem low = falling(1e-3, 0.4, {1.0, 0.0, -1.0}, Vector3d::Zero());
  EXPECT_EQ(bounces_of(low).size(), 4U);  // 1e-12 of the first approach is not more than resting_share
  low.bounces = 1;
  EXPECT_EQ(bounces_of(low).size(), 1U);
}

TEST(Bounces, DoNotDependOnHowFarTheBallCame) {
  BounceProblem problem = falling(0.7, 0.4, {1.0, 2.0, -1.0}, {3.0, 4.0, 5.0});
  const std::vector<Bounce> here = bounces_of(problem);
  problem.ball.position = {1e9, -1e9, 1.0};
  const std::vector<Bounce> there = bounces_of(problem);
  ASSERT_EQ(here.size(), there.size());
  for (std::size_t i = 0; i < here.size(); ++i) {
    EXPECT_EQ(here[i].ball.velocity, there[i].ball.velocity);
    EXPECT_EQ(here[i].ball.angular_velocity, there[i].ball.angular_velocity);
    EXPECT_NEAR(there[i].ball.position.x() - 1e9, here[i].ball.position.x(), 1e-6);
  }
  // Places beyond the range of a double do not end it.
  EXPECT_EQ(bounces_of(falling(1.0, 0.4, {1e200, 0.0, -1e200}, Vector3d::Zero())).size(), 8U);
}

TEST(Bounces, NameWhatIsWrong) {
  const auto refused = [](auto change) {
    BounceProblem problem = falling(0.5, 0.4, {1.0, 0.0, -1.0}, Vector3d::Zero());
    change(problem);
    return refusal([&] { bounces_of(problem); });
  };
  EXPECT_EQ(refused([](BounceProblem&) {}), "");
  EXPECT_EQ(refused([](BounceProblem& p) { p.bounces = 0; }), "bounces: must be >= 1, got 0");
  EXPECT_EQ(refused([](BounceProblem& p) { p.gravity = 0.0; }), "gravity: must be positive, got 0");
  EXPECT_EQ(refused([](BounceProblem& p) { p.ball.inertia(1, 1) *= 2.0; }),
            "ball.inertia: must be that of a ball, the same about every axis");
  EXPECT_EQ(refused([](BounceProblem& p) { p.ball.position.z() = 0.0; }),
            "ball.position: must be above the ground, z > 0");
  EXPECT_EQ(refused([](BounceProblem& p) { p.ball.velocity.z() = 0.0; }), "ball.velocity: must point down, z < 0");
  EXPECT_EQ(refused([](BounceProblem& p) { p.material.friction = -1.0; }), "friction: must be >= 0, got -1");
  EXPECT_EQ(refused([](BounceProblem& p) { p.ball.mass = -1.0; }).substr(0, 14), "bodies[0].mass");
}

}  // namespace
}  // namespace carom::testing
