// How did the printed numbers of Jia 2012 come about?
// The compliant model by fixed Euler steps of the normal impulse, as the code behind the paper must have done it: the
// tangential springs are put back onto the cone of friction after every step of slip, and restitution stops at a normal
// strain energy instead of at zero. With Reading::published the printed digits appear, and one sees which of them are
// steps. Algorithm 1 as the paper lists it (with the loss of energy and the change of eta at the end of compression,
// without which it does not end) is here too, and does not converge. For comparison with compliant_impact(),
// which is exact and a million times faster at equal error.
// Theory: docs/theory/compliant.md, "Where the printed digits come from".
#pragma once

#include "carom/impact/compliant.hpp"

#pragma GCC visibility push(default)

namespace carom {

/// What a step of slip does to the tangential springs.
enum class SlipSteps {
  on_the_cone,  ///< puts them back onto the cone of friction
  as_listed     ///< Algorithm 1: moves them at the rates (48) and (49). Its first step leaves the cone for good
};

struct CompliantSteps {
  double step = 5e-5;         ///< of the normal impulse [N s], > 0
  double stop_energy = 1e-4;  ///< restitution stops when no more is left in the normal spring [J], >= 0
  SlipSteps slip = SlipSteps::on_the_cone;
};

/// The most steps before Verdict::event_limit: less than two seconds.
inline constexpr std::size_t max_compliant_steps = 20'000'000;

/// What the steps come to. As steps do not keep the energy, `friction_loss` is what the ledger misses; the normal
/// energy that is left where restitution stops counts as `restitution_loss`, the tangential one as `residual`.
struct SteppedCompliantImpact : CompliantImpact {
  std::size_t steps = 0;
};

/// @throws InvalidInput as compliant_impact, naming `unloading` unless the normal spring stiffens, or `step` or
///         `stop_energy`
SteppedCompliantImpact stepped_impact(const CompliantProblem& problem, const CompliantSteps& how = {});

}  // namespace carom

#pragma GCC visibility pop
