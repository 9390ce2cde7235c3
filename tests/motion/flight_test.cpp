// Free flight: what is kept, closed forms of turning, and the heights and speeds of a fall.
#include "carom/motion/flight.hpp"

#include <Eigen/Dense>
#include <cmath>
#include <gtest/gtest.h>
#include <numbers>

#include "carom/core/shape.hpp"

#include "core/random.hpp"

namespace carom::testing {
namespace {

using Eigen::Vector3d;

const Vector3d down(0.0, 0.0, -standard_gravity);

Vector3d angular_momentum(const Body& body) { return world_inertia(body) * body.angular_velocity; }

double turning_energy(const Body& body) { return 0.5 * body.angular_velocity.dot(angular_momentum(body)); }

double angle_between(const Eigen::Quaterniond& a, const Eigen::Quaterniond& b) {
  return 2.0 * (a.normalized().conjugate() * b.normalized()).vec().norm();  // small angles
}

TEST(FreeFlight, KeepsAngularMomentumAndEnergy) {
  Rng rng(1);
  for (int i = 0; i < 200; ++i) {
    const Body body = random_body(rng);
    const Vector3d gravity = random_vector<3>(rng, 10.0);
    const double time = uniform(rng, -2.0, 2.0);
    const Body later = free_flight(body, gravity, time);
    const Vector3d l = angular_momentum(body);
    EXPECT_LT((angular_momentum(later) - l).norm(), 1e-13 * l.norm());
    EXPECT_NEAR(turning_energy(later), turning_energy(body), 1e-8 * turning_energy(body));
    // Height and speed: the energy of the centre of mass.
    const auto energy = [&](const Body& b) {
      return 0.5 * b.mass * b.velocity.squaredNorm() - b.mass * gravity.dot(b.position);
    };
    EXPECT_NEAR(energy(later), energy(body), 1e-13 * (1.0 + body.mass * 1000.0));
    EXPECT_EQ(later.mass, body.mass);
    EXPECT_EQ(later.inertia, body.inertia);
  }
}

TEST(FreeFlight, IsAParabola) {
  Body body = body_of(Sphere{0.1}, 1.0);
  body.position = {1.0, 2.0, 3.0};
  body.velocity = {0.5, -0.25, 4.0};
  const Body later = free_flight(body, {0.0, 0.0, -10.0}, 0.5);
  EXPECT_EQ(later.position, Vector3d(1.25, 1.875, 3.75));
  EXPECT_EQ(later.velocity, Vector3d(0.5, -0.25, -1.0));
  EXPECT_EQ(flight_position(body.position, body.velocity, {0.0, 0.0, -10.0}, 0.5), later.position);
}

TEST(FreeFlight, ThereAndBack) {
  Rng rng(2);
  for (int i = 0; i < 100; ++i) {
    const Body body = random_body(rng);
    const Body back = free_flight(free_flight(body, down, 0.7), down, -0.7);
    EXPECT_LT((back.position - body.position).norm(), 1e-13);
    EXPECT_LT((back.velocity - body.velocity).norm(), 1e-13);
    EXPECT_LT(angle_between(back.orientation, body.orientation), 1e-8);
  }
}

/// A ball, and any body that turns about a principal axis, turns evenly.
TEST(FreeFlight, TurnsEvenlyAboutAPrincipalAxis) {
  const auto expect_even = [](Body body, double time) {
    body.orientation = Eigen::Quaterniond(0.5, 0.5, -0.5, 0.5);
    const Body later = free_flight(body, down, time);
    const Vector3d& w = body.angular_velocity;
    const Eigen::Quaterniond turn(Eigen::AngleAxisd(w.norm() * time, w.normalized()));
    const double turned = w.norm() * time;
    EXPECT_LT(angle_between(later.orientation, turn * body.orientation), 1e-9 * turned);
    EXPECT_LT((later.angular_velocity - w).norm(), 1e-9 * turned * w.norm());
  };
  Body ball = body_of(Sphere{0.2}, 1.3);
  ball.angular_velocity = {3.0, -4.0, 12.0};
  expect_even(ball, 1.0);
  expect_even(ball, 0.01);
  Body box = body_of(Box{{0.2, 0.3, 0.4}}, 1.0);
  box.angular_velocity = Eigen::Quaterniond(0.5, 0.5, -0.5, 0.5) * Vector3d(0.0, 0.0, 7.0);
  expect_even(box, 1.0);
}

/// A symmetric body (I1 = I2): q = exp(L t / I1) q0 exp(e3 (1 - I3 / I1) w3 t).
TEST(FreeFlight, ASymmetricBodyPrecesses) {
  Rng rng(3);
  for (int i = 0; i < 50; ++i) {
    Body body = body_of(Cylinder{0.3, uniform(rng, 0.1, 2.0)}, 1.0);
    body.orientation = random_rotation(rng);
    body.angular_velocity = random_vector<3>(rng, 3.0);
    const double time = uniform(rng, 0.1, 3.0), i1 = body.inertia(0, 0), i3 = body.inertia(2, 2);
    const Vector3d l = angular_momentum(body);
    const double w3 = (body.orientation.conjugate() * body.angular_velocity).z();
    const Eigen::Quaterniond precession(Eigen::AngleAxisd(l.norm() * time / i1, l.normalized())),
        own(Eigen::AngleAxisd((1.0 - i3 / i1) * w3 * time, Vector3d::UnitZ()));
    const Body later = free_flight(body, down, time);
    const double turned = body.angular_velocity.norm() * time * std::max(1.0, i3 / i1);
    EXPECT_LT(angle_between(later.orientation, precession * body.orientation * own), 1e-9 * (1.0 + turned));
  }
}

/// An asymmetric top; its angular velocity after 10 s from a Taylor series in 30 digits.
TEST(FreeFlight, AnAsymmetricTop) {
  Body top;
  top.inertia = Vector3d(1.0, 1.5, 2.0).asDiagonal();
  top.angular_velocity = {1.0, 1.0, 1.0};
  const Body later = free_flight(top, Vector3d::Zero(), 10.0);
  EXPECT_LT((later.angular_velocity - Vector3d(.1557507497, 1.1816367746, 1.2858970443)).norm(), 2e-8);
}

TEST(FreeFlight, BoundsItsWork) {
  Body body = body_of(Box{{0.2, 0.3, 0.4}}, 1.0);
  body.angular_velocity = {1e9, 1e8, 0.0};
  const Body later = free_flight(body, down, 1.0);  // the direction is anybody's guess; what is kept is kept
  const Vector3d l = angular_momentum(body);
  EXPECT_LT((angular_momentum(later) - l).norm(), 1e-12 * l.norm());
  EXPECT_NEAR(later.orientation.norm(), 1.0, 1e-12);
  body.angular_velocity = {INFINITY, 0.0, 0.0};
  EXPECT_FALSE(free_flight(body, down, 1.0).angular_velocity.allFinite());
}

TEST(FreeFlight, NamesWhatItRefuses) {
  EXPECT_EQ(refusal([] { free_flight(immovable_body(), down, 1.0); }), "body: must be movable");
  EXPECT_EQ(refusal([] { free_flight(Body{}, {0.0, NAN, 0.0}, 1.0); }), "gravity: must be finite");
  EXPECT_EQ(refusal([] { free_flight(Body{}, down, INFINITY); }), "time: must be a finite number, got inf");
}

TEST(Fall, SpeedAndHeightAreInverse) {
  for (const double h : {1e-12, 0.3, 7.0, 1e9}) {
    EXPECT_NEAR(rise_height(fall_speed(h, standard_gravity), standard_gravity), h, 1e-15 * h);
    Body stone;  // falls from rest for as long as it takes
    const double v = fall_speed(h, standard_gravity), t = v / standard_gravity;
    const Body below = free_flight(stone, down, t);
    EXPECT_NEAR(-below.position.z(), h, 1e-14 * h);
    EXPECT_NEAR(-below.velocity.z(), v, 1e-15 * v);
  }
  EXPECT_EQ(fall_speed(0.0, 9.81), 0.0);
  EXPECT_EQ(fall_speed(1.0, 0.0), 0.0);
  EXPECT_EQ(refusal([] { fall_speed(-1.0, 9.81); }), "drop: must be >= 0, got -1");
  EXPECT_EQ(refusal([] { fall_speed(1.0, -1.0); }), "gravity: must be >= 0, got -1");
  EXPECT_EQ(refusal([] { rise_height(-1.0, 9.81); }), "speed: must be >= 0, got -1");
  EXPECT_EQ(refusal([] { rise_height(1.0, 0.0); }), "gravity: must be positive, got 0");
}

}  // namespace
}  // namespace carom::testing
