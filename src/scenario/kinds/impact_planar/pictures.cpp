#include <algorithm>
#include <cmath>

#include "carom/impact/impulse_space.hpp"

#include "impact_planar.hpp"
#include "pictures/velocity_arrows.hpp"

namespace carom::scenario {

namespace {

using report::Color;
using report::Dash;
using report::MarkerShape;
using report::Plot;
using report::Point;

constexpr int ellipse_corners = 240;

Point point(const Eigen::Vector2d& v) { return {v[0], v[1]}; }

struct Frame {
  double left = 0.0, right = 0.0, bottom = 0.0, top = 0.0;
  void include(const Point& p) {
    left = std::min(left, p.x), right = std::max(right, p.x);
    bottom = std::min(bottom, p.y), top = std::max(top, p.y);
  }
  double extent() const { return std::max(right - left, top - bottom); }
};

/// The frame shows the whole process and Q, and as much of the ellipse as leaves the process readable.
void choose_frame(Plot& plot, const PlanarRun& run, const Eigen::Vector2d& q, const std::vector<Point>& ellipse) {
  Frame process;  // starts at the origin
  for (const auto& impact : run.impacts)
    for (const auto& event : impact.events) process.include(point(event.impulse));
  process.include(point(q));
  Frame frame = process;
  for (const Point& p : ellipse) frame.include(p);
  const double room = 0.75 * process.extent();
  frame.left = std::max(frame.left, process.left - room);
  frame.right = std::min(frame.right, process.right + room);
  frame.bottom = std::max(frame.bottom, process.bottom - 0.3 * room);
  frame.top = std::min(frame.top, process.top + room);
  const double margin = 0.08 * frame.extent();
  plot.x.low = frame.left - margin, plot.x.high = frame.right + margin;
  plot.y.low = frame.bottom - margin, plot.y.high = frame.top + margin;
  const double aspect = (*plot.x.high - *plot.x.low) / (*plot.y.high - *plot.y.low);
  plot.equal_scale = aspect > 0.4 && aspect < 2.5;
}

void draw_lines(Plot& plot, const PlanarRun& run, const RouthLines& lines) {
  const auto draw = [&](const ImpulseLine& line, report::Stroke stroke, const char* label, const char* legend,
                        bool from_point = false) {
    plot.lines.push_back({point(line.point), point(line.direction), stroke, label, legend, from_point});
  };
  draw(lines.sticking, {Color::blue, Dash::solid, 1.5}, "S", "S: sticking, $v_t = 0$");
  draw(lines.compression, {Color::green, Dash::solid, 1.5}, "C", "C: maximum compression, $v_n = 0$");
  if (lines.termination && std::find(run.laws.begin(), run.laws.end(), RestitutionLaw::newton) != run.laws.end())
    draw(*lines.termination, {Color::purple, Dash::dash_dot, 1.5}, "T", "T: termination, $v_n = -e v_{n0}$ (Newton)");
  if (lines.friction)
    draw(*lines.friction, {Color::orange, Dash::dashed, 1.5}, "L", "L: limiting friction, $|P_t| = \\mu P_n$", true);
  if (lines.reversed_friction)
    draw(*lines.reversed_friction, {Color::orange, Dash::dotted, 1.5}, "RF", "RF: reversed limiting friction", true);
}

void draw_process(Plot& plot, const PlanarRun& run) {
  const auto shape = [](RestitutionLaw law) {
    return law == RestitutionLaw::newton    ? MarkerShape::square
           : law == RestitutionLaw::poisson ? MarkerShape::diamond
                                            : MarkerShape::circle;
  };
  for (std::size_t i = 0; i < run.laws.size(); ++i) {
    report::Curve path{{}, {Color::ink, Dash::solid, 3.0}, i == 0 ? "the impulse grows along this path" : ""};
    for (const auto& event : run.impacts[i].events) path.points.push_back(point(event.impulse));
    plot.curves.push_back(std::move(path));
  }
  for (const auto& event : run.impacts.front().events) {  // the same for every law: they differ in the end only
    if (event.type == EventType::start_slip || event.type == EventType::start_stick)
      plot.markers.push_back({point(event.impulse), MarkerShape::cross, Color::ink, "O", "O: first touch"});
    if (event.type == EventType::slip_ends)
      plot.markers.push_back({point(event.impulse), MarkerShape::ring, Color::blue, "", "slip ends"});
    if (event.type == EventType::compression_ends)
      plot.markers.push_back({point(event.impulse), MarkerShape::triangle, Color::green, "", "compression ends"});
  }
  for (std::size_t i = 0; i < run.laws.size(); ++i)
    plot.markers.push_back({point(run.impacts[i].impulse), shape(run.laws[i]), Color::red, name(run.laws[i]),
                            std::string("end: ") + name(run.laws[i])});
}

}  // namespace

Plot bodies_picture(const PlanarScenario& scenario, const PlanarRun& run) {
  Plot plot;
  plot.name = "bodies";
  plot.title = "The bodies at the moment of impact";
  plot.caption =
      "At the contact $n$ points into the first body, along the normal. Arrows: velocities of the centres of mass.";
  plot.equal_scale = plot.bare = true;
  const Point contact = point(scenario.contact->point), n = point(scenario.contact->normal);
  std::vector<Mover> movers;
  double size = 0.0;
  for (std::size_t i = 0; i < 2; ++i) {
    const NamedPlanarBody& named = (*scenario.bodies)[i];
    if (named.body.immovable) continue;
    const Point centre = point(named.body.position);
    std::vector<Point> edge = edge_of(named);
    // Of a body given by its inertia only its centre is known.
    if (edge.empty())
      plot.curves.push_back({{contact, centre}, {Color::muted, Dash::dotted, 1.4}, ""});
    else
      plot.curves.push_back({std::move(edge), {Color::ink, Dash::solid, 2.2}, "", true});
    size += std::hypot(centre.x - contact.x, centre.y - contact.y);
    const PlanarBody& after = run.bodies_after[i].body;
    movers.push_back({name_of(named.name, i),
                      centre,
                      {point(named.body.velocity), point(after.velocity)},
                      {named.body.angular_velocity, after.angular_velocity}});
  }
  size = size > 0.0 ? size / static_cast<double>(movers.size()) : 1.0;
  const bool ground = movers.size() == 1;
  const double reach = (ground ? 1.6 : 0.9) * size;
  plot.curves.push_back(
      {{{contact.x + reach * n.y, contact.y - reach * n.x}, {contact.x - reach * n.y, contact.y + reach * n.x}},
       {ground ? Color::ink : Color::muted, ground ? Dash::solid : Dash::dashed, ground ? 2.2 : 1.2},
       ""});
  const Point tip{contact.x + 0.6 * size * n.x, contact.y + 0.6 * size * n.y};
  plot.curves.push_back({{contact, tip}, {Color::green, Dash::solid, 1.6}, "normal", false, true});
  plot.markers.push_back({tip, MarkerShape::none, Color::green, "$n$", ""});
  plot.markers.push_back({contact, MarkerShape::cross, Color::red, "", "contact"});
  draw_velocities(plot, movers, size, name(run.laws.front()));
  return plot;
}

Plot routh_diagram(const PlanarRun& run) {
  const RouthLines lines = routh_lines(run.problem);
  const Eigen::Vector2d& q = lines.rest;
  Plot plot;
  plot.name = "routh_diagram";
  plot.title = "Routh's impact-process diagram";
  plot.caption =
      "The impulse starts at O and grows upwards: along L while the contact slides, then along S (stick) or RF "
      "(reversed "
      "slip). It crosses C at maximum compression. Outside the ellipse energy would be gained.";
  plot.x.label = "tangential impulse $P_t$ [N s]";
  plot.y.label = "normal impulse $P_n$ [N s]";
  plot.axes_at_zero = true;
  std::vector<Point> ellipse;
  for (const Eigen::Vector2d& p : energy_ellipse(run.problem.space, ellipse_corners)) ellipse.push_back(point(p));
  choose_frame(plot, run, q, ellipse);
  draw_lines(plot, run, lines);
  plot.curves.push_back({ellipse, {Color::muted, Dash::solid, 1.5}, "energy ellipse: no gain inside", true});
  plot.markers.push_back({point(q), MarkerShape::ring, Color::ink, "Q", "Q: S meets C"});
  draw_process(plot, run);
  return plot;
}

}  // namespace carom::scenario
