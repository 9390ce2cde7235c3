// What happens when two bodies hit each other in the plane, with friction?
// Routh's method, solved exactly: the impulse (P_t, P_n) grows along the line of limiting friction until slip ends,
// then along the line of sticking or of reversed friction, until the restitution law says stop. At most four
// straight pieces, each in closed form, for Newton's, Poisson's and energetic restitution.
// Theory: docs/theory/planar.md. Source: Routh 1860; Wang and Mason 1992, with the corrections named there.
#pragma once

#include <span>

#include "carom/core/contact_space.hpp"
#include "carom/core/material.hpp"
#include "carom/impact/impact.hpp"

#pragma GCC visibility push(default)

namespace carom {

/// How the contact moved (Wang and Mason 1992, Table 1): when slip ended, and what followed.
enum class PlanarMode : std::uint8_t {
  none,        ///< no impact
  sliding,     ///< slides in one direction throughout
  c_sticking,  ///< slip ends during compression, then the contact sticks
  r_sticking,  ///< slip ends during restitution, then sticks
  c_reversed,  ///< slip ends during compression, then reverses
  r_reversed   ///< slip ends during restitution, then reverses
};
template <>
inline constexpr auto names_of<PlanarMode> = std::to_array<Named<PlanarMode>>({
    {PlanarMode::none, "none"},
    {PlanarMode::sliding, "sliding"},
    {PlanarMode::c_sticking, "C-sticking"},
    {PlanarMode::r_sticking, "R-sticking"},
    {PlanarMode::c_reversed, "C-reversed"},
    {PlanarMode::r_reversed, "R-reversed"},
});

/// What is known of an impact before it is solved.
struct PlanarClasses {
  bool direct = false;      ///< no initial slip (else oblique)
  bool central = false;     ///< normal and tangential motion are not coupled (else eccentric)
  bool tangential = false;  ///< no approach velocity (else meeting)
};

/// Everything about one planar impact.
struct PlanarImpact : ImpactResult<2> {
  PlanarMode mode = PlanarMode::none;
  PlanarClasses classes;
};

/// The answer without trace and ledger, for callers in a hurry.
struct PlanarOutcome {
  Eigen::Vector2d impulse = Eigen::Vector2d::Zero();         ///< (t, n), on A [N s]
  Eigen::Vector2d velocity_after = Eigen::Vector2d::Zero();  ///< (t, n), A relative to B [m/s]
  Verdict verdict = Verdict::no_impact;
  PlanarMode mode = PlanarMode::none;
  Flags flags;  ///< without `energy_gain`, which needs the ledger
};

/// One row of a batch.
struct PlanarProblem {
  PlanarContactSpace space;
  Material material;
  RestitutionLaw law = RestitutionLaw::energetic;
  /// Normal acceleration the contact would have without contact force [m/s^2]. Only its sign matters, and only when
  /// the bodies slide without approaching (v_n = 0): an impact then needs it to be negative.
  double free_acceleration = -1.0;
};

/// Impulse, motion, ordered events and energy of a planar impact with Coulomb friction.
/// @param problem  inverse inertia W [1/kg] and velocity v [m/s] in axes (t, n), material, restitution law
/// @return         impulse on A [N s], velocity after, mode, classes, events, ledger, flags `jamb`, `energy_gain`,
///                 `marginal`, `overflow`; verdict `separated` or `no_impact`
/// @throws InvalidInput if W is not symmetric positive definite, a coefficient is out of range or a value not finite
PlanarImpact planar_impact(const PlanarProblem& problem);

/// Impulse and velocity after, only. Same physics, same bits, same errors as planar_impact.
PlanarOutcome planar_outcome(const PlanarProblem& problem);

/// Many impacts: outcomes[i] answers problems[i]. A refused row gets Verdict::invalid and no other row notices.
/// @throws InvalidInput if the two spans differ in length
void planar_outcomes(std::span<const PlanarProblem> problems, std::span<PlanarOutcome> outcomes);

/// How the impulse of a planar impact answers to small changes of its input.
struct PlanarDerivatives {
  PlanarOutcome outcome;
  Eigen::Matrix2d by_velocity = Eigen::Matrix2d::Zero();     ///< d impulse / d v [kg]
  Eigen::Vector2d by_friction = Eigen::Vector2d::Zero();     ///< d impulse / d mu [N s]
  Eigen::Vector2d by_restitution = Eigen::Vector2d::Zero();  ///< d impulse / d e [N s]
};

/// Exact derivatives of the impulse with respect to v, mu and e. They hold while the mode stays the same; on the border
/// between two modes they are those of the one that planar_outcome reports.
/// @throws InvalidInput as planar_impact
PlanarDerivatives planar_derivatives(const PlanarProblem& problem);

}  // namespace carom

#pragma GCC visibility pop
