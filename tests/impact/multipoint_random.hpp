// Multi-point impacts for tests and benchmarks: the ball in a corner of Rodriguez 2010, boxes, and seeded random
// bodies.
#pragma once

#include <Eigen/Geometry>
#include <cmath>
#include <random>

#include "carom/impact/multipoint.hpp"

#include "core/turn.hpp"

namespace carom::testing {

/// Disc (m = 1, R = 0.5, I = 0.125) in the corner of floor (contact 0) and wall (contact 1).
inline MultipointProblem corner(double vx, double vy, double e, double mu_s, double mu_d) {
  MultipointProblem problem;
  problem.mass_matrix = Eigen::Vector3d(1.0, 1.0, 0.125).asDiagonal();
  problem.jacobian.resize(4, 3);
  problem.jacobian << 1, 0, 0.5, 0, 1, 0, 0, 1, 0.5, -1, 0, 0;
  problem.velocity = Eigen::Vector3d(vx, vy, 0.0);
  problem.restitution = {e};
  problem.static_friction = mu_s;
  problem.dynamic_friction = mu_d;
  return problem;
}

/// Rows (t, n) of a contact of a free planar body at r from its centre of mass, normal at `angle` from +y.
inline Eigen::Matrix<double, 2, 3> planar_rows(const Eigen::Vector2d& r, double angle) {
  const Eigen::Vector2d n(-std::sin(angle), std::cos(angle)), t(std::cos(angle), std::sin(angle));
  Eigen::Matrix<double, 2, 3> rows;
  rows << t.x(), t.y(), r.x() * t.y() - r.y() * t.x(), n.x(), n.y(), r.x() * n.y() - r.y() * n.x();
  return rows;
}

/// A free planar body with contacts at random places and directions, all touching or approaching.
inline MultipointProblem random_planar_multipoint(std::mt19937_64& rng, int contacts) {
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  MultipointProblem problem;
  const double mass = std::exp(unit(rng));
  problem.mass_matrix = Eigen::Vector3d(mass, mass, mass * (0.1 + 0.2 * std::abs(unit(rng)))).asDiagonal();
  problem.velocity = Eigen::Vector3d(unit(rng), -2.0 + unit(rng), unit(rng));
  problem.jacobian.resize(2 * contacts, 3);
  for (int i = 0; i < contacts; ++i) {
    Eigen::Matrix<double, 2, 3> rows;
    do rows = planar_rows({unit(rng), unit(rng)}, 1.5 * unit(rng));
    while ((rows * problem.velocity)[1] > 0.0);
    problem.jacobian.middleRows(2 * i, 2) = rows;
  }
  problem.restitution = {std::abs(unit(rng))};
  problem.dynamic_friction = std::abs(unit(rng));
  problem.static_friction = problem.dynamic_friction * (unit(rng) < 0.0 ? 1.0 : 1.3);
  return problem;
}

/// Rows (t1, t2, n) = (x, y, z) of a contact of a free body in space at r from its centre of mass.
inline Eigen::Matrix<double, 3, 6> upright_rows(const Eigen::Vector3d& r) {
  Eigen::Matrix<double, 3, 6> rows;
  rows.leftCols<3>().setIdentity();
  for (int i = 0; i < 3; ++i) rows.row(i).tail<3>() = r.cross(Eigen::Vector3d::Unit(i)).transpose();
  return rows;
}

/// A free body in space with contacts at random places and directions, all touching or approaching.
inline MultipointProblem random_spatial_multipoint(std::mt19937_64& rng, int contacts) {
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  const auto vector = [&] { return Eigen::Vector3d(unit(rng), unit(rng), unit(rng)); };
  MultipointProblem problem;
  problem.dimension = 3;
  Eigen::VectorXd masses(6);
  masses << 1, 1, 1, 0.3 + 0.1 * unit(rng), 0.3 + 0.1 * unit(rng), 0.3 + 0.1 * unit(rng);
  problem.mass_matrix = masses.asDiagonal();
  problem.velocity.resize(6);
  problem.velocity << vector() - Eigen::Vector3d(0, 0, 2), vector();
  problem.jacobian.resize(3 * contacts, 6);
  for (int i = 0; i < contacts; ++i) {
    Eigen::Matrix<double, 3, 6> rows;
    do {
      const Eigen::Quaterniond tilt = turn_from_z(Eigen::Vector3d::UnitZ() + vector());
      rows = tilt.toRotationMatrix().transpose() * upright_rows(vector());
    } while ((rows * problem.velocity)[2] > 0.0);
    problem.jacobian.middleRows(3 * i, 3) = rows;
  }
  problem.restitution = {std::abs(unit(rng))};
  problem.dynamic_friction = 0.6 * std::abs(unit(rng));
  problem.static_friction = problem.dynamic_friction * (unit(rng) < 0.0 ? 1.0 : 1.3);
  return problem;
}

/// Box of mass 1 and edges 2a, 2b, 2c landing flat on the four corners of its lower face.
inline MultipointProblem landing_box(const Eigen::Vector3d& half, const Eigen::Vector3d& velocity, double e,
                                     double mu) {
  MultipointProblem problem;
  const Eigen::Vector3d sq = half.cwiseAbs2();
  Eigen::VectorXd masses(6);
  masses << 1, 1, 1, (sq.y() + sq.z()) / 3, (sq.x() + sq.z()) / 3, (sq.x() + sq.y()) / 3;
  problem.mass_matrix = masses.asDiagonal();
  problem.dimension = 3;
  problem.jacobian.resize(12, 6);
  int contact = 0;
  for (const double x : {-1.0, 1.0})
    for (const double y : {-1.0, 1.0})
      problem.jacobian.middleRows(3 * contact++, 3) = upright_rows({x * half.x(), y * half.y(), -half.z()});
  problem.velocity = Eigen::VectorXd::Zero(6);
  problem.velocity.head(3) = velocity;
  problem.restitution = {e};
  problem.static_friction = problem.dynamic_friction = mu;
  return problem;
}

}  // namespace carom::testing
