// How does a ball go on bouncing?
// It falls on level ground, the impact changes its velocity and spin, it flies up and falls again, its spin unchanged.
// Friction acts along the slip of its lowest point, so a spinning ball may leave its plane of flight and come back.
// Source: Jia 2012, section 8.1.2.
#pragma once

#include <optional>
#include <vector>

#include "carom/core/body.hpp"
#include "carom/core/energy.hpp"
#include "carom/core/material.hpp"
#include "carom/impact/collide.hpp"
#include "carom/motion/flight.hpp"

#pragma GCC visibility push(default)

namespace carom {

/// A ball about to touch the ground z = 0, which is immovable.
struct BounceProblem {
  /// Just before the first bounce. Its lowest point, straight below its centre, is on the ground: the height of the
  /// centre is the radius. Its orientation is not followed: a ball looks the same from all sides.
  Body ball;
  Material material;                         ///< of ball and ground
  std::optional<TangentialSprings> springs;  ///< none: a rigid contact with energetic restitution
  double gravity = standard_gravity;         ///< along -z [m/s^2], > 0
  int bounces = 1;                           ///< how many to follow, >= 1
};

/// One bounce.
struct Bounce {
  double time = 0.0;    ///< since the first [s]
  Body ball;            ///< just after
  EnergyLedger energy;  ///< of the ball [J]
  Flags flags;          ///< of the impact, see collide()
};

/// A ball that leaves more slowly than this share of its first approach is taken to stay on the ground: it would bounce
/// for ever, ever lower, in a finite time.
inline constexpr double resting_share = 1e-12;

/// The bounces of a ball, in order: all that were asked for, or up to the one after which it stays on the ground or
/// whose impact has no outcome.
/// @throws InvalidInput naming `bounces`, `gravity`, `ball.inertia` (not the same about every axis to
/// inertia_tolerance), `ball.position` (not above the ground), `ball.velocity` (does not point down), or as collide()
std::vector<Bounce> bounces_of(const BounceProblem& problem);

}  // namespace carom

#pragma GCC visibility pop
