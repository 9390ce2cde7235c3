// Routh's process followed in small steps of normal impulse, straight from Coulomb's law and the definition of each
// restitution law: shares no formula with the closed forms it checks. First order in the step.
#pragma once

#include <Eigen/Core>
#include <cmath>

#include "carom/impact/planar.hpp"

namespace carom::testing {

/// Impulse of a meeting impact (v_n < 0) in steps of `step` [N s].
inline Eigen::Vector2d incremental_planar_impulse(const PlanarProblem& problem, double step) {
  const Eigen::Matrix2d& w = problem.space.inverse_inertia;
  const double mu = problem.material.friction, e = problem.material.restitution, c0 = problem.space.velocity[1];
  Eigen::Vector2d impulse = Eigen::Vector2d::Zero(), v = problem.space.velocity;
  double direction = v[0] > 0 ? 1.0 : v[0] < 0 ? -1.0 : 0.0;
  double compression_impulse = 0.0, absorbed = 0.0, returned = 0.0;
  bool compressing = true;
  for (;;) {
    double tangential = -mu * direction;
    if (direction == 0.0) {  // no slip now: hold it if Coulomb allows, else slide the way the normal impulse pushes
      const double holding = -w(0, 1) / w(0, 0);
      if (std::abs(holding) <= mu)
        tangential = holding;
      else
        tangential = mu * (holding > 0 ? 1.0 : -1.0), direction = holding > 0 ? -1.0 : 1.0;
    }
    const Eigen::Vector2d dv = w * Eigen::Vector2d(tangential, 1.0) * step;
    const double work = (v[1] + 0.5 * dv[1]) * step;
    const double before = v[0];
    v += dv;
    impulse += Eigen::Vector2d(tangential, 1.0) * step;
    if (before * v[0] < 0.0) v[0] = 0.0, direction = 0.0;
    (compressing ? absorbed : returned) += work;
    if (compressing && v[1] >= 0.0) compressing = false, compression_impulse = impulse[1];
    if (compressing) continue;
    if (problem.law == RestitutionLaw::newton && v[1] >= -e * c0) return impulse;
    if (problem.law == RestitutionLaw::poisson && impulse[1] >= (1.0 + e) * compression_impulse) return impulse;
    if (problem.law == RestitutionLaw::energetic && returned >= -e * e * absorbed) return impulse;
  }
}

}  // namespace carom::testing
