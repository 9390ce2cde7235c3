#include "micro_bounces.hpp"

#include <algorithm>

namespace carom::world {

namespace {

/// A contact bounces so often by its restitution while others give it new speed, then it only stops.
constexpr int most_rebounds = 8;

/// So often, for every contact of the group, one of them has its turn.
constexpr std::size_t most_turns = 64;

/// What is given touching without any approach has no speed to rebound with: it parts with this share of micro_speed.
constexpr double least_share = 1.0 / 8.0;
/// The corners of a solid take speed from each other: what is left of it would lead to ever shorter bounces. They part
/// with this share at least.
constexpr double least_share_of_solids = 1.0 / 2.0;
constexpr int most_partings = 8, most_partings_of_solids = 400;
/// A rebound is given up to this share of it.
constexpr double rebound_share = 1e-12, rebound_share_of_solids = 1e-3;

/// The rebound of section 5.4 as a coefficient: max(e v, min(v, micro_speed)) over the approach speed v.
double micro_restitution(double restitution, double approach, double micro) {
  return std::max(restitution, std::min(approach, micro) / approach);
}

/// A cloth takes part of the speed of every bounce of a ball that it holds, so that they would shrink without end: one
/// with less than this share of micro_speed begins anew.
constexpr double least_share_on_cloth = 1.0 / 16.0;

double micro_rebound(const Scene& scene, const Touching& contact, double micro) {
  if (contact.feature && contact.approach <= least_share_of_solids * micro)
    return std::max(least_share_of_solids * micro, contact.restitution * contact.approach);
  const bool held =
      scene.held[contact.body] != none || (contact.second != none && scene.held[contact.partner.index] != none);
  if (contact.approach <= (held ? least_share_on_cloth : trifling_share) * micro) return least_share * micro;
  return contact.approach * micro_restitution(contact.restitution, contact.approach, micro);
}

void part(const Scene& scene, Group& group, Outcome& outcome, const std::vector<std::size_t>& lasting) {
  const double micro = *scene.problem.micro_speed;
  const bool solids = std::any_of(group.contacts.begin(), group.contacts.end(), [](const Touching& c) { return c.feature; });
  for (int sweep = 0; sweep < (solids ? most_partings_of_solids : most_partings); ++sweep) {
    bool all = true;
    for (const std::size_t c : lasting) {
      Touching& contact = group.contacts[c];
      const double now = normal_velocity(scene, group, contact);
      const double least = micro_rebound(scene, contact, micro);
      if (now >= least * (1.0 - (solids ? rebound_share_of_solids : rebound_share))) continue;
      const double giving = inverse_inertia_along(scene, group, contact);
      if (!(giving > 0.0)) continue;
      all = false;
      const double push_by = (least - now) / giving;
      push(scene, group, contact, push_by * contact.gap.normal);
      outcome.restitution_loss -= 0.5 * push_by * (now + least);
    }
    if (all) break;
  }
}

}  // namespace

bool bounces_as_it_came(const Scene& scene, const Touching& contact) {
  return contact.approach <= *scene.problem.micro_speed &&
         contact.restitution * contact.approach <= scene.problem.zeno_speed;
}

void bounce_in_turn(const Scene& scene, Group& group, Outcome& outcome, Turns turns_are, double trifle) {
  const double micro = *scene.problem.micro_speed;
  outcome.flags.set(WorldFlag::micro_bounces);
  std::vector<int> turns(group.contacts.size(), 0);
  for (std::size_t turn = 0; turn < most_turns * group.contacts.size(); ++turn) {
    double fastest = trifle;
    std::size_t next = none;
    for (std::size_t c = 0; c < group.contacts.size(); ++c) {
      const double approach = -normal_velocity(scene, group, group.contacts[c]);
      if (approach <= fastest) continue;
      fastest = approach;
      next = c;
    }
    if (next == none) break;
    Touching& contact = group.contacts[next];
    const int before = turns[next]++;
    const double given = contact.restitution;
    contact.restitution = before == 0 && turns_are == Turns::as_they_came ? micro_restitution(given, fastest, micro)
                          : before < most_rebounds                        ? given
                                                                          : 0.0;
    solve_pair(scene, group, contact, outcome);
    contact.restitution = given;
  }
  outcome.trace = {};
  for (Touching& contact : group.contacts) contact.rebound = normal_velocity(scene, group, contact);
}

void bounce_on(const Scene& scene, const Group& start, Group& group, Outcome& outcome,
               const std::vector<std::size_t>& lasting) {
  if (group.contacts.size() == 1) {
    group = start;
    Touching& contact = group.contacts[0];
    if (contact.approach > 0.0)
      contact.restitution = micro_restitution(contact.restitution, contact.approach, *scene.problem.micro_speed);
    outcome = solve(scene, group);
  }
  outcome.flags.set(WorldFlag::micro_bounces);
  part(scene, group, outcome, lasting);
  for (Touching& contact : group.contacts) contact.rebound = normal_velocity(scene, group, contact);
}

}  // namespace carom::world
