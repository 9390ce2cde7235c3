// Where in the space of impulses does an impact do what?
// The impulse of an impact starts at zero and grows; contact space tells where on its way compression ends, slip stops
// or energy would be gained: lines and an ellipse in the plane (Routh's diagram), a plane and a line in space. What
// pictures of an impact are drawn with, and the friction that decides whether a contact sticks.
// Theory: docs/theory/planar.md, docs/theory/spatial.md. Source: Routh 1860; Wang and Mason 1992; Wang 2017.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "carom/core/contact_space.hpp"
#include "carom/impact/planar.hpp"

#pragma GCC visibility push(default)

namespace carom {

/// The least friction with which a contact that does not slip goes on sticking, whatever its normal impulse:
/// |W_tt^-1 W_tn| [-].
/// @param inverse_inertia  W [1/kg], axes (t1, t2, n), symmetric positive definite
double critical_friction(const Eigen::Matrix3d& inverse_inertia);

/// How fast v_n rises with the normal impulse in the direction of slip in which it rises least [1/kg]:
/// W_nn - mu |W_tn|. Where it is positive friction never drives the bodies into each other; Wang 2017, eq. 2.16, asks
/// for that, without need (docs/theory/spatial.md, section 2).
double jamb_margin(const Eigen::Matrix3d& inverse_inertia, double friction);

/// The friction at which that is zero, W_nn / |W_tn| [-]: below it no slip can jamb. Infinite without coupling.
double jamb_friction(const Eigen::Matrix3d& inverse_inertia);

/// The normal impulse [N s] at which the bodies neither approach nor part, by the tangential impulse so far: the plane
/// of maximum compression.
double compression_impulse(const ContactSpace& space, const Eigen::Vector2d& tangential);

/// The tangential impulse [N s] at which the contact does not slip, by the normal impulse so far: the line of sticking.
Eigen::Vector2d sticking_impulse(const ContactSpace& space, double normal);

/// A line in the plane of impulses (P_t, P_n).
struct ImpulseLine {
  Eigen::Vector2d point = Eigen::Vector2d::Zero();       ///< on it [N s]
  Eigen::Vector2d direction = Eigen::Vector2d::UnitY();  ///< of any length
};

/// The lines of Routh's diagram.
struct RouthLines {
  Eigen::Vector2d rest = Eigen::Vector2d::Zero();  ///< Q: the impulse that stops the contact, where S meets C [N s]
  ImpulseLine sticking;                            ///< S: v_t = 0
  ImpulseLine compression;                         ///< C: v_n = 0, maximum compression
  std::optional<ImpulseLine> termination;  ///< T: v_n = -e v_n0, Newton's end; none without approach or with e = 0
  std::optional<ImpulseLine> friction;     ///< L: limiting friction, from zero on; none without slip or friction
  std::optional<ImpulseLine> reversed_friction;  ///< RF: from where slip ends on; none if it does not
  std::optional<Eigen::Vector2d> rebound;        ///< D: where S meets T; none without T [N s]
};

/// @param problem  as planar_impact() takes it
/// Source: Routh 1860; Wang and Mason 1992
RouthLines routh_lines(const PlanarProblem& problem);

/// The impulses that keep the kinetic energy as it was, P.W P + 2 v.P = 0: an ellipse through zero around Q. Inside
/// energy is lost.
/// @param samples  how many points of it, evenly spaced in angle, counter-clockwise
/// @throws InvalidInput naming `samples` (negative)
/// Source: Wang and Mason 1992, eq. 57
std::vector<Eigen::Vector2d> energy_ellipse(const PlanarContactSpace& space, int samples);

}  // namespace carom

#pragma GCC visibility pop
