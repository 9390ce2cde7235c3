// When balls meet each other, planes and tubes: the sheet's numbers, closed forms, and a scan in tiny steps that must
// never find an earlier one.
#include <Eigen/Dense>
#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <limits>

#include "carom/motion/time_of_impact.hpp"

#include "core/random.hpp"

namespace carom::testing {
namespace {

using Eigen::Vector3d;

const Vector3d down(0.0, 0.0, -9.81);

Vector3d at(const BallPath& p, double t) { return p.position + t * p.velocity + 0.5 * t * t * p.acceleration; }

// Without a bound on time a ball that falls on a fixed one is found as well.
TEST(TimeOfTouch, NeedsNoHorizon) {
  BallPath falling, fixed;
  falling.radius = 0.1, fixed.radius = 0.5;
  falling.position = {0.2, 0.0, 1.5}, falling.acceleration = {0.0, 0.0, -9.81};
  const double never = std::numeric_limits<double>::infinity(), t = time_of_touch(falling, fixed, 10.0);
  EXPECT_NEAR(t, .4364425213, 5e-11);
  EXPECT_NEAR(time_of_touch(falling, fixed, never), t, 1e-15);
  EXPECT_EQ(time_of_touch(falling, fixed, 0.99 * t), never);
  falling.position.x() = 0.7;
  EXPECT_EQ(time_of_touch(falling, fixed, never), never);
  EXPECT_NEAR(time_of_touch_in_tube(falling, Vector3d::Zero(), Vector3d::UnitX(), 2.0, never),
              std::sqrt(2.0 * 3.4 / 9.81), 1e-14);
}

TEST(TimeOfTouch, NumbersOfTheSheet) {
  EXPECT_NEAR(time_of_touch({{0, 0, 2}, {3, 0, 1}, down, .1}, {{1, .1, 2.05}, {0, 0, 1}, down, .1}, 10.0), .2780562535,
              1e-10);
  EXPECT_NEAR(time_of_touch({{.2, 0, 1.5}, {0, 0, 0}, down, .1}, {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, .5}, 10.0),
              .4364425213, 1e-10);
  EXPECT_NEAR(time_of_touch_in_tube({{.5, 0, 0}, {.3, 0, .2}, {0, -9.81, 0}, .1}, {0, 0, 0}, {0, 0, 1}, 1.0, 10.0),
              .3672574370, 1e-10);
  // Dropped from 1 m above where it touches.
  EXPECT_NEAR(time_of_touch({{0, 0, 1.1}, {0, 0, 0}, down, .1}, {0, 0, 0}, {0, 0, 1}, 10.0), std::sqrt(2.0 / 9.81),
              1e-15);
}

// Just left: the next contact is exactly 2 v / g away, for the fastest and for the slowest bounce.
TEST(TimeOfTouch, ABounceIsBackAfterTwiceItsRise) {
  for (const double v : {10.0, 1e-3, 1e-9, 1e-15, 1e-100}) {
    const BallPath ball{{0, 0, .1}, {1, 2, v}, down, .1};
    EXPECT_NEAR(time_of_touch(ball, {0, 0, 0}, {0, 0, 1}, 1e9) / (2.0 * v / 9.81), 1.0, 1e-15);
  }
}

// Off the inside of a tube across gravity, a quartic: it comes back to the wall soon after it left slowly.
TEST(TimeOfTouch, ASlowBounceInATube) {
  const double reach = 0.9;
  const Vector3d wall(reach * std::sin(0.3), -reach * std::cos(0.3), 0.0), inward = -wall.normalized();
  for (const double v : {1.0, 1e-6, 1e-12, 1e-40}) {
    const BallPath ball{wall, v * inward, {0, -9.81, 0}, .1};
    const double t = time_of_touch_in_tube(ball, {0, 0, 0}, {0, 0, 1}, 1.0, 1e3);
    const double pressing = 9.81 * std::cos(0.3);
    if (v < 1e-5) {
      EXPECT_NEAR(t / (2.0 * v / pressing), 1.0, 10.0 * v + 1e-14) << v;
    }
    EXPECT_NEAR((wall + t * v * inward + 0.5 * t * t * Vector3d(0, -9.81, 0)).norm(), reach, 1e-14);
  }
}

TEST(TimeOfTouch, TouchingNow) {
  const BallPath still{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, .5};
  const auto moving = [](double v, double a) { return BallPath{{1, 0, 0}, {v, 0, 0}, {a, 0, 0}, .5}; };
  EXPECT_EQ(time_of_touch(moving(-1, 0), still, 9.0), 0.0);
  EXPECT_EQ(time_of_touch(moving(0, -1), still, 9.0), 0.0);
  EXPECT_TRUE(std::isinf(time_of_touch(moving(1, 0), still, 9.0)));
  EXPECT_TRUE(std::isinf(time_of_touch(moving(0, 0), still, 9.0)));
  EXPECT_NEAR(time_of_touch(moving(1, -1), still, 9.0), 2.0, 1e-15);
  EXPECT_TRUE(std::isinf(time_of_touch(moving(1, -1), still, 1.9)));
  // Sideways past each other: they part at once.
  EXPECT_TRUE(std::isinf(time_of_touch({{1, 0, 0}, {0, 1, 0}, {0, 0, 0}, .5}, still, 9.0)));
}

// Fast enough to be on the other side within any step: still met.
// A ball at rest: its velocity along a normal whose components are all negative is -0.
TEST(TimeOfTouch, FromRestWhateverTheSignOfZero) {
  Rng rng(4);
  for (int k = 0; k < 100; ++k) {
    const Vector3d normal = random_direction<3>(rng);
    BallPath ball;
    ball.position = 1.1 * normal;
    ball.acceleration = -9.81 * normal;
    ball.radius = 0.1;
    EXPECT_NEAR(time_of_touch(ball, Vector3d::Zero(), normal, 10.0), std::sqrt(2.0 / 9.81), 1e-14);
    ball.velocity = Vector3d::Constant(-0.0);
    EXPECT_NEAR(time_of_touch(ball, Vector3d::Zero(), normal, 10.0), std::sqrt(2.0 / 9.81), 1e-14);
  }
}

TEST(TimeOfTouch, NothingIsTooFast) {
  const BallPath still{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, 1e-3};
  for (const double v : {1.0, 1e6, 1e12}) {
    const double t = time_of_touch({{-1, 0, 0}, {v, 0, 0}, {0, 0, 0}, 1e-3}, still, 1e3);
    EXPECT_NEAR(t * v, 1.0 - 2e-3, 1e-13);
  }
  // A graze: it misses by a hair, or touches by one.
  EXPECT_TRUE(std::isinf(time_of_touch({{-1, 2.0000001e-3, 0}, {1, 0, 0}, {0, 0, 0}, 1e-3}, still, 9.0)));
  EXPECT_NEAR(time_of_touch({{-1, 1.9999999e-3, 0}, {1, 0, 0}, {0, 0, 0}, 1e-3}, still, 9.0), 1.0, 1e-3);
}

/// The first time that a scan finds the gap closed, refined; infinite if it finds none.
double scanned(const std::function<double(double)>& gap, double horizon) {
  constexpr int steps = 4000;
  for (int i = 1; i <= steps; ++i) {
    double low = horizon * (i - 1) / steps, high = horizon * i / steps;
    if (!(gap(low) > 0.0 && gap(high) <= 0.0)) continue;
    for (int k = 0; k < 60; ++k) (gap(0.5 * (low + high)) > 0.0 ? low : high) = 0.5 * (low + high);
    return high;
  }
  return INFINITY;
}

void expect_as_scanned(double found, const std::function<double(double)>& gap, double horizon) {
  const double expected = scanned(gap, horizon);
  if (std::isinf(found)) {
    EXPECT_TRUE(std::isinf(expected));
    return;
  }
  EXPECT_NEAR(gap(found), 0.0, 1e-11);
  EXPECT_LE(found, expected + 1e-9);
  // An earlier one than the scan found is a short dip between two of its points.
  if (found < expected - 1e-6) {
    EXPECT_LT(gap(found + 1e-7), 0.0);
  }
}

TEST(TimeOfTouch, NoScanFindsAnEarlierOne) {
  Rng rng(1);
  int met = 0;
  for (int i = 0; i < 3000; ++i) {
    const auto path = [&] {
      return BallPath{random_vector<3>(rng, 2.0), random_vector<3>(rng, 3.0), random_vector<3>(rng, 5.0),
                      uniform(rng, 0.05, 0.6)};
    };
    const BallPath a = path(), b = path();
    const auto between = [&](double t) { return (at(a, t) - at(b, t)).norm() - a.radius - b.radius; };
    if (between(0.0) > 0.0) {
      const double t = time_of_touch(a, b, 3.0);
      expect_as_scanned(t, between, 3.0);
      met += std::isfinite(t);
    }
    const Vector3d normal = random_vector<3>(rng, 1.0).normalized(), point = random_vector<3>(rng, 1.0);
    const auto above = [&](double t) { return normal.dot(at(a, t) - point) - a.radius; };
    if (above(0.0) > 0.0) expect_as_scanned(time_of_touch(a, point, normal, 3.0), above, 3.0);
    const auto inside = [&](double t) { return 3.0 - a.radius - (at(a, t) - point).cross(normal).norm(); };
    if (inside(0.0) > 0.0) expect_as_scanned(time_of_touch_in_tube(a, point, normal, 3.0, 3.0), inside, 3.0);
  }
  EXPECT_GT(met, 60);
}

TEST(TimeOfTouch, NamesWhatItRefuses) {
  const BallPath ball{{0, 0, 1}, {0, 0, 0}, down, .1};
  BallPath bad = ball;
  bad.velocity.x() = NAN;
  EXPECT_EQ(refusal([&] { time_of_touch(ball, bad, 1.0); }), "b.velocity: must be finite");
  bad = ball;
  bad.radius = 0.0;
  EXPECT_EQ(refusal([&] { time_of_touch(bad, ball, 1.0); }), "a.radius: must be positive, got 0");
  EXPECT_EQ(refusal([&] { time_of_touch(ball, {0, 0, 0}, {0, 0, 2}, 1.0); }), "normal: must be a unit vector");
  EXPECT_EQ(refusal([&] { time_of_touch(ball, {0, 0, 0}, {0, 0, 1}, -1.0); }), "horizon: must be >= 0, got -1");
  EXPECT_EQ(refusal([&] {
              time_of_touch_in_tube(ball, {0, 0, 0}, {0, 0, 1}, .1, 1.0);
            }),
            "radius: must be greater than that of the ball");
}

}  // namespace
}  // namespace carom::testing
