// When do bodies touch, and where?
// The gap between two balls, and how long a ball in free fall is under way: from a height to the ground, and from the
// ground back to it. Closed forms; times of impact of other motions and shapes belong here too.
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
