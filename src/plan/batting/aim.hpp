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
  /// @param extent   times of flight are looked for this many times as far in both directions
  explicit Aim(const BattingProblem& problem, double extent = 1.0);

  Eigen::Vector3d away(double time) const { return a + time * (time * b - c); }            ///< q [m]
  Eigen::Vector3d impulse(double time) const { return mass * (a / time + time * b - c); }  ///< contact axes [N s]
  double bat_speed(const Eigen::Vector3d& v) const { return (point_velocity - v).stableNorm(); }
  /// Speed of the object at the target after this time of flight.
  double arrival_speed(double time) const;

  const BattingProblem& problem;
  double extent;
  double scale;  // W and velocities are divided by it: 1, or a power of two where W is near the end of doubles
  Eigen::Matrix3d W;
  Eigen::Matrix2d B, B_inverse;
  Eigen::Vector2d d, p;  // W_tn; B^-1 d
  double w, mass, mu, e;
  Eigen::Vector3d a, b, c;         // q(tau) = a + b tau^2 - c tau
  Eigen::Vector3d point_velocity;  // contact axes
  double distance;                 // |a| [m]
  double unit;                     // natural time of flight [s]
  double least;                    // shortest time of flight looked at [s], where they may be as short as one likes
  double most;                     // longest time of flight looked at [s]
  bool may_jam;                    // mu |d| > w
};

/// The part of (0, most) where all polynomials (in time over unit) are positive.
std::vector<FlightTimes> positive_times(const std::vector<Quartic>& all, double unit, double most);
/// direction.q as a polynomial in time over unit.
Quartic along(const Aim& aim, const Eigen::Vector3d& direction);

/// Times at which the impulse is inside the cone of this friction; where friction may jam, only those that also let the
/// normal velocity rise in all.
std::vector<FlightTimes> cone_times(const Aim& aim, double friction);

/// Times at which |I| has a minimum within the intervals, or an end of one, the least impulse first.
std::vector<double> least_impulse_times(const Aim& aim, const std::vector<FlightTimes>& times);

/// Contact velocities of an impulse, contact axes: one, unless v_n may fall on the way; none where there is none.
/// `slip` is a guess of slip per unit of normal impulse, and becomes the answer's; zero: no guess.
void invert(const Aim& aim, const Eigen::Vector3d& impulse, Eigen::Vector2d& slip, std::vector<Eigen::Vector3d>& out);

/// Impulse by the forward model, contact axes.
Eigen::Vector3d forward(const Aim& aim, const Eigen::Vector3d& velocity);

/// A shot with this contact velocity (contact axes), through the forward model.
BattingShot shot_of(const Aim& aim, const Eigen::Vector3d& velocity, BattingMethod method);
bool hits(const Aim& aim, const BattingShot& shot);
/// Do contact velocities beside this one lead to impulses beside its own? Where friction may jam the law may end the
/// impact earlier for the least of changes.
bool steady(const Aim& aim, const Eigen::Vector3d& velocity);
/// Can the bat do it within its limits? Yes, if it has none.
bool within_reach(const Aim& aim, const Eigen::Vector3d& velocity);

/// Does this time lie where times of flight are cut off, not at an edge of the cone?
bool at_time_limit(const Aim& aim, double time);

/// @throws InvalidInput naming `spread`
void require_known(const BattingProblem& problem, const BattingSpread& spread);

/// Root mean square distance from the target; the spread is known to be fine.
double scatter_of(const BattingProblem& problem, const BattingShot& shot, const BattingSpread& spread);

/// What an objective is worth; the smaller, the better.
double worth(const Aim& aim, const BattingShot& shot, BattingObjective objective, const BattingSpread& spread);

/// Least distance of a flight to the target over all impulses of the friction cone [m].
double closest_of_cone(const Aim& aim);
/// The same over the impulses of straight slip.
double closest_of_cones(const Aim& aim, const std::vector<ImpulseCone>& cones);

/// Puts shots in order, best first (those beyond the bat's limits last), leaving out those that are the same as one
/// before.
void rank(const Aim& aim, std::vector<BattingShot>& shots, BattingObjective objective, const BattingSpread& spread);

}  // namespace carom::batting
