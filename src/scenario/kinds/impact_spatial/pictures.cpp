#include <cmath>
#include <numbers>

#include "impact_spatial.hpp"
#include "pictures/event_marks.hpp"
#include "pictures/impulse_room.hpp"

namespace carom::scenario {

namespace {

using report::Color;
using report::Dash;
using report::MarkerShape;
using report::Plot;
using report::Point;

MarkerShape end_shape(RestitutionLaw law) {
  return law == RestitutionLaw::newton    ? MarkerShape::square
         : law == RestitutionLaw::poisson ? MarkerShape::diamond
                                          : MarkerShape::circle;
}

SpatialProblem with_law(const SpatialRun& run, std::size_t i) {
  SpatialProblem problem = run.problem;
  problem.law = run.laws[i];
  return problem;
}

/// The law whose process goes furthest: the others' paths lie on its.
std::size_t longest(const SpatialRun& run) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < run.laws.size(); ++i)
    if (run.impacts[i].impulse[2] > run.impacts[best].impulse[2]) best = i;
  return best;
}

constexpr EventMark event_marks[] = {
    {EventType::compression_ends, MarkerShape::triangle, Color::green, "compression ends"},
    {EventType::recompression_begins, MarkerShape::diamond, Color::purple, "compression begins again"},
    {EventType::slip_ends, MarkerShape::ring, Color::blue, "slip ends"}};

/// Marks the first touch, the events and the ends; `at` says where an event is drawn.
template <class At>
void mark_events(Plot& plot, const SpatialRun& run, const At& at) {
  const SpatialImpact& process = run.impacts[longest(run)];
  plot.markers.push_back({at(process.events.front()), MarkerShape::cross, Color::ink, "start", "first touch"});
  mark_events(plot, process.events, event_marks, at);
  for (std::size_t i = 0; i < run.laws.size(); ++i)
    plot.markers.push_back({at(run.impacts[i].events.back()), end_shape(run.laws[i]), Color::red,
                            run.laws.size() > 1 ? name(run.laws[i]) : "", std::string("end: ") + name(run.laws[i])});
}

}  // namespace

void draw_invariant_directions(Plot& plot, const SpatialProblem& problem) {
  bool centripetal = false, centrifugal = false;
  for (const auto& d : invariant_directions(problem.space.inverse_inertia, problem.material.friction).directions) {
    bool& named = d.centrifugal ? centrifugal : centripetal;
    plot.lines.push_back({{0.0, 0.0},
                          {d.direction[0], d.direction[1]},
                          {d.centrifugal ? Color::red : Color::blue, Dash::dashed, 1.5},
                          "",
                          named           ? ""
                          : d.centrifugal ? "invariant direction, centrifugal"
                                          : "invariant direction, centripetal",
                          true});
    named = true;
  }
}

Plot hodograph(const SpatialRun& run) {
  Plot plot;
  plot.name = "hodograph";
  plot.title = "Hodograph of the sliding velocity";
  plot.caption =
      "The sliding velocity turns as friction acts, and never crosses an invariant direction. It may reach zero, where "
      "the "
      "contact sticks or slips on in the centrifugal direction.";
  plot.x.label = "$v_{t1}$ [m/s]";
  plot.y.label = "$v_{t2}$ [m/s]";
  plot.equal_scale = plot.axes_at_zero = true;
  draw_invariant_directions(plot, run.problem);
  report::Curve path{{}, {Color::ink, Dash::solid, 2.5}, "path of the sliding velocity"};
  for (const auto& sample : spatial_path(with_law(run, longest(run)), hodograph_samples))
    path.points.push_back({sample.velocity[0], sample.velocity[1]});
  plot.curves.push_back(std::move(path));
  // Zero slip belongs into the picture, and keeps equal scales sensible when the path hardly moves.
  const Eigen::Vector2d start = run.problem.space.velocity.head<2>();
  const double room = 0.25 * start.norm();
  plot.curves.push_back({{{-room, -room}, {-room, -room}}, {Color::muted, Dash::solid, 0.0}, ""});
  plot.curves.push_back({{{room, room}, {room, room}}, {Color::muted, Dash::solid, 0.0}, ""});
  mark_events(plot, run, [](const Event<3>& e) { return Point{e.velocity[0], e.velocity[1]}; });
  return plot;
}

Plot impulse_curve(const SpatialRun& run) {
  std::vector<Eigen::Vector3d> path;
  for (const auto& sample : spatial_path(with_law(run, longest(run)), hodograph_samples))
    path.push_back(sample.impulse);
  ImpulseRoom room(run.problem.space, path);
  Plot plot = room.plot();
  mark_events(plot, run, [&](const Event<3>& e) { return room.at(e.impulse); });
  return plot;
}

}  // namespace carom::scenario
