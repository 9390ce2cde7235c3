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

constexpr const char* axis_names[] = {"t_1", "t_2", "n"};
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

/// One number over the normal impulse.
/// @param quantity  (point or event) -> number
template <class Quantity>
Curve number_over_impulse(const std::vector<CompliantPoint>& path, report::Stroke stroke, const char* legend,
                          const Quantity& quantity) {
  Curve curve{{}, stroke, legend};
  for (const CompliantPoint& p : path) curve.points.push_back({p.impulse.z(), quantity(p)});
  return curve;
}

/// What friction has taken (Jia 2012, eq. 36), beside what the tangential springs hold.
Plot friction_loss_plot(const std::vector<CompliantPoint>& path) {
  Plot plot;
  plot.name = "friction_loss";
  plot.title = "What friction has taken";
  plot.caption =
      "Per unit of normal impulse friction takes $\\mu$ times the slip speed: nothing while the contact sticks. What "
      "the "
      "tangential springs hold is not lost: it drives the contact back.";
  plot.x.label = "normal impulse [N s]";
  plot.y.label = "energy [J]";
  plot.axes_at_zero = true;
  plot.curves = {number_over_impulse(path, {Color::orange, Dash::solid, 2.0}, "taken by friction",
                                     [](const CompliantPoint& p) { return p.friction_loss; }),
                 number_over_impulse(path, {Color::blue, Dash::dashed, 1.4}, "held by the tangential springs",
                                     [](const CompliantPoint& p) { return p.springs.energy.head<2>().sum(); })};
  return plot;
}

/// How much of friction the contact uses (Jia 2012, eq. 46, 51 and 52).
Plot cone_plot(const CompliantRun& run, const std::vector<CompliantPoint>& path) {
  Plot plot;
  plot.name = "friction_used";
  plot.title = "Tangential over normal strain energy";
  plot.caption =
      "In units of $\\mu^2 \\eta^2$, with $\\eta^2$ the present ratio of the stiffnesses: the square of the friction "
      "in "
      "use over the friction there is. It is 1 while the contact slips and less while it sticks.";
  plot.x.label = "normal impulse [N s]";
  plot.y.label = "$E_t / (\\mu^2 \\eta^2 E_n)$";
  plot.axes_at_zero = true;
  const double mu = run.problem.material.friction, eta0 = run.problem.stiffness_ratio_root;
  const bool stiffens = run.problem.unloading == Unloading::stiffer;
  const double e = run.problem.material.restitution;
  Curve curve{{}, {Color::blue, Dash::solid, 2.0}, "in use"};
  for (const CompliantPoint& p : path) {
    const double kappa = p.restitution && stiffens ? 1.0 / (e * e) : 1.0;
    const double bound = mu * mu * eta0 * eta0 * kappa * p.springs.energy.z();
    if (bound > 0.0 && p.springs.energy.z() > nothing * nothing * run.impact.energy.before)
      curve.points.push_back({p.impulse.z(), p.springs.energy.head<2>().sum() / bound});
  }
  if (curve.points.empty()) return plot;
  plot.curves = {std::move(curve),
                 {{{0.0, 1.0}, {run.impact.impulse.z(), 1.0}}, {Color::muted, Dash::dashed, 1.2}, "slip"}};
  return plot;
}

/// The impulse curve seen along each axis, with its numbers (Jia 2012, figure 17 b to d).
std::vector<Plot> projections(const CompliantRun& run, const std::vector<CompliantPoint>& path) {
  std::vector<Plot> plots;
  constexpr int seen[][2] = {{0, 1}, {0, 2}, {1, 2}};
  constexpr const char* subscripts[] = {"t1", "t2", "n"};
  for (const auto& axes : seen) {
    const int right = axes[0], up = axes[1];
    Plot plot;
    plot.name = std::string("impulse_") + subscripts[right] + "_" + subscripts[up];
    plot.title = "Impulse curve, seen along $" + std::string(axis_names[3 - right - up]) + "$";
    plot.x.label = std::string("$I_{") + subscripts[right] + "}$ [N s]";
    plot.y.label = std::string("$I_{") + subscripts[up] + "}$ [N s]";
    plot.axes_at_zero = true;
    Curve curve{{}, {Color::ink, Dash::solid, 2.0}, "impulse"};
    for (const CompliantPoint& p : path) curve.points.push_back({p.impulse[right], p.impulse[up]});
    plot.curves.push_back(std::move(curve));
    mark_events(plot, run.impact, [&](const CompliantEvent& e) { return Point{e.impulse[right], e.impulse[up]}; });
    plots.push_back(std::move(plot));
  }
  return plots;
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
    if (tangential.size() == 2)
      for (Plot& plot : projections(run, path)) plots.push_back(std::move(plot));
    if (!tangential.empty() && !run.impact.flags.has(Flag::rigid_limit)) {
      plots.push_back(over_impulse(run, path,
                                   titled("velocity", "Tangential velocity of the contact point", "", "velocity [m/s]"),
                                   tangential, [](const auto& p) { return p.velocity; }));
      if (std::any_of(path.begin(), path.end(), [](const CompliantPoint& p) { return p.slipping; }))
        plots.push_back(over_impulse(
            run, path,
            titled("slip", "Slip",
                   "How fast the contact slides. While it sticks the springs take up all of the tangential velocity; "
                   "while it slips they take up what the normal force leaves them.",
                   "slip velocity [m/s]"),
            tangential, [](const auto& p) {
              return Eigen::Vector3d(p.springs.slip_velocity[0], p.springs.slip_velocity[1], 0.0);
            }));
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
      plots.push_back(friction_loss_plot(path));
      if (!tangential.empty() && run.problem.material.friction > 0.0)
        if (Plot plot = cone_plot(run, path); !plot.curves.empty()) plots.push_back(std::move(plot));
    }
  }
  if (scenario.frames)
    for (Plot& plot : motion_pictures(run.bodies_before, run.bodies_after, *scenario.contact, *scenario.frames))
      plots.push_back(std::move(plot));
  return plots;
}

}  // namespace carom::scenario
