// Contacts that last and have no closed form, as bounces of a least speed (WorldProblem::micro_speed).
#pragma once

#include <vector>

#include "strike.hpp"

namespace carom::world {

/// What closes by less than this share of micro_speed is left to the next bounce: it moves nothing until then.
inline constexpr double trifling_share = 1e-6;

/// Bodies that lose energy can hit each other endlessly often in a finite time without being pressed together
/// (inelastic collapse). The cure is that of Luding and McNamara (1998), energy is spared where impacts follow each
/// other too fast: two bodies that were both struck less than micro_speed / g ago part without loss if they close no
/// faster than micro_speed.
/// @param courses  of all bodies, until now
/// @return         whether there are such
bool spare(const Scene& scene, const std::vector<Course>& courses, double time, Group& group);

/// Whether a group, before it is solved, is only what slow bounces leave: several contacts, none of which closes faster
/// than micro_speed. Their restitution says nothing any more, and springs would vibrate long for nothing.
bool bounces_in_turn(const Scene& scene, const Group& group);

/// The contacts of a group that close bounce one after the other, the fastest first, each as a pair, until none closes
/// by more than a trifle of micro_speed. Adds to the outcome.
void bounce_in_turn(const Scene& scene, Group& group, Outcome& outcome);

/// Gives the contacts that last their bounce.
/// @param start    the group before it was solved
/// @param group    after; changed
/// @param lasting  contacts of the group that close again at once
void bounce_on(const Scene& scene, const Group& start, Group& group, Outcome& outcome,
               const std::vector<std::size_t>& lasting);

}  // namespace carom::world
