// Shared by the tests and the benchmark of the compliant model: the paper's ball and pencil, and random impacts.
#pragma once

#include <cmath>
#include <numbers>
#include <random>

#include "carom/impact/compliant.hpp"

namespace carom::cases {

/// The stiffness ratio of Jia 2012, section 8: Poisson's ratio .3.
inline const double paper_eta0 = std::sqrt(17.0 / 14.0);

/// Solid ball of mass and radius 1 on an immovable table, n = z.
inline CompliantProblem ball(const Eigen::Vector3d& velocity, const Eigen::Vector3d& spin, double mu = 0.4,
                             double e = 0.5, double eta0 = paper_eta0, Reading reading = Reading::model) {
  CompliantProblem problem;
  problem.space.inverse_inertia = Eigen::Vector3d(3.5, 3.5, 1.0).asDiagonal();  // Jia 2012, eqs. 81-82
  problem.space.velocity = velocity + Eigen::Vector3d::UnitZ().cross(spin);
  problem.material = {mu, e};
  problem.stiffness_ratio_root = eta0;
  problem.reading = reading;
  return problem;
}

/// Velocity and spin of that ball after an impulse (Jia 2012, eq. 79).
inline Eigen::Vector3d ball_velocity(const Eigen::Vector3d& velocity, const Eigen::Vector3d& impulse) {
  return velocity + impulse;
}
inline Eigen::Vector3d ball_spin(const Eigen::Vector3d& spin, const Eigen::Vector3d& impulse) {
  return spin - 2.5 * Eigen::Vector3d::UnitZ().cross(impulse);
}

/// The pencil of Jia 2012, section 8.2, with the cone's inertia about its own centre (the paper's eq. 85 shifts the
/// inertia about the apex).
inline CompliantProblem pencil() {
  const double m = 1.0, r = 0.5, h1 = 3.0, h2 = 0.5, theta = std::numbers::pi / 3.0;
  const double h = (6 * h1 * h1 + 12 * h1 * h2 + 3 * h2 * h2) / (12 * h1 + 4 * h2), l = h1 / 2 + h2 - h;
  const double q =
      m / (h1 + h2 / 3) *
      (h1 * ((3 * r * r + h1 * h1) / 12 + l * l) + h2 / 3 * (0.6 * (r * r / 4 + h2 * h2) + h * h - 1.5 * h * h2));
  const double s = std::sin(theta), c = std::cos(theta), k = h * h / q;
  CompliantProblem problem;
  problem.space.inverse_inertia << 1 / m + k * s * s, 0, -k * s * c, 0, 1 / m + k, 0, -k * s * c, 0, 1 / m + k * c * c;
  const double w1 = -1.0, w2 = -0.5;  // eq. 88
  problem.space.velocity = {-5 * std::cos(std::numbers::pi / 6) - h * w2 * s, h * w1, -2.5 + h * w2 * c};
  problem.material = {0.8, 0.5};
  problem.stiffness_ratio_root = paper_eta0;
  return problem;
}

/// Random impacts of ordinary bodies: friction .05 to 1.05, any restitution, eta0 .7 to 1.7.
class OrdinaryCases {
public:
  explicit OrdinaryCases(std::uint64_t seed) : random_(seed) {}
  CompliantProblem operator()() {
    CompliantProblem problem;
    Eigen::Matrix3d a;
    for (double& x : a.reshaped()) x = normal_(random_);
    problem.space.inverse_inertia = a * a.transpose() + 0.1 * Eigen::Matrix3d::Identity();
    const double vx = normal_(random_), vy = normal_(random_);
    problem.space.velocity = {vx, vy, -std::abs(normal_(random_)) - 1e-3};
    const double mu = 0.05 + uniform_(random_);
    problem.material = {mu, uniform_(random_)};
    problem.stiffness_ratio_root = 0.7 + uniform_(random_);
    return problem;
  }

private:
  std::mt19937_64 random_;
  std::uniform_real_distribution<> uniform_{0.0, 1.0};
  std::normal_distribution<> normal_;
};

/// Random impacts at the edges: strong coupling, grazing, friction 0 to 1e6, restitution 0 to 1, eta0 1e-3 to 1e4.
class HardCases {
public:
  explicit HardCases(std::uint64_t seed) : random_(seed) {}
  CompliantProblem operator()() {
    CompliantProblem problem;
    Eigen::Matrix3d a;
    for (double& x : a.reshaped()) x = normal_(random_);
    Eigen::Vector3d b;
    for (double& x : b.reshaped()) x = normal_(random_);
    const double weak = std::pow(10.0, -4.0 * uniform_(random_));
    if (chance(0.3))
      problem.space.inverse_inertia =
          b * b.transpose() + weak * (a * a.transpose() + 0.01 * Eigen::Matrix3d::Identity());
    else
      problem.space.inverse_inertia = a * a.transpose() + 0.1 * Eigen::Matrix3d::Identity();
    const double vx = normal_(random_), vy = normal_(random_);
    problem.space.velocity = {vx, vy, -std::abs(normal_(random_)) - 1e-3};
    if (chance(0.15)) problem.space.velocity[2] *= std::pow(10.0, -8.0 * uniform_(random_));
    double mu = std::pow(10.0, -3.0 + (chance(0.8) ? 4.0 : 9.0) * uniform_(random_));
    if (chance(0.02)) mu = 0.0;
    double e = uniform_(random_);
    if (chance(0.05)) e = 0.0;
    if (chance(0.05)) e = 1.0;
    problem.material = {mu, e};
    const double u = uniform_(random_);
    problem.stiffness_ratio_root = std::pow(10.0, chance(0.7) ? -1.0 + 2.0 * u : -3.0 + 7.0 * u);
    return problem;
  }

private:
  bool chance(double probability) { return uniform_(random_) < probability; }
  std::mt19937_64 random_;
  std::uniform_real_distribution<> uniform_{0.0, 1.0};
  std::normal_distribution<> normal_;
};

}  // namespace carom::cases
