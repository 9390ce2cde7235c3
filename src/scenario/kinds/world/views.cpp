#include "views.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "pictures/colors.hpp"

namespace carom::scenario {

namespace {

using report::Color;
using report::Curve;
using report::Dash;
using report::MarkerShape;
using report::Plot;
using report::Point;

/// An axis along which bodies get less far than this share of the farthest is not worth a view.
constexpr double flat = 0.02;

/// Flashes of the strobe light: at most so many, fewer where balls would be drawn over each other.
constexpr std::size_t flashes = 24, least_flashes = 8;

/// The other two.
std::pair<int, int> horizontal_axes(int vertical) {
  return vertical == 2 ? std::pair(0, 1) : vertical == 1 ? std::pair(0, 2) : std::pair(1, 2);
}

/// A ball with a spoke towards what was its bottom at the start; of other bodies the edge.
void draw_body(Plot& plot, const WorldView& view, const WorldBody& what, const SeenBody& body,
               const Eigen::Vector3d& down, const Point& shift, report::Stroke stroke, std::string legend) {
  if (!is_ball(what)) return draw_edges(view, what, body.position, body.orientation, shift, stroke, legend, plot);
  const double radius = reach_of(what);
  const Point centre = seen(view, body.position);
  const Point at{centre.x + shift.x, centre.y + shift.y};
  Curve edge = circle(at, radius, stroke);
  edge.legend = std::move(legend);
  plot.curves.push_back(std::move(edge));
  const Point spoke = seen(view, body.orientation * (radius * down));
  plot.curves.push_back({{at, {at.x + spoke.x, at.y + spoke.y}}, stroke, ""});
}

double largest_radius(const WorldResult& result) {
  double radius = 0.0;
  for (const WorldBody& body : result.arrangement.problem.bodies)
    if (!body.body.immovable) radius = std::max(radius, reach_of(body));
  return radius;
}

}  // namespace

int vertical_axis(const WorldProblem& problem) {
  int axis = 2;
  const double most = problem.gravity.cwiseAbs().maxCoeff(&axis);
  return most > 0.9 * problem.gravity.norm() && most > 0.0 ? axis : 2;
}

Eigen::Vector3d extent_of(const WorldTrack& track) {
  Eigen::Vector3d low = Eigen::Vector3d::Constant(INFINITY), high = -low;
  for (std::size_t i = 0; i < track.paths.size(); ++i) {
    if (track.final[i].body.immovable) continue;
    for (const report::Keyframe& key : track.paths[i])
      low = low.cwiseMin(key.position), high = high.cwiseMax(key.position);
  }
  return low.x() <= high.x() ? Eigen::Vector3d(high - low) : Eigen::Vector3d::Zero();
}

bool is_big(const WorldResult& result) { return largest_radius(result) > 0.5 * extent_of(result.own).maxCoeff(); }

bool shows_turning(const WorldResult& result) {
  return largest_radius(result) > 0.015 * extent_of(result.own).maxCoeff();
}

report::Curve circle(const Point& centre, double radius, report::Stroke stroke, int corners) {
  Curve curve{{}, stroke, "", true};
  for (int k = 0; k < corners; ++k) {
    const double turn = 2.0 * M_PI * k / corners;
    curve.points.push_back({centre.x + radius * std::cos(turn), centre.y + radius * std::sin(turn)});
  }
  return curve;
}

void draw_edges(const WorldView& view, const WorldBody& body, const Eigen::Vector3d& position,
                const Eigen::Quaterniond& orientation, const Point& shift, report::Stroke stroke,
                const std::string& legend, Plot& plot) {
  Body placed;
  placed.position = position;
  placed.orientation = orientation;
  bool first = true;
  for (const Outline& each : outlines_of(body)) {
    Curve edge{{}, stroke, first ? legend : "", true};
    if (is_ball(each)) {
      const Point middle = seen(view, position + orientation * each.points[0]);
      edge = circle({middle.x + shift.x, middle.y + shift.y}, each.radius, stroke);
      edge.legend = first ? legend : "";
    }
    for (const Eigen::Vector2d& corner : is_ball(each) ? std::vector<Eigen::Vector2d>{}
                                                       : silhouette(each, placed, view.right, view.up))
      edge.points.push_back({corner.x() + shift.x, corner.y() + shift.y});
    plot.curves.push_back(std::move(edge));
    first = false;
  }
}

namespace {

/// Noses of cushions and holes of pockets, seen from above.
void draw_table(const WorldProblem& problem, const WorldView& view, Plot& plot) {
  const int along = 3 - view.right - view.up;
  const auto from_above = [&](const Eigen::Vector3d& normal) { return std::abs(normal[along]) > 1.0 - 1e-9; };
  const report::Stroke stroke{Color::ink, Dash::solid, 2.2};
  for (const WorldCushion& cushion : problem.cushions) {
    if (!from_above(cushion.normal)) continue;
    const Point from = seen(view, cushion.from), to = seen(view, cushion.to);
    if (cushion.rounding > 0.0) {
      plot.curves.push_back(circle(from, cushion.rounding, stroke));
      if (cushion.from != cushion.to) plot.curves.push_back(circle(to, cushion.rounding, stroke));
    }
    const double length = std::hypot(to.x - from.x, to.y - from.y);
    if (length == 0.0) continue;
    const Point side{-(to.y - from.y) / length * cushion.rounding, (to.x - from.x) / length * cushion.rounding};
    for (const double s : {1.0, -1.0}) {
      plot.curves.push_back(
          {{{from.x + s * side.x, from.y + s * side.y}, {to.x + s * side.x, to.y + s * side.y}}, stroke, ""});
      if (cushion.rounding == 0.0) break;
    }
  }
  for (const WorldPocket& pocket : problem.pockets)
    if (from_above(problem.planes[pocket.plane].normal))
      plot.curves.push_back(circle(seen(view, pocket.centre), pocket.radius, {Color::muted, Dash::dashed, 1.4}));
}

}  // namespace

void draw_surroundings(const WorldProblem& problem, const WorldView& view, Plot& plot) {
  constexpr double edge_on = 1.0 - 1e-9;
  constexpr int many_corners = 192;  // what is round here may be as large as the picture
  const report::Stroke stroke{Color::ink, Dash::solid, 1.6};
  for (const WorldPlane& plane : problem.planes) {
    const Point n = seen(view, plane.normal);
    if (std::hypot(n.x, n.y) > edge_on) plot.lines.push_back({seen(view, plane.point), {-n.y, n.x}, stroke, "", ""});
  }
  for (const WorldTube& tube : problem.tubes) {
    const Point axis = seen(view, tube.axis), at = seen(view, tube.point);
    const double length = std::hypot(axis.x, axis.y);
    if (length < 1e-9) plot.curves.push_back(circle(at, tube.radius, stroke, many_corners));
    if (length > edge_on)
      for (const double side : {-tube.radius, tube.radius})
        plot.lines.push_back({{at.x - side * axis.y, at.y + side * axis.x}, axis, stroke, "", ""});
  }
  draw_table(problem, view, plot);
  for (const WorldBody& body : problem.bodies) {
    if (!body.body.immovable) continue;
    if (is_ball(body))
      plot.curves.push_back(circle(seen(view, body.body.position), reach_of(body), stroke, many_corners));
    else
      draw_edges(view, body, body.body.position, body.body.orientation, {}, stroke, "", plot);
  }
}

std::vector<WorldView> views_of(const WorldResult& result) {
  const Eigen::Vector3d extent = extent_of(result.own);
  const int vertical = vertical_axis(result.arrangement.problem);
  const auto [first, second] = horizontal_axes(vertical);
  const double least = flat * extent.maxCoeff();
  const auto& supports = result.arrangement.problem.supports;
  const bool hangs = std::any_of(supports.begin(), supports.end(),
                                 [](const auto& support) { return std::holds_alternative<WorldPendulum>(support); });
  const bool goes_up = hangs || extent[vertical] > least, spreads = extent[first] > least && extent[second] > least;
  std::vector<WorldView> views;
  if (goes_up)
    views.push_back({"side_view", "seen from the side", extent[first] >= extent[second] ? first : second, vertical});
  if (spreads || !goes_up) views.push_back({"top_view", "seen from above", first, second});
  return views;
}

namespace {

/// A ball that gets nowhere would be drawn over itself: its flashes stand in rows, one beside the other, as on a film.
void draw_film(const WorldResult& result, std::size_t body, const WorldView& view, std::size_t stride, Plot& plot) {
  const WorldTrack& run = result.own;
  const WorldProblem& problem = result.arrangement.problem;
  constexpr std::size_t per_row = 6;
  const double radius = reach_of(problem.bodies[body]);
  const Eigen::Vector3d extent = extent_of(run);
  const double width = 2.3 * radius + extent[view.right], text = 0.07 * width * per_row,
               height = 2.4 * radius + extent[view.up] + text;
  plot.bare = true;
  plot.caption += " Rows from above, flashes from the left; the body keeps its place within each.";
  const Eigen::Vector3d down = -Eigen::Vector3d::Unit(view.up);
  std::vector<double> floors;
  for (const WorldPlane& plane : problem.planes)
    if (std::abs(plane.normal[view.up]) >= 1.0 - 1e-9) floors.push_back(plane.point[view.up]);
  double lowest = INFINITY, leftmost = INFINITY;
  for (const WorldFrame& frame : run.frames) {
    const Eigen::Vector3d& at = frame.bodies[body].position;
    lowest = std::min(lowest, at[view.up] - radius);
    leftmost = std::min(leftmost, at[view.right] - 1.3 * radius);
  }
  for (const double level : floors) lowest = std::min(lowest, level);
  const std::size_t shown = std::min(flashes, (run.frames.size() + stride - 1) / stride);
  // A point that is not seen makes room for the times of the last row.
  const double foot = lowest - height * static_cast<double>((shown - 1) / per_row) - text;
  plot.curves.push_back({{{0.0, foot}}, {Color::muted, Dash::solid, 1.0}, ""});
  std::size_t flash = 0;
  for (std::size_t k = 0; k < run.frames.size() && flash < flashes; k += stride, ++flash) {
    const Point shift{width * static_cast<double>(flash % per_row), -height * static_cast<double>(flash / per_row)};
    const SeenBody& now = run.frames[k].bodies[body];
    draw_body(plot, view, problem.bodies[body], now, down, shift, {Color::blue, Dash::solid, 1.6}, "");
    // The time stands under the ball, as on an axis.
    const Point at = seen(view, now.position);
    plot.markers.push_back({{at.x + shift.x, lowest + shift.y},
                            MarkerShape::circle,
                            Color::muted,
                            fmt::format("{:.2f} s", run.frames[k].time),
                            ""});
    if (flash % per_row != 0) continue;
    for (const double level : floors)
      plot.curves.push_back({{{leftmost, level + shift.y}, {leftmost + width * per_row, level + shift.y}},
                             {Color::ink, Dash::solid, 1.6},
                             ""});
  }
}

void draw_flashes(const WorldResult& result, const std::vector<std::size_t>& bodies, const WorldView& view,
                  std::size_t stride, Plot& plot) {
  const WorldTrack& run = result.own;
  const WorldProblem& problem = result.arrangement.problem;
  const char* const axis_names[] = {"x", "y", "z"};
  plot.x.label = fmt::format("${}$ [m]", axis_names[view.right]);
  plot.y.label = fmt::format("${}$ [m]", axis_names[view.up]);
  draw_surroundings(problem, view, plot);
  const Eigen::Vector3d down = -Eigen::Vector3d::Unit(view.up);
  for (std::size_t rank = 0; rank < bodies.size(); ++rank)
    for (std::size_t k = 0; k < run.frames.size(); k += stride) {
      const bool end = k == 0 || k + stride >= run.frames.size();
      draw_body(plot, view, problem.bodies[bodies[rank]], run.frames[k].bodies[bodies[rank]], down, {},
                {colors[rank % std::size(colors)], Dash::solid, end ? 2.0 : 1.1},
                k == 0 && bodies.size() > 1 ? result.arrangement.names[bodies[rank]] : "");
    }
}

/// As many as keep a radius between one and the next, on average over the longest way.
std::size_t flash_count(const WorldResult& result, const std::vector<std::size_t>& bodies) {
  double most = 0.0;
  for (const std::size_t i : bodies) {
    double way = 0.0;
    const std::vector<report::Keyframe>& path = result.own.paths[i];
    for (std::size_t k = 1; k < path.size(); ++k) way += (path[k].position - path[k - 1].position).norm();
    most = std::max(most, way / reach_of(result.arrangement.problem.bodies[i]));
  }
  return static_cast<std::size_t>(std::clamp(most, static_cast<double>(least_flashes), static_cast<double>(flashes)));
}

}  // namespace

Plot strobe_plot(const WorldResult& result, const std::vector<std::size_t>& bodies) {
  const WorldTrack& run = result.own;
  Plot plot;
  plot.name = "strobe";
  plot.title = "As a strobe light shows it";
  plot.equal_scale = true;
  const bool film = bodies.size() == 1 && is_big(result);
  const std::size_t count = film ? flashes : flash_count(result, bodies);
  const std::size_t stride = std::max<std::size_t>(1, (run.frames.size() - 1) / count);
  plot.caption = fmt::format("One flash every {:.3g} s.",
                             run.frames.size() > stride ? run.frames[stride].time - run.frames[0].time : 0.0);
  const auto& listed = result.arrangement.problem.bodies;
  if (std::any_of(bodies.begin(), bodies.end(), [&](std::size_t i) { return is_ball(listed[i]); }))
    plot.caption += " The spoke turns with the ball.";
  const WorldView view = views_of(result).front();
  if (film)
    draw_film(result, bodies.front(), view, stride, plot);
  else
    draw_flashes(result, bodies, view, stride, plot);
  return plot;
}

namespace {

/// The parts of a body move as one.
void add_parts(const WorldBody& body, const report::SceneBody& whole, report::Scene& scene) {
  for (std::size_t k = 0; k < body.parts.size(); ++k) {
    const WorldPart& part = body.parts[k];
    report::SceneBody shown = whole;
    if (k > 0) shown.name += " (part " + std::to_string(k) + ")";
    shown.shape = part.shape;
    shown.centre = mass_properties(part.shape, 1.0).center;
    shown.trail = whole.trail && k == 0;
    for (report::Keyframe& key : shown.keyframes) {
      key.position += key.orientation * part.position;
      key.orientation = key.orientation * part.orientation;
    }
    scene.bodies.push_back(std::move(shown));
  }
}

}  // namespace

report::Scene world_scene(const WorldResult& result) {
  const WorldTrack& run = result.own;
  const WorldProblem& problem = result.arrangement.problem;
  constexpr std::size_t most_trails = 40;
  report::Scene scene;
  scene.name = "scene";
  scene.title = "The scene";
  scene.caption = fmt::format("{:.4g} s.", run.time);
  // Short scenes are shown slowly enough to be followed.
  constexpr double shortest_show = 4.0;
  if (run.time > 0.0) scene.slow_down = std::max(1.0, shortest_show / run.time);
  std::size_t rank = 0;
  for (std::size_t i = 0; i < problem.bodies.size(); ++i) {
    const WorldBody& body = problem.bodies[i];
    const Eigen::Vector3d centre =
        is_ball(body) || !body.parts.empty() ? Eigen::Vector3d::Zero()
                                             : body.centre.value_or(mass_properties(body.shape, 1.0).center);
    report::SceneBody shown{result.arrangement.names[i], body.shape, centre, Color::muted, {}, false};
    if (body.body.immovable) {
      shown.keyframes = {{0.0, body.body.position, body.body.orientation}};
    } else {
      shown.color = colors[rank++ % std::size(colors)];
      shown.keyframes = run.paths[i];
      shown.trail = problem.bodies.size() <= most_trails;
    }
    if (!body.parts.empty()) {
      add_parts(body, shown, scene);
      continue;
    }
    scene.bodies.push_back(std::move(shown));
  }
  for (const WorldPlane& plane : problem.planes) scene.surfaces.push_back({plane.point, plane.normal});
  const int vertical = vertical_axis(problem);
  const int first = horizontal_axes(vertical).first;
  const Eigen::Vector3d up = Eigen::Vector3d::Unit(vertical);
  // Looking so that the first axis points right: up x backwards = right.
  const Eigen::Vector3d along = up.cross(Eigen::Vector3d::Unit(first));
  scene.cameras = {camera_for(scene, "side", along, up), camera_for(scene, "top", -up, along)};
  if (views_of(result).front().up != vertical) std::swap(scene.cameras[0], scene.cameras[1]);
  return scene;
}

}  // namespace carom::scenario
