// Random impacts in space for tests and benchmarks: every kind of input that has ever been hard.
#pragma once

#include <Eigen/Dense>
#include <cmath>
#include <numbers>
#include <random>

#include "carom/impact/spatial.hpp"

namespace carom::testing {

/// Which family a random impact comes from.
enum class Family { bodies, coupled, near_tangent, near_invariant, sphere, rough, count };

class SpatialCases {
public:
  explicit SpatialCases(std::uint64_t seed) : random_(seed) {}

  double uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random_); }
  double normal() { return std::normal_distribution<double>()(random_); }
  double log_uniform(double low, double high) { return std::exp(uniform(std::log(low), std::log(high))); }
  bool chance(double p) { return uniform(0, 1) < p; }

  /// W of two free bodies with random principal moments that obey the triangle inequality.
  Eigen::Matrix3d physical_w() {
    Eigen::Matrix3d w = Eigen::Matrix3d::Zero();
    for (int body = 0; body < 2; ++body) {
      const double mass = log_uniform(0.3, 3.0);
      const Eigen::Vector3d q(uniform(.05, 1), uniform(.05, 1), uniform(.05, 1));
      const Eigen::Vector3d moments = mass * Eigen::Vector3d(q[1] + q[2], q[0] + q[2], q[0] + q[1]) * 0.3;
      const Eigen::Matrix3d turn = Eigen::Quaterniond(normal(), normal(), normal(), normal()).normalized().matrix();
      const Eigen::Matrix3d inverse = turn * moments.cwiseInverse().asDiagonal() * turn.transpose();
      const Eigen::Vector3d r(uniform(-1, 1), uniform(-1, 1), body == 0 ? uniform(-1, -.2) : uniform(.2, 1));
      Eigen::Matrix3d skew;
      skew << 0, -r.z(), r.y(), r.z(), 0, -r.x(), -r.y(), r.x(), 0;
      w += Eigen::Matrix3d::Identity() / mass - skew * inverse * skew;
    }
    return 0.5 * (w + w.transpose());
  }

  /// Random symmetric positive definite W, condition number up to `condition`: strong coupling.
  Eigen::Matrix3d coupled_w(double condition) {
    const Eigen::Matrix3d turn = Eigen::Quaterniond(normal(), normal(), normal(), normal()).normalized().matrix();
    const Eigen::Vector3d values(1.0, log_uniform(1.0 / condition, 1.0), log_uniform(1.0 / condition, 1.0));
    const Eigen::Matrix3d w = turn * values.asDiagonal() * turn.transpose();
    return 0.5 * (w + w.transpose());
  }

  Family family() { return static_cast<Family>(std::uniform_int_distribution<int>(0, 5)(random_)); }

  SpatialProblem next(Family family, double condition = 30.0) {
    SpatialProblem out;
    Eigen::Matrix3d& w = out.space.inverse_inertia;
    w = chance(0.5) ? physical_w() : coupled_w(condition);
    const double angle = uniform(-std::numbers::pi, std::numbers::pi), slip = std::abs(normal());
    double vn = -std::abs(normal());
    double mu = chance(0.3) ? log_uniform(0.05, 10.0) : uniform(0.0, 1.2);
    double turn = angle;
    switch (family) {
      case Family::bodies:
        w = physical_w();
        break;
      case Family::coupled:
        w = coupled_w(condition);
        break;
      case Family::near_tangent:
        vn *= log_uniform(1e-7, 1e-1);
        break;
      case Family::near_invariant: {
        const auto all = invariant_directions(w, mu);
        if (!all.directions.empty()) {
          const auto k = std::uniform_int_distribution<std::size_t>(0, all.directions.size() - 1)(random_);
          const Eigen::Vector2d u = all.directions[k].direction;
          turn = std::atan2(u[1], u[0]) + (chance(0.5) ? 1 : -1) * log_uniform(1e-12, 1e-1);
        }
        break;
      }
      case Family::sphere: {
        const double stretch = chance(0.5) ? 0.0 : log_uniform(1e-10, 1e-1);
        w = Eigen::Vector3d(3.5, 3.5 * (1 + stretch), 1.0).asDiagonal();
        w(0, 1) = w(1, 0) = stretch * uniform(-1, 1);
        w(0, 2) = w(2, 0) = stretch * uniform(-1, 1);
        break;
      }
      case Family::rough:
        mu = log_uniform(1.0, 1e4);
        break;
      case Family::count:
        break;
    }
    out.space.velocity = Eigen::Vector3d(slip * std::cos(turn), slip * std::sin(turn), vn);
    out.material.friction = mu;
    out.material.restitution = chance(0.1) ? 0.0 : chance(0.1) ? 1.0 : uniform(0, 1);
    out.law = static_cast<RestitutionLaw>(std::uniform_int_distribution<int>(0, 2)(random_));
    return out;
  }
  SpatialProblem next() { return next(family()); }

private:
  std::mt19937_64 random_;
};

}  // namespace carom::testing
