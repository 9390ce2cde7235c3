// A ball on a plane: the sheet's numbers, closed forms, an independent integration, and what is kept.
#include <Eigen/Dense>
#include <cmath>
#include <gtest/gtest.h>

#include "carom/core/integrator.hpp"
#include "carom/core/shape.hpp"
#include "carom/motion/table.hpp"

#include "core/random.hpp"

namespace carom::testing {
namespace {

using Eigen::Vector3d;

const Vector3d up = Vector3d::UnitZ();
const Vector3d gravity(0.0, 0.0, -9.81);

Body ball_of(double radius, const Vector3d& velocity, const Vector3d& spin) {
  Body ball = body_of(Sphere{radius}, 0.17);
  ball.velocity = velocity;
  ball.angular_velocity = spin;
  return ball;
}

// A pool ball shot with side spin (the sheet; friction of pooltool).
TEST(BallOnPlane, TheSheetsShot) {
  const PlaneFriction cloth{.2, .01, .0127};
  const double r = .028575;
  double time = 0.0;
  BallOnPlane run(ball_of(r, {2, 0, 0}, {30, -50, 20}), r, up, cloth, gravity);
  EXPECT_EQ(run.state(), BallState::slides);
  EXPECT_NEAR(run.end(), .5146774083, 1e-10);
  EXPECT_NEAR(run.spin_end(), 1.8348623853, 1e-10);
  time += run.end();
  run = BallOnPlane(run.at(run.end()), r, up, cloth, gravity);
  EXPECT_EQ(run.state(), BallState::rolls);
  EXPECT_NEAR(time + run.spin_end(), 1.8348623853, 1e-10);
  EXPECT_NEAR(time + run.end(), 11.2113342267, 1e-9);
  const Body still = run.at(run.end());
  EXPECT_NEAR(still.position.x(), 6.2344598878, 1e-9);
  EXPECT_NEAR(still.position.y(), -1.3729880380, 1e-9);
  run = BallOnPlane(still, r, up, cloth, gravity);
  EXPECT_EQ(run.state(), BallState::rests);
  EXPECT_TRUE(std::isinf(run.end()));
}

TEST(BallOnPlane, SpinsOnWhereItStands) {
  const BallOnPlane run(ball_of(.03, {0, 0, 0}, {0, 0, 7}), .03, up, {.2, .01, .02}, gravity);
  EXPECT_EQ(run.state(), BallState::spins);
  EXPECT_NEAR(run.end(), 7.0 / (2.5 * .02 * 9.81 / .03), 1e-14);
  EXPECT_TRUE(run.at(run.end()).angular_velocity.isZero(1e-15));
  // It has turned by half of what it would have without friction.
  const Eigen::Quaterniond turn = run.at(run.end()).orientation;
  EXPECT_NEAR(std::abs(turn.z()), std::abs(std::sin(0.25 * 7.0 * run.end())), 1e-12);
  const BallOnPlane smooth(ball_of(.03, {0, 0, 0}, {0, 0, 7}), .03, up, {.2, .01, 0.0}, gravity);
  EXPECT_TRUE(std::isinf(smooth.end()));
}

// Wang 2017, chapter 3: it slides for 2 |u| / (7 mu g), then rolls at v0 - 2/7 u.
TEST(BallOnPlane, StraightAhead) {
  for (const double spin : {0.0, 40.0, -20.0}) {
    const double r = .03;
    const BallOnPlane run(ball_of(r, {1, 0, 0}, {0, spin, 0}), r, up, {.2, .01, 0.0}, gravity);
    EXPECT_NEAR(run.end(), 2.0 * std::abs(1.0 - r * spin) / (7.0 * .2 * 9.81), 1e-15);
    const Body rolls = run.at(run.end());
    EXPECT_NEAR(rolls.angular_velocity.y() * r, rolls.velocity.x(), 1e-14);
    EXPECT_NEAR(rolls.velocity.x(), 1.0 - (1.0 - r * spin) * 2.0 / 7.0, 1e-14);
  }
}

/// The same by integration of the forces (DOP853).
Eigen::VectorXd integrated(const Body& ball, double radius, const Vector3d& normal, const PlaneFriction& friction,
                           const Vector3d& g, double time, bool rolling) {
  const double kappa = ball.mass * radius * radius / ball.inertia(0, 0), pressing = -g.dot(normal);
  const Vector3d downhill = g + pressing * normal;
  const auto rate = [&](const Eigen::VectorXd& y, double* out) {
    const Vector3d v = y.segment<3>(3), w = y.segment<3>(6);
    const Vector3d u = v - radius * w.cross(normal);
    Vector3d a = downhill, alpha = Vector3d::Zero();
    if (rolling) {
      a = kappa / (1.0 + kappa) * downhill - friction.rolling * pressing * v.normalized();
      alpha = normal.cross(a) / radius;
    } else {
      a -= friction.sliding * pressing * u.normalized();
      alpha = kappa * friction.sliding * pressing / radius * normal.cross(u.normalized());
    }
    const Eigen::Quaterniond q(y[12], y[9], y[10], y[11]);
    Eigen::Map<Eigen::VectorXd> d(out, 13);
    d << v, a, alpha, 0.5 * (Eigen::Quaterniond(0.0, w.x(), w.y(), w.z()) * q).coeffs();
  };
  Eigen::VectorXd y(13), next(13), k(13);
  y << ball.position, ball.velocity, ball.angular_velocity, ball.orientation.coeffs();
  Dop853 step(13);
  constexpr int steps = 12'000;
  const Eigen::VectorXd weight = Eigen::VectorXd::Ones(13);
  for (int i = 0; i < steps; ++i) {
    rate(y, k.data());
    step.step(rate, y, k, time / steps, next, weight);
    y = next;
  }
  return y;
}

// Any direction, any incline, any spin: positions and velocities as by integration, up to near the end of the state.
TEST(BallOnPlane, AsByIntegrationOnAnyIncline) {
  Rng rng(1);
  int slides = 0, rolls = 0;
  for (int i = 0; i < 200; ++i) {
    const double r = uniform(rng, .02, .2);
    const Vector3d normal = (up + random_vector<3>(rng, uniform(rng, 0.0, 0.5))).normalized();
    const PlaneFriction friction{uniform(rng, .05, .6), uniform(rng, 0.0, .3), 0.0};
    Vector3d v = random_vector<3>(rng, 2.0), w = random_vector<3>(rng, 20.0);
    v -= v.dot(normal) * normal;
    w -= w.dot(normal) * normal;
    const bool rolling = i % 2 == 0;
    if (rolling) w = normal.cross(v) / r;
    const Body ball = ball_of(r, v, w);
    const BallOnPlane run(ball, r, normal, friction, gravity);
    if (rolling != (run.state() == BallState::rolls)) continue;  // too steep to grip
    ++(rolling ? rolls : slides);
    const double time = std::min(0.9 * run.end(), 1.5);
    const Body later = run.at(time);
    const Eigen::VectorXd expected = integrated(ball, r, normal, friction, gravity, time, rolling);
    EXPECT_LT((later.position - expected.segment<3>(0)).norm(), 1e-10) << i;
    EXPECT_LT((later.velocity - expected.segment<3>(3)).norm(), 1e-10) << i;
    EXPECT_LT((later.angular_velocity - expected.segment<3>(6)).norm(), 1e-9 / r) << i;
    EXPECT_LT((later.orientation.coeffs() - expected.segment<4>(9)).norm(), 1e-9) << i;
    EXPECT_NEAR(later.velocity.dot(normal), 0.0, 1e-13);
  }
  EXPECT_GT(slides, 70);
  EXPECT_GT(rolls, 40);
}

// From half way on it goes on as from the start; the same for the orientation.
TEST(BallOnPlane, GoesOnFromHalfWay) {
  Rng rng(2);
  for (int i = 0; i < 200; ++i) {
    const Vector3d normal = (up + random_vector<3>(rng, 0.2)).normalized();
    Vector3d v = random_vector<3>(rng, 2.0);
    v -= v.dot(normal) * normal;
    const Body ball = ball_of(.05, v, random_vector<3>(rng, 30.0));
    const PlaneFriction friction{uniform(rng, .1, .5), .05, .02};
    const BallOnPlane run(ball, .05, normal, friction, gravity);
    const double time = std::min(0.8 * run.end(), 0.4);
    const BallOnPlane second(run.at(0.5 * time), .05, normal, friction, gravity);
    ASSERT_EQ(second.state(), run.state());
    if (std::isfinite(run.end())) {
      EXPECT_NEAR(second.end() + 0.5 * time, run.end(), 1e-11);
    }
    const Body a = run.at(time), b = second.at(0.5 * time);
    EXPECT_LT((a.position - b.position).norm(), 1e-12);
    EXPECT_LT((a.velocity - b.velocity).norm(), 1e-12);
    EXPECT_LT((a.angular_velocity - b.angular_velocity).norm(), 1e-10);
    EXPECT_LT((a.orientation.coeffs() - b.orientation.coeffs()).norm(), 1e-10);
  }
}

TEST(BallOnPlane, OnASteepOrSmoothPlane) {
  const Vector3d normal = Vector3d(std::sin(0.3), 0.0, std::cos(0.3));  // downhill is +x and down
  const Vector3d down = Vector3d(std::cos(0.3), 0.0, -std::sin(0.3));
  const double pull = 9.81 * std::sin(0.3), press = 9.81 * std::cos(0.3);
  // Smooth: it slides for ever as on ice, up and down again.
  const BallOnPlane ice(ball_of(.05, -2.0 * down, {0, 0, 0}), .05, normal, {}, gravity);
  EXPECT_EQ(ice.state(), BallState::slides);
  EXPECT_TRUE(std::isinf(ice.end()));
  EXPECT_LT((ice.at(1.0).position - (-2.0 + 0.5 * pull) * down).norm(), 1e-14);
  EXPECT_LT((ice.at(1.0).velocity - (-2.0 + pull) * down).norm(), 1e-14);
  // From rest, gripping: it rolls down with 5/7 of the pull.
  const BallOnPlane rolls(ball_of(.05, {0, 0, 0}, {0, 0, 0}), .05, normal, {.3, 0.0, 0.0}, gravity);
  EXPECT_EQ(rolls.state(), BallState::rolls);
  EXPECT_LT((rolls.at(1.0).velocity - 5.0 / 7.0 * pull * down).norm(), 1e-14);
  // Rolled uphill it turns; that is no event.
  const BallOnPlane turns(ball_of(.05, -2.0 * down, normal.cross(-2.0 * down) / .05), .05, normal, {.3, .01, 0.0},
                          gravity);
  EXPECT_EQ(turns.state(), BallState::rolls);
  EXPECT_TRUE(std::isinf(turns.end()));
  const double slow = 5.0 / 7.0 * pull + .01 * press, fast = 5.0 / 7.0 * pull - .01 * press, top = 2.0 / slow;
  EXPECT_LT((turns.at(top + 1.0).velocity - fast * down).norm(), 1e-13);
  EXPECT_LT((turns.at(top + 1.0).position - (0.5 * fast - 1.0 / slow * 2.0) * down).norm(), 1e-13);
  // With enough rolling friction it stays where it is.
  const BallOnPlane stays(ball_of(.05, {0, 0, 0}, {0, 0, 0}), .05, normal, {.3, .3, 0.0}, gravity);
  EXPECT_EQ(stays.state(), BallState::rests);
}

TEST(BallOnPlane, NamesWhatItRefuses) {
  const Body ball = ball_of(.05, {1, 0, 0}, {0, 0, 0});
  const auto make = [&](const Body& b, double r, const Vector3d& n, const PlaneFriction& f, const Vector3d& g) {
    return refusal([&] { BallOnPlane(b, r, n, f, g); });
  };
  EXPECT_EQ(make(ball, 0.0, up, {}, gravity), "radius: must be positive, got 0");
  EXPECT_EQ(make(ball, 1.0, 2.0 * up, {}, gravity), "normal: must be a unit vector");
  EXPECT_EQ(make(ball, 1.0, up, {-1.0}, gravity), "sliding: must be >= 0, got -1");
  EXPECT_EQ(make(ball, 1.0, up, {}, Vector3d::Zero()), "gravity: must press the ball on the plane");
  EXPECT_EQ(make(ball, 1.0, -up, {}, gravity), "gravity: must press the ball on the plane");
  EXPECT_EQ(make(body_of(Box{{1, 2, 3}}, 1.0), 1.0, up, {}, gravity),
            "ball.inertia: must be the same about every axis");
  EXPECT_EQ(make(immovable_body(), 1.0, up, {}, gravity), "ball: must be movable");
  const BallOnPlane run(ball, .05, up, {.2, .1, 0.0}, gravity);
  EXPECT_NE(refusal([&] { run.at(-1.0); }).find("time: must lie between 0 and the end of the state"),
            std::string::npos);
  EXPECT_NE(refusal([&] { run.at(2.0 * run.end()); }).find("time"), std::string::npos);
}

}  // namespace
}  // namespace carom::testing
