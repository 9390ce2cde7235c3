// How much friction does each choice of slip ask for, when several points are struck at once?
// In the plane Newton's restitution leaves one number of a rigid body's velocity open: the slip of one contact. Over
// that slip the impulses of least norm are straight lines; where the contact would have to pull, and how much friction
// it would need, is the diagram by which Rodriguez chooses an answer.
// Theory: docs/theory/multipoint.md. Source: Rodriguez 2010, eqs. 4.9 to 4.22 and Figures 5.1, 5.4, 5.7, 5.10.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "carom/impact/multipoint.hpp"

#pragma GCC visibility push(default)

namespace carom {

/// The impulse of one contact by the slip it is given.
struct SlipDiagram {
  int contact = 0;                                    ///< the examined one, counted from 0
  Eigen::Vector2d impulse = Eigen::Vector2d::Zero();  ///< (t, n) when it ends without slip, of least norm [N s]
  Eigen::Vector2d by_slip = Eigen::Vector2d::Zero();  ///< how it grows with v_t after [kg]
  std::optional<double> normal_zero;      ///< v_t at which the contact begins to pull, p_n = 0 [m/s]; none: never
  std::optional<double> tangential_zero;  ///< v_t at which it needs no friction, p_t = 0 [m/s]; none: never
  bool can_stick = false;                 ///< v_t = 0 does not make it pull
  /// mu_f = |p_t|/|p_n| without slip [-] (whether or not it would pull); none: p_n = 0 there
  std::optional<double> stick_friction;
  int pulling_side = 0;  ///< of normal_zero: -1 left, 1 right, 0: nowhere or everywhere
  /// Of all contacts, a column each, when this one ends without slip (zero where a contact takes no part) [N s].
  Eigen::Matrix2Xd all_impulses;

  /// The impulse of the contact at a slip v_t [m/s].
  Eigen::Vector2d at(double slip) const { return impulse + slip * by_slip; }
};

/// One diagram per contact that takes part (the examined one only, if there is one).
/// @throws InvalidInput as multipoint_rodriguez; naming `dimension` in space, or `jacobian` when restitution does not
///         leave exactly the slip of the contact open
std::vector<SlipDiagram> slip_diagrams(const MultipointProblem& problem);

/// Friction that falls with slip: from mu_s at rest exponentially to a least value.
struct StribeckFriction {
  double static_friction = 0.0;  ///< mu_s [-], >= least
  double least = 0.0;            ///< mu_min [-], >= 0
  double speed = 1.4e-4;         ///< v_s [m/s], > 0
  double exponent = 1.0;         ///< a [-], > 0
};

/// mu_min + (mu_s - mu_min) exp(-(|v_t|/v_s)^a) [-].
/// @throws InvalidInput naming `static_friction`, `least`, `speed`, `exponent` or `slip`
/// Source: Rodriguez 2010, eq. 4.22 (called Karnopp's there; it is an exponential Stribeck curve)
double stribeck_friction(const StribeckFriction& friction, double slip);

/// The steepest angle above the floor [rad] at which a round body without spin, thrown into the corner of floor and
/// wall, can end without slip at the wall: tan = 3 (1 + e)/(1 + e + 2 kappa e). From the complement of it on, the floor
/// contact can.
/// @param gyration  kappa = I/(m R^2) [-], in [0, 1]
/// @throws InvalidInput naming `restitution` or `gyration`
/// Source: Rodriguez 2010, section 5, in closed form
double steepest_wall_stick(double restitution, double gyration);

}  // namespace carom

#pragma GCC visibility pop
