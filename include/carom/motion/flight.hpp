// Where is a body after some time in the air, and how has it turned?
// No force acts but gravity, which is uniform: the centre of mass runs along a parabola, the body turns freely about
// it, its angular momentum and the energy of its turning are kept. Times may be negative: then it is asked where the
// body was.
#pragma once

#include <Eigen/Core>

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

/// The orientation in flight is integrated (fourth order) in steps that turn the body no further than this [rad]: the
/// error in its direction is below 1e-9 rad per radian turned. Beyond so many steps they are longer, and a body that
/// turns hundreds of times has only a direction of the right kind.
inline constexpr double flight_turn_per_step = 0.02;
inline constexpr int max_flight_steps = 100'000;

/// A movable body after some time in flight: position, orientation and velocities.
/// @param body     valid; what of its motion is not finite makes what follows from it not finite
/// @param gravity  world axes [m/s^2]
/// @param time     [s]
/// @throws InvalidInput naming `body` (immovable), `gravity` or `time` (not finite)
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
