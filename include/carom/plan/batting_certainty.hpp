// How sure is a plan?
// When the contact velocity, the contact point, friction and restitution are known only to standard deviations, the
// object passes the plane of the target somewhere in an ellipse. To first order the ellipse follows from the exact
// derivatives of the impact; a plan least sensitive to what one does not know is the most certain one.
// Theory: docs/theory/planning.md.
#pragma once

#include <Eigen/Core>

#include "carom/plan/batting.hpp"

#pragma GCC visibility push(default)

namespace carom {

/// Where the object passes the plane through the target across its arrival velocity.
struct BattingCertainty {
  Eigen::Matrix<double, 3, 2> plane = Eigen::Matrix<double, 3, 2>::Zero();  ///< unit axes of the plane, world axes;
                                                                            ///< the first is horizontal
  Eigen::Matrix2d covariance = Eigen::Matrix2d::Zero();                     ///< in them [m^2]
  Eigen::Vector2d semi_axes = Eigen::Vector2d::Zero();  ///< of the ellipse of one standard deviation, larger first [m]
  Eigen::Vector2d major = Eigen::Vector2d::UnitX();     ///< direction of the larger one, in the plane
  Eigen::Matrix<double, 2, 5> by = Eigen::Matrix<double, 2, 5>::Zero();  ///< where it passes, by v (contact axes, 3),
                                                                         ///< mu and e [m per unit]
  Eigen::Matrix2d by_point = Eigen::Matrix2d::Zero();  ///< the same by the contact point along t1 and t2 [m/m]; only
                                                       ///< with a spread of it
  bool order_changes = false;  ///< within two standard deviations of one input the order of events changes (slip ends
                               ///< or does not): the hits do not follow one ellipse, and this one only indicates
};

/// Whether a hit is inside the part of the plane that holds this share of the hits, to first order: an ellipse, or a
/// stretch of its larger axis where the smaller one is less than flat_ellipse of it (one cause only), or the target
/// itself where nothing scatters.
/// @param hit    in the plane, from the target [m]
/// @param share  in [0, 1)
bool holds_hit(const BattingCertainty& certainty, const Eigen::Vector2d& hit, double share);
inline constexpr double flat_ellipse = 1e-6;

/// The bat swings without turning (straight_swing). With BattingSpread::contact_point it moves as planned, but touches
/// elsewhere; the answer of the impact to W is found by differences, everything else exactly.
/// @param shot  of the general method or a closed form
/// @throws InvalidInput as require_valid, or naming `spread` (negative, or a contact point without contact_shift)
BattingCertainty batting_certainty(const BattingProblem& problem, const BattingShot& shot, const BattingSpread& spread);

/// The same with another motion of the bat, that gives the contact velocity of the shot: the contact point's velocity
/// depends on how it turns.
BattingCertainty batting_certainty(const BattingProblem& problem, const BattingShot& shot, const BattingSpread& spread,
                                   const BatMotion& motion);

/// Root mean square distance from the target in the plane [m].
double scatter(const BattingCertainty& certainty);

/// Where the object, given an impulse, passes the plane of a certainty, counted from the target [m].
/// @return not a number if it never does
Eigen::Vector2d passes_at(const BattingProblem& problem, const BattingCertainty& certainty,
                          const Eigen::Vector3d& impulse);

/// The ellipse that holds this share of the hits has semi-axes this many times as large: sqrt(-2 ln(1 - share)).
/// @param flat  scatter along one axis only: the quantile of the normal distribution, sqrt(2) erf^-1(share)
double ellipse_factor(double share, bool flat = false);
/// Whether the hits scatter along one axis only.
bool is_flat(const BattingCertainty& certainty);

}  // namespace carom

#pragma GCC visibility pop
