// How does the slip of a contact change while a given normal impulse acts on it?
// The first half of an impact in space (carom/impact/spatial.hpp) without the question when it ends: slip bends under
// friction, may come to rest, stick or slip on, and takes a tangential impulse with it. Whoever knows the impulse and
// looks for the velocity that brings it about (carom/plan/batting.hpp) asks this.
// Theory: docs/theory/spatial.md, sections 1 to 5.
#pragma once

#include <Eigen/Core>

#pragma GCC visibility push(default)

namespace carom {

/// What a normal impulse does to slip, axes (t1, t2).
struct SlipFlow {
  Eigen::Vector2d slip = Eigen::Vector2d::Zero();     ///< sliding velocity after [m/s]
  Eigen::Vector2d rate = Eigen::Vector2d::Zero();     ///< d slip / dI_n there [1/kg]; zero in stick
  Eigen::Vector2d impulse = Eigen::Vector2d::Zero();  ///< tangential, on A [N s]
  double work = 0.0;    ///< integral of v_n - v_n(start) over the normal impulse [J]; only if asked for
  bool rested = false;  ///< slip came to rest on the way (it may have resumed)
};

/// The slip of a contact over a normal impulse.
/// @param inverse_inertia  W [1/kg], axes (t1, t2, n)
/// @param friction         mu [-], >= 0
/// @param slip             sliding velocity before [m/s]
/// @param normal_impulse   [N s], >= 0
/// @param with_work        also find `work`
/// @throws InvalidInput naming `inverse_inertia`, `friction`, `slip` or `normal_impulse`
SlipFlow slip_flow(const Eigen::Matrix3d& inverse_inertia, double friction, const Eigen::Vector2d& slip,
                   double normal_impulse, bool with_work = false);

/// How slip after answers to slip before, at the same normal impulse: d flow.slip / d slip [-]. Scaling slip and
/// impulse alike scales the whole process, and starting a little later on the same path ends a little later on it: two
/// directions in which the answer is known, so nothing is integrated. On a ray, where the two are one, the rate at
/// which neighbours turn towards it tells. Close to a ray digits are lost in proportion.
Eigen::Matrix2d slip_flow_derivative(const Eigen::Matrix3d& inverse_inertia, double friction,
                                     const Eigen::Vector2d& slip, double normal_impulse, const SlipFlow& flow);

}  // namespace carom

#pragma GCC visibility pop
