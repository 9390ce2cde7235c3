// When do bodies touch, and where?
// The gap between two balls; when a ball on a parabola (in flight, or sliding straight on a cloth) meets another, a
// plane or the inside of a tube. The gap is a polynomial in time, and its first root is found among all of them:
// nothing can be passed over, however fast. And how long a ball in free fall is under way.
#pragma once

#include <Eigen/Core>

#include "carom/core/contact.hpp"

#pragma GCC visibility push(default)

namespace carom {

/// Balls touch if the gap between them is below this share of the sum of their radii: positions come with rounding.
inline constexpr double ball_touch_tolerance = 1e-9;

/// How two balls A and B are to each other.
struct BallGap {
  double gap = 0.0;        ///< between their surfaces [m]; negative: they overlap
  double tolerance = 0.0;  ///< of the gap [m]: ball_touch_tolerance times the sum of the radii
  Contact contact;         ///< midway between the surfaces, the normal from B into A

  bool touch() const { return gap <= tolerance; }                   ///< or overlap
  bool just_touch() const { return touch() && gap >= -tolerance; }  ///< without overlap
};

/// @param center_a, center_b  [m]; balls with one centre have no normal (it is zero)
/// @param radius_a, radius_b  [m], > 0
/// @throws InvalidInput naming `radius_a` or `radius_b`
BallGap gap_of_balls(const Eigen::Vector3d& center_a, double radius_a, const Eigen::Vector3d& center_b,
                     double radius_b);

/// A ball whose centre moves with constant acceleration: x + v t + a t^2 / 2.
struct BallPath {
  Eigen::Vector3d position = Eigen::Vector3d::Zero();      ///< now [m]
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();      ///< now [m/s]
  Eigen::Vector3d acceleration = Eigen::Vector3d::Zero();  ///< [m/s^2]
  double radius = 1.0;                                     ///< [m], > 0
};

/// A contact counts as touching now if its gap is within this share of the size of what touches: the ball, the smaller
/// of two balls.
inline constexpr double touching_share = 1e-12;

// Each gives the first time [s] in [0, horizon] at which the gap is zero and closing, infinite if there is none. Bodies
// that touch and approach meet now, at 0; bodies that touch and part have just left each other: that root is divided
// out of the polynomial, so the next one is found exactly however soon it comes (a ball thrown up from the ground is
// back after 2 v / g). Bodies that overlap count as touching. All throw InvalidInput naming `a.position`, `radius`,
// ..., `normal`, `axis` or `horizon` for what is not finite, not positive or not a unit vector.

/// Two balls, A and B.
double time_of_touch(const BallPath& a, const BallPath& b, double horizon);

/// A ball and the plane through `point` with the unit `normal` into free space.
double time_of_touch(const BallPath& ball, const Eigen::Vector3d& point, const Eigen::Vector3d& normal, double horizon);

/// A ball inside the endless tube of radius `radius` about the line through `point` along the unit vector `axis`.
double time_of_touch_in_tube(const BallPath& ball, const Eigen::Vector3d& point, const Eigen::Vector3d& axis,
                             double radius, double horizon);

/// How long a body that leaves the ground upward is in the air until it is back at the same height: 2 v / g [s].
/// @param speed    upward [m/s], >= 0
/// @param gravity  [m/s^2], > 0
/// @throws InvalidInput naming `speed` or `gravity`
double flight_time(double speed, double gravity);

/// How long a body needs for the last part of its fall: from a height above the ground until it touches [s].
/// @param height   [m], >= 0, also infinite; from where it was at rest on, if it never was that high
/// @param speed    downward at the touch [m/s], >= 0
/// @param gravity  [m/s^2], > 0
/// @throws InvalidInput naming the argument
double fall_time(double height, double speed, double gravity);

}  // namespace carom

#pragma GCC visibility pop
