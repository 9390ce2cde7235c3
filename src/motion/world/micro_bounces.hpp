// Contacts that last and have no closed form, as bounces of a least speed (WorldProblem::micro_speed).
#pragma once

#include <vector>

#include "strike.hpp"

namespace carom::world {

/// What closes by less than this share of micro_speed is left to the next bounce: it moves nothing until then.
inline constexpr double trifling_share = 1e-6;

/// Whether a contact that is pressed together, and would close by its restitution within zeno_speed, bounces as it
/// came.
bool bounces_as_it_came(const Scene& scene, const Touching& contact);

/// A group in which all that closes is pressed together and bounces as it came: springs would vibrate long for nothing.
/// The contacts bounce one after the other, the fastest first, each as a pair, until none closes by more than a trifle
/// of micro_speed. Adds to the outcome.
/// @param turns_are  the first rebound of a contact is as it came, or by its restitution as the others
/// @param trifle     what closes no faster than this is left [m/s]
enum class Turns { as_they_came, by_restitution };
void bounce_in_turn(const Scene& scene, Group& group, Outcome& outcome, Turns turns_are, double trifle);

/// Gives the contacts that last their bounce: max(e v, min(v, micro_speed)).
/// Balls held by a cloth, which takes part of every bounce, begin anew with an eighth of micro_speed below a sixteenth.
/// @param start    the group before it was solved
/// @param group    after; changed
/// @param lasting  contacts of the group that close again at once
void bounce_on(const Scene& scene, const Group& start, Group& group, Outcome& outcome,
               const std::vector<std::size_t>& lasting);

}  // namespace carom::world
