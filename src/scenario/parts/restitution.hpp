// A coefficient of restitution in files and rows: a number, or a law of the approach speed.
#pragma once

#include "carom/core/material.hpp"
#include "carom/core/restitution.hpp"

#include "described.hpp"

namespace carom::scenario {

/// The touching surfaces as files give them: restitution may be a law of the approach speed.
struct Surfaces {
  double friction = 0.0;
  Restitution restitution;
  /// What an impact model is given, where the contact begins to be struck with this normal speed [m/s].
  Material at(double approach_speed) const { return {friction, restitution_at(restitution, approach_speed)}; }
};

/// What it is, to someone who fills in a file.
inline constexpr const char* restitution_words =
    "coefficient e, or a law of the approach speed: {slope}, {table} or {power}";

/// A number in [0, 1], or an object with exactly one of `slope` [s/m], `table` ([[speed, e], ..]) and `power`
/// ([e0, v0, q]). What is wrong is named `.slope`, `.table[2]`, `.power[0]` after the name of the field.
/// @param least  of a number, 0 or above: models with forces over time cannot have e = 0
Type<Restitution> restitution_law(double least = 0.0);

}  // namespace carom::scenario
