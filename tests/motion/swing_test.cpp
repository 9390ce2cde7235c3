// The pendulum over time: exact and harmonic, swinging and going round.
#include <cmath>
#include <gtest/gtest.h>
#include <numbers>

#include "carom/motion/pendulum.hpp"

#include "core/random.hpp"

namespace carom::testing {
namespace {

constexpr double g = 9.81;
using std::numbers::pi;

double energy(const PendulumState& s, double length) {  // over m l^2, from the bottom
  const double half = std::sin(0.5 * s.angle);
  return 0.5 * s.rate * s.rate + 2.0 * g / length * half * half;
}

// A quarter of the period from 90 degrees is K(1/2) sqrt(l/g), K(1/2) = 1.85407467730137 (lemniscate constant).
TEST(PendulumSwing, PeriodFromARightAngle) {
  const PendulumSwing swing(0.7, g, {pi / 2.0, 0.0});
  EXPECT_NEAR(swing.period(), 4.0 * 1.8540746773013719 * std::sqrt(0.7 / g), 1e-14);
  EXPECT_NEAR(PendulumSwing(0.7, g, {1e-6, 0.0}).period(), 2.0 * pi * std::sqrt(0.7 / g), 1e-12);
  EXPECT_EQ(PendulumSwing(0.7, g, {1.0, 0.0}, PendulumMotion::small_angle).period(),
            2.0 * pi * 1.0 / std::sqrt(g / 0.7));
}

// The first collisions of the sheet's cradle (arms of .129 m let go at 25 degrees), and of two arms of .5 m let go
// at 1.
TEST(PendulumSwing, FirstPassageOfTheBottom) {
  const auto passes = [](double length, double angle, double time, PendulumMotion motion) {
    const PendulumSwing swing(length, g, {-angle, 0.0}, motion);
    EXPECT_NEAR(swing.at(time).angle, 0.0, 5e-9) << time;
    EXPECT_GT(swing.at(time).rate, 0.0);
  };
  passes(.129, 5.0 * pi / 36.0, .1822946199, PendulumMotion::exact);
  passes(.129, 5.0 * pi / 36.0, .1801275859, PendulumMotion::small_angle);
  passes(.5, 1.0, .3781496758, PendulumMotion::exact);
}

// Energy, the rate as the derivative of the angle, Newton's law for the rate, and the motion from a later state on.
TEST(PendulumSwing, ObeysItsEquation) {
  Rng rng(1);
  for (int i = 0; i < 2000; ++i) {
    const double length = uniform(rng, 0.1, 3.0), w = std::sqrt(g / length);
    const PendulumState start{uniform(rng, -9.0, 9.0), uniform(rng, -3.0, 3.0) * w};
    const PendulumSwing swing(length, g, start);
    EXPECT_NEAR(swing.at(0.0).angle, start.angle, 1e-14 * 10.0);
    EXPECT_NEAR(swing.at(0.0).rate, start.rate, 1e-13 * w);
    const double t = uniform(rng, -5.0, 5.0) / w, h = 1e-3 / w;
    const PendulumState now = swing.at(t);
    EXPECT_NEAR(energy(now, length), energy(start, length), 1e-12 * (w * w + energy(start, length)));
    // Differences of sixth order.
    double speed = 0.0, acceleration = 0.0;
    for (const auto& [step, weight] : {std::pair{1, 0.75}, std::pair{2, -0.15}, std::pair{3, 1.0 / 60.0}}) {
      const PendulumState after = swing.at(t + step * h), before = swing.at(t - step * h);
      speed += weight * (after.angle - before.angle) / h;
      acceleration += weight * (after.rate - before.rate) / h;
    }
    EXPECT_NEAR(speed, now.rate, 1e-10 * w);
    EXPECT_NEAR(acceleration, -w * w * std::sin(now.angle), 1e-10 * w * w);
    const PendulumState late = PendulumSwing(length, g, now).at(1.0 / w), direct = swing.at(t + 1.0 / w);
    EXPECT_NEAR(late.angle, direct.angle, 1e-11);
    EXPECT_NEAR(late.rate, direct.rate, 1e-11 * w);
  }
}

TEST(PendulumSwing, GoesRoundWhenItIsFastEnough) {
  const double w = std::sqrt(g);
  EXPECT_LT(PendulumSwing(1.0, g, {0.0, 1.999 * w}).at(100.0).angle, pi);
  const PendulumSwing round(1.0, g, {0.0, 2.001 * w}), back(1.0, g, {0.0, -2.001 * w});
  EXPECT_NEAR(round.at(round.period()).angle, 2.0 * pi, 1e-12);
  EXPECT_NEAR(back.at(back.period()).angle, -2.0 * pi, 1e-12);
  EXPECT_NEAR(round.at(1000.0 * round.period()).angle, 2000.0 * pi, 1e-8);
  // With just enough to reach the top it never gets there: angle = 4 atan(exp(w t)) - pi.
  const PendulumSwing top(1.0, g, {0.0, 2.0 * w});
  EXPECT_TRUE(std::isinf(top.period()));
  for (const double t : {0.5, 2.0, 5.0})
    EXPECT_NEAR(top.at(t / w).angle, 4.0 * std::atan(std::exp(t)) - pi, 1e-14 * std::exp(t)) << t;
}

TEST(PendulumSwing, WithoutGravityOrMotion) {
  const PendulumSwing even(1.0, 0.0, {0.5, 2.0});
  EXPECT_EQ(even.at(3.0).angle, 6.5);
  EXPECT_EQ(even.at(3.0).rate, 2.0);
  EXPECT_EQ(even.period(), pi);
  const PendulumSwing rest(1.0, g, {0.0, 0.0});
  EXPECT_EQ(rest.at(7.0).angle, 0.0);
  EXPECT_TRUE(std::isinf(rest.period()));
  const PendulumSwing upright(1.0, g, {pi, 0.0});  // not quite: pi is rounded
  EXPECT_NEAR(upright.at(1.0).angle, pi, 1e-12);
}

TEST(PendulumSwing, NamesWhatItRefuses) {
  EXPECT_EQ(refusal([] { PendulumSwing(0.0, g, {}); }), "length: must be positive, got 0");
  EXPECT_EQ(refusal([] { PendulumSwing(1.0, -1.0, {}); }), "gravity: must be >= 0, got -1");
  EXPECT_EQ(refusal([] { PendulumSwing(1.0, g, {NAN, 0.0}); }), "angle: must be a finite number, got nan");
  EXPECT_EQ(refusal([] { PendulumSwing(1.0, g, {0.0, INFINITY}); }), "rate: must be a finite number, got inf");
  EXPECT_EQ(refusal([] { PendulumSwing(1.0, g, {}).at(NAN); }), "time: must be a finite number, got nan");
}

}  // namespace
}  // namespace carom::testing
