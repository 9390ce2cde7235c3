// The other way to solve a compliant impact: Algorithm 1 of Jia 2012, fixed Euler steps in the normal impulse. Here
// only to be measured against; with the corrections without which it does not end (E_n <- e^2 E_n and eta <- eta0/e
// when compression ends). Its friction in slip is not that of the model, whatever the step (docs/theory/compliant.md).
#pragma once

#include <cmath>

#include "carom/impact/compliant.hpp"

namespace carom::methods {

/// @param step  of the normal impulse [N s]; the paper uses 5e-5
inline Eigen::Vector3d algorithm_1(const CompliantProblem& problem, double step, long& steps) {
  using Eigen::Vector2d;
  using Eigen::Vector3d;
  const double mu = problem.material.friction, e = problem.material.restitution, eta0 = problem.stiffness_ratio_root;
  const Vector3d v0 = problem.space.velocity;
  const double slip = v0.head<2>().norm();
  const Vector2d u = v0.head<2>() / slip;
  bool slipping = slip > mu * eta0 * eta0 * -v0[2], restitution = false;
  double eta = eta0;
  // First step: series at first touch (eqs. 61, 72, 73).
  const double ratio = slipping ? mu : slip / (eta0 * eta0 * -v0[2]);
  double energy = -v0[2] * step;
  Vector3d impulse(-ratio * step * u[0], -ratio * step * u[1], step);
  Vector2d g = 2.0 * eta0 * eta0 * ratio * std::sqrt(energy) * u;
  Vector3d v = v0 + problem.space.inverse_inertia * impulse;
  for (steps = 1; steps < 100000000; ++steps) {
    const double root = std::sqrt(energy);
    const Vector2d a = g / (2.0 * eta0);  // signed roots of the tangential energies
    Vector2d rate = v.head<2>();
    if (slipping) {
      const double common = -mu * mu * eta * eta * eta * v[2] * root;
      rate = Vector2d(common * a[0] + v[0] * a[1] * a[1] - v[1] * a[0] * a[1],
                      common * a[1] + v[1] * a[0] * a[0] - v[0] * a[0] * a[1]) /
             (mu * mu * eta * eta * energy);
    }
    g += (restitution ? e : 1.0) * rate / root * step;
    energy -= v[2] * step;
    if (energy <= 0.0) break;
    const Vector2d slope = -g / (2.0 * eta0 * eta * std::sqrt(energy));
    impulse += Vector3d(slope[0], slope[1], 1.0) * step;
    v = v0 + problem.space.inverse_inertia * impulse;
    if (!slipping) {
      slipping = g.squaredNorm() / (4.0 * eta0 * eta0) >= mu * mu * eta * eta * energy;
    } else {
      slipping = (v.head<2>() - rate).dot(g) > 0.0;
    }
    if (!restitution && v[2] >= 0.0) {
      restitution = true;
      energy *= e * e;
      eta = eta0 / e;
    }
  }
  return impulse;
}

}  // namespace carom::methods
