#include "carom/contact/rigid_limit.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/contact/normal_force.hpp"
#include "carom/core/error.hpp"

#include "log_rest.hpp"

namespace carom {

namespace {

using Eigen::Matrix2d, Eigen::Vector2d;

/// The integral of u / (1 + A u) from 0: what spring and damper take up, per mass and v_i^2.
double taken_up(double a, double u) { return a == 0.0 ? 0.5 * u * u : log_rest(a * u) / (a * a); }

/// u < 0 with taken_up(u) = value: it falls from infinity at -1/A (at minus infinity for A = 0) to 0.
double parting_rate(double a, double value) {
  if (a == 0.0) return -std::sqrt(2.0 * value);
  double low = -1.0 / a, high = 0.0;
  for (int round = 0; round < 200; ++round) {
    const double u = 0.5 * (low + high);
    if (!(u > low && u < high)) break;
    (taken_up(a, u) > value ? low : high) = u;
  }
  return 0.5 * (low + high);
}

/// Friction's share of the impulse while slip has the sign `slip`; 0: the tip sticks, or slip begins where it would.
double tangential_share(const Matrix2d& w, double mu, double slip) {
  if (slip != 0.0) return -mu * slip;
  return std::clamp(-w(0, 1) / w(0, 0), -mu, mu);
}

}  // namespace

Vector2d rigid_limit(const Matrix2d& w, const Vector2d& velocity, double mu, double e) {
  if (!w.allFinite() || w(0, 1) != w(1, 0) || !(w(0, 0) > 0.0) || !(w.determinant() > 0.0))
    throw InvalidInput("inverse_inertia", "must be symmetric and positive definite");
  if (!velocity.allFinite()) throw InvalidInput("velocity", "must be finite");
  require_at_least("mu", mu, 0.0);
  const double a = damping(DampingLaw::gonthier, e), v_i = -velocity[1];
  Vector2d impulse = Vector2d::Zero(), v = velocity;
  double sum = 0.0;  // the integral so far, over v_i^2: below zero until the end
  // Two pieces at most: slip as it was until it stops, then sticking or slip the other way.
  for (int piece = 0; piece < 2 && v_i > 0.0; ++piece) {
    const double share = tangential_share(w, mu, v[0] > 0.0 ? 1.0 : v[0] < 0.0 ? -1.0 : 0.0);
    const Vector2d slope = w * Vector2d(share, 1.0);  // of v over the normal impulse
    const double stops = v[0] * slope[0] < 0.0 ? -v[0] / slope[0] : std::numeric_limits<double>::infinity();
    const double before = taken_up(a, -v[1] / v_i);
    if (std::isfinite(stops)) {
      const double u = -(v[1] + slope[1] * stops) / v_i;
      const double after = 1.0 + a * u > 0.0 ? taken_up(a, u) : std::numeric_limits<double>::infinity();
      const double change = slope[1] != 0.0 ? (after - before) / slope[1] : -u / (1.0 + a * u) * stops / v_i;
      if (sum + change < 0.0) {
        impulse += stops * Vector2d(share, 1.0);
        v = Vector2d(0.0, -u * v_i);
        sum += change;
        continue;
      }
    }
    const double u = parting_rate(a, before - slope[1] * sum);
    impulse += (-u * v_i - v[1]) / slope[1] * Vector2d(share, 1.0);
    break;
  }
  return impulse;
}

}  // namespace carom
