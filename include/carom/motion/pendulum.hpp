// Where is a pendulum, and how fast?
// A ball on a massless rigid arm that swings in a plane and does not turn about itself. Its motion in closed form for
// any angle, over the top too, and the harmonic motion that small angles have.
#pragma once

#include "carom/core/names.hpp"

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

/// The motion as it is, or taken for harmonic: what textbooks do for small angles.
enum class PendulumMotion { exact, small_angle };

template <>
inline constexpr auto names_of<PendulumMotion> = std::to_array<Named<PendulumMotion>>({
    {PendulumMotion::exact, "exact"},
    {PendulumMotion::small_angle, "small_angle"},
});

/// Where a pendulum is: its angle from straight down, and how fast that grows.
struct PendulumState {
  double angle = 0.0;  ///< [rad]; grows on and on if it goes round
  double rate = 0.0;   ///< [rad/s]
};

/// A pendulum from a state on, for any number of times. Exact motion by Jacobi's elliptic functions,
/// sin(angle/2) = k sn, or angle = 2 am where it goes round; the cost does not depend on the time, and the energy is
/// kept to rounding. Near the top, where an infinitely slow arrival parts swinging from going round, the data say no
/// more about the time than their last digit times exp(sqrt(g/l) t).
class PendulumSwing {
public:
  /// @param length   from the pivot to the centre of the ball [m], > 0
  /// @param gravity  in the plane of the swing [m/s^2], >= 0
  /// @param start    now
  /// @throws InvalidInput naming `length`, `gravity`, `angle` or `rate`
  PendulumSwing(double length, double gravity, const PendulumState& start,
                PendulumMotion motion = PendulumMotion::exact);

  /// @param time  [s], may be negative
  /// @throws InvalidInput naming `time` (not finite)
  PendulumState at(double time) const;

  /// How long one swing, or one round, takes [s]: infinite without gravity and motion, and exactly on the border
  /// between swinging and going round.
  double period() const;

private:
  enum class Course { rests, even, harmonic, swings, goes_round };
  Course course_ = Course::rests;
  PendulumState start_;
  double pace_ = 0.0;                                        // sqrt(g/l), times k where it goes round
  double k_ = 0.0, m1_ = 1.0, quarter_ = 0.0, phase_ = 0.0;  // of the elliptic functions
  double base_ = 0.0;                                        // angle, whole turns
};

}  // namespace carom

#pragma GCC visibility pop
