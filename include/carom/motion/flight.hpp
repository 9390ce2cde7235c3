// Where is a body after some time in the air, and how has it turned?
// No force acts but gravity, which is uniform: the centre of mass runs along a parabola, the body turns freely about
// it, its angular momentum and the energy of its turning are kept. Times may be negative: then it is asked where the
// body was.
#pragma once

#include <Eigen/Core>
#include <limits>

#include "carom/core/body.hpp"

#pragma GCC visibility push(default)

namespace carom {

/// Acceleration of free fall where nothing else is said [m/s^2].
inline constexpr double standard_gravity = 9.81;

/// Where a point in free fall is after some time: x + v t + g t^2 / 2 [m].
/// @param position, velocity  now [m], [m/s]
/// @param gravity             its acceleration, world axes [m/s^2]
/// @param time                [s]
Eigen::Vector3d flight_position(const Eigen::Vector3d& position, const Eigen::Vector3d& velocity,
                                const Eigen::Vector3d& gravity, double time);

/// Principal moments that differ by less than this share of the largest are equal: a few units of rounding.
inline constexpr double equal_moments = 8.0 * std::numeric_limits<double>::epsilon();

/// A movable body in flight from a state on, for any number of times: the parabola of its centre of mass and its free
/// turning, both in closed form. Balls, and bodies that turn about a principal axis, turn evenly; symmetric bodies
/// precess; of the others the angular velocity follows Jacobi's elliptic functions and the direction an elliptic
/// integral of the third kind (Landau and Lifshitz, Mechanics, section 37). The cost does not depend on the time, and
/// energy and angular momentum are kept to rounding however long it turns. The direction is exact to rounding times the
/// angle turned, except near the unstable turning about the middle axis, where the data themselves say no more.
class FreeFlight {
public:
  /// @param body     valid; what of its motion is not finite makes what follows from it not finite
  /// @param gravity  world axes [m/s^2]
  /// @throws InvalidInput naming `body` (immovable) or `gravity` (not finite)
  FreeFlight(const Body& body, const Eigen::Vector3d& gravity);

  /// The body after some time [s], which may be negative.
  /// @throws InvalidInput naming `time` (not finite)
  Body at(double time) const;

private:
  /// What turns evenly, and what does not; see the source.
  enum class Turning { even, symmetric, asymmetric };
  void start_asymmetric(double excess);
  void turn_asymmetric(double time, Eigen::Matrix3d& axes, Eigen::Vector3d& rate) const;

  Body body_;
  Eigen::Vector3d gravity_;
  Turning turning_ = Turning::even;
  Eigen::Matrix3d principal_;  // principal axes as columns, in body axes; right-handed
  Eigen::Vector3d moments_;    // in their order
  Eigen::Vector3d rate_;       // angular velocity now, in them
  Eigen::Matrix3d axes_;       // the same axes in the world, now
  double momentum_ = 0.0;      // size of the angular momentum
  // Asymmetric: amplitudes of the three components, signed; elliptic functions of phase + pace t with the parameter
  // 1 - m1 and the quarter period; the pole of the direction, its integral with the characteristic n at time 0 and over
  // half a turn.
  Eigen::Vector3d amplitudes_;
  double m1_ = 1.0, quarter_ = 0.0, pace_ = 0.0, phase_ = 0.0;
  int pole_ = 2;
  double n_ = 0.0, start_angle_ = 0.0, half_turn_angle_ = 0.0;
};

/// FreeFlight(body, gravity).at(time).
/// @throws InvalidInput as there
Body free_flight(const Body& body, const Eigen::Vector3d& gravity, double time);

/// Speed after a fall from rest [m/s].
/// @param drop     how far it fell [m], >= 0
/// @param gravity  [m/s^2], >= 0
/// @throws InvalidInput naming `drop` or `gravity`
double fall_speed(double drop, double gravity);

/// How high a body rises above where it is [m].
/// @param speed    upward [m/s], >= 0
/// @param gravity  [m/s^2], > 0
/// @throws InvalidInput naming `speed` or `gravity`
double rise_height(double speed, double gravity);

}  // namespace carom

#pragma GCC visibility pop
