#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <optional>
#include <set>
#include <utility>

#include "carom/soft/mesh_files.hpp"

#include "kinds/squeeze/squeeze.hpp"
#include "pictures/colors.hpp"
#include "pictures/lines.hpp"
#include "pictures/soft.hpp"

namespace carom::scenario {

namespace {

using report::Color, report::MarkerShape, report::Plot;

constexpr const char* displacement_label = "displacement [m]";

std::vector<Eigen::Vector3d> moved(const TetMesh& mesh, const GraspShape& shape) {
  std::vector<Eigen::Vector3d> vertices = mesh.vertices;
  for (std::size_t v = 0; v < vertices.size(); ++v) vertices[v] += shape.displacement[v];
  return vertices;
}

/// Displacement without the rise of the fingers, which is no deformation.
DrawnShape drawn(const TetMesh& mesh, const GraspShape& shape, const std::string& label, double rise) {
  std::vector<Eigen::Vector3d> displacement = shape.displacement;
  for (Eigen::Vector3d& d : displacement) d.z() -= rise;
  return {moved(mesh, shape), displacement_of_tets(mesh, displacement), label};
}

void add_touches(DrawnShape& drawn_shape, const GraspShape& shape, std::set<TouchState>& named) {
  for (const GraspTouch& touch : shape.touches) {
    const bool slips = touch.state == TouchState::slip;
    const bool first = named.insert(touch.state).second;
    drawn_shape.points.push_back({drawn_shape.vertices[std::size_t(touch.node)],
                                  slips ? MarkerShape::triangle : MarkerShape::circle,
                                  slips ? Color::orange : Color::ink, first ? (slips ? "slips" : "sticks") : ""});
  }
}

Plot shapes_picture(const SqueezeRun& run) {
  const SqueezeResult& r = run.result;
  const TetMesh& mesh = run.problem.body.mesh;
  std::set<TouchState> named;
  std::vector<DrawnShape> shapes;
  const auto add = [&](const GraspShape& shape, const char* label, double rise, bool fingers) {
    if (shape.displacement.empty()) return;
    shapes.push_back(drawn(mesh, shape, label, rise));
    add_touches(shapes.back(), shape, named);
    if (fingers)
      for (std::size_t i = 0; i < 2; ++i)
        shapes.back().balls.push_back({shape.fingers[i], run.problem.fingers[i].radius});
  };
  add(r.rest, "at rest", 0.0, false);
  add(r.squeezed, r.depth > 0.0 ? "squeezed" : "", 0.0, true);
  if (r.lifted) add(r.raised, "lifted", r.raised_by, true);
  return surface_picture(
      "shapes", "At rest, squeezed, lifted",
      "True to scale, fingers as dashed outlines; dots are vertices that touch, also those behind the object. "
      "Colours: how far the object has been deformed.",
      mesh, shapes, displacement_label);
}

Plot strain_picture(const SqueezeRun& run) {
  const TetMesh& mesh = run.problem.body.mesh;
  const GraspShape& shape = run.result.squeezed;
  const TetStrains tets = tet_strains(mesh, run.problem.body.young, run.problem.body.poisson, shape.displacement);
  DrawnShape one{moved(mesh, shape), tets.strain, ""};
  for (std::size_t i = 0; i < 2; ++i) one.balls.push_back({shape.fingers[i], run.problem.fingers[i].radius});
  return surface_picture("strain", "Strain at the end of the squeeze", "Largest principal strain.", mesh, {one},
                         "strain");
}

Plot liftable_picture(const SqueezeRun& run) {
  const SqueezeResult& r = run.result;
  Plot plot = empty_plot(
      "liftable_weight", "Liftable weight over depth",
      "What the fingers could hold after each step, followed up to twice the weight; the lift begins when it "
      "reaches the weight.",
      "depth of each finger [m]", "liftable weight [N]");
  std::vector<report::Point> points = {{0.0, 0.0}};
  for (const GraspStep& s : r.steps) points.push_back({s.depth, s.liftable_weight});
  for (const report::Point& p : points) plot.markers.push_back({p, MarkerShape::ring, Color::blue, "", ""});
  plot.curves.push_back(line(std::move(points), Color::blue, ""));
  plot.lines.push_back({{0.0, r.weight}, {1.0, 0.0}, {Color::muted, report::Dash::dashed, 1.2}, "weight", ""});
  plot.y.high = 1.1 * std::max(r.weight, r.liftable_weight);
  return plot;
}

Plot force_picture(const SqueezeRun& run) {
  Plot plot = empty_plot("finger_force", "Finger forces over depth",
                         "Each finger on the object; jumps of the slope are new touches.", "depth of each finger [m]",
                         "force [N]");
  for (std::size_t i = 0; i < 2; ++i) {
    std::vector<report::Point> points = {{0.0, 0.0}};
    for (const GraspStep& s : run.result.steps) points.push_back({s.depth, s.finger_force[i].norm()});
    plot.curves.push_back(line(std::move(points), colors[i], fmt::format("finger {}", i),
                               i == 0 ? report::Dash::solid : report::Dash::dashed));
  }
  return plot;
}

/// The vertex that has slid farthest on a finger, in the plane of the great circle through where it touched first and
/// where it is (Wang 2017, figure 6.2). None if nothing has slid.
std::optional<Plot> slide_picture(const SqueezeRun& run) {
  constexpr double least = M_PI / 180.0;  // a smaller angle cannot be seen
  const GraspTouch* farthest = nullptr;
  double angle = least;
  for (const GraspTouch& touch : run.result.squeezed.touches) {
    if (touch.obstacle == Obstacle::table) continue;
    const double turned = std::atan2(touch.began.cross(touch.normal).norm(), touch.began.dot(touch.normal));
    if (turned > angle) angle = turned, farthest = &touch;
  }
  if (farthest == nullptr) return std::nullopt;
  // Along where it began, and across towards where it is.
  const Eigen::Vector3d along = farthest->began.normalized(),
                        across = (farthest->normal - farthest->normal.dot(along) * along).normalized();
  const auto seen = [&](const Eigen::Vector3d& v) { return report::Point{v.dot(across), v.dot(along)}; };
  const std::size_t i = farthest->obstacle == Obstacle::finger_0 ? 0 : 1;
  const double radius = run.problem.fingers[i].radius;
  const auto on_circle = [&](double turn, double share) {
    return report::Point{share * radius * std::sin(turn), share * radius * std::cos(turn)};
  };
  const auto arc = [&](double from, double to, double share) {
    constexpr int pieces = 96;
    std::vector<report::Point> points;
    for (int k = 0; k <= pieces; ++k) points.push_back(on_circle(from + (to - from) * k / pieces, share));
    return points;
  };
  Plot plot = empty_plot("slide", "A vertex slides on a finger", "", "along the great circle [m]",
                         "towards the first touch [m]");
  const Eigen::Vector3d& f = farthest->force;
  const Eigen::Vector3d friction = f - f.dot(farthest->normal) * farthest->normal;
  plot.caption = fmt::format(
      "Vertex {} has slid by {:.3g} degrees on finger {} since it touched; it {} now. The great circle through both "
      "places, the normal, and the friction of the finger on the vertex, which is against the slide. Forces to one "
      "scale.",
      farthest->node, angle * 180.0 / M_PI, i, farthest->state == TouchState::slip ? "slips" : "sticks");
  plot.equal_scale = true;
  plot.y.low = 0.0;
  plot.curves.push_back(line(arc(-M_PI / 2, M_PI / 2, 1.0), Color::ink, "finger"));
  plot.curves.push_back(
      line({on_circle(0.0, 1.0), {0.0, 0.0}, on_circle(angle, 1.0)}, Color::muted, "", report::Dash::dashed));
  plot.curves.push_back(line(arc(0.0, angle, 0.45), Color::muted));
  plot.markers.push_back({on_circle(0.5 * angle, 0.3), MarkerShape::none, Color::ink,
                          fmt::format("{:.3g} deg", angle * 180.0 / M_PI), ""});
  plot.markers.push_back({{0.0, 0.0}, MarkerShape::dot, Color::ink, "centre", ""});
  plot.markers.push_back({on_circle(0.0, 1.0), MarkerShape::ring, Color::blue, "", "where it touched first"});
  const report::Point now = on_circle(angle, 1.0);
  plot.markers.push_back({now, MarkerShape::circle, Color::blue, "", "where it is"});
  const auto arrow = [&](const Eigen::Vector3d& force, Color color, const char* legend) {
    const report::Point shown = seen(force);
    const double scale = 0.7 * radius / f.norm();
    plot.curves.push_back(line({now, {now.x + scale * shown.x, now.y + scale * shown.y}}, color, legend));
    plot.curves.back().arrow = true;
  };
  arrow(f - friction, Color::green, "normal force");
  arrow(friction, Color::orange, "friction");
  plot.curves.push_back(line(arc(0.0, angle, 1.0), Color::red, "way of the vertex"));
  plot.curves.back().stroke.width = 3.5;
  return plot;
}

Plot moduli_picture(const SqueezeRun& run) {
  Plot plot = empty_plot(
      "work_over_young", "Work over Young's modulus",
      "Work of both fingers until the lift test passes (figure 6.4 of the thesis, whose test is near the linear "
      "one). A missing point: the test never passed.",
      "Young's modulus [Pa]", "work [J]");
  plot.x.logarithmic = true;
  for (const LiftTest test : {LiftTest::coulomb, LiftTest::linear}) {
    const Color color = test == LiftTest::coulomb ? Color::blue : Color::orange;
    std::vector<report::Point> points;
    for (const ModulusRun& one : run.moduli)
      if (one.lift_test == test && one.result.liftable_weight >= one.result.weight)
        points.push_back({one.young, one.result.work});
    std::sort(points.begin(), points.end(), [](const report::Point& a, const report::Point& b) { return a.x < b.x; });
    for (const report::Point& p : points) plot.markers.push_back({p, MarkerShape::ring, color, "", ""});
    plot.curves.push_back(line(std::move(points), color, std::string(name(test)) + " lift test",
                               test == LiftTest::coulomb ? report::Dash::solid : report::Dash::dashed));
  }
  return plot;
}

/// From rest to the end, in order.
std::vector<const GraspShape*> all_shapes(const SqueezeResult& r) {
  std::vector<const GraspShape*> all = {&r.rest};
  for (const GraspShape& shape : r.shapes)
    if (shape.depth < r.squeezed.depth) all.push_back(&shape);
  if (!r.squeezed.displacement.empty()) all.push_back(&r.squeezed);
  if (!r.raised.displacement.empty()) all.push_back(&r.raised);
  return all;
}

}  // namespace

std::vector<Plot> squeeze_pictures(const SqueezeRun& run) {
  std::vector<Plot> plots = {shapes_picture(run)};
  if (!run.result.squeezed.displacement.empty()) plots.push_back(strain_picture(run));
  if (!run.result.steps.empty()) {
    plots.push_back(liftable_picture(run));
    plots.push_back(force_picture(run));
    if (std::optional<Plot> slide = slide_picture(run)) plots.push_back(std::move(*slide));
  }
  if (!run.moduli.empty()) plots.push_back(moduli_picture(run));
  return plots;
}

report::Scene squeeze_scene(const SqueezeRun& run) {
  const SqueezeResult& r = run.result;
  const TetMesh& mesh = run.problem.body.mesh;
  const std::vector<const GraspShape*> shapes = all_shapes(r);
  std::vector<DrawnShape> frames;
  for (const GraspShape* shape : shapes)
    frames.push_back(drawn(mesh, *shape, "", shape == &r.raised ? r.raised_by : 0.0));
  report::Scene scene = deformation_scene(mesh, frames, "Squeezed and lifted", displacement_label);
  scene.name = "squeeze";
  scene.caption = "The fingers close from first touch to the depth at which the lift test passes, then rise.";
  scene.surfaces = {{{0.0, 0.0, run.problem.table}, Eigen::Vector3d::UnitZ()}};
  std::array<Eigen::Vector3d, 2> touched;
  for (std::size_t i = 0; i < 2; ++i) {
    const Finger& finger = run.problem.fingers[i];
    touched[i] = r.squeezed.displacement.empty()
                     ? finger.start
                     : Eigen::Vector3d(r.squeezed.fingers[i] - r.squeezed.depth * finger.direction.normalized());
    report::SceneBody ball;
    ball.name = fmt::format("finger {}", i);
    ball.shape = Sphere{finger.radius};
    ball.color = colors[1 + i];
    for (std::size_t k = 0; k < shapes.size(); ++k)
      ball.keyframes.push_back(
          {double(k), k == 0 ? touched[i] : shapes[k]->fingers[i], Eigen::Quaterniond::Identity()});
    scene.bodies.push_back(std::move(ball));
  }
  for (report::Camera& camera : scene.cameras)
    camera = report::camera_for(scene, camera.name, camera.direction, camera.up);
  return scene;
}

std::vector<report::Attachment> squeeze_files(const SqueezeRun& run) {
  const TetMesh& mesh = run.problem.body.mesh;
  std::vector<report::Attachment> files;
  std::vector<SeriesFile> series;
  for (const GraspShape* shape : all_shapes(run.result)) {
    TetMesh deformed = mesh;
    deformed.vertices = moved(mesh, *shape);
    MeshValues displacement{"displacement", 3, {}}, touch{"touch", 1, std::vector<double>(mesh.vertices.size(), 0.0)},
        force{"force", 3, std::vector<double>(3 * mesh.vertices.size(), 0.0)};
    for (const Eigen::Vector3d& d : shape->displacement)
      displacement.values.insert(displacement.values.end(), d.begin(), d.end());
    for (const GraspTouch& t : shape->touches) {
      touch.values[std::size_t(t.node)] = t.state == TouchState::slip ? 2.0 : 1.0;
      std::copy(t.force.begin(), t.force.end(), force.values.begin() + 3 * std::ptrdiff_t(t.node));
    }
    const TetStrains tets = tet_strains(mesh, run.problem.body.young, run.problem.body.poisson, shape->displacement);
    series.push_back({double(series.size()), fmt::format("squeeze_{:03}.vtu", series.size())});
    files.push_back(
        {series.back().file, vtu_text(deformed, {displacement, touch, force}, {{"strain", 1, tets.strain}})});
  }
  files.push_back({"squeeze.pvd", pvd_text(series)});
  return files;
}

}  // namespace carom::scenario
