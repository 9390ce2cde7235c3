#include <cmath>
#include <fmt/format.h>

#include "carom/core/text.hpp"

#include "impact_planar.hpp"

namespace carom::scenario {

namespace {

using report::Color;
using report::Dash;
using report::MarkerShape;
using report::Plot;
using report::Point;

Color color_of(PlanarMode mode) {
  switch (mode) {
    case PlanarMode::c_sticking:
      return Color::green;
    case PlanarMode::r_sticking:
      return Color::sky;
    case PlanarMode::c_reversed:
      return Color::purple;
    case PlanarMode::r_reversed:
      return Color::orange;
    default:
      return Color::yellow;
  }
}

const char* words_of(PlanarMode mode) {
  switch (mode) {
    case PlanarMode::c_sticking:
      return "C-sticking: slip ends in compression, then sticks";
    case PlanarMode::r_sticking:
      return "R-sticking: slip ends in restitution, then sticks";
    case PlanarMode::c_reversed:
      return "C-reversed: slip ends in compression and reverses";
    case PlanarMode::r_reversed:
      return "R-reversed: slip ends in restitution and reverses";
    default:
      return "slides throughout";
  }
}

std::vector<Point> points_of(const std::vector<Eigen::Vector2d>& corners) {
  std::vector<Point> points;
  for (const Eigen::Vector2d& p : corners) points.push_back({p.x(), p.y()});
  return points;
}

/// A mark; without approach, at the edge of the map and pointing beyond it.
void mark(Plot& plot, const MarkedImpact& impact, const ModeMapAsked& asked, Color color, const std::string& legend) {
  const double approach = std::abs(impact.velocity[1]);
  const double ratio = approach > 0.0 ? impact.velocity[0] / approach : std::copysign(INFINITY, impact.velocity[0]);
  if (std::abs(ratio) <= asked.slip_to) {
    plot.markers.push_back({{impact.friction, ratio}, MarkerShape::circle, color, impact.name, legend});
    return;
  }
  const double edge = std::copysign(asked.slip_to, ratio);
  plot.curves.push_back(
      {{{impact.friction, 0.88 * edge}, {impact.friction, 0.995 * edge}}, {color, Dash::solid, 1.8}, "", false, true});
  plot.markers.push_back({{impact.friction, 0.88 * edge},
                          MarkerShape::circle,
                          color,
                          impact.name + (approach > 0.0 ? " (beyond)" : " ($C_0 = 0$)"),
                          legend});
}

}  // namespace

Plot mode_map_picture(const PlanarScenario& scenario, const PlanarRun& run) {
  const ModeMapAsked& asked = *scenario.mode_map;
  const double e = material_at_touch(scenario).restitution;
  const PlanarModeMap map = planar_mode_map(run.problem.space.inverse_inertia, e, asked.friction_to, asked.slip_to);
  Plot plot;
  plot.name = "mode_map";
  plot.title = fmt::format("How the contact moves, over friction and slip, $e$ = {}", number_text(e));
  plot.caption = "The mode does not depend on the restitution law.";
  if (!map.newton_gain.empty())
    plot.caption +=
        " In the red area Newton's law ends with more energy than there was; Poisson's and the energetic law never do.";
  plot.x.label = "friction $\\mu$";
  plot.y.label = "slip over approach, $S_0/|C_0|$";
  plot.x.low = 0.0, plot.x.high = asked.friction_to;
  plot.y.low = -asked.slip_to, plot.y.high = asked.slip_to;
  plot.axes_at_zero = true;
  for (const ModeRegion& region : map.modes) {
    report::Curve area{
        points_of(region.corners), {color_of(region.mode), Dash::solid, 0.0}, words_of(region.mode), true};
    area.fill = 0.35;
    plot.curves.push_back(std::move(area));
  }
  for (const auto& corners : map.newton_gain) {
    report::Curve area{points_of(corners), {Color::red, Dash::solid, 1.6}, "Newton's law gains energy", true};
    area.fill = 0.6;
    plot.curves.push_back(std::move(area));
  }
  if (const double hold = run.thresholds.stick_friction; hold > 0.0 && hold < asked.friction_to)
    plot.lines.push_back({{hold, 0.0}, {0.0, 1.0}, {Color::muted, Dash::dashed, 1.2}, "$|\\mu_s|$", ""});
  // Sliding jams on the side where slip and coupling have unlike signs.
  const Eigen::Matrix2d& w = run.problem.space.inverse_inertia;
  if (const double jamb = w(1, 1) / std::abs(w(0, 1)); jamb < asked.friction_to)
    plot.lines.push_back({{jamb, 0.0},
                          {0.0, std::copysign(1.0, w(0, 1))},
                          {Color::red, Dash::dashed, 1.4},
                          "jamb",
                          "right of it sliding drives the bodies together (jamb)",
                          true});
  const Eigen::Vector2d& v = run.problem.space.velocity;
  if (v[1] <= 0.0 && !v.isZero(0.0))
    mark(plot, {"this impact", scenario.material.friction, v}, asked, Color::ink, "this impact");
  for (const MarkedImpact& impact : asked.marks) mark(plot, impact, asked, Color::blue, "");
  return plot;
}

}  // namespace carom::scenario
