#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "impact_spatial.hpp"

namespace carom::scenario {

namespace {

using report::Color;
using report::Dash;
using report::Plot;
using report::Point;
using report::Shape;

constexpr int samples_per_piece = 48;

Shape end_shape(RestitutionLaw law) {
  return law == RestitutionLaw::newton    ? Shape::square
         : law == RestitutionLaw::poisson ? Shape::diamond
                                          : Shape::circle;
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

struct EventMark {
  EventType type;
  Shape shape;
  Color color;
  const char* words;
};
constexpr EventMark event_marks[] = {
    {EventType::compression_ends, Shape::triangle, Color::green, "compression ends"},
    {EventType::recompression_begins, Shape::diamond, Color::purple, "compression begins again"},
    {EventType::slip_ends, Shape::ring, Color::blue, "slip ends"}};

/// Marks the first touch, the events and the ends; `at` says where an event is drawn.
template <class At>
void mark_events(Plot& plot, const SpatialRun& run, const At& at) {
  const SpatialImpact& process = run.impacts[longest(run)];
  plot.markers.push_back({at(process.events.front()), Shape::cross, Color::ink, "start", "first touch"});
  for (const EventMark& mark : event_marks) {
    bool named = false;
    for (const auto& event : process.events)
      if (event.type == mark.type) {
        plot.markers.push_back({at(event), mark.shape, mark.color, "", named ? "" : mark.words});
        named = true;
      }
  }
  for (std::size_t i = 0; i < run.laws.size(); ++i)
    plot.markers.push_back({at(run.impacts[i].events.back()), end_shape(run.laws[i]), Color::red,
                            run.laws.size() > 1 ? name(run.laws[i]) : "", std::string("end: ") + name(run.laws[i])});
}

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

/// An axonometric view: x to the lower left, y to the right, z up.
Point projected(const Eigen::Vector3d& p) {
  constexpr double c = 0.42, s = 0.36;  // how far the x axis leans out of the page
  return {p.y() - c * p.x(), p.z() - s * p.x()};
}

report::Curve curve_of(const std::vector<SpatialSample>& path, report::Stroke stroke, std::string legend,
                       const Eigen::Vector3d& keep, const Eigen::Vector3d& offset, double z_scale) {
  report::Curve curve{{}, stroke, std::move(legend)};
  for (const auto& sample : path) {
    Eigen::Vector3d p = sample.impulse.cwiseProduct(keep) + offset;
    p.z() *= z_scale;
    curve.points.push_back(projected(p));
  }
  return curve;
}

}  // namespace

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
  for (const auto& sample : spatial_path(with_law(run, longest(run)), samples_per_piece))
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

Plot hodograph_bundle(const SpatialRun& run, int count) {
  Plot plot;
  plot.name = "hodograph_bundle";
  plot.title = "Hodographs from unit sliding velocities";
  plot.caption =
      "Each path starts on the unit circle with the scenario's approach velocity, and follows the same contact.";
  plot.x.label = "$v_{t1}$ [m/s]";
  plot.y.label = "$v_{t2}$ [m/s]";
  plot.equal_scale = plot.axes_at_zero = true;
  draw_invariant_directions(plot, run.problem);
  SpatialProblem problem = run.problem;
  for (int i = 0; i < count; ++i) {
    const double angle = 2.0 * std::numbers::pi * i / count;
    problem.space.velocity.head<2>() = Eigen::Vector2d(std::cos(angle), std::sin(angle));
    report::Curve path{{}, {Color::ink, Dash::solid, 1.5}, i == 0 ? "path of the sliding velocity" : "", false, true};
    for (const auto& sample : spatial_path(problem, samples_per_piece))
      path.points.push_back({sample.velocity[0], sample.velocity[1]});
    plot.curves.push_back(std::move(path));
  }
  return plot;
}

Plot impulse_curve(const SpatialRun& run) {
  Plot plot;
  plot.name = "impulse_curve";
  plot.title = "Impulse curve";
  plot.caption =
      "The impulse grows upwards from first touch. Grey: its shadows on the floor and the two walls. Green: the plane "
      "of "
      "maximum compression. Blue: the line along which the contact sticks.";
  plot.equal_scale = plot.bare = true;
  const auto path = spatial_path(with_law(run, longest(run)), samples_per_piece);
  const Eigen::Matrix3d& w = run.problem.space.inverse_inertia;
  const Eigen::Vector3d v0 = run.problem.space.velocity;

  // The box around the curve, with some air; its lower corner carries the shadows.
  Eigen::Vector3d low = Eigen::Vector3d::Zero(), high = Eigen::Vector3d::Zero();
  for (const auto& sample : path) low = low.cwiseMin(sample.impulse), high = high.cwiseMax(sample.impulse);
  const double across = std::max({high.x() - low.x(), high.y() - low.y(), 0.05 * high.z()});
  for (int i = 0; i < 2; ++i) {
    const double centre = 0.5 * (low[i] + high[i]), half = 0.65 * across;
    low[i] = centre - half, high[i] = centre + half;
  }
  high.z() *= 1.1;
  const double z_scale = 1.3 * across / high.z();  // the tangential part is often far smaller than the normal one
  const auto at = [&](Eigen::Vector3d p) {
    p.z() *= z_scale;
    return projected(p);
  };
  const auto segment = [&](const Eigen::Vector3d& a, const Eigen::Vector3d& b, report::Stroke stroke,
                           std::string legend, bool arrow = false) {
    plot.curves.push_back({{at(a), at(b)}, stroke, std::move(legend), false, arrow});
  };

  // Floor and walls.
  const report::Stroke edge{Color::muted, Dash::solid, 0.8};
  plot.curves.push_back(
      {{at({low.x(), low.y(), 0}), at({high.x(), low.y(), 0}), at({high.x(), high.y(), 0}), at({low.x(), high.y(), 0})},
       edge,
       "",
       true});
  plot.curves.push_back({{at({low.x(), low.y(), 0}), at({low.x(), low.y(), high.z()}),
                          at({low.x(), high.y(), high.z()}), at({low.x(), high.y(), 0})},
                         edge,
                         "",
                         false});
  plot.curves.push_back(
      {{at({low.x(), low.y(), high.z()}), at({high.x(), low.y(), high.z()}), at({high.x(), low.y(), 0})},
       edge,
       "",
       false});
  plot.markers.push_back({at({high.x(), 0.5 * (low.y() + high.y()), 0}), Shape::cross, Color::muted, "$I_{t2}$", ""});
  plot.markers.push_back({at({0.5 * (low.x() + high.x()), high.y(), 0}), Shape::cross, Color::muted, "$I_{t1}$", ""});
  plot.markers.push_back({at({low.x(), high.y(), high.z()}), Shape::cross, Color::muted, "$I_n$", ""});

  // Plane of maximum compression: w_n . I = -v_n0, cut by the box's four vertical edges.
  std::vector<Point> plane;
  for (const auto& [x, y] : {std::pair{low.x(), low.y()}, std::pair{high.x(), low.y()}, std::pair{high.x(), high.y()},
                             std::pair{low.x(), high.y()}}) {
    const double z = (-v0.z() - w(2, 0) * x - w(2, 1) * y) / w(2, 2);
    plane.push_back(at({x, y, z}));
  }
  plot.curves.push_back({plane, {Color::green, Dash::solid, 1.5}, "plane of maximum compression", true});

  // Line of sticking: W_tt I_t + W_tn I_n = -v_t0.
  const Eigen::Matrix2d inverse = w.topLeftCorner<2, 2>().inverse();
  const Eigen::Vector2d base = -inverse * v0.head<2>(), slope = -inverse * w.topRightCorner<2, 1>();
  const auto sticking = [&](double z) {
    return Eigen::Vector3d(base.x() + slope.x() * z, base.y() + slope.y() * z, z);
  };
  segment(sticking(0.0), sticking(high.z()), {Color::blue, Dash::dashed, 1.5}, "line of sticking");

  const report::Stroke shadow{Color::muted, Dash::dotted, 1.5};
  plot.curves.push_back(curve_of(path, shadow, "shadows of the curve", {1, 1, 0}, {0, 0, 0}, z_scale));
  plot.curves.push_back(curve_of(path, shadow, "", {0, 1, 1}, {low.x(), 0, 0}, z_scale));
  plot.curves.push_back(curve_of(path, shadow, "", {1, 0, 1}, {0, low.y(), 0}, z_scale));
  plot.curves.push_back(curve_of(path, {Color::ink, Dash::solid, 2.8}, "impulse curve", {1, 1, 1}, {0, 0, 0}, z_scale));
  mark_events(plot, run, [&](const Event<3>& e) { return at(e.impulse); });
  return plot;
}

}  // namespace carom::scenario
