// How does a ball run on a table?
// A uniform ball on a level cloth slides until its lowest point rests, then rolls and slows down until it stops. Motion
// straight ahead, spin about the horizontal axis across it: constant accelerations, so everything in closed form.
// Source: Wang 2017, chapter 3; the speed of the lowest point, u = v - r w, dies at 7/2 mu g.
#pragma once

#include <optional>

#include "carom/motion/flight.hpp"

#pragma GCC visibility push(default)

namespace carom {

/// What a cloth does to a ball.
struct Cloth {
  double sliding_friction = 0.2;      ///< Coulomb coefficient mu of the sliding ball [-], >= 0
  double rolling_friction = 0.0;      ///< deceleration of the rolling ball over gravity [-], >= 0
  double gravity = standard_gravity;  ///< [m/s^2], > 0
};

/// Cloth::rolling_friction where rolling is resisted by a torque of `resistance` m g r: 5/7 of it, because the torque
/// must slow the spin too.
constexpr double rolling_friction_of_torque(double resistance) { return 5.0 / 7.0 * resistance; }

/// A ball that runs straight ahead.
struct TableRun {
  double speed = 0.0;  ///< of its centre [m/s]
  double spin = 0.0;   ///< [rad/s]; positive: the top goes ahead (follow). Rolling: speed / radius
  bool rolls = false;  ///< else it slides
};

/// How long a ball slides before it rolls, 2 |u| / (7 mu g) [s]: for ever without friction, not at all when it rolls.
/// @param start   speed and spin now
/// @param radius  of the ball [m], > 0
/// @throws InvalidInput naming `speed`, `spin`, `radius` or a member of the cloth
double sliding_time(const TableRun& start, double radius, const Cloth& cloth);

/// The ball after some way ahead; nothing if it stops or turns back before.
/// @param way  [m], >= 0
/// @throws InvalidInput as sliding_time, also naming `way`
std::optional<TableRun> after_way(const TableRun& start, double radius, const Cloth& cloth, double way);

}  // namespace carom

#pragma GCC visibility pop
