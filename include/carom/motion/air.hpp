// How does a spinning ball fly through the air?
// Drag acts against its velocity, Magnus's force across it and across the axis of spin; how strong they are is told by
// coefficients of the spin ratio S = r |w x v| / v^2, as wind tunnels and high-speed cameras give them. The way is
// integrated (order 8, dense) until nothing but rounding is left of the error, and can be asked for at any time.
// Theory: docs/theory/motion.md, "Through the air".
#pragma once

#include <Eigen/Core>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "carom/core/body.hpp"

#pragma GCC visibility push(default)

namespace carom {

/// C = constant + slope S^power / (1 + saturation S^power). Golf balls: drag .24 + .18 S, lift .54 S^.4 (Smits and
/// Smith 1994); baseballs: lift S / (.4 + 2.32 S) (Nathan 2008), which is slope 2.5, saturation 5.8.
struct AirLaw {
  double constant = 0.0, slope = 0.0;  ///< [-]; of drag >= 0
  double power = 1.0;                  ///< [-], in (0, 2]
  double saturation = 0.0;             ///< [-], >= 0
};

/// C at some spin ratios: linear between them, constant outside.
struct AirTable {
  struct Point {
    double spin_ratio = 0.0;   ///< S [-], >= 0, increasing
    double coefficient = 0.0;  ///< [-]; of drag >= 0
  };
  std::vector<Point> points;  ///< at least one
};

/// A coefficient of force: a number, or a law of the spin ratio.
struct AirCoefficient : std::variant<double, AirLaw, AirTable> {
  using Law = std::variant<double, AirLaw, AirTable>;
  AirCoefficient() : Law(0.0) {}
  AirCoefficient(double c) : Law(c) {}  // NOLINT(google-explicit-constructor): a number is a coefficient
  AirCoefficient(AirLaw law) : Law(law) {}
  AirCoefficient(AirTable law) : Law(std::move(law)) {}
  const Law& law() const { return *this; }
};

/// @param spin_ratio  S >= 0
double coefficient_at(const AirCoefficient& coefficient, double spin_ratio);

/// Air at rest, and what it does to a ball of cross section A = pi r^2.
struct Air {
  double density = 1.2;  ///< [kg/m^3], > 0
  AirCoefficient drag;   ///< the force rho A v^2 C / 2 against the velocity
  AirCoefficient lift;   ///< the force rho A v^2 C / 2 along w x v; a negative one is a reversed Magnus effect
  /// k in w' = -k |v| w / r: the air slows the spin by this share per radius of way; 2e-5 for golf balls (Smits and
  /// Smith 1994) [-], >= 0.
  double spin_decay = 0.0;
};

/// @throws InvalidInput naming `density`, `drag`, `drag.slope`, `lift.table[2]`, ..., `spin_decay`
void require_valid(const Air& air);

/// The acceleration by the air of a ball of this mass and radius [m/s^2].
Eigen::Vector3d air_acceleration(const Air& air, double mass, double radius, const Eigen::Vector3d& velocity,
                                 const Eigen::Vector3d& angular_velocity);

/// A ball in the air from a state on: as far as a quarter of the time in which gravity or the air change its velocity
/// by itself, so that bounds on its acceleration stay close. Who goes on starts anew from at(end()).
class FlightInAir {
public:
  /// @param ball     movable, its inertia the same about every axis (its first moment is taken)
  /// @param radius   [m], > 0
  /// @param air      valid
  /// @param gravity  world axes [m/s^2]
  FlightInAir(const Body& ball, double radius, const Air& air, const Eigen::Vector3d& gravity);

  /// How far the flight is known [s]; infinite if no force ever acts. 0: the forces are beyond all numbers.
  double end() const { return end_; }
  /// The ball at a time in [0, end()] [s].
  Body at(double time) const;
  /// The way of its centre since the start, and its velocity.
  void centre(double time, Eigen::Vector3d& way, Eigen::Vector3d& velocity) const;
  /// The work that the air has taken until then, spin included [J]: integrated, not a difference of energies.
  double loss(double time) const;
  const Eigen::Vector3d& acceleration() const { return acceleration_; }  ///< at the start [m/s^2]
  double acceleration_bound() const { return bound_; }                   ///< until end() never more than this [m/s^2]

private:
  struct Steps;
  Eigen::VectorXd state(double time) const;

  Body ball_;
  double radius_, speed_scale_ = 1.0, time_scale_ = 1.0, end_ = 0.0, bound_ = 0.0, spin_decay_ = 0.0;
  Eigen::Vector3d acceleration_ = Eigen::Vector3d::Zero();
  std::shared_ptr<const Steps> steps_;  // none: it moves evenly
};

/// The ball after some time in the air [s], >= 0: stretch after stretch.
/// @throws InvalidInput naming `ball`, `radius`, `air...`, `gravity` or `time`; or `time` where the bound on work
/// (10^5 stretches) is reached before
Body flight_in_air(const Body& ball, double radius, const Air& air, const Eigen::Vector3d& gravity, double time);

}  // namespace carom

#pragma GCC visibility pop
