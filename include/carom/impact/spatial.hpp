// What happens when two bodies hit each other at one point in space, with friction?
// While the contact slips, Coulomb friction bends the path of the sliding velocity; the process is followed exactly
// (Taylor series, no small steps) through the end of slip, stick, resumed slip, the end of compression and any second
// compression, until Newton's, Poisson's or energetic restitution says stop.
// Theory: docs/theory/spatial.md. Source: Wang 2017, chapter 2 (Jia and Wang 2017), with the corrections named there.
#pragma once

#include <boost/container/static_vector.hpp>
#include <span>
#include <vector>

#include "carom/core/contact_space.hpp"
#include "carom/core/material.hpp"
#include "carom/impact/impact.hpp"

#pragma GCC visibility push(default)

namespace carom {

/// One impact in space: W [1/kg] and v [m/s] in axes (t1, t2, n), the surfaces, and when the impact ends.
struct SpatialProblem {
  ContactSpace space;
  Material material;
  RestitutionLaw law = RestitutionLaw::energetic;
};

/// The way the process went. The numbers are those of Wang 2017, sections 2.6.2 and 2.6.3.
enum class SpatialCase : std::uint8_t {
  none,                          ///< no impact
  stick,                         ///< no initial slip, and none starts
  slip_from_rest,                ///< no initial slip; slip starts in the centrifugal direction
  curved_slip,                   ///< slips along a curve throughout (the commonest; not listed in the text)
  slip_ends_in_compression,      ///< 2.6.2 case 1
  slip_ends_in_restitution,      ///< 2.6.2 case 2
  straight_ends_in_compression,  ///< 2.6.3 case 1: initial slip along an invariant direction, ends in compression
  straight_ends_in_restitution,  ///< 2.6.3 case 2a
  straight_slip,                 ///< 2.6.3 case 2b: slips along an invariant direction throughout
  late_straight_ends,            ///< 2.6.3 case 3: only within a tolerance, see spatial_within()
  late_straight_slip             ///< 2.6.3 case 4: only within a tolerance, see spatial_within()
};
template <>
inline constexpr auto names_of<SpatialCase> = std::to_array<Named<SpatialCase>>({
    {SpatialCase::none, "none"},
    {SpatialCase::stick, "stick"},
    {SpatialCase::slip_from_rest, "slip_from_rest"},
    {SpatialCase::curved_slip, "curved_slip"},
    {SpatialCase::slip_ends_in_compression, "slip_ends_in_compression"},
    {SpatialCase::slip_ends_in_restitution, "slip_ends_in_restitution"},
    {SpatialCase::straight_ends_in_compression, "straight_ends_in_compression"},
    {SpatialCase::straight_ends_in_restitution, "straight_ends_in_restitution"},
    {SpatialCase::straight_slip, "straight_slip"},
    {SpatialCase::late_straight_ends, "late_straight_ends"},
    {SpatialCase::late_straight_slip, "late_straight_slip"},
});

/// Everything about one impact in space.
struct SpatialImpact : ImpactResult<3> {
  SpatialCase process = SpatialCase::none;
};

/// The answer without trace and ledger, for callers in a hurry.
struct SpatialOutcome {
  Eigen::Vector3d impulse = Eigen::Vector3d::Zero();         ///< (t1, t2, n), on A [N s]
  Eigen::Vector3d velocity_after = Eigen::Vector3d::Zero();  ///< (t1, t2, n), A relative to B [m/s]
  Verdict verdict = Verdict::no_impact;
  SpatialCase process = SpatialCase::none;
  Flags flags;  ///< without `energy_gain`, which needs the ledger
};

/// Flag::ill_conditioned says that half a unit of rounding of the numbers of W and v, one after the other, moves the
/// impulse by more than this part in all (bodies so slender that W is all but singular; friction that all but jams).
/// Without the flag the impulse is that exact.
inline constexpr double conditioned_accuracy = 1e-10;

/// Impulse, ordered events and energy of an impact in space with Coulomb friction.
/// @param problem  inverse inertia W [1/kg] and velocity v [m/s] in axes (t1, t2, n), material, restitution law
/// @return         impulse on A [N s], velocity after, the case, events, ledger, flags `jamb`, `energy_gain`,
///                 `marginal`, `recompression`, `overflow`, `ill_conditioned`; verdict `separated` or `no_impact`.
///                 Relative accuracy 1e-11 or better for ordinary bodies, see conditioned_accuracy for others.
/// @throws InvalidInput if W is not symmetric positive definite, a coefficient is out of range or a value not finite
/// Source: Wang 2017, chapter 2; method as in docs/theory/spatial.md
SpatialImpact spatial_impact(const SpatialProblem& problem);

/// Impulse and velocity after, only. Same physics, same bits, same errors as spatial_impact.
SpatialOutcome spatial_outcome(const SpatialProblem& problem);

/// Many impacts: outcomes[i] answers problems[i], the same bits whatever the other rows and the number of threads. A
/// refused row gets Verdict::invalid and no other row notices. Several impacts share the processor's vector unit, so
/// the bits differ from those of spatial_outcome by rounding; the accuracy is the same.
/// @param threads  at most this many; 1 stays on the calling thread
/// @throws InvalidInput if the two spans differ in length or `threads` is not positive
void spatial_outcomes(std::span<const SpatialProblem> problems, std::span<SpatialOutcome> outcomes, int threads = 1);

/// How the impulse of an impact answers to small changes of its input.
struct SpatialDerivatives {
  SpatialOutcome outcome;
  Eigen::Matrix3d by_velocity = Eigen::Matrix3d::Zero();     ///< d impulse / d v [kg]
  Eigen::Vector3d by_friction = Eigen::Vector3d::Zero();     ///< d impulse / d mu [N s]
  Eigen::Vector3d by_restitution = Eigen::Vector3d::Zero();  ///< d impulse / d e [N s]
};

/// Exact derivatives of the impulse with respect to v, mu and e (forward differentiation of the whole process; that by
/// e where e = 0 is the one to the right).
/// They hold while the order of events stays the same; on the border between two orders they are those of the one
/// that spatial_outcome reports.
/// @throws InvalidInput as spatial_impact
SpatialDerivatives spatial_derivatives(const SpatialProblem& problem);

/// Many at once: derivatives[i] answers problems[i], the same bits as alone, whatever the number of threads. A refused
/// row gets Verdict::invalid and no other row notices.
/// @param threads  at most this many; 1 stays on the calling thread
/// @throws InvalidInput if the two spans differ in length or `threads` is not positive
void spatial_derivatives(std::span<const SpatialProblem> problems, std::span<SpatialDerivatives> derivatives,
                         int threads = 1);

/// A point of the process.
struct SpatialSample {
  Eigen::Vector3d impulse = Eigen::Vector3d::Zero();   ///< accumulated, on A [N s]
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();  ///< A relative to B [m/s]
};

/// The impulse curve and the hodograph of the sliding velocity, to be drawn: points in order from first touch to
/// separation, on the exact path.
/// @param samples_per_piece  points on each smooth piece of the process, at least 1
/// @return                   empty if there is no impact
/// @throws InvalidInput as spatial_impact, or naming `samples_per_piece`
std::vector<SpatialSample> spatial_path(const SpatialProblem& problem, int samples_per_piece = 32);

/// A direction in which slip stays straight (Wang 2017, eq. 2.29).
struct InvariantDirection {
  Eigen::Vector2d direction = Eigen::Vector2d::UnitX();  ///< unit, axes (t1, t2)
  double rate = 0.0;                                     ///< d|gamma| / dI_n along it [1/kg]
  double turning_rate = 0.0;  ///< how fast neighbours turn away from it [1/kg]; negative: it attracts them
  bool centrifugal = false;   ///< rate > 0: slip speeds up (else centripetal)
};

/// All invariant directions of a contact.
struct InvariantDirections {
  bool every_direction = false;  ///< W_tt is a multiple of the identity and W_tn is zero: the list stays empty
  boost::container::static_vector<InvariantDirection, 4> directions;  ///< by angle in (-pi, pi]
};

/// In which directions does slip stay straight? Two to four of them, or all.
/// @param inverse_inertia  W [1/kg]
/// @param friction         mu [-], >= 0
/// @throws InvalidInput naming `inverse_inertia` or `friction`
/// Source: Wang 2017, theorem 5
InvariantDirections invariant_directions(const Eigen::Matrix3d& inverse_inertia, double friction);

/// The direction in which slip starts from rest, and its rate; `centrifugal` is false and the direction zero when the
/// contact sticks (|W_tt^-1 W_tn| <= mu). Found by a monotone secular equation, no quartic.
/// @throws InvalidInput as invariant_directions
InvariantDirection resumed_slip(const Eigen::Matrix3d& inverse_inertia, double friction);

/// Sliding speed at angle `angle` on the hodograph that passes through `slip`: the exact polar form
/// r = r0 prod (sin((t - t_k)/2) / sin((t0 - t_k)/2))^q_k over the four zeros t_k, real or complex, of the turning
/// rate. Exact, but ill-conditioned close to an invariant direction: for drawing, not for solving.
/// @param slip   a sliding velocity on the curve [m/s], not zero
/// @param angle  [rad], counted on continuously from the angle of `slip`; must not pass an invariant direction
/// @return       [m/s]; not a number if an invariant direction lies between, or `slip` is itself along one
/// @throws InvalidInput as invariant_directions, or naming `slip`
double hodograph_speed(const Eigen::Matrix3d& inverse_inertia, double friction, const Eigen::Vector2d& slip,
                       double angle);

}  // namespace carom

#pragma GCC visibility pop
