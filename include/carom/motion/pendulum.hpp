// How fast is a pendulum?
// A small ball on a massless arm, let go at rest: its speed where the arm hangs straight down.
#pragma once

#pragma GCC visibility push(default)

namespace carom {

/// Speed at the lowest point, sqrt(2 g l (1 - cos angle)) [m/s].
/// @param length   from the pivot to the centre of the ball [m], > 0
/// @param angle    of release, from straight down [rad]
/// @param gravity  [m/s^2], > 0
/// @throws InvalidInput naming the argument
double pendulum_speed(double length, double angle, double gravity);

/// The same with the motion taken for harmonic, as for small angles: angle sqrt(g l) [m/s], of the sign of the angle.
/// @throws InvalidInput naming the argument
double pendulum_speed_small_angle(double length, double angle, double gravity);

}  // namespace carom

#pragma GCC visibility pop
