// A batting problem in contact axes: Q minus where the object would be without the hit is a parabola q(tau), and the
// impulse to the target is m q(tau)/tau. An impulse inside a cone is a parabola inside it.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "carom/plan/batting.hpp"

#include "polynomial.hpp"

namespace carom::batting {

struct Aim {
  /// @param problem  valid
  explicit Aim(const BattingProblem& problem);

  Eigen::Vector3d away(double time) const { return a + time * (time * b - c); }            ///< q [m]
  Eigen::Vector3d impulse(double time) const { return mass * (a / time + time * b - c); }  ///< contact axes [N s]
  double bat_speed(const Eigen::Vector3d& v) const { return (point_velocity - v).norm(); }
  /// Speed of the object at the target after this time of flight.
  double arrival_speed(double time) const;

  const BattingProblem& problem;
  Eigen::Matrix3d W;
  Eigen::Matrix2d B, B_inverse;
  Eigen::Vector2d d, p;  // W_tn; B^-1 d
  double w, mass, mu, e;
  Eigen::Vector3d a, b, c;         // q(tau) = a + b tau^2 - c tau
  Eigen::Vector3d point_velocity;  // contact axes
  double unit;                     // natural time of flight [s]
  double most;                     // longest time of flight looked at [s]
  bool may_jam;                    // mu |d| > w
};

/// The part of (0, most) where all polynomials (in time) are positive.
std::vector<FlightTimes> positive_times(const std::vector<Quartic>& all, double unit, double most);

/// Times at which the impulse is inside the cone of this friction.
std::vector<FlightTimes> cone_times(const Aim& aim, double friction);

/// Times at which |I| has a minimum within the intervals, or an end of one, the least impulse first.
std::vector<double> least_impulse_times(const Aim& aim, const std::vector<FlightTimes>& times);

/// The contact velocity of an impulse, contact axes. `slip` is a guess of slip per unit of normal impulse, and becomes
/// the answer's; zero: no guess.
std::optional<Eigen::Vector3d> inverted(const Aim& aim, const Eigen::Vector3d& impulse, Eigen::Vector2d& slip);

/// Impulse by the forward model, contact axes.
Eigen::Vector3d forward(const Aim& aim, const Eigen::Vector3d& velocity);

/// A shot with this contact velocity (contact axes), through the forward model.
BattingShot shot_of(const Aim& aim, const Eigen::Vector3d& velocity, BattingMethod method);
bool hits(const Aim& aim, const BattingShot& shot);

/// What an objective is worth; the smaller, the better.
double worth(const Aim& aim, const BattingShot& shot, BattingObjective objective, const BattingSpread& spread);

/// Least distance of a flight to the target over all impulses of the friction cone [m].
double closest_of_cone(const Aim& aim);
/// The same over the impulses of straight slip.
double closest_of_cones(const Aim& aim, const std::vector<ImpulseCone>& cones);

/// Puts shots in order, best first, leaving out those that are the same as one before.
void rank(const Aim& aim, std::vector<BattingShot>& shots, BattingObjective objective, const BattingSpread& spread);

}  // namespace carom::batting
