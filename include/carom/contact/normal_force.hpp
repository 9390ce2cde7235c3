// How hard do two bodies press on each other while they touch, and how fast do they part?
// A spring with a damping that grows with the indentation: f = max(0, k d^p (1 + A d'/v_i)), where v_i is the speed of
// approach at first touch. The restitution such a force really gives depends on A alone, so it can be asked for exactly
// (Gonthier et al. 2004), and what other formulas for A give can be said exactly too. Theory: docs/theory/contact.md.
#pragma once

#include <optional>

#include "carom/core/names.hpp"
#include "carom/core/restitution.hpp"

#pragma GCC visibility push(default)

namespace carom {

/// How the damping A follows from a coefficient of restitution e.
enum class DampingLaw {
  gonthier,             ///< the exact one: gives e. Gonthier et al. 2004, eq. 10
  hunt_crossley,        ///< 3 (1 - e) / 2. Hunt and Crossley 1975; right near e = 1 only
  lankarani_nikravesh,  ///< 3 (1 - e^2) / 4. Lankarani and Nikravesh 1990; the same
  flores                ///< 8 (1 - e) / (5 e). Flores et al. 2011
};
template <>
inline constexpr auto names_of<DampingLaw> = std::to_array<Named<DampingLaw>>({
    {DampingLaw::gonthier, "gonthier"},
    {DampingLaw::hunt_crossley, "hunt_crossley"},
    {DampingLaw::lankarani_nikravesh, "lankarani_nikravesh"},
    {DampingLaw::flores, "flores"},
});

/// A law of the approach speed that says less than this counts as this: forces over time have no e = 0, whose damping
/// is infinite, and below it the rebound no longer matters beside what was lost.
inline constexpr double least_law_restitution = 0.01;

/// The restitution that forces over time use at an approach speed [m/s]: see least_law_restitution.
double compliant_restitution(const Restitution& restitution, double approach_speed);

/// @throws InvalidInput naming `field` (e = 0 or above 1, the law's name where e = 0 has no damping) or a member of it
void require_compliant(const char* field, const Restitution& restitution, DampingLaw law = DampingLaw::gonthier);

/// d = A e of the exact law, in [0, 1]: ln(1 + d/e) - ln(1 - d) = d (1 + 1/e), to rounding.
/// @param e  in (0, 1]
/// @throws InvalidInput naming `e`
double exact_damping_factor(double e);

/// The damping A [-] of a law.
/// @param e  in (0, 1]; 0 is fine for hunt_crossley and lankarani_nikravesh
/// @throws InvalidInput naming `e`
double damping(DampingLaw law, double e);

/// The restitution that a damping really gives, with no other force acting: A = 0 gives 1.
/// @param damping  A [-], >= 0; a constant factor a [s/m] in place of A/v_i makes it a v_i
/// @throws InvalidInput naming `damping`
double effective_restitution(double damping);

/// The e that a law must be given to have the damping A; none when no e in [0, 1] does.
std::optional<double> nominal_restitution(DampingLaw law, double damping);

/// The force of one contact.
struct NormalForce {
  double stiffness = 1.0;    ///< k [N/m^p], > 0
  double exponent = 1.5;     ///< p [-], > 0; 1.5: Hertz
  double damping = 0.0;      ///< A [-], >= 0
  double touch_speed = 1.0;  ///< v_i [m/s], > 0: the approach at first touch, kept until the bodies part

  /// [N], never below zero.
  /// @param indentation  [m]
  /// @param rate         how fast it grows [m/s]
  double at(double indentation, double rate) const;
};

/// A body that meets an immovable one head on, with no other force (or two bodies, with m = m1 m2 / (m1 + m2)).
struct NormalImpactProblem {
  DampingLaw law = DampingLaw::gonthier;
  double mass = 1.0;       ///< [kg], > 0
  double stiffness = 1.0;  ///< k [N/m^p], > 0
  double exponent = 1.5;   ///< p [-], > 0
  Restitution e = 1.0;     ///< what is asked of the law
  double speed = 1.0;      ///< of approach [m/s], > 0
};

struct NormalImpact {
  double peak_force = 0.0;             ///< [N]
  double max_indentation = 0.0;        ///< [m]
  double duration = 0.0;               ///< [s]
  double exit_speed = 0.0;             ///< [m/s]
  double dissipated = 0.0;             ///< [J]
  double effective_restitution = 0.0;  ///< what came out [-]
  double damping = 0.0;                ///< A [-]
};

/// Closed forms, and one integral for the duration; to about 1e-14.
/// @throws InvalidInput naming `mass`, `stiffness`, `exponent`, `e` or `speed`
NormalImpact normal_impact(const NormalImpactProblem& problem);

/// The same for a damping A, whatever it comes from.
/// @throws InvalidInput naming `mass`, `stiffness`, `exponent`, `damping` or `speed`
NormalImpact normal_impact(double mass, double stiffness, double exponent, double damping, double speed);

/// Only the deepest indentation of it [m], at a fraction of the cost.
double max_indentation(double mass, double stiffness, double exponent, double damping, double speed);

/// An elastic solid at the contact.
struct ElasticSurface {
  double young = 1.0;      ///< [Pa], > 0
  double poisson = 0.3;    ///< [-], in (-1, 0.5]
  double curvature = 0.0;  ///< 1/radius [1/m]: 0 for a plane, below 0 for a hollow
};

/// Hertz's stiffness k [N/m^1.5] of two spheres, or a sphere and a plane or hollow: 4/3 E* sqrt(R).
/// @throws InvalidInput naming `a.young`, ..., or `a.curvature` when the surfaces do not curve away from each other
double hertz_stiffness(const ElasticSurface& a, const ElasticSurface& b);

/// The least touch speed to reckon with [m/s], for a body that gravity presses on the contact: that speed for which the
/// damping at rest is critical, A g / (2 w), w^2 = p k d^(p-1)/m, d = (m g/k)^(1/p). A touch slower than that would be
/// damped without bound.
/// @param gravity  along the normal, into the contact [m/s^2], > 0
/// @throws InvalidInput naming the argument
double resting_touch_speed(double mass, double stiffness, double exponent, double damping, double gravity);

}  // namespace carom

#pragma GCC visibility pop
