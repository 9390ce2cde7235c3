// What would an engine say that lets touching bodies collide two at a time?
// The contacts are gone through in an order; each pair that approaches collides alone, and the list is gone through
// again until no pair approaches. This is how many game engines resolve a pile. The answer depends on the order, which
// nature does not know: it is here to be compared with the simultaneous model, not to be believed. Theory:
// docs/theory/simultaneous.md.
#pragma once

#include <span>

#include "carom/impact/simultaneous.hpp"

#pragma GCC visibility push(default)

namespace carom {

/// An approach slower than this share of the fastest one at first touch is left alone: restitution below one makes
/// pairs collide for ever, each time more slowly.
inline constexpr double sequential_rest_share = 1e-12;

/// Pairs that collide this often end the run with Verdict::event_limit.
inline constexpr std::size_t max_sequential_collisions = 1'000'000;

/// Pairwise collisions (energetic restitution, rigid Coulomb friction) in the given order of contacts.
/// @param problem  bodies and contacts; stiffness, exponent, eta0, tolerance and method are not used
/// @param order    contact numbers, each once; empty: as listed
/// @return         as simultaneous_impact; `compressions` counts a contact's collisions, `steps` all of them, times are
///                 the number of collisions before
/// @throws InvalidInput naming `bodies[i]...`, `contacts[k]...` or `order`
SimultaneousImpact sequential_impact(const SimultaneousProblem& problem, std::span<const std::size_t> order = {});

}  // namespace carom

#pragma GCC visibility pop
