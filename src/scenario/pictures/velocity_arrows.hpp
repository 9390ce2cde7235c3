// How do bodies move before and after an impact? An arrow for the velocity of each, an arc for its spin.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "carom/report/plot.hpp"

namespace carom::scenario {

/// A body as seen in a plane; the first of two is before the impact, the second after it.
struct Mover {
  std::string name;
  report::Point at;                         ///< of its centre [m]
  std::array<report::Point, 2> velocity{};  ///< [m/s]
  std::array<double, 2> spin{};             ///< [rad/s], counter-clockwise
};

/// A body slower than this share of the fastest is drawn at rest: its arrow would be all head.
inline constexpr double rest_share = 0.03;

/// Draws the motion of all, with their names, and says in the caption how long the longest arrow and arc are.
/// @param size   a length to draw by: about the radius of a body [m]
/// @param after  what the legend says after "after", "" for nothing
void draw_velocities(report::Plot& plot, const std::vector<Mover>& movers, double size, const std::string& after);

}  // namespace carom::scenario
