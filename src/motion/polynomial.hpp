// Where does a polynomial of low degree first fall through zero?
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstddef>

namespace carom {

/// c[0] + c[1] t + ... + c[4] t^4
using Quartic = std::array<double, 5>;

double value(const Quartic& c, double t);

/// The first t in [0, to] at which the polynomial, positive at 0, is zero; infinite if there is none. Between two
/// extremes, which are the roots of the derivative and found in the same way, it is monotone: so every root is
/// bracketed and none is passed over.
double first_fall(const Quartic& c, double to);

/// A gap over time, and whether it counts as closed now.
struct GapPolynomial {
  Quartic gap;                ///< of the sign of the gap
  bool touches = false;       ///< it is closed now, up to rounding
  double resting_rate = 0.0;  ///< rates of `gap` of this size are rounding
};

/// The gap of two balls whose centres are x apart, that of a ball above the plane through the origin, and of a ball
/// inside a tube about the axis through the origin. Centres move as x + v t + a t^2 / 2.
/// @param reach          sum of the radii; the radius; what is left between tube and ball [m]
/// @param noise          a gap below this is closed [m]
/// @param resting_speed  of a gap that neither opens nor closes, but for rounding [m/s]
GapPolynomial gap_outside(const Eigen::Vector3d& x, const Eigen::Vector3d& v, const Eigen::Vector3d& a, double reach,
                          double noise, double resting_speed = 0.0);
GapPolynomial gap_above(const Eigen::Vector3d& normal, const Eigen::Vector3d& x, const Eigen::Vector3d& v,
                        const Eigen::Vector3d& a, double reach, double noise, double resting_speed = 0.0);
GapPolynomial gap_inside(const Eigen::Vector3d& axis, const Eigen::Vector3d& x, const Eigen::Vector3d& v,
                         const Eigen::Vector3d& a, double reach, double noise, double resting_speed = 0.0);

/// When it closes: the first time in [0, horizon] at which it is zero and falls, infinite if there is none. A contact
/// that is there now is divided out, as often as it is one: the next is found exactly however soon it comes.
double closing_time(const GapPolynomial& gap, double horizon);

}  // namespace carom
