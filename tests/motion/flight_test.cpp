// Free flight: what is kept, closed forms of turning, and the heights and speeds of a fall.
#include "carom/motion/flight.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <gtest/gtest.h>
#include <numbers>

#include "carom/core/linear_algebra.hpp"
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
    EXPECT_NEAR(turning_energy(later), turning_energy(body), 1e-13 * turning_energy(body));
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
    EXPECT_LT(angle_between(back.orientation, body.orientation), 1e-11);
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
    EXPECT_LT(angle_between(later.orientation, turn * body.orientation), 1e-15 * (1.0 + turned));
    EXPECT_LT((later.angular_velocity - w).norm(), 1e-15 * w.norm());
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
    EXPECT_LT(angle_between(later.orientation, precession * body.orientation * own), 3e-15 * (1.0 + turned));
  }
}

/// An asymmetric top; its angular velocity after 10 s from a Taylor series in 30 digits.
TEST(FreeFlight, AnAsymmetricTop) {
  Body top;
  top.inertia = Vector3d(1.0, 1.5, 2.0).asDiagonal();
  top.angular_velocity = {1.0, 1.0, 1.0};
  const Body later = free_flight(top, Vector3d::Zero(), 10.0);
  EXPECT_LT((later.angular_velocity - Vector3d(.1557507497, 1.1816367746, 1.2858970443)).norm(), 1e-10);
}

/// Euler's equations and the orientation by Taylor series in 34 digits, in body axes.
Body by_taylor_series(const Body& body, double time) {
  using Number = boost::multiprecision::cpp_bin_float_quad;
  constexpr int order = 28;
  using Series = std::array<Number, order + 1>;
  const Eigen::Matrix3d& given = body.inertia;
  std::array<std::array<Number, 3>, 3> inertia, inverse;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) inertia[i][j] = (Number(given(i, j)) + Number(given(j, i))) / 2;
  Number determinant = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      inverse[j][i] = inertia[i1][j1] * inertia[i2][j2] - inertia[i1][j2] * inertia[i2][j1];
      if (i == 0) determinant += inertia[i][j] * inverse[j][i];
    }
  for (auto& row : inverse)
    for (Number& x : row) x /= determinant;
  const Eigen::Vector3d in_body = body.orientation.conjugate() * body.angular_velocity;
  std::array<Number, 3> w = {in_body.x(), in_body.y(), in_body.z()};
  std::array<Number, 4> q = {body.orientation.w(), body.orientation.x(), body.orientation.y(), body.orientation.z()};
  const int steps = 1 + static_cast<int>(2.0 * std::abs(time) * in_body.norm() * given.norm() /
                                         symmetric_eigenvalues(given).minCoeff());
  const Number h = Number(time) / steps;
  for (int step = 0; step < steps; ++step) {
    std::array<Series, 3> rate{}, momentum{};
    std::array<Series, 4> turn{};
    for (std::size_t i = 0; i < 3; ++i) rate[i][0] = w[i];
    for (std::size_t i = 0; i < 4; ++i) turn[i][0] = q[i];
    const auto product = [](const Series& a, const Series& b, std::size_t k) {
      Number sum = 0;
      for (std::size_t i = 0; i <= k; ++i) sum += a[i] * b[k - i];
      return sum;
    };
    for (std::size_t k = 0; k < order; ++k) {
      for (std::size_t i = 0; i < 3; ++i) {
        momentum[i][k] = 0;
        for (std::size_t j = 0; j < 3; ++j) momentum[i][k] += inertia[i][j] * rate[j][k];
      }
      std::array<Number, 3> torque;  // (I w) x w
      for (std::size_t i = 0; i < 3; ++i)
        torque[i] =
            product(momentum[(i + 1) % 3], rate[(i + 2) % 3], k) - product(momentum[(i + 2) % 3], rate[(i + 1) % 3], k);
      for (std::size_t i = 0; i < 3; ++i) {
        rate[i][k + 1] = 0;
        for (std::size_t j = 0; j < 3; ++j) rate[i][k + 1] += inverse[i][j] * torque[j];
        rate[i][k + 1] /= k + 1;
      }
      const auto& [w0, x, y, z] = turn;
      const auto& [a, b, c] = rate;
      const Number half = Number(1) / (2 * (k + 1));
      const Number next[] = {-product(x, a, k) - product(y, b, k) - product(z, c, k),
                             product(w0, a, k) + product(y, c, k) - product(z, b, k),
                             product(w0, b, k) + product(z, a, k) - product(x, c, k),
                             product(w0, c, k) + product(x, b, k) - product(y, a, k)};
      for (std::size_t i = 0; i < 4; ++i) turn[i][k + 1] = half * next[i];
    }
    const auto sum = [&](const Series& series) {
      Number value = 0;
      for (std::size_t k = order + 1; k-- > 0;) value = value * h + series[k];
      return value;
    };
    for (std::size_t i = 0; i < 3; ++i) w[i] = sum(rate[i]);
    for (std::size_t i = 0; i < 4; ++i) q[i] = sum(turn[i]);
  }
  Body later = body;
  later.orientation = Eigen::Quaterniond(q[0].convert_to<double>(), q[1].convert_to<double>(),
                                         q[2].convert_to<double>(), q[3].convert_to<double>());
  later.angular_velocity =
      later.orientation * Vector3d(w[0].convert_to<double>(), w[1].convert_to<double>(), w[2].convert_to<double>());
  return later;
}

