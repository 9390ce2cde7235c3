// What a group of touching bodies does when it is struck: moved into exact touch, then solved by the model of a pair or
// by the law of groups.
#pragma once

#include <vector>

#include "approach.hpp"
#include "scene.hpp"

namespace carom::world {

/// One contact of a group. Of two movable bodies the one of lesser rank is the first, so that nothing depends on how
/// the bodies are listed.
struct Touching {
  std::size_t body = 0;  ///< number of the body the normal points into; movable
  Partner partner;
  std::size_t first = 0;      ///< place of the body in the group
  std::size_t second = none;  ///< place of the partner, if it is movable
  Gap gap;
  std::optional<Feature> feature;       ///< of what is not two balls: where they touch, fixed to them
  double approach = 0.0;                ///< normal speed of approach before, >= 0 [m/s]
  double restitution = 0.0;             ///< at that speed
  double rebound = 0.0;                 ///< normal velocity after [m/s]
  Vector3d impulse = Vector3d::Zero();  ///< on the body [N s]
};

struct Group {
  std::vector<std::size_t> bodies;  ///< movable, by rank
  std::vector<Body> now;            ///< the same, just before; after solve() just after
  std::vector<char> carried;        ///< the same: whether it lives on bounces of micro_speed
  std::vector<Touching> contacts;   ///< by rank of the body, then bodies by rank, planes, tubes
};

/// What came of it beside velocities and impulses, which are in the group.
struct Outcome {
  bool solved = true;    ///< false: the law has no answer
  bool finished = true;  ///< false: springs were still at work when the bound on their work was reached
  WorldImpactModel model = WorldImpactModel::spatial;
  double restitution_loss = 0.0, friction_loss = 0.0;
  Flags impact_flags;
  FlagSet<WorldFlag> flags;
  WorldImpactTrace trace;
};

/// Moves the bodies, by as little as possible, until all gaps are closed.
void snap(const Scene& scene, Group& group);

/// Fills in approach and restitution of every contact.
void look_at(const Scene& scene, Group& group);

/// Normal velocity of a contact now [m/s]; negative: closing.
double normal_velocity(const Scene& scene, const Group& group, const Touching& contact);

/// What the second one of a contact is: a body of the group, or one that does not move, or a wall.
Body second_of(const Scene& scene, const Group& group, const Touching& contact);

/// How much its normal velocity answers a normal impulse [1/kg].
double inverse_inertia_along(const Scene& scene, const Group& group, const Touching& contact);

/// One contact of a group by the model of its pair, with the restitution it has: adds to the outcome.
void solve_pair(const Scene& scene, Group& group, Touching& contact, Outcome& outcome);

/// Velocities after, impulses and rebounds.
Outcome solve(const Scene& scene, Group& group);

/// Gives the bodies a further impulse at a contact, on its first body.
void push(const Scene& scene, Group& group, Touching& contact, const Vector3d& impulse);

}  // namespace carom::world
