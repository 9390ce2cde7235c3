// What do the impulse steps of the text make of many contacts at once?
// Algorithms 2 and 3 of Wang 2017: the contact whose spring pushes hardest, the primary one, gets a fixed increment of
// normal impulse, every other contact its share by the ratio of the forces, and energies, friction and velocities
// follow by Euler's rule. For comparison with simultaneous_impact(), whose springs it follows, and to answer what the
// text leaves open: whether, and how fast, it converges. Theory: docs/theory/simultaneous.md, "The text's impulse
// steps".
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "carom/core/names.hpp"
#include "carom/impact/simultaneous.hpp"

#pragma GCC visibility push(default)

namespace carom {

/// Which root of the start equations (eq. 3.10) Newton's method is sent to.
enum class ImpulseStart : std::uint8_t {
  printed,  ///< from 0 for all but the primary contact, as the text says: a root as it stands, which it never leaves
  positive  ///< from 1: the root at which contacts at rest are pressed too
};
template <>
inline constexpr auto names_of<ImpulseStart> = std::to_array<Named<ImpulseStart>>({
    {ImpulseStart::printed, "printed"},
    {ImpulseStart::positive, "positive"},
});

struct ImpulseSteps {
  double step = 1e-3;  ///< of the primary contact's normal impulse [N s], > 0
  ImpulseStart start = ImpulseStart::positive;
  /// A contact that slides more slowly sticks, as a share of the fastest approach [-], >= 0. The text says "small
  /// enough"; it must not be far below the slip that one step takes away, or friction swings about zero.
  double stick_share = 1e-2;
};

struct ImpulseStepsImpact : SimultaneousImpact {
  std::size_t primary_changes = 0;   ///< how often another contact became the primary one
  std::vector<double> start_ratios;  ///< of the first step, by contact; 1 for the primary one
};

/// The most steps, times contacts, before Verdict::event_limit.
inline constexpr std::size_t max_impulse_step_work = 4'000'000;
/// The most contacts: every step costs their square.
inline constexpr std::size_t max_impulse_step_contacts = 200;

/// @param problem  bodies and contacts with rigid friction; tolerance and method are not used
/// @return         as simultaneous_impact, without times of events (they count steps); the ledger closes by
///                 `friction_loss`, which takes up the error of the steps
/// @throws InvalidInput as simultaneous_impact, naming `contacts[k].eta0` of a contact with tangential springs,
/// `contacts`
///         if there are more than max_impulse_step_contacts, or `step`, `stick_share`
ImpulseStepsImpact impact_by_impulse_steps(const SimultaneousProblem& problem, const ImpulseSteps& how = {});

}  // namespace carom

#pragma GCC visibility pop
