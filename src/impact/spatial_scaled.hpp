// A spatial problem in normalised units. Velocities are divided by v_unit and W by w_unit, both powers of two, so that
// scaling is exact and neither huge nor tiny units overflow inside.
#pragma once

#include <algorithm>
#include <cmath>

#include "spatial_process.hpp"

namespace carom::spatial {

/// v_n sets the unit of velocity, but slip may not exceed it by more than this: its square must stay finite.
inline constexpr double widest_ratio = 0x1p400;

struct Scaled {
  double v_unit = 1.0, w_unit = 1.0;
  Eigen::Matrix3d W;
  Eigen::Vector3d v;
  double impulse_unit() const { return v_unit / w_unit; }
};

inline double power_of_two(double x) {
  return x >= std::numeric_limits<double>::min() ? power_of_two_below(x) : std::ldexp(1.0, std::ilogb(x));
}

/// @param space  validated
inline Scaled scaled(const ContactSpace& space) {
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

template <class T>
Surface<T> surface_of(const Scaled& s, const T& mu, const T& e) {
  return {s.W(0, 0), 0.5 * (s.W(0, 1) + s.W(1, 0)), s.W(1, 1), s.W(0, 2), s.W(1, 2), s.W(2, 2), mu, e};
}

inline State<double> start_of(const Scaled& s) {
  State<double> state;
  state.gx = s.v[0];
  state.gy = s.v[1];
  state.vn = s.v[2];
  return state;
}

}  // namespace carom::spatial
