#include "pictures/soft.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "carom/soft/mesh_files.hpp"

#include "pictures/lines.hpp"

namespace carom::scenario {

namespace {

using report::Faces, report::Plot;

// Looking from the right front and a little above; light from above, over the left shoulder.
const Eigen::Vector3d to_viewer = Eigen::Vector3d(0.45, -0.80, 0.40).normalized();
const Eigen::Vector3d to_light = Eigen::Vector3d(-0.15, -0.55, 0.82).normalized();
const Eigen::Vector3d rightwards = Eigen::Vector3d::UnitZ().cross(to_viewer).normalized();
const Eigen::Vector3d upwards = to_viewer.cross(rightwards);

constexpr double gap = 0.25;  // between shapes, of the widest

struct Seen {
  double depth = 0.0;
  Faces::Triangle face;
};

}  // namespace

Plot surface_picture(const char* name, const char* title, const char* caption, const TetMesh& mesh,
                     const std::vector<DrawnShape>& shapes, const std::string& values_label) {
  Plot plot = empty_plot(name, title, caption, "", "");
  plot.bare = true;
  plot.equal_scale = true;
  Faces& faces = plot.faces.emplace();
  faces.label = values_label;
  const MeshSurface surface = surface_of(mesh);
  double widest = 0.0;
  for (const DrawnShape& shape : shapes) {
    double low = 0.0, high = 0.0;
    for (const Eigen::Vector3d& v : shape.vertices)
      low = std::min(low, rightwards.dot(v)), high = std::max(high, rightwards.dot(v));
    widest = std::max(widest, high - low);
  }
  double shift = 0.0;
  for (const DrawnShape& shape : shapes) {
    std::vector<Seen> seen;
    double low = 1e300, high = -1e300, top = -1e300;
    for (const Eigen::Vector3d& v : shape.vertices) {
      low = std::min(low, rightwards.dot(v));
      high = std::max(high, rightwards.dot(v));
      top = std::max(top, upwards.dot(v));
    }
    for (const DrawnBall& ball : shape.balls) {
      low = std::min(low, rightwards.dot(ball.centre) - ball.radius);
      high = std::max(high, rightwards.dot(ball.centre) + ball.radius);
      top = std::max(top, upwards.dot(ball.centre) + ball.radius);
    }
    for (std::size_t i = 0; i < surface.triangles.size(); ++i) {
      const auto& t = surface.triangles[i];
      const auto corner = [&](std::size_t k) -> const Eigen::Vector3d& { return shape.vertices[std::size_t(t[k])]; };
      const Eigen::Vector3d normal = (corner(1) - corner(0)).cross(corner(2) - corner(0)).normalized();
      if (!(normal.dot(to_viewer) > 0.0)) continue;
      Seen one;
      for (std::size_t k = 0; k < 3; ++k) {
        one.depth += to_viewer.dot(corner(k));
        one.face.corners[k] = {rightwards.dot(corner(k)) - low + shift, upwards.dot(corner(k))};
      }
      one.face.value = shape.values[std::size_t(surface.tets[i])];
      one.face.light = std::max(0.0, normal.dot(to_light));
      seen.push_back(one);
    }
    std::stable_sort(seen.begin(), seen.end(), [](const Seen& a, const Seen& b) { return a.depth < b.depth; });
    for (const Seen& one : seen)
      if (faces.triangles.size() < most_drawn_triangles) faces.triangles.push_back(one.face);
    for (const DrawnBall& ball : shape.balls) {
      const report::Point middle = {rightwards.dot(ball.centre) - low + shift, upwards.dot(ball.centre)};
      plot.curves.push_back(line(sampled(0.0, 2.0 * std::numbers::pi, 72, [](double a) { return a; }),
                                 report::Color::muted, "", report::Dash::dashed));
      for (report::Point& p : plot.curves.back().points)
        p = {middle.x + ball.radius * std::cos(p.x), middle.y + ball.radius * std::sin(p.x)};
    }
    for (const DrawnPoint& point : shape.points)
      plot.markers.push_back({{rightwards.dot(point.at) - low + shift, upwards.dot(point.at)},
                              point.shape,
                              point.color,
                              "",
                              point.legend});
    if (!shape.label.empty()) {
      report::Marker label;
      label.at = {shift + 0.5 * (high - low), top + 0.06 * widest};
      label.shape = report::MarkerShape::none;
      label.label = shape.label;
      plot.markers.push_back(label);
    }
    shift += (high - low) + gap * widest;
  }
  return plot;
}

report::Scene deformation_scene(const TetMesh& mesh, const std::vector<DrawnShape>& shapes, const char* title,
                                const std::string& values_label) {
  report::Scene scene;
  scene.name = "deformation";
  scene.title = title;
  scene.caption = "The body goes evenly from one shape to the next; colours are those of the pictures.";
  report::SceneMesh moving;
  moving.name = "body";
  moving.values_label = values_label;
  // Only the surface: its vertices are numbered anew.
  const MeshSurface surface = surface_of(mesh);
  std::vector<int> number(mesh.vertices.size(), -1);
  for (std::size_t i = 0; i < surface.vertices.size(); ++i)
    number[std::size_t(surface.vertices[i])] = static_cast<int>(i);
  for (const auto& t : surface.triangles)
    moving.triangles.push_back({number[std::size_t(t[0])], number[std::size_t(t[1])], number[std::size_t(t[2])]});
  for (std::size_t k = 0; k < shapes.size(); ++k) {
    report::SceneMesh::Frame frame;
    frame.time = static_cast<double>(k);
    for (const int v : surface.vertices) frame.vertices.push_back(shapes[k].vertices[std::size_t(v)]);
    std::vector<double> sum(surface.vertices.size(), 0.0), count = sum;
    for (std::size_t i = 0; i < surface.triangles.size(); ++i)
      for (const int v : moving.triangles[i]) {
        sum[std::size_t(v)] += shapes[k].values[std::size_t(surface.tets[i])];
        count[std::size_t(v)] += 1.0;
      }
    for (std::size_t i = 0; i < sum.size(); ++i) frame.values.push_back(sum[i] / count[i]);
    moving.frames.push_back(std::move(frame));
  }
  scene.meshes.push_back(std::move(moving));
  Eigen::Vector3d lowest = Eigen::Vector3d::Constant(1e300);
  for (const Eigen::Vector3d& v : mesh.vertices) lowest = lowest.cwiseMin(v);
  scene.surfaces.push_back({{0.0, 0.0, lowest.z()}, Eigen::Vector3d::UnitZ()});
  scene.cameras.push_back(report::camera_for(scene, "oblique", -to_viewer, upwards));
  scene.cameras.push_back(report::camera_for(scene, "side", Eigen::Vector3d::UnitY(), Eigen::Vector3d::UnitZ()));
  return scene;
}

std::vector<double> displacement_of_tets(const TetMesh& mesh, const std::vector<Eigen::Vector3d>& displacement) {
  std::vector<double> values;
  for (const auto& tet : mesh.tets) {
    double sum = 0.0;
    for (const int v : tet) sum += displacement[std::size_t(v)].norm();
    values.push_back(0.25 * sum);
  }
  return values;
}

std::vector<double> von_mises(const TetStrains& tets) {
  std::vector<double> values;
  for (const Eigen::Matrix3d& stress : tets.stress) {
    const Eigen::Matrix3d shear = stress - stress.trace() / 3.0 * Eigen::Matrix3d::Identity();
    values.push_back(std::sqrt(1.5) * shear.norm());
  }
  return values;
}

report::Attachment vtu_file(const std::string& name, const TetMesh& mesh,
                            const std::vector<Eigen::Vector3d>& displacement, const TetStrains& tets) {
  MeshValues moved{"displacement", 3, {}}, strain{"strain", 1, tets.strain}, stress{"stress", 9, {}};
  for (const Eigen::Vector3d& d : displacement) moved.values.insert(moved.values.end(), d.begin(), d.end());
  for (const Eigen::Matrix3d& s : tets.stress) stress.values.insert(stress.values.end(), s.data(), s.data() + 9);
  return {name + ".vtu", vtu_text(mesh, {moved}, {strain, stress})};
}

}  // namespace carom::scenario
