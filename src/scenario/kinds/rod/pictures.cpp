#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

#include "pictures/colors.hpp"
#include "pictures/smooth_curve.hpp"
#include "rod.hpp"

namespace carom::scenario {

namespace {

using report::Color;
using report::Dash;
using report::MarkerShape;
using report::Plot;
using report::Point;

/// How long to look: the events asked for, or the first contact and a little more.
double shown_time(const RodRun& run) {
  const double round_trip = rod_round_trip(run.problem);
  if (!run.result.events.empty()) return 1.05 * std::max(run.result.events.back().t, round_trip);
  return 1.3 * std::max(run.result.t_b.value_or(2.0 * round_trip), round_trip);
}

Plot stress_plot(const RodRun& run, RodMotion& motion) {
  Plot plot;
  plot.name = "stress";
  plot.title = "Stress at the bottom";
  plot.caption = "The ground pushes while the stress is negative. Contact ends when it would turn positive.";
  plot.x.label = "time [s]";
  plot.y.label = "stress / density [m$^2$/s$^2$]";
  plot.axes_at_zero = true;
  double end = shown_time(run);
  std::vector<std::optional<double>> liftoffs = {run.result.t_b};
  for (const RodResult& other : run.compared_results) {
    liftoffs.push_back(other.t_b);
    end = std::max(end, 1.1 * liftoffs.back().value_or(0.0));
  }
  const auto add = [&](RodMotion& of, double damping, std::size_t i) {
    constexpr int samples = 1200;
    const Color color = colors[i % std::size(colors)];
    report::Curve curve{{}, {color, Dash::solid, 2.0}, run.compared.empty() ? "" : fmt::format("$r = {}$", damping)};
    for (int k = 1; k <= samples; ++k) {
      const double t = end * k / samples;
      curve.points.push_back({t, of.at(t).stress});
    }
    plot.curves.push_back(std::move(curve));
    if (liftoffs[i])
      plot.markers.push_back(
          {{*liftoffs[i], 0.0}, MarkerShape::circle, color, "$t_b$", i == 0 ? "first lift-off" : ""});
  };
  add(motion, run.problem.damping, 0);
  for (std::size_t i = 0; i < run.compared.size(); ++i) {
    RodMotion other(run.compared[i]);
    add(other, run.compared[i].damping, i + 1);
  }
  return plot;
}

/// Where along the rod damping takes the energy.
Plot dissipation_plot(const RodRun& run, RodMotion& motion) {
  Plot plot;
  plot.name = "dissipation";
  plot.title = "What damping takes along the rod";
  const bool structural = run.problem.damping_kind == DampingKind::structural;
  plot.caption = structural ? "Energy per length, from first touch on. The bottom stops at once, so most is lost just "
                              "above it (the curve rises without bound there, but slowly)."
                            : "Energy per length, from first touch on.";
  plot.x.logarithmic = plot.y.logarithmic = structural;
  plot.x.label = "height along the rod [m]";
  plot.y.label = "energy / length and density [m$^2$/s$^2$]";
  const double round_trip = rod_round_trip(run.problem);
  const std::pair<double, const char*> moments[] = {
      {0.5 * round_trip, "wave at the top, $t = L/c$"},
      {run.result.t_b.value_or(round_trip), run.result.t_b ? "lift-off" : "round trip, $t = 2L/c$"}};
  for (std::size_t i = 0; i < std::size(moments); ++i) {
    const auto taken = [&](double x) { return motion.dissipation(x, moments[i].first); };
    std::vector<report::Point> points;
    if (structural) {
      // Nearer to the bottom a point takes far longer.
      std::vector<double> logarithms;
      constexpr int samples = 16;
      constexpr double first = 2e-4, last = 0.99;  // shares of the length
      for (int k = 0; k < samples; ++k)
        logarithms.push_back(std::log(run.problem.length * first) + std::log(last / first) * k / (samples - 1));
      points = smooth_curve(logarithms, [&](double x) { return std::log(taken(std::exp(x))); });
      for (Point& p : points) p = {std::exp(p.x), std::exp(p.y)};
    } else {
      constexpr int samples = 60;
      std::vector<double> heights;
      for (int k = 0; k < samples; ++k) heights.push_back(run.problem.length * (k + 0.5) / samples);
      points = smooth_curve(heights, taken);
    }
    plot.curves.push_back({std::move(points), {colors[i], Dash::solid, 2.0}, moments[i].second});
  }
  return plot;
}

Plot motion_plot(const RodRun& run, RodMotion& motion) {
  Plot plot;
  plot.name = "motion";
  plot.title = "Bottom, centre and top of the rod";
  plot.caption = "Displacement from the place at first touch. The bottom rests on the ground while in contact.";
  plot.x.label = "time [s]";
  plot.y.label = "displacement [m]";
  plot.axes_at_zero = true;
  constexpr int samples = 800;
  const double end = shown_time(run);
  report::Curve bottom{{}, {Color::ink, Dash::solid, 2.2}, "bottom"},
      centre{{}, {Color::blue, Dash::solid, 1.8}, "centre of mass"}, top{{}, {Color::orange, Dash::dashed, 1.6}, "top"};
  for (int i = 0; i <= samples; ++i) {
    const double t = end * i / samples;
    const RodSample s = motion.at(t);
    bottom.points.push_back({t, s.bottom});
    centre.points.push_back({t, s.height});
    top.points.push_back({t, motion.displacement(run.problem.length, t)});
  }
  plot.curves = {top, centre, bottom};
  bool lifts_named = false, touches_named = false;
  for (const RodEvent& e : run.result.events) {
    if (e.type == RodEventType::rests) continue;
    const bool lifts = e.type == RodEventType::lifts;
    const bool named = std::exchange(lifts ? lifts_named : touches_named, true);
    plot.markers.push_back({{e.t, 0.0},
                            lifts ? MarkerShape::triangle : MarkerShape::ring,
                            Color::red,
                            "",
                            named   ? ""
                            : lifts ? "the bottom lifts off"
                                    : "the bottom touches again"});
  }
  return plot;
}

Plot field_plot(const RodRun& run, RodMotion& motion) {
  Plot plot;
  plot.name = "field";
  plot.title = "Velocity along the rod";
  plot.caption = "A wave of stopped material runs up from the ground, turns at the free top and comes back.";
  plot.x.label = "time [s]";
  plot.y.label = "height along the rod [m]";
  // The fronts of structural damping are smooth; others jump, so there a cell has two by three pixels.
  const bool jumps = run.problem.damping_kind == DampingKind::viscous || run.problem.damping == 0.0;
  const int columns = jumps ? 260 : 160, rows = jumps ? 120 : 60;
  report::HeatMap map;
  map.label = "velocity [m/s]";
  const double end = shown_time(run);
  for (int i = 0; i <= columns; ++i) map.x_edges.push_back(end * i / columns);
  for (int j = 0; j <= rows; ++j) map.y_edges.push_back(run.problem.length * j / rows);
  for (int j = 0; j < rows; ++j)
    for (int i = 0; i < columns; ++i)
      map.values.push_back(motion.velocity(run.problem.length * (j + 0.5) / rows, end * (i + 0.5) / columns));
  plot.heat_map = std::move(map);
  return plot;
}

}  // namespace

std::vector<Plot> rod_pictures(const RodRun& run) {
  RodMotion motion(run.problem);
  std::vector<Plot> plots = {stress_plot(run, motion), motion_plot(run, motion), field_plot(run, motion)};
  if (run.problem.damping > 0.0 && run.problem.impact_speed > 0.0) plots.push_back(dissipation_plot(run, motion));
  return plots;
}

}  // namespace carom::scenario
