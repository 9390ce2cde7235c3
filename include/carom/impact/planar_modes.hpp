// Which friction and which slip make which mode of a planar impact?
// The numbers that decide: where sticking meets maximum compression and termination, how much friction holds a contact,
// ends its slip or drives it into itself; the borders of the modes over friction and slip; and where Newton's law of
// restitution would create energy.
// Theory: docs/theory/planar.md. Source: Wang and Mason 1992, eqs. 31 to 36 and Table 1, with the signs named there.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "carom/impact/planar.hpp"

#pragma GCC visibility push(default)

namespace carom {

/// What decides how a planar impact goes. The first five are those of the paper, with its signs; the frictions are what
/// a coefficient is to be compared with, whichever way the contact slips.
struct PlanarThresholds {
  double mu_s = 0.0;           ///< -B3/B1 [-]: minus the slope P_t/P_n of the line of sticking (eq. 34)
  std::optional<double> mu_d;  ///< P_t/P_n of D, where sticking meets termination [-] (eq. 32); none: P_n = 0 there
  std::optional<double> mu_q;  ///< P_t/P_n of Q, where sticking meets maximum compression [-] (eq. 33)
  double p_d = 0.0;            ///< |S0| times the growth of v_n while sliding [m/(s kg)] (eq. 35)
  double p_q = 0.0;  ///< |C0| times the decay of slip [m/(s kg)] (eq. 36). Slides throughout: p_d >= (1+e) p_q
  double stick_friction = 0.0;  ///< |mu_s| [-]: with at least this much a contact that does not slip sticks
  /// With more friction slip ends before the bodies part [-]; none: at no friction.
  std::optional<double> slip_end_friction;
  /// With more friction slip ends before maximum compression [-]; none: at no friction.
  std::optional<double> early_slip_end_friction;
  /// With at least this much friction sliding drives the bodies into each other (flag `jamb`), and sliding without
  /// approach is an impact [-]; none: this way no friction does.
  std::optional<double> jamb_friction;
};

/// @param problem  as planar_impact() takes it; without slip its direction is the one in which it would begin
/// @throws InvalidInput as planar_impact
PlanarThresholds planar_thresholds(const PlanarProblem& problem);

/// Up to which |S0|/|C0| slip ends: below `compression` before maximum compression, below `separation` before the
/// bodies part, above it the contact slides throughout. Zero: never ends; infinite: always.
struct SlipLimits {
  double compression = 0.0, separation = 0.0;
};

/// @param inverse_inertia  W [1/kg], axes (t, n), symmetric positive definite
/// @param direction        of slip: +1 or -1
/// @throws InvalidInput naming `inverse_inertia`, `friction`, `restitution` or `direction`
SlipLimits planar_slip_limits(const Eigen::Matrix2d& inverse_inertia, const Material& material, int direction);

/// Where Newton's law creates energy: |S0|/|C0| from one to the other.
struct SlipRange {
  double low = 0.0, high = 0.0;
};

/// The slips (direction as above) at which an impact under Newton's law ends with more energy than it had. In closed
/// form where the contact sticks: B2 x^2 - 2 |B3| x + B1 (1 - e^2) < 0; where slip reverses its ends are searched for.
/// @throws InvalidInput as planar_slip_limits
std::vector<SlipRange> newton_gain_slips(const Eigen::Matrix2d& inverse_inertia, const Material& material,
                                         int direction);

/// One mode in the plane of friction and slip.
struct ModeRegion {
  PlanarMode mode = PlanarMode::sliding;
  std::vector<Eigen::Vector2d> corners;  ///< (mu, S0/|C0|), in order around it
};

/// What happens over friction and slip.
struct PlanarModeMap {
  std::vector<ModeRegion> modes;                          ///< cover the map without overlap
  std::vector<std::vector<Eigen::Vector2d>> newton_gain;  ///< areas in which Newton's law creates energy
};

/// The map from mu = 0 to `friction_to` and S0/|C0| = -slip_to to slip_to. Borders are exact at `samples` values of mu.
/// @throws InvalidInput naming `inverse_inertia`, `restitution`, `friction_to`, `slip_to` (not positive) or `samples`
///         (less than 2)
PlanarModeMap planar_mode_map(const Eigen::Matrix2d& inverse_inertia, double restitution, double friction_to,
                              double slip_to, int samples = 400);

}  // namespace carom

#pragma GCC visibility pop
