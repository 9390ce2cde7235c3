// The air of a scene in files and rows.
#pragma once

#include "carom/motion/air.hpp"

#include "described.hpp"

namespace carom::scenario {

/// {density, drag, lift, spin_decay}; a coefficient is a number, {constant, slope, power, saturation} or {table:
/// [[S, C], ..]}. What is wrong in a coefficient is named `.slope`, `.table[2]` after its name.
Type<Air> air_in_scene();

}  // namespace carom::scenario
