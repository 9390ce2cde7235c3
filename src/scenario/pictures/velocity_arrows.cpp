#include "velocity_arrows.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>
#include <utility>

namespace carom::scenario {

namespace {

using report::Color;
using report::Dash;
using report::MarkerShape;
using report::Point;

/// How a body turns, as an arc with an arrow, as long as its share of the fastest turn.
report::Curve spin_arc(Point centre, double radius, double share, report::Stroke stroke, std::string legend) {
  constexpr double longest = 1.6 * std::numbers::pi;
  constexpr int steps = 48;
  report::Curve arc{{}, stroke, std::move(legend), false, true};
  for (int i = 0; i <= steps; ++i) {
    const double angle = 0.5 * std::numbers::pi + share * longest * i / steps;
    arc.points.push_back({centre.x + radius * std::cos(angle), centre.y + radius * std::sin(angle)});
  }
  return arc;
}

}  // namespace

void draw_velocities(report::Plot& plot, const std::vector<Mover>& movers, double size, const std::string& after) {
  double fastest = 0.0, turning = 0.0;
  for (const Mover& mover : movers)
    for (const std::size_t k : {0U, 1U}) {
      fastest = std::max(fastest, std::hypot(mover.velocity[k].x, mover.velocity[k].y));
      turning = std::max(turning, std::abs(mover.spin[k]));
    }
  constexpr double longest_arrow = 2.6;  // of the size
  const double scale = fastest > 0.0 ? longest_arrow * size / fastest : 0.0;
  const std::string times[] = {"before", after.empty() ? "after" : "after (" + after + ")"};
  constexpr Color arrow_colors[] = {Color::orange, Color::blue};
  bool named[2] = {false, false}, spin_named[2] = {false, false}, rest_named = false;
  for (const Mover& mover : movers) {
    bool rests = false;
    for (const std::size_t k : {0U, 1U}) {
      const report::Stroke stroke{arrow_colors[k], Dash::solid, k != 0 ? 2.4 : 1.6};
      const Point v = mover.velocity[k];
      rests = !(fastest > 0.0 && std::hypot(v.x, v.y) >= rest_share * fastest);
      if (!rests)
        plot.curves.push_back({{mover.at, {mover.at.x + scale * v.x, mover.at.y + scale * v.y}},
                               stroke,
                               std::exchange(named[k], true) ? "" : times[k],
                               false,
                               true});
      if (turning > 0.0 && std::abs(mover.spin[k]) >= rest_share * turning)
        plot.curves.push_back(spin_arc(mover.at, (k != 0 ? 0.44 : 0.32) * size, mover.spin[k] / turning,
                                       {stroke.color, k != 0 ? Dash::solid : Dash::dashed, 1.4},
                                       std::exchange(spin_named[k], true) ? "" : "spin " + times[k]));
    }
    plot.markers.push_back({mover.at, rests ? MarkerShape::ring : MarkerShape::dot, Color::muted, mover.name,
                            rests && !std::exchange(rest_named, true)
                                ? fmt::format("after: at rest (below {:g} % of the fastest)", 100.0 * rest_share)
                                : ""});
  }
  plot.caption += fmt::format(" The longest arrow is {:.4g} m/s{}.", fastest,
                              turning > 0.0 ? fmt::format(", the longest arc {:.4g} rad/s", turning) : "");
}

}  // namespace carom::scenario
