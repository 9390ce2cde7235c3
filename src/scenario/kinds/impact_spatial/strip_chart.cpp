#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "impact_spatial.hpp"

namespace carom::scenario {

namespace {

using report::Color;
using report::Dash;
using report::MarkerShape;
using report::Plot;
using report::Point;

/// A letter of the chart: where on the hodograph and how far along the impulse.
struct Mark {
  const char* letter;
  Color color;
  MarkerShape shape;
  const char* words;
  Eigen::Vector3d velocity;
  double impulse;
};

std::vector<Mark> marks_of(const SpatialRun& run) {
  std::vector<Mark> marks;
  const auto add_straight = [&](const Eigen::Vector3d& velocity, double impulse) {
    marks.push_back({"l", Color::green, MarkerShape::diamond, "l: slip becomes straight", velocity, impulse});
  };
  for (const auto& event : run.impacts.front().events) {
    const double impulse = event.impulse[2];
    if (event.type == EventType::straight_slip) add_straight(event.velocity, impulse);
    if (event.type == EventType::slip_ends)
      marks.push_back({"s", Color::blue, MarkerShape::ring, "s: slip ends", event.velocity, impulse});
    if (event.type == EventType::compression_ends)
      marks.push_back({"c", Color::purple, MarkerShape::triangle, "c: compression ends", event.velocity, impulse});
    if (event.type == EventType::separates)
      marks.push_back({"r", Color::red, MarkerShape::circle, "r: restitution ends", event.velocity, impulse});
  }
  const bool told = std::any_of(marks.begin(), marks.end(), [](const Mark& m) { return *m.letter == 'l'; });
  if (!told && run.within && run.within->straight_from)
    add_straight(run.within->straight_from->velocity, run.within->straight_from->impulse[2]);
  std::stable_sort(marks.begin(), marks.end(), [](const Mark& a, const Mark& b) { return a.impulse < b.impulse; });
  return marks;
}

}  // namespace

Plot strip_chart(const SpatialRun& run) {
  Plot plot;
  plot.name = "strip_chart";
  plot.title = "The course of the impact";
  plot.caption =
      "Above, the path of the sliding velocity; below, the normal impulse as it grows [N s]. The same letters on both "
      "say what happens where.";
  plot.bare = plot.equal_scale = true;

  std::vector<Point> path;
  for (const auto& sample : spatial_path(run.problem, hodograph_samples))
    path.push_back({sample.velocity[0], sample.velocity[1]});
  Point low{0.0, 0.0}, high{0.0, 0.0};
  for (const Point& p : path) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y)};
  }
  double size = std::max(high.x - low.x, high.y - low.y);
  if (!(size > 0.0)) size = 1.0;  // it never slips
  const double air = 0.12 * size;
  const auto arrow = [&](Point from, Point to, std::string label) {
    plot.curves.push_back({{from, to}, {Color::muted, Dash::solid, 1.0}, "", false, true});
    plot.markers.push_back({to, MarkerShape::none, Color::muted, std::move(label), ""});
  };
  arrow({low.x - air, 0.0}, {high.x + 1.5 * air, 0.0}, "$v_{t1}$");
  arrow({0.0, low.y - air}, {0.0, high.y + 1.5 * air}, "$v_{t2}$");
  bool centrifugal = false, centripetal = false;
  for (const auto& d :
       invariant_directions(run.problem.space.inverse_inertia, run.problem.material.friction).directions) {
    bool& named = d.centrifugal ? centrifugal : centripetal;
    const char* legend = d.centrifugal ? "invariant direction, centrifugal" : "invariant direction, centripetal";
    const double reach = 0.45 * size;
    plot.curves.push_back({{{0.0, 0.0}, {reach * d.direction[0], reach * d.direction[1]}},
                           {d.centrifugal ? Color::red : Color::blue, Dash::dashed, 1.2},
                           named ? "" : legend});
    named = true;
  }
  plot.curves.push_back({path, {Color::ink, Dash::solid, 2.5}, "path of the sliding velocity", false, true});

  const double whole = run.impacts.front().impulse[2], floor = low.y - 4.0 * air,
               left = 0.5 * (low.x + high.x) - 0.7 * size, length = 1.3 * size, tick = 0.25 * air;
  arrow({left, floor}, {left + length + 1.5 * air, floor}, "$I_n$");
  const auto at = [&](double impulse) { return left + length * impulse / whole; };
  const auto tick_at = [&](double impulse) {
    plot.curves.push_back(
        {{{at(impulse), floor - tick}, {at(impulse), floor + tick}}, {Color::muted, Dash::solid, 1.0}, ""});
  };
  const auto write = [&](double impulse, const std::string& text) {
    tick_at(impulse);
    plot.markers.push_back({{at(impulse), floor - 3.0 * tick}, MarkerShape::none, Color::muted, text, ""});
  };
  write(0.0, "0");
  write(whole, fmt::format("{:.4g}", whole));
  plot.markers.push_back({path.front(), MarkerShape::cross, Color::ink, "", "first touch"});
  for (const Mark& mark : marks_of(run)) {
    plot.markers.push_back({{mark.velocity[0], mark.velocity[1]},
                            mark.shape,
                            mark.color,
                            mark.letter,
                            fmt::format("{}, {:.4g}", mark.words, mark.impulse)});
    plot.markers.push_back({{at(mark.impulse), floor}, mark.shape, mark.color, mark.letter, ""});
    if (mark.impulse < whole) tick_at(mark.impulse);
  }
  plot.caption +=
      fmt::format(" It begins at {:.4g} m/s of slip and ends at {:.4g} m/s.",
                  run.problem.space.velocity.head<2>().norm(), run.impacts.front().velocity_after.head<2>().norm());
  return plot;
}

}  // namespace carom::scenario
