#include <algorithm>
#include <cmath>
#include <span>

#include "impact_compliant.hpp"
#include "pictures/event_marks.hpp"
#include "pictures/impulse_room.hpp"

namespace carom::scenario {

namespace {

using report::Color;
using report::Curve;
using report::Dash;
using report::MarkerShape;
using report::Plot;
using report::Point;

/// Springs begin to move as the square root of the normal impulse: fewer samples show corners.
constexpr int samples_per_piece = 128;

/// What is below this share of the largest is not drawn: it is rounding.
constexpr double nothing = 1e-9;

constexpr EventMark event_marks[] = {
    {EventType::slip_ends, MarkerShape::ring, Color::blue, "slip ends"},
    {EventType::stick_ends, MarkerShape::diamond, Color::purple, "stick ends"},
    {EventType::compression_ends, MarkerShape::triangle, Color::green, "compression ends"},
    {EventType::recompression_begins, MarkerShape::square, Color::orange, "compression begins again"},
    {EventType::separates, MarkerShape::circle, Color::red, "separation"}};

/// More dots than this hide the curve: then changes of mode, which come first in the list, are left out.
constexpr std::size_t most_marks = 60;
constexpr std::size_t mode_changes = 2;

template <class At>
void mark_events(Plot& plot, const CompliantImpact& impact, const At& at) {
  const std::span<const EventMark> all = event_marks;
  mark_events(plot, impact.events, impact.events.size() > most_marks ? all.subspan(mode_changes) : all, at);
}

/// Whether tangential direction i plays a part in the impact.
bool takes_part(const CompliantRun& run, const std::vector<CompliantPoint>& path, int i) {
  const double speed = run.problem.space.velocity.norm();
  return std::any_of(path.begin(), path.end(), [&](const CompliantPoint& p) {
    return std::abs(p.velocity[i]) > nothing * speed || std::abs(p.impulse[i]) > nothing * run.impact.impulse.norm();
  });
}

/// The impulse in the plane, inside the cone of friction.
Plot planar_impulse_curve(const CompliantRun& run, const std::vector<CompliantPoint>& path, int t) {
  Plot plot;
  plot.name = "impulse_curve";
  plot.title = "Impulse curve";
  plot.caption =
      "The impulse grows upwards from first touch. Where it runs parallel to an edge of the cone of friction the "
      "contact "
      "slips; where it curves, the contact sticks and the tangential spring is at work.";
  plot.x.label = t == 0 ? "$I_{t1}$ [N s]" : "$I_{t2}$ [N s]";
  plot.y.label = "$I_n$ [N s]";
  plot.axes_at_zero = true;
  const double mu = run.problem.material.friction;
  Curve curve{{}, {Color::ink, Dash::solid, 2.5}, "impulse"};
  double across = 0.0;
  for (const CompliantPoint& p : path) {
    curve.points.push_back({p.impulse[t], p.impulse.z()});
    across = std::max(across, std::abs(p.impulse[t]));
  }
  // The cone, as far as it fits the picture.
  const double up = std::min(run.impact.impulse.z(), mu > 0.0 ? 1.3 * across / mu : 0.0);
  for (const double side : {-1.0, 1.0})
    plot.curves.push_back({{{0.0, 0.0}, {side * mu * up, up}},
                           {Color::muted, Dash::dashed, 1.5},
                           side < 0.0 ? "cone of friction, $|I_t| = \\mu I_n$" : ""});
  plot.curves.push_back(std::move(curve));
  mark_events(plot, run.impact, [&](const CompliantEvent& e) { return Point{e.impulse[t], e.impulse.z()}; });
  return plot;
}

Plot impulse_curve(const CompliantRun& run, const std::vector<CompliantPoint>& path) {
  for (const int t : {0, 1})
    if (!takes_part(run, path, 1 - t)) return planar_impulse_curve(run, path, t);
  std::vector<Eigen::Vector3d> impulses;
  for (const CompliantPoint& p : path) impulses.push_back(p.impulse);
  const ImpulseRoom room(run.problem.space, std::move(impulses));
  Plot plot = room.plot();
  mark_events(plot, run.impact, [&](const CompliantEvent& e) { return room.at(e.impulse); });
  return plot;
}

constexpr const char* axis_names[] = {"t1", "t2", "n"};
constexpr Color axis_colors[] = {Color::blue, Color::orange, Color::ink};

/// A quantity with a component per axis, over the normal impulse; a jump is dashed.
/// @param quantity  (point or event) -> vector (t1, t2, n)
template <class Quantity>
Plot over_impulse(const CompliantRun& run, const std::vector<CompliantPoint>& path, Plot plot,
                  const std::vector<int>& axes, const Quantity& quantity) {
  plot.x.label = "normal impulse [N s]";
  plot.axes_at_zero = true;
  double largest = 0.0;
  for (const CompliantPoint& p : path)
    for (const int axis : axes) largest = std::max(largest, std::abs(quantity(p)[axis]));
  for (const int axis : axes) {
    const report::Stroke stroke{axis_colors[axis], Dash::solid, 2.0};
    Curve curve{{}, stroke, "along $" + std::string(axis_names[axis]) + "$"};
    for (const CompliantPoint& p : path) {
      const Point next{p.impulse.z(), quantity(p)[axis]};
      const bool jump = !curve.points.empty() && next.x == curve.points.back().x &&
                        std::abs(next.y - curve.points.back().y) > nothing * largest;
      if (jump) {
        plot.curves.push_back({{curve.points.back(), next},
                               {axis_colors[axis], Dash::dashed, 1.2},
                               "jump along $" + std::string(axis_names[axis]) + "$"});
        plot.curves.push_back(std::move(curve));
        curve = {{}, stroke, ""};
      }
      curve.points.push_back(next);
    }
    plot.curves.push_back(std::move(curve));
  }
  mark_events(plot, run.impact, [&](const CompliantEvent& e) {
    return Point{e.impulse.z(), quantity(e)[axes.front()]};
  });
  return plot;
}

Plot titled(const char* name, const char* title, const char* caption, const char* y) {
  Plot plot;
  plot.name = name;
  plot.title = title;
  plot.caption = caption;
  plot.y.label = y;
  return plot;
}

}  // namespace

std::vector<Plot> compliant_pictures(const CompliantScenario& scenario, const CompliantRun& run) {
  std::vector<Plot> plots;
  const bool drawable = run.impact.verdict == Verdict::separated && !run.impact.flags.has(Flag::overflow);
  if (drawable) {
    const auto path = compliant_path(run.problem, samples_per_piece);
    plots.push_back(impulse_curve(run, path));
    std::vector<int> tangential;
    for (const int i : {0, 1})
      if (takes_part(run, path, i)) tangential.push_back(i);
    if (!tangential.empty() && !run.impact.flags.has(Flag::rigid_limit)) {
      plots.push_back(over_impulse(run, path,
                                   titled("velocity", "Tangential velocity of the contact point", "", "velocity [m/s]"),
                                   tangential, [](const auto& p) { return p.velocity; }));
      plots.push_back(
          over_impulse(run, path,
                       titled("spring_rate", "Rate of the tangential springs",
                              "While the contact sticks the springs follow the contact point. Where stick ends the "
                              "rate jumps (dashed): the spring must shorten with the normal force.",
                              "rate of the length [m/s]"),
                       tangential, [](const auto& p) { return p.springs.rate; }));
      plots.push_back(
          over_impulse(run, path,
                       titled("spring_length", "Length of the tangential springs",
                              "Only the ratio of the stiffnesses matters, so lengths come with the root of the "
                              "normal one.",
                              "length times $k_n^{1/2}$ [J$^{1/2}$]"),
                       tangential, [](const auto& p) { return p.springs.length; }));
    }
    if (!run.impact.flags.has(Flag::rigid_limit)) {
      std::vector<int> springs = tangential;
      springs.push_back(2);
      plots.push_back(
          over_impulse(run, path,
                       titled("spring_energy", "Energy in the springs",
                              "At the end of compression the normal spring loses $1 - e^2$ of its energy. What the "
                              "tangential springs hold drives the contact back.",
                              "energy [J]"),
                       springs, [](const auto& p) { return p.springs.energy; }));
    }
  }
  if (scenario.frames)
    for (Plot& plot : motion_pictures(run.bodies_before, run.bodies_after, *scenario.contact, *scenario.frames))
      plots.push_back(std::move(plot));
  return plots;
}

}  // namespace carom::scenario
