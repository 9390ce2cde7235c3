// A spatial problem in normalised units and axes. Velocities are divided by v_unit and W by w_unit, both powers of two,
// so that scaling is exact and neither huge nor tiny units overflow inside. The tangential axes are turned to those of
// W_tt: where one direction answers far more readily to an impulse than the other (slender bodies), a direction of slip
// and its impulse then keep the digits of their smaller part, which counts as much as the larger one.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "process.hpp"
#include "tangential_axes.hpp"

namespace carom::spatial {

/// v_n sets the unit of velocity, but slip may not exceed it by more than this: its square must stay finite.
inline constexpr double widest_ratio = 0x1p400;

/// Friction beyond this is taken as this much, in normalised units: slip then stops at once, with a normal impulse too
/// small to count, while the square root of the range of doubles keeps every product finite.
inline constexpr double greatest_friction = 0x1p500;

struct Scaled {
  double v_unit = 1.0, w_unit = 1.0;
  Eigen::Matrix3d W;
  Eigen::Vector3d v;
  double cosine = 1.0, sine = 0.0;  // of the turn of the tangential axes
  double kept = 1.0;                // TangentialAxes

  /// From the turned axes to the caller's.
  template <class T>
  std::array<T, 2> back(const T& x, const T& y) const {
    return {x * cosine + y * sine, y * cosine - x * sine};
  }
};

inline double power_of_two(double x) {
  return x >= std::numeric_limits<double>::min() ? power_of_two_below(x) : std::ldexp(1.0, std::ilogb(x));
}

/// In the caller's axes.
/// @param space  validated
inline Scaled in_units(const ContactSpace& space) {
  Scaled out;
  out.w_unit = power_of_two(space.inverse_inertia.cwiseAbs().maxCoeff());
  const double slip = std::max(std::abs(space.velocity[0]), std::abs(space.velocity[1]));
  const double normal = std::abs(space.velocity[2]);
  const double size = normal > 0.0 ? std::max(normal, slip / widest_ratio) : slip;
  if (size > 0.0) out.v_unit = power_of_two(size);
  out.W = space.inverse_inertia / out.w_unit;
  out.v = space.velocity / out.v_unit;
  return out;
}

/// The same in the axes of W_tt.
inline Scaled scaled(const ContactSpace& space) {
  Scaled out = in_units(space);
  Eigen::Matrix3d& w = out.W;
  for (int i = 0; i < 2; ++i) w(i, 2) = w(2, i) = 0.5 * (w(i, 2) + w(2, i));  // symmetric but for rounding
  const TangentialAxes axes = tangential_axes(w(0, 0), 0.5 * (w(0, 1) + w(1, 0)), w(1, 1));
  w(0, 1) = w(1, 0) = 0.0;
  out.kept = axes.kept;
  if (axes.sine == 0.0) return out;
  const double c = out.cosine = axes.cosine, s = out.sine = axes.sine;
  w(0, 0) = axes.first;
  w(1, 1) = axes.second;
  const double d1 = w(0, 2), d2 = w(1, 2), g1 = out.v[0], g2 = out.v[1];
  w(0, 2) = w(2, 0) = c * d1 - s * d2;
  w(1, 2) = w(2, 1) = s * d1 + c * d2;
  out.v[0] = c * g1 - s * g2;
  out.v[1] = s * g1 + c * g2;
  return out;
}

template <class T>
Surface<T> surface_of(const Scaled& s, const T& mu, const T& e) {
  const double least = std::numeric_limits<double>::min();  // below, there are no digits left to count with
  const T friction = value(mu) > greatest_friction ? T(greatest_friction) : value(mu) < least ? mu - T(value(mu)) : mu;
  return {s.W(0, 0), s.W(0, 1), s.W(1, 1), s.W(0, 2), s.W(1, 2), s.W(2, 2), friction, e, std::abs(s.sine)};
}

inline State<double> start_of(const Scaled& s) {
  State<double> state;
  state.gx = s.v[0];
  state.gy = s.v[1];
  state.vn = s.v[2];
  return state;
}

}  // namespace carom::spatial
