#include "carom/impact/impulse_space.hpp"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <cmath>
#include <numbers>
#include <string>

#include "carom/core/error.hpp"

namespace carom {

namespace {

/// Q: where sticking and maximum compression meet.
Eigen::Vector2d stopping_impulse(const PlanarContactSpace& space) {
  return -space.inverse_inertia.llt().solve(space.velocity);
}

}  // namespace

double critical_friction(const Eigen::Matrix3d& inverse_inertia) {
  const Eigen::Matrix3d& w = inverse_inertia;
  return (w.topLeftCorner<2, 2>().ldlt().solve(w.topRightCorner<2, 1>())).norm();
}

double jamb_margin(const Eigen::Matrix3d& inverse_inertia, double friction) {
  return inverse_inertia(2, 2) - friction * inverse_inertia.block<2, 1>(0, 2).norm();
}

double jamb_friction(const Eigen::Matrix3d& inverse_inertia) {
  return inverse_inertia(2, 2) / inverse_inertia.block<2, 1>(0, 2).norm();
}

double compression_impulse(const ContactSpace& space, const Eigen::Vector2d& tangential) {
  const Eigen::Matrix3d& w = space.inverse_inertia;
  return (-space.velocity.z() - w(2, 0) * tangential.x() - w(2, 1) * tangential.y()) / w(2, 2);
}

Eigen::Vector2d sticking_impulse(const ContactSpace& space, double normal) {
  const Eigen::Matrix3d& w = space.inverse_inertia;
  const Eigen::Matrix2d inverse = w.topLeftCorner<2, 2>().inverse();
  return -inverse * (space.velocity.head<2>() + w.topRightCorner<2, 1>() * normal);
}

RouthLines routh_lines(const PlanarProblem& problem) {
  const PlanarContactSpace& space = problem.space;
  const Eigen::Matrix2d& w = space.inverse_inertia;
  const double b1 = w(0, 0), b2 = w(1, 1), b3 = -w(0, 1);  // as in the paper
  const double s0 = space.velocity[0], c0 = space.velocity[1];
  const double mu = problem.material.friction, e = problem.material.restitution;
  RouthLines lines;
  lines.rest = stopping_impulse(space);
  lines.sticking = {lines.rest, {b3, b1}};
  lines.compression = {lines.rest, {b2, b3}};
  if (e > 0.0 && c0 < 0.0) {
    lines.termination = {{0.0, -(1.0 + e) * c0 / b2}, {b2, b3}};
    lines.rebound = stopping_impulse({w, {s0, (1.0 + e) * c0}});
  }
  // Slip goes the way it started; from rest, the way the normal impulse pushes.
  const double s = s0 != 0.0 ? std::copysign(1.0, s0) : b3 != 0.0 ? -std::copysign(1.0, b3) : 0.0;
  if (s == 0.0 || mu == 0.0) return lines;
  lines.friction = {{0.0, 0.0}, {-s * mu, 1.0}};
  const double decay = mu * b1 + s * b3;  // of slip, with normal impulse
  if (s0 == 0.0 || decay <= 0.0) return lines;
  const double slip_end = std::abs(s0) / decay;
  lines.reversed_friction = {{-s * mu * slip_end, slip_end}, {s * mu, 1.0}};
  return lines;
}

std::vector<Eigen::Vector2d> energy_ellipse(const PlanarContactSpace& space, int samples) {
  if (samples < 0) throw InvalidInput("samples", "must be >= 0, got " + std::to_string(samples));
  const Eigen::LLT<Eigen::Matrix2d> factor(space.inverse_inertia);
  const Eigen::Vector2d centre = stopping_impulse(space);
  const double radius = std::sqrt(2.0 * kinetic_energy(space));
  std::vector<Eigen::Vector2d> points;
  for (int i = 0; i < samples; ++i) {
    const double angle = 2.0 * std::numbers::pi * i / samples;
    const Eigen::Vector2d around(std::cos(angle), std::sin(angle));
    points.emplace_back(centre + radius * factor.matrixU().solve(around));
  }
  return points;
}

}  // namespace carom
