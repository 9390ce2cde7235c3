// What happens when two bodies hit each other in space, with friction and a contact that gives sideways?
// A normal spring and two tangential springs hold a massless particle against the other body; the particle sticks or
// slides under Coulomb friction. Tangential springs store energy and give it back, so a ball can bounce backwards and
// reverse its spin, which no rigid model can do. Solved event by event, without time steps.
// Theory: docs/theory/compliant.md. Source: Jia 2012, with the corrections named there.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "carom/core/contact_space.hpp"
#include "carom/core/material.hpp"
#include "carom/impact/impact.hpp"

#pragma GCC visibility push(default)

namespace carom {

/// Which equations to solve.
enum class Reading : std::uint8_t {
  model,     ///< the model as derived in the paper
  published  ///< what the paper's printed numbers follow: in restitution, slip meets friction e mu instead of mu
};
template <>
inline constexpr auto names_of<Reading> = std::to_array<Named<Reading>>({
    {Reading::model, "model"},
    {Reading::published, "published"},
});

/// How the normal spring gives back e^2 of its energy.
enum class Unloading : std::uint8_t {
  stiffer,        ///< it loses the rest when compression ends, and stiffens to k_n / e^2: the force is continuous
  keep_stiffness  ///< it keeps its stiffness, and restitution ends when 1 - e^2 of its largest energy is left
};
template <>
inline constexpr auto names_of<Unloading> = std::to_array<Named<Unloading>>({
    {Unloading::stiffer, "stiffer"},
    {Unloading::keep_stiffness, "keep_stiffness"},
});

/// @throws InvalidInput naming `unloading` where the two do not go together: the published reading has no other than
///         the stiffer spring
void require_valid(Reading reading, Unloading unloading);

/// One impact.
struct CompliantProblem {
  ContactSpace space;                 ///< W [1/kg] and v [m/s] in axes (t1, t2, n)
  Material material;                  ///< friction [-]; restitution in [0, 1], always the energetic one
  double stiffness_ratio_root = 1.0;  ///< eta0 = sqrt(k_n / k_t) [-], > 0
  Reading reading = Reading::model;
  Unloading unloading = Unloading::stiffer;  ///< keep_stiffness only with Reading::model
};

/// The answer without the trace.
struct CompliantOutcome : ImpactSummary {                    // its energies are those of the relative motion
  Eigen::Vector3d impulse = Eigen::Vector3d::Zero();         ///< on A [N s]
  Eigen::Vector3d velocity_after = Eigen::Vector3d::Zero();  ///< of the contact point, A relative to B [m/s]
  std::size_t event_count = 0;                               ///< how many events the trace has
};

/// The three springs, in axes (t1, t2, n). Only the ratio of the stiffnesses is known, so lengths come multiplied by
/// the square root of the normal stiffness in compression.
struct ContactSprings {
  Eigen::Vector3d length = Eigen::Vector3d::Zero();         ///< sqrt(k_n) times the change in length [J^(1/2)]
  Eigen::Vector3d rate = Eigen::Vector3d::Zero();           ///< of the change in length [m/s]
  Eigen::Vector3d energy = Eigen::Vector3d::Zero();         ///< stored [J]
  Eigen::Vector2d slip_velocity = Eigen::Vector2d::Zero();  ///< of the particle over B [m/s]; zero in stick
};

/// An event, with the state just after it.
struct CompliantEvent : Event<3> {
  ContactSprings springs;
};

/// Everything about one impact.
struct CompliantImpact : CompliantOutcome {
  std::vector<CompliantEvent> events;  ///< in order
};

/// A point of the process, for drawing.
struct CompliantPoint {
  Eigen::Vector3d impulse = Eigen::Vector3d::Zero();   ///< so far [N s]; impulse.z() is the usual abscissa
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();  ///< [m/s]
  ContactSprings springs;
  double normal_work = 0.0;    ///< integral of v_n dI_n so far [J]
  double friction_loss = 0.0;  ///< what friction has taken so far [J]
  bool slipping = false;
  bool restitution = false;  ///< after the first end of compression
};

/// The most events one impact may have before the solver gives up with Verdict::event_limit. Their number grows like
/// 1 / eta0: a ball has about 6000 at eta0 = 1e-4.
inline constexpr std::size_t max_compliant_events = 100000;

/// The most steps one impact may take through slip, and through the search for the end of stick, before the same
/// verdict. Both grow with the ratio of the tangential frequencies to the normal one: a contact that is far lighter
/// sideways than normally swings that many times before it parts. Slip usually takes 7 steps of some microseconds,
/// stick a dozen of a tenth of one; these bounds come to about half a second. Steps that are taken again, shorter or
/// towards an event, count too.
inline constexpr std::size_t max_compliant_slip_steps = 200000;
inline constexpr std::size_t max_compliant_stick_steps = 500000;

/// Below this eta0 the tangential springs are too stiff to matter: the rigid limit answers, with Flag::rigid_limit.
inline constexpr double rigid_stiffness_ratio_root = 1e-3;

/// Impulse, motion, ordered events and energy of a 3-D impact with friction and tangential compliance.
/// @param problem  contact space, material, stiffness ratio
/// @return         impulse on A [N s], velocity after, ledger, events, flags `jamb`, `marginal`, `recompression`,
///                 `e0_jam`, `rigid_limit`, `event_limit`, `overflow`, `ill_conditioned` (half a unit of rounding of W
///                 moves the velocity by more than 1e-10 of the first one, or ledger or momentum do not balance),
///                 `undefined_reading`; verdict `separated`, `no_impact` or `event_limit`
/// @throws InvalidInput if W is not symmetric positive definite, a coefficient is out of range or a value not finite,
///         or naming `unloading` where it keeps the stiffness under another reading than the model
/// Source: Jia 2012, eqs. 61-69 and footnote 6, as in docs/theory/compliant.md
CompliantImpact compliant_impact(const CompliantProblem& problem);

/// The same without the trace: same physics, same bits, same errors; allocates nothing.
CompliantOutcome compliant_outcome(const CompliantProblem& problem);

/// Many impacts: outcomes[i] answers problems[i]. A refused row gets Verdict::invalid and no other row notices.
/// @throws InvalidInput if the two spans differ in length
void compliant_outcomes(std::span<const CompliantProblem> problems, std::span<CompliantOutcome> outcomes);

/// How the impulse of an impact answers to small changes of its input.
struct CompliantDerivatives {
  CompliantOutcome outcome;
  Eigen::Matrix3d by_velocity = Eigen::Matrix3d::Zero();              ///< d impulse / d v [kg]
  Eigen::Vector3d by_friction = Eigen::Vector3d::Zero();              ///< d impulse / d mu [N s]
  Eigen::Vector3d by_restitution = Eigen::Vector3d::Zero();           ///< d impulse / d e [N s]
  Eigen::Vector3d by_stiffness_ratio_root = Eigen::Vector3d::Zero();  ///< d impulse / d eta0 [N s]
  bool exact = true;  ///< false: differences of outcomes stand in, good to about 1e-6 (see compliant_derivatives)
};

/// The most pieces of power series the sensitivities of one impact are followed through. Stiff slip (small eta0, large
/// slip) would take thousands: beyond this bound differences are cheaper, and `exact` says so.
inline constexpr std::size_t max_derivative_steps = 500;
/// The same of compliant_surface_derivatives, which needs half as many differences.
inline constexpr std::size_t max_surface_derivative_steps = 150;

/// Exact derivatives of the impulse with respect to v, mu, e and eta0: stick is linear and its flow known in closed
/// form, slip is followed with its sensitivities, and events move with the input. They hold while the order of events
/// stays the same. Friction can only grow from zero, and restitution from zero: there they are one-sided. Where slip is
/// too stiff for that (max_derivative_steps), the spring keeps its stiffness, the reading is undefined, or eta0 is
/// below rigid_stiffness_ratio_root (then the derivatives are those of the rigid limit), see `exact`.
/// @throws InvalidInput as compliant_impact
CompliantDerivatives compliant_derivatives(const CompliantProblem& problem);

/// The same without `by_velocity`, which stays zero: what a fit of mu, e and eta0 needs, in little more than half the
/// time.
/// @param by_restitution  false: that column is not wanted and may be left at zero (at e = 0 it costs most of the time)
CompliantDerivatives compliant_surface_derivatives(const CompliantProblem& problem, bool by_restitution = true);

/// The course of the impact, for drawing: impulse, velocity and springs along the process, in order of time.
/// @param points_per_stick  interior points drawn in each stretch of stick, and of slip in the plane; in space a
///                          quarter of that in each step of slip, and stiff slip is drawn where it was computed. At
///                          an event where a rate jumps, both sides are given.
/// @throws InvalidInput as compliant_impact, or naming `points_per_stick` when it is negative
std::vector<CompliantPoint> compliant_path(const CompliantProblem& problem, int points_per_stick = 32);

/// How stiff is a contact sideways? eta0^2 = k_n / k_t = (2 - nu) / (2 (1 - nu)) for a round elastic contact.
/// @param poisson  Poisson's ratio nu [-], in (-1, 0.5], of the softer body (or of both)
/// @return         the ratio k_n / k_t [-]; its square root is `stiffness_ratio_root`
/// @throws InvalidInput naming `poisson`
/// Source: Mindlin 1949; Johnson 1985, pp. 361-366
double stiffness_ratio_from_poisson(double poisson);

/// An isotropic elastic material.
struct Elasticity {
  double young = 1.0;    ///< Young's modulus [Pa], > 0
  double poisson = 0.3;  ///< Poisson's ratio [-], in (-1, 0.5]
};

/// The same for two different materials: compliances of both bodies add, normal (Hertz) and tangential (Mindlin).
/// k_n = 2 a / sum((1 - nu^2) / E), k_t = 8 a / sum((2 - nu) / G), G = E / (2 (1 + nu)), a the contact radius.
/// @return the ratio k_n / k_t [-]
/// @throws InvalidInput naming `a.young`, `b.poisson`, ...
/// Source: Mindlin 1949; Johnson 1985, sections 4.2 and 7.3
double stiffness_ratio(const Elasticity& a, const Elasticity& b);

}  // namespace carom

#pragma GCC visibility pop
