#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "carom/impact/impulse_space.hpp"

#include "impact_planar.hpp"

namespace carom::scenario {

namespace {

using report::Color;
using report::Dash;
using report::MarkerShape;
using report::Plot;
using report::Point;

constexpr double panel = 1.0, gap = 0.34;  // of the drawing: a panel is a square of this side

/// A small diagram: a square of the drawing that shows impulses.
class Panel {
public:
  /// @param corner  lower left one of the square
  /// @param reach   what it shows: impulses up to there to either side and upwards, half as far down
  Panel(Plot& plot, Point corner, double reach) : plot_(plot), corner_(corner), reach_(reach) {}

  void frame() {
    plot_.curves.push_back({{at({-1, -0.5}, 1), at({1, -0.5}, 1), at({1, 1.5}, 1), at({-1, 1.5}, 1)},
                            {Color::muted, Dash::solid, 0.8},
                            "",
                            true});
    segment({-1, 0}, {1, 0}, {Color::muted, Dash::solid, 0.7}, "", 1);
    segment({0, -0.5}, {0, 1.5}, {Color::muted, Dash::solid, 0.7}, "", 1);
  }

  /// The part of a line (or ray) inside, and its name at its upper end.
  void line(const ImpulseLine& l, report::Stroke stroke, const char* label, const std::string& legend, bool ray) {
    double from = ray ? 0.0 : -INFINITY, to = INFINITY;
    const auto cut = [&](double start, double along, double low, double high) {
      if (along == 0.0) {
        if (start < low || start > high) to = -INFINITY;
        return;
      }
      const double a = (low - start) / along, b = (high - start) / along;
      from = std::max(from, std::min(a, b)), to = std::min(to, std::max(a, b));
    };
    cut(l.point.x(), l.direction.x(), -reach_, reach_);
    cut(l.point.y(), l.direction.y(), -0.5 * reach_, 1.5 * reach_);
    if (!(to > from)) return;
    const Eigen::Vector2d a = l.point + from * l.direction, b = l.point + to * l.direction;
    segment({a.x(), a.y()}, {b.x(), b.y()}, stroke, legend, reach_);
    const Eigen::Vector2d end = a + 0.9 * (b - a);
    plot_.markers.push_back({at({end.x(), end.y()}, reach_), MarkerShape::none, stroke.color, label, ""});
  }

  void path(const PlanarImpact& impact, const std::string& legend) {
    report::Curve curve{{}, {Color::ink, Dash::solid, 2.6}, legend};
    for (const auto& event : impact.events) curve.points.push_back(at({event.impulse.x(), event.impulse.y()}, reach_));
    if (curve.points.empty()) return;
    plot_.markers.push_back({curve.points.back(), MarkerShape::circle, Color::red, "", "end"});
    plot_.curves.push_back(std::move(curve));
  }

  report::Marker title(const std::string& text) const {
    return {{corner_.x + 0.5 * panel, corner_.y + panel + 0.16}, MarkerShape::none, Color::ink, text, ""};
  }

private:
  Point at(Point p, double reach) const {
    return {corner_.x + panel * 0.5 * (p.x / reach + 1.0), corner_.y + panel * (p.y / reach + 0.5) / 2.0};
  }
  void segment(Point from, Point to, report::Stroke stroke, const std::string& legend, double reach) {
    plot_.curves.push_back({{at(from, reach), at(to, reach)}, stroke, legend});
  }

  Plot& plot_;
  Point corner_;
  double reach_;
};

/// As far as the process and Q go.
double reach_of(const PlanarImpact& impact, const RouthLines& lines) {
  double reach = lines.rest.cwiseAbs().maxCoeff();
  for (const auto& event : impact.events) reach = std::max(reach, event.impulse.cwiseAbs().maxCoeff());
  return reach > 0.0 ? 1.1 * reach : 1.0;
}

}  // namespace

Plot panels_picture(const PlanarRun& run) {
  Plot plot;
  const bool tangential = run.problem.space.velocity[1] == 0.0;
  plot.name = "panels";
  plot.title = tangential ? "Without approach: which signs admit an impact" : "The nine classes of meeting impact";
  plot.caption = fmt::format(
      "Columns by the sign of the coupling $B_3$, rows by that of the slip $S_0$; their sizes, friction and "
      "restitution "
      "are those of the run ({}).{}",
      name(run.laws.front()),
      tangential ? " An impact happens only where the contact slides and L passes below C."
                 : " Above each: how the contact moves.");
  plot.bare = plot.equal_scale = true;
  PlanarProblem problem = run.problem;
  const Eigen::Matrix2d& w = run.problem.space.inverse_inertia;
  // Of signs only: a size for what is zero in the run.
  const double coupling = w(0, 1) != 0.0 ? std::abs(w(0, 1)) : 0.6 * std::sqrt(w(0, 0) * w(1, 1));
  const double slip = problem.space.velocity[0] != 0.0 ? std::abs(problem.space.velocity[0])
                      : tangential                     ? 1.0
                                                       : 0.6 * std::abs(problem.space.velocity[1]);
  const char* signs[] = {"< 0", "= 0", "> 0"};
  bool told = false, pathed = false;
  std::vector<report::Marker> titles;  // find their places before the letters
  for (const int row : {-1, 0, 1})
    for (const int column : {-1, 0, 1}) {
      problem.space.inverse_inertia(0, 1) = problem.space.inverse_inertia(1, 0) = -column * coupling;
      problem.space.velocity[0] = row * slip;
      const PlanarImpact impact = planar_impact(problem);
      const RouthLines lines = routh_lines(problem);
      Panel small(plot, {(column + 1) * (panel + gap), (1 - row) * (panel + gap)}, reach_of(impact, lines));
      small.frame();
      small.line(lines.sticking, {Color::blue, Dash::solid, 1.5}, "S", told ? "" : "S: sticking", false);
      small.line(lines.compression, {Color::green, Dash::solid, 1.5}, "C", told ? "" : "C: maximum compression", false);
      // Without slip and approach there is nothing to limit.
      if (lines.friction && (row != 0 || !tangential)) {
        small.line(*lines.friction, {Color::orange, Dash::dashed, 1.5}, "L", pathed ? "" : "L: limiting friction",
                   true);
        pathed = true;
      }
      told = true;
      small.path(impact, "the impulse grows along this path");
      const bool happens = impact.verdict == Verdict::separated;
      titles.push_back(small.title(happens ? name(impact.mode) : "no impact"));
    }
  for (const int i : {-1, 0, 1}) {
    const double middle = 0.5 * panel;
    const char* sign = signs[i + 1];
    titles.push_back({{(i + 1) * (panel + gap) + middle, 3.0 * (panel + gap) + 0.1},
                      MarkerShape::none,
                      Color::blue,
                      fmt::format("$B_3$ {}", sign),
                      ""});
    titles.push_back({{-0.45 * panel, (1 - i) * (panel + gap) + middle},
                      MarkerShape::none,
                      Color::blue,
                      fmt::format("$S_0$ {}", sign),
                      ""});
  }
  plot.markers.insert(plot.markers.begin(), titles.begin(), titles.end());
  return plot;
}

}  // namespace carom::scenario
