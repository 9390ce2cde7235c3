// A coefficient of restitution in files and rows: a number, or a law of the approach speed.
#pragma once

#include "carom/core/restitution.hpp"

#include "described.hpp"

namespace carom::scenario {

/// A number in [0, 1], or an object with exactly one of `slope` [s/m], `table` ([[speed, e], ..]) and `power`
/// ([e0, v0, q]). What is wrong is named `.slope`, `.table[2]`, `.power[0]` after the name of the field.
/// @param least  of a number, 0 or above: models with forces over time cannot have e = 0
Type<Restitution> restitution_law(double least = 0.0);

}  // namespace carom::scenario
