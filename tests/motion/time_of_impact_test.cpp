// Gaps between balls, and times of flight and fall against the flight itself; pendulums against their energy.
#include "carom/motion/time_of_impact.hpp"

#include <cmath>
#include <gtest/gtest.h>

#include "carom/motion/flight.hpp"
#include "carom/motion/pendulum.hpp"

#include "core/random.hpp"

namespace carom::testing {
namespace {

using Eigen::Vector3d;

TEST(BallGap, BetweenTwoBalls) {
  const BallGap apart = gap_of_balls({0.0, 0.0, 5.0}, 1.0, {0.0, 0.0, 0.0}, 2.0);
  EXPECT_EQ(apart.gap, 2.0);
  EXPECT_EQ(apart.contact.normal, Vector3d::UnitZ());  // from B into A
  EXPECT_EQ(apart.contact.point, Vector3d(0.0, 0.0, 3.0));
  EXPECT_FALSE(apart.touch());
  const BallGap over = gap_of_balls({0.0, 2.0, 0.0}, 1.0, {0.0, 0.0, 0.0}, 2.0);
  EXPECT_EQ(over.gap, -1.0);
  EXPECT_TRUE(over.touch());
  EXPECT_FALSE(over.just_touch());
}

TEST(BallGap, TouchIsKnownInSpiteOfRounding) {
  Rng rng(1);
  for (int i = 0; i < 500; ++i) {
    const double a = uniform(rng, 0.01, 3.0), b = uniform(rng, 0.01, 3.0);
    const Vector3d where = random_vector<3>(rng, 100.0), n = random_direction<3>(rng);
    const auto at = [&](double gap) { return gap_of_balls(where + (a + b + gap) * n, a, where, b); };
    const BallGap touching = at(0.0);
    EXPECT_TRUE(touching.just_touch());
    EXPECT_LT((touching.contact.point - where - b * n).norm(), 1e-12);
    EXPECT_LT((touching.contact.normal - n).norm(), 1e-11);
    EXPECT_FALSE(at(2.0 * touching.tolerance).touch());
    EXPECT_FALSE(at(-2.0 * touching.tolerance).just_touch());
    EXPECT_TRUE(at(-2.0 * touching.tolerance).touch());
  }
  EXPECT_EQ(refusal([] { gap_of_balls({}, 0.0, {}, 1.0); }), "radius_a: must be positive, got 0");
  EXPECT_EQ(refusal([] { gap_of_balls({}, 1.0, {}, -1.0); }), "radius_b: must be positive, got -1");
}

TEST(FlightTime, EndsWhereItBegan) {
  Body ball;
  for (const double v : {1e-9, 0.7, 30.0}) {
    ball.velocity = {1.0, 2.0, v};
    const double t = flight_time(v, standard_gravity);
    const Body later = free_flight(ball, {0.0, 0.0, -standard_gravity}, t);
    EXPECT_NEAR(later.position.z(), 0.0, 1e-15 * v * t);
    EXPECT_NEAR(later.velocity.z(), -v, 1e-15 * v);
  }
  EXPECT_EQ(flight_time(0.0, 1.0), 0.0);
  EXPECT_EQ(refusal([] { flight_time(-1.0, 1.0); }), "speed: must be >= 0, got -1");
  EXPECT_EQ(refusal([] { flight_time(1.0, 0.0); }), "gravity: must be positive, got 0");
}

TEST(FallTime, IsTheLastPartOfTheFall) {
  for (const double height : {0.0, 0.1, 1.0})
    for (const double faster : {0.0, 0.5, 7.0}) {  // than from rest
      const double v = fall_speed(height, standard_gravity) + faster, t = fall_time(height, v, standard_gravity);
      const Vector3d then = flight_position(Vector3d::Zero(), {0.0, 0.0, -v}, {0.0, 0.0, -standard_gravity}, -t);
      // Near rest a height changes little with time: half the digits.
      EXPECT_NEAR(then.z(), height, 1e-14);
      EXPECT_GE(t, 0.0);
    }
  EXPECT_NEAR(fall_time(1.0, fall_speed(1.0, 9.81), 9.81), std::sqrt(2.0 / 9.81), 1e-8);
  EXPECT_EQ(fall_time(5.0, 9.81, 9.81), 1.0);  // never was that high: since it was at rest
  EXPECT_EQ(fall_time(INFINITY, 9.81, 9.81), 1.0);
  EXPECT_EQ(refusal([] { fall_time(NAN, 1.0, 1.0); }), "height: must be >= 0, got nan");
  EXPECT_EQ(refusal([] { fall_time(-1.0, 1.0, 1.0); }), "height: must be >= 0, got -1");
  EXPECT_EQ(refusal([] { fall_time(1.0, -1.0, 1.0); }), "speed: must be >= 0, got -1");
  EXPECT_EQ(refusal([] { fall_time(1.0, 1.0, -1.0); }), "gravity: must be positive, got -1");
}

TEST(Pendulum, HasTheSpeedOfItsFall) {
  for (const double angle : {0.3, 1.0, 3.0}) {
    const double drop = 0.7 * (1.0 - std::cos(angle));
    EXPECT_NEAR(pendulum_speed(0.7, angle, 9.81), fall_speed(drop, 9.81), 1e-15);
    EXPECT_EQ(pendulum_speed(0.7, -angle, 9.81), pendulum_speed(0.7, angle, 9.81));
  }
  // Small angles: v / v_small = 1 - angle^2 / 24 + ...
  EXPECT_NEAR(pendulum_speed(0.7, 0.1, 9.81) / pendulum_speed_small_angle(0.7, 0.1, 9.81), 1.0 - 0.01 / 24.0, 1e-7);
  EXPECT_EQ(pendulum_speed_small_angle(4.0, 0.5, 9.0), 3.0);
  EXPECT_EQ(refusal([] { pendulum_speed(0.0, 1.0, 1.0); }), "length: must be positive, got 0");
  EXPECT_EQ(refusal([] { pendulum_speed(1.0, NAN, 1.0); }), "angle: must be a finite number, got nan");
  EXPECT_EQ(refusal([] { pendulum_speed_small_angle(1.0, 1.0, 0.0); }), "gravity: must be positive, got 0");
}

}  // namespace
}  // namespace carom::testing