void expect_as_by_series(const Body& body, double time, double tolerance) {
  const Body later = free_flight(body, Vector3d::Zero(), time), expected = by_taylor_series(body, time);
  EXPECT_LT(angle_between(later.orientation, expected.orientation), tolerance);
  EXPECT_LT((later.angular_velocity - expected.angular_velocity).norm(), tolerance * body.angular_velocity.norm());
}

TEST(FreeFlight, RandomTopsAsBySeries) {
  Rng rng(4);
  for (int i = 0; i < 20; ++i) {
    Body body = random_body(rng);
    body.angular_velocity *= 3.0 / body.angular_velocity.norm();
    expect_as_by_series(body, uniform(rng, -5.0, 5.0), 1e-11);
  }
}

// Nearly symmetric: the elliptic functions become circular ones, or the top goes round its other axis.
TEST(FreeFlight, NearlySymmetricTops) {
  for (const double apart : {1e-3, 1e-8, 1e-12, 1e-15})
    for (const Vector3d& moments : {Vector3d(1.0, 1.0 + apart, 2.0), Vector3d(1.0, 2.0 - apart, 2.0),
                                    Vector3d(2.0, 1.0, 2.0 - apart), Vector3d(2.0, 1.0 + apart, 1.0)})
      for (const Vector3d& rate : {Vector3d(1.0, 2.0, 3.0), Vector3d(0.0, 1.0, 2.0), Vector3d(2.0, 1.0, 0.0),
                                   Vector3d(1e-9, 1.0, 1.0), Vector3d(1.0, 1.0, -1e-9)}) {
        Body body;
        body.inertia = moments.asDiagonal();
        body.angular_velocity = rate;
        expect_as_by_series(body, 2.5, 1e-12);
      }
}

/// Near the unstable turning about the middle axis small deviations grow as exp(lambda t), also those of the last
/// digit.
TEST(FreeFlight, NearTheSeparatrix) {
  Body body;
  body.inertia = Vector3d(1.0, 1.5, 2.0).asDiagonal();
  const double growth = std::sqrt(0.5 * 0.5 / 2.0);
  for (const double off : {1e-2, 1e-4, 1e-6, 1e-8, 1e-12})
    for (const double other : {0.0, 0.3, -1.0}) {
      body.angular_velocity = {off, 1.0, other * off};
      expect_as_by_series(body, 30.0, 1e-14 * std::exp(30.0 * growth));
      // On the surface L^2 = 2 T I2 itself, but for `off`: w1 = sqrt(2) w3.
      body.angular_velocity = {std::sqrt(2.0) + other * off, 0.3, 1.0};
      const double middle = angular_momentum(body).norm() / 1.5;
      expect_as_by_series(body, 12.0, 1e-14 * std::exp(12.0 * growth * middle));
    }
}

// The flip of a racket: about its middle axis it does not go on turning.
TEST(FreeFlight, AboutTheMiddleAxisItTurnsOver) {
  Body racket;
  racket.inertia = Vector3d(1.0, 1.5, 2.0).asDiagonal();
  racket.angular_velocity = {1e-3, 10.0, 0.0};
  const FreeFlight flight(racket, Vector3d::Zero());
  double least = 1.0;
  for (double t = 0.0; t < 10.0; t += 0.01) {
    const Body now = flight.at(t);
    least = std::min(least, (now.orientation * Vector3d::UnitY()).dot(angular_momentum(now).normalized()));
  }
  EXPECT_LT(least, -0.999);
  // Exactly about it, it stays.
  racket.angular_velocity = {0.0, 10.0, 0.0};
  EXPECT_EQ(free_flight(racket, Vector3d::Zero(), 10.0).angular_velocity, racket.angular_velocity);
}

// Energy and angular momentum after a thousand turns.
TEST(FreeFlight, KeepsWhatIsKeptForAThousandTurns) {
  Rng rng(5);
  for (int i = 0; i < 1000; ++i) {
    const Body body = random_body(rng);
    const double time = 1000.0 * 2.0 * std::numbers::pi / body.angular_velocity.norm();
    const Body later = free_flight(body, Vector3d::Zero(), time);
    const Vector3d l = angular_momentum(body);
    EXPECT_LT((angular_momentum(later) - l).norm(), 1e-12 * l.norm());
    EXPECT_NEAR(turning_energy(later), turning_energy(body), 1e-12 * turning_energy(body));
    EXPECT_NEAR(later.orientation.norm(), 1.0, 1e-14);
  }
}

TEST(FreeFlight, TakesAbsurdSpins) {
  Body body = body_of(Box{{0.2, 0.3, 0.4}}, 1.0);
  body.angular_velocity = {1e9, 1e8, 0.0};
  const Body later = free_flight(body, down, 1.0);  // the direction is lost in rounding; what is kept is kept
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
