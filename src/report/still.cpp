#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "carom/report/scene.hpp"

namespace carom::report {

namespace {

using Eigen::Vector3d;

constexpr int corners_around = 48;
constexpr double least_light = 0.2;  // of faces that see none

/// Where things are on paper, and how much light falls on them: from above, over the left shoulder.
struct View {
  explicit View(const Camera& camera)
      : target(camera.target),
        right(camera.direction.cross(camera.up)),
        up(camera.up),
        to_viewer(-camera.direction),
        to_light((0.65 * up + 0.65 * to_viewer - 0.4 * right).normalized()) {}

  Point at(const Vector3d& p) const { return {right.dot(p - target), up.dot(p - target)}; }
  double light(const Vector3d& normal) const {
    return least_light + (1.0 - least_light) * std::max(0.0, normal.dot(to_light));
  }

  Vector3d target, right, up, to_viewer, to_light;
};

/// Bounded by planes: its edges are there to be seen.
bool has_edges(const Shape& shape) {
  return std::holds_alternative<carom::Box>(shape) || std::holds_alternative<Rectangle>(shape) ||
         std::holds_alternative<TruncatedIcosahedron>(shape) || std::holds_alternative<Polyhedron>(shape);
}

/// Twice the area of a face times its normal.
Vector3d area_of(const Polyhedron& solid, const std::vector<int>& face) {
  const auto at = [&](std::size_t i) -> const Vector3d& { return solid.vertices[static_cast<std::size_t>(face[i])]; };
  Vector3d sum = Vector3d::Zero();
  for (std::size_t i = 1; i + 1 < face.size(); ++i) sum += (at(i) - at(0)).cross(at(i + 1) - at(0));
  return sum;
}

/// The mouth of a hole, on the surface of its ball.
std::vector<Vector3d> mouth_of(const DrilledHole& hole, double ball) {
  const Vector3d along = hole.direction.normalized(), e1 = along.unitOrthogonal(), e2 = along.cross(e1);
  std::vector<Vector3d> rim;
  for (int k = 0; k < corners_around; ++k) {
    const double angle = 2.0 * std::numbers::pi * k / corners_around;
    const Vector3d from = hole.bottom + hole.radius * (std::cos(angle) * e1 + std::sin(angle) * e2);
    const double ahead = from.dot(along), across = (from - ahead * along).squaredNorm();
    rim.push_back(from + (std::sqrt(std::max(0.0, ball * ball - across)) - ahead) * along);
  }
  return rim;
}

void draw_body(Plot& plot, const SceneBody& body, const Keyframe& pose, const View& view) {
  const auto world = [&](const Vector3d& p) -> Vector3d {
    return pose.position + pose.orientation * (p - body.centre);
  };
  Polyhedron solid = surface(*body.shape, corners_around);
  for (Vector3d& vertex : solid.vertices) vertex = world(vertex);
  std::vector<std::pair<double, Polygon>> seen;
  for (const std::vector<int>& face : solid.faces) {
    const Vector3d normal = area_of(solid, face).stableNormalized();
    if (!(normal.dot(view.to_viewer) > 0.0)) continue;
    Polygon polygon;
    double depth = 0.0;
    for (const int i : face) {
      const Vector3d& vertex = solid.vertices[static_cast<std::size_t>(i)];
      polygon.corners.push_back(view.at(vertex));
      depth += view.to_viewer.dot(vertex) / static_cast<double>(face.size());
    }
    polygon.color = body.color;
    polygon.light = view.light(normal);
    polygon.outlined = has_edges(*body.shape);
    seen.emplace_back(depth, std::move(polygon));
  }
  std::stable_sort(seen.begin(), seen.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (auto& [depth, polygon] : seen) plot.polygons.push_back(std::move(polygon));
  if (const auto* ball = std::get_if<DrilledBall>(&*body.shape))
    for (const DrilledHole& hole : ball->holes) {
      Polygon mouth;
      mouth.color = Color::ink;
      Vector3d middle = Vector3d::Zero();
      for (const Vector3d& p : mouth_of(hole, ball->radius)) {
        middle += p;
        mouth.corners.push_back(view.at(world(p)));
      }
      if ((pose.orientation * middle).dot(view.to_viewer) > 0.0) plot.polygons.push_back(std::move(mouth));
    }
}

}  // namespace

Point seen_at(const Camera& camera, const Eigen::Vector3d& point) { return View(camera).at(point); }

Plot still(const Scene& scene, const Camera& camera, double time) {
  Plot plot;
  plot.name = scene.name;
  plot.title = scene.title;
  plot.caption = scene.caption;
  plot.bare = plot.equal_scale = true;
  const View view(camera);
  for (const SceneSurface& surface : scene.surfaces) {
    if (!(surface.normal.dot(view.to_viewer) > 0.0)) continue;
    const Vector3d e1 = surface.normal.unitOrthogonal(), e2 = surface.normal.cross(e1);
    Polygon patch;
    patch.color = Color::muted;
    const double reach = 0.5 * camera.height;
    for (const auto& [a, b] : {std::pair{-1, -1}, {1, -1}, {1, 1}, {-1, 1}})
      patch.corners.push_back(view.at(surface.point + reach * (a * e1 + b * e2)));
    plot.polygons.push_back(std::move(patch));
  }
  for (const SceneBody& body : scene.bodies) {
    if (body.keyframes.empty()) continue;
    const Keyframe* pose = &body.keyframes.front();
    for (const Keyframe& frame : body.keyframes)
      if (frame.time <= time) pose = &frame;
    if (body.shape)
      draw_body(plot, body, *pose, view);
    else
      plot.markers.push_back({view.at(pose->position), MarkerShape::dot, body.color, body.name, ""});
  }
  return plot;
}

}  // namespace carom::report
