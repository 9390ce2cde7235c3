// What would other methods make of a planar impact, and where do they fail?
// For comparison only: an impact whose contact mode is assumed instead of found (Whittaker's treatment of friction
// assumes sliding throughout), and friction lowered until Newton's law creates no energy (Brach). Each says which laws
// its answer breaks. The one-step law of time-stepping engines is in one_step.hpp.
// Theory: docs/theory/planar.md. Source: Whittaker 1904; Brach 1989; both as discussed by Wang and Mason 1992.
#pragma once

#include <Eigen/Core>

#include "carom/impact/planar.hpp"

#pragma GCC visibility push(default)

namespace carom {

/// What an answer breaks.
enum class BrokenLaw : std::uint8_t {
  pulls,         ///< the normal impulse is negative
  outside_cone,  ///< |P_t| > mu P_n
  wrong_slip,    ///< the contact is assumed to stick or slide a way that friction does not allow it to
  energy_gain,   ///< kinetic energy rises by more than 1e-12 of itself
  no_answer      ///< the formula has none: friction drives the contact into itself
};
template <>
inline constexpr auto names_of<BrokenLaw> = std::to_array<Named<BrokenLaw>>({
    {BrokenLaw::pulls, "pulls"},
    {BrokenLaw::outside_cone, "outside_cone"},
    {BrokenLaw::wrong_slip, "wrong_slip"},
    {BrokenLaw::energy_gain, "energy_gain"},
    {BrokenLaw::no_answer, "no_answer"},
});
using BrokenLaws = FlagSet<BrokenLaw>;

/// An answer of another method. Its ledger splits the loss by the mean velocity of the whole impact.
struct AssumedImpact {
  Eigen::Vector2d impulse = Eigen::Vector2d::Zero();         ///< (t, n), on A [N s]
  Eigen::Vector2d velocity_after = Eigen::Vector2d::Zero();  ///< (t, n), A relative to B [m/s]
  Verdict verdict = Verdict::no_impact;
  EnergyLedger energy;
  BrokenLaws broken;
};

/// What an impulse does, and which laws it breaks. A tangential impulse outside the cone, or one that a contact which
/// slips at the end, and slipped the same way before, has not at full strength against that slip, is named.
/// @throws InvalidInput as planar_impact
AssumedImpact judged_impulse(const PlanarProblem& problem, const Eigen::Vector2d& impulse);

/// The impact by the formulas of one mode, whether or not it is the one that happens. The mode that planar_impact()
/// finds gives its answer.
/// @param mode  not `none`
/// @throws InvalidInput as planar_impact; naming `law` when it is energetic, or `mode` when it is none
/// Source: Wang and Mason 1992, eqs. 39 to 55
AssumedImpact assumed_mode_impact(const PlanarProblem& problem, PlanarMode mode);

/// Friction that Newton's law can bear.
struct BearableFriction {
  double friction = 0.0;          ///< the most up to the given one with neither gain nor reversal [-]
  double without_gain = 0.0;      ///< the most with which Newton's law creates no energy [-]
  double without_reversal = 0.0;  ///< the most with which slip does not reverse, zero counting as such [-]
};

/// How far friction has to be lowered for Newton's law neither to create energy nor to reverse slip. Smooth contacts
/// are always among the answers.
/// @throws InvalidInput as planar_impact
/// Source: Brach 1989, as described by Wang and Mason 1992, section 7
BearableFriction bearable_friction(const PlanarProblem& problem);

}  // namespace carom

#pragma GCC visibility pop
