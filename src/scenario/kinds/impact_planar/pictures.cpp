#include <algorithm>
#include <cmath>

#include "carom/core/text.hpp"
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

/// The frame shows the whole process, Q and D, and as much of the ellipse as leaves the process readable.
void choose_frame(Plot& plot, const PlanarRun& run, const RouthLines& lines, const std::vector<Point>& ellipse) {
  constexpr double far = 2.0;  // D further out than that many processes is left outside
  Frame process;               // starts at the origin
  for (const auto* impacts : {&run.impacts, &run.beside})
    for (const auto& impact : *impacts)
      for (const auto& event : impact.events) process.include(point(event.impulse));
  for (const OtherAnswer& other : run.others) process.include(point(other.impact.impulse));
  process.include(point(lines.rest));
  if (lines.rebound && lines.rebound->norm() <= far * process.extent()) process.include(point(*lines.rebound));
  if (process.extent() == 0.0) process = {-1.0, 1.0, 0.0, 2.0};  // nothing moves: lines through the origin, any scale
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

/// Of an oblique meeting impact: where L lies decides the mode (Wang and Mason 1992, Figure 5). Rays from O through Q
/// and D cut the half plane P_n > 0.
void draw_regions(Plot& plot, const PlanarRun& run, const RouthLines& lines) {
  const Eigen::Vector2d& v = run.problem.space.velocity;
  if (!lines.rebound || v[0] == 0.0 || !lines.friction) return;
  // Angles from the side to which friction pushes, as far as the points lie above O; no friction reaches them below.
  const double side = -std::copysign(1.0, v[0]);
  const auto angle = [side](const Eigen::Vector2d& p) { return p[1] > 0.0 ? std::atan2(p[1], side * p[0]) : 0.0; };
  const double q = angle(lines.rest), d = angle(*lines.rebound);
  const double reach = 2.0 * std::hypot(*plot.x.high - *plot.x.low, *plot.y.high - *plot.y.low);
  const auto sector = [&](double from, double to, Color color, const char* number, const char* what) {
    if (!(to > from)) return;
    report::Curve area{{{0.0, 0.0}}, {color, Dash::solid, 0.0}, what, true};
    area.fill = 0.13;
    constexpr int corners = 24;
    for (int i = 0; i <= corners; ++i) {
      const double a = from + (to - from) * i / corners;
      area.points.push_back({side * reach * std::cos(a), reach * std::sin(a)});
    }
    plot.curves.push_back(std::move(area));
    // Its number stands where the sector is wide, inside the frame.
    const double a = 0.5 * (from + to);
    double far = reach;
    const auto limit = [&far](double along, double low, double high) {
      if (along > 0.0) far = std::min(far, high / along);
      if (along < 0.0) far = std::min(far, low / along);
    };
    limit(side * std::cos(a), *plot.x.low, *plot.x.high);
    limit(std::sin(a), *plot.y.low, *plot.y.high);
    plot.markers.push_back(
        {{0.85 * far * side * std::cos(a), 0.85 * far * std::sin(a)}, MarkerShape::none, color, number, ""});
  };
  sector(0.0, q, Color::green, "3", "3: slip ends in compression, if L lies here");
  sector(q, d, Color::sky, "2", "2: slip ends in restitution");
  sector(d, M_PI, Color::yellow, "1", "1: slides throughout");
  for (const Eigen::Vector2d& to : {lines.rest, *lines.rebound})
    if (to[1] > 0.0) plot.lines.push_back({{0.0, 0.0}, point(to), {Color::muted, Dash::dotted, 1.2}, "", "", true});
  plot.markers.push_back(
      {point(*lines.rebound), MarkerShape::ring, Color::purple, "D", "D: S meets $v_n = -e v_{n0}$"});
}

/// Other frictions: their lines L, paths and ends.
void draw_frictions(Plot& plot, const PlanarScenario& scenario, const PlanarRun& run) {
  for (std::size_t i = 0; i < run.beside.size(); ++i) {
    const std::string mu = number_text(scenario.frictions[i]);
    PlanarProblem problem = run.problem;
    problem.material.friction = scenario.frictions[i];
    if (const RouthLines lines = routh_lines(problem); lines.friction)
      plot.lines.push_back({point(lines.friction->point),
                            point(lines.friction->direction),
                            {Color::orange, Dash::dash_dot, 1.2},
                            "L, $\\mu$ = " + mu,
                            "L with other frictions",
                            true});
    report::Curve path{{}, {Color::muted, Dash::solid, 2.4}, i == 0 ? "paths with other frictions" : ""};
    for (const auto& event : run.beside[i].events) path.points.push_back(point(event.impulse));
    if (path.points.empty()) continue;
    plot.markers.push_back({path.points.back(), MarkerShape::triangle, Color::muted, "$\\mu$ = " + mu, "their ends"});
    plot.curves.push_back(std::move(path));
  }
}

/// The ends by methods of others by letters, in red where they lie outside the ellipse.
void draw_others(Plot& plot, const PlanarRun& run) {
  char letter = 'a';
  for (const OtherAnswer& other : run.others) {
    const std::string label(1, letter++);
    if (other.impact.verdict != Verdict::separated || other.impact.broken.has(BrokenLaw::no_answer)) continue;
    const bool gain = other.impact.broken.has(BrokenLaw::energy_gain);
    plot.markers.push_back({point(other.impact.impulse), MarkerShape::cross, gain ? Color::red : Color::purple, label,
                            label + ": " + other.name + (gain ? ", gains energy" : "")});
  }
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

Plot routh_diagram(const PlanarScenario& scenario, const PlanarRun& run) {
  const RouthLines lines = routh_lines(run.problem);
  const bool impact = run.impacts.front().verdict == Verdict::separated;
  Plot plot;
  plot.name = "routh_diagram";
  plot.title = "Routh's impact-process diagram";
  plot.caption =
      impact
          ? "The impulse starts at O and grows upwards: along L while the contact slides, then along S (stick) or RF "
            "(reversed slip). It crosses C at maximum compression. Outside the ellipse energy would be gained."
          : "There is no impact: along L, or straight up, the impulse would only move away from C.";
  plot.x.label = "tangential impulse $P_t$ [N s]";
  plot.y.label = "normal impulse $P_n$ [N s]";
  plot.axes_at_zero = true;
  std::vector<Point> ellipse;
  for (const Eigen::Vector2d& p : energy_ellipse(run.problem.space, ellipse_corners)) ellipse.push_back(point(p));
  choose_frame(plot, run, lines, ellipse);
  draw_regions(plot, run, lines);
  draw_lines(plot, run, lines);
  draw_frictions(plot, scenario, run);
  plot.curves.push_back({ellipse, {Color::muted, Dash::solid, 1.5}, "energy ellipse: no gain inside", true});
  plot.markers.push_back({point(lines.rest), MarkerShape::ring, Color::ink, "Q", "Q: S meets C"});
  if (impact)
    draw_process(plot, run);
  else
    plot.markers.push_back({{0.0, 0.0}, MarkerShape::cross, Color::ink, "O", "O: first touch"});
  draw_others(plot, run);
  return plot;
}

}  // namespace carom::scenario
