// The text's own ways of computing a spatial impact (Wang 2017, section 2.6 and table 2.1), for comparison: NI, a fixed
// step of the normal impulse throughout; FS, a fixed step until a closed form applies; VS, a step from the curvature
// of the hodograph (eq. 2.32) until a closed form applies. Euler steps and energetic restitution, as there.
#pragma once

#include <Eigen/Dense>
#include <cmath>

#include "carom/impact/spatial.hpp"

namespace carom::bench {

enum class Method { NI, FS, VS };

struct MethodSettings {
  double step = 1e-3;           ///< of the normal impulse (NI, FS), relative to |v_n| / w
  double h1 = 1e-2, h2 = 1e-2;  ///< of arc length (relative to |gamma0|) and of angle (VS)
  double blend = 0.5;           ///< epsilon of eq. 2.32
  double sine = 0.08;           ///< slip counts as straight below this sine of the angle between gamma and gamma'
  double rest = 1e-3;           ///< slip counts as ended below this share of the initial speed
};

/// Impulse by one of the text's methods (Algorithm 1).
inline Eigen::Vector3d text_impulse(const SpatialProblem& p, Method method, const MethodSettings& set) {
  using Eigen::Vector2d, Eigen::Vector3d;
  const Eigen::Matrix3d& w = p.space.inverse_inertia;
  const Eigen::Matrix2d b = w.topLeftCorner<2, 2>();
  const Vector2d d = w.topRightCorner<2, 1>();
  const double mu = p.material.friction, e2 = p.material.restitution * p.material.restitution;
  const Vector2d stick = b.inverse() * d;
  const bool sticks = stick.norm() <= mu;
  Vector2d g = p.space.velocity.head<2>();
  const double g0 = g.norm(), unit = std::abs(p.space.velocity[2]) / w(2, 2);
  Vector3d impulse = Vector3d::Zero();
  double vn = p.space.velocity[2], energy = 0.0;
  bool restitution = false;
  Vector2d away = Vector2d::Zero();
  if (!sticks) away = resumed_slip(w, mu).direction;

  // straight slip (until rest), stick or resumed slip, in closed form to the end
  const auto finish = [&](bool slipping, const Vector2d& u) {
    Vector2d t = slipping ? Vector2d(-mu * u) : sticks ? Vector2d(-stick) : Vector2d(-mu * away);
    double to_rest = slipping ? -g.norm() / u.dot(d - mu * b * u) : -1.0;
    if (!(to_rest > 0.0)) to_rest = INFINITY;
    for (int piece = 0; piece < 6; ++piece) {
      const double rise = w(2, 2) + d.dot(t);
      double x;
      if (!restitution)
        x = rise > 0.0 ? -vn / rise : INFINITY;
      else
        x = 2 * energy / (vn + std::sqrt(std::max(0.0, vn * vn + 2 * rise * energy)));
      const bool rests = to_rest < x;
      x = std::min(x, to_rest);
      energy -= (vn + 0.5 * rise * x) * x;
      vn += rise * x;
      impulse += Vector3d(t[0], t[1], 1.0) * x;
      if (rests) {
        t = sticks ? Vector2d(-stick) : Vector2d(-mu * away);
        to_rest = INFINITY;
      } else if (restitution) {
        return;
      } else {
        restitution = true;
        vn = 0.0;
        energy *= e2;
        to_rest -= x;
      }
    }
  };

  bool stuck = g0 == 0.0;
  for (long count = 0; count < 100'000'000; ++count) {
    Vector2d u = stuck ? Vector2d::Zero() : Vector2d(g.normalized());
    if (stuck || g.norm() <= set.rest * g0) {
      if (method != Method::NI) {
        finish(false, u);
        return impulse;
      }
      stuck = true;
    }
    const Vector2d t = stuck ? (sticks ? Vector2d(-stick) : Vector2d(-mu * away)) : Vector2d(-mu * u);
    const Vector2d rate = d + b * t;
    double h = set.step * unit;
    if (method != Method::NI) {
      const double cross = u[0] * rate[1] - u[1] * rate[0];
      if (std::abs(cross) <= set.sine * rate.norm()) {
        finish(true, u);
        return impulse;
      }
      if (method == Method::VS) {
        // kappa = gamma' x gamma'' / |gamma'|^3; the printed (2.33) lacks the |gamma| in the denominator
        const Vector2d bend = -mu * b * Vector2d(-u[1], u[0]) * cross / g.norm();
        const double speed = rate.norm(),
                     kappa = std::abs(rate[0] * bend[1] - rate[1] * bend[0]) / (speed * speed * speed);
        h = set.blend * set.h1 * g0 / speed + (1 - set.blend) * std::min(set.h2 / kappa, 10 * set.h1 * g0) / speed;
      }
    }
    const double next_vn = vn + h * (w(2, 2) + d.dot(t));
    energy -= h * vn;
    impulse += Vector3d(t[0], t[1], 1.0) * h;
    if (!stuck) {
      const Vector2d next = g + h * rate;
      g = next.dot(g) > 0.0 ? next : Vector2d::Zero();  // a step that would reverse the slip ends it
    }
    if (!restitution && next_vn >= 0.0) {
      restitution = true;
      energy *= e2;
    } else if (restitution && energy <= 0.0) {
      return impulse;
    }
    vn = next_vn;
  }
  return impulse;
}

}  // namespace carom::bench
