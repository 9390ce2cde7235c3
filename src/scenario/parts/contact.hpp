// Contacts with forces over time in files and rows: friction, restitution, and what an answer may flag.
#pragma once

#include <optional>

#include "carom/contact/bristle_friction.hpp"
#include "carom/contact/normal_force.hpp"
#include "carom/core/flags.hpp"
#include "carom/core/names.hpp"

#include "described.hpp"
#include "restitution.hpp"

namespace carom {

/// What to know about a motion with forces over time.
enum class ForcesFlag {
  event_limit,  ///< the bound on work was reached: what comes later is missing
  overflow,     ///< a number left the range of doubles
  underflow,    ///< a number that is not zero is too small for a double
  no_dwell      ///< the model of friction has no dwell state
};
template <>
inline constexpr auto names_of<ForcesFlag> = std::to_array<Named<ForcesFlag>>({
    {ForcesFlag::event_limit, "event_limit"},
    {ForcesFlag::overflow, "overflow"},
    {ForcesFlag::underflow, "underflow"},
    {ForcesFlag::no_dwell, "no_dwell"},
});
using ForcesFlags = FlagSet<ForcesFlag>;

}  // namespace carom

namespace carom::scenario {

/// Friction as it was given: what may be left out remembers whether it was.
struct GivenFriction : BristleFriction {
  std::optional<double> given_mu_s, given_mu_c, given_tau_dw;
};

/// `mu_s`, `mu_c`, `sigma0`, ..., `direction`, `model`.
/// @param needs_coefficients  false: `mu_s` and `mu_c` may be left out and need not fit each other, something else says
///                            what they are
Type<GivenFriction> bristle_friction(bool needs_coefficients = true);

/// mu_c <= mu_s, where both were given.
void check_coefficients(const GivenFriction& friction, const Value& object, const Path& path, Mistakes& mistakes);

/// A restitution that forces over time can have under a law, as a check of a row's `e`.
void check_compliant_e(const Restitution& e, DampingLaw law, const Value& object, const Path& path, Mistakes& mistakes);

}  // namespace carom::scenario
