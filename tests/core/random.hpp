// Seeded random bodies, contacts and rotations for the tests of this room.
#pragma once

#include <Eigen/Geometry>
#include <cmath>
#include <gtest/gtest.h>
#include <random>
#include <string>

#include "carom/core/contact_space.hpp"
#include "carom/core/error.hpp"

namespace carom::testing {

using Rng = std::mt19937_64;

inline double uniform(Rng& rng, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(rng);
}

template <int N>
Eigen::Matrix<double, N, 1> random_vector(Rng& rng, double size = 1.0) {
  Eigen::Matrix<double, N, 1> v;
  for (int i = 0; i < N; ++i) v[i] = uniform(rng, -size, size);
  return v;
}

/// Uniform over directions: a normalised Gaussian vector.
template <int N>
Eigen::Matrix<double, N, 1> random_direction(Rng& rng) {
  std::normal_distribution<double> gauss;
  Eigen::Matrix<double, N, 1> v;
  for (int i = 0; i < N; ++i) v[i] = gauss(rng);
  return v.normalized();
}

inline Eigen::Quaterniond random_rotation(Rng& rng) { return Eigen::Quaterniond(random_direction<4>(rng)); }

/// A body whose principal moments a solid can have: those of a random box, its axes not the body's.
inline Body random_body(Rng& rng) {
  Body body;
  body.mass = std::exp(uniform(rng, -2.0, 2.0));
  const Eigen::Vector3d s = Eigen::Vector3d::Constant(0.3) + random_vector<3>(rng, 0.25);
  const Eigen::Vector3d q = body.mass / 12.0 * s.cwiseProduct(s);
  const Eigen::Matrix3d r = random_rotation(rng).toRotationMatrix();
  body.inertia = r * Eigen::Vector3d(q[1] + q[2], q[2] + q[0], q[0] + q[1]).asDiagonal() * r.transpose();
  body.position = random_vector<3>(rng);
  body.orientation = random_rotation(rng);
  body.velocity = random_vector<3>(rng);
  body.angular_velocity = random_vector<3>(rng, 3.0);
  return body;
}

inline PlanarBody random_planar(Rng& rng) {
  PlanarBody body;
  body.mass = std::exp(uniform(rng, -2.0, 2.0));
  const double gyration = uniform(rng, 0.1, 0.6);
  body.inertia = body.mass * gyration * gyration;
  body.position = random_vector<2>(rng);
  body.angle = uniform(rng, -3.0, 3.0);
  body.velocity = random_vector<2>(rng);
  body.angular_velocity = uniform(rng, -3.0, 3.0);
  return body;
}

inline Contact random_contact(Rng& rng) { return {random_vector<3>(rng), random_direction<3>(rng)}; }
inline PlanarContact random_planar_contact(Rng& rng) { return {random_vector<2>(rng), random_direction<2>(rng)}; }

/// The text of the InvalidInput that `call` throws; empty if it throws none.
template <class Call>
std::string refusal(const Call& call) {
  try {
    call();
  } catch (const InvalidInput& error) {
    EXPECT_EQ(error.what(), error.field() + ": " + error.message());
    return error.what();
  }
  return {};
}

}  // namespace carom::testing
