// Soft bodies drawn: surfaces in colours, side by side, and files for ParaView.
#pragma once

#include <string>
#include <vector>

#include "carom/report/document.hpp"
#include "carom/soft/stiffness.hpp"

namespace carom::scenario {

/// More triangles than this are no picture any more.
inline constexpr std::size_t most_drawn_triangles = 30'000;

/// A point on a surface, drawn where it is seen.
struct DrawnPoint {
  Eigen::Vector3d at;
  report::MarkerShape shape = report::MarkerShape::circle;
  report::Color color = report::Color::ink;
  std::string legend;
};

/// A ball, drawn as its outline.
struct DrawnBall {
  Eigen::Vector3d centre;
  double radius = 0.0;
};

/// One shape of a mesh with a value for each tetrahedron.
struct DrawnShape {
  std::vector<Eigen::Vector3d> vertices;
  std::vector<double> values;
  std::string label;  ///< written over it
  std::vector<DrawnPoint> points = {};
  std::vector<DrawnBall> balls = {};
};

/// The shapes beside each other, seen from obliquely above, coloured by their values.
report::Plot surface_picture(const char* name, const char* title, const char* caption, const TetMesh& mesh,
                             const std::vector<DrawnShape>& shapes, const std::string& values_label);

/// The deformation as something that moves, from the first shape to the last, a second each.
report::Scene deformation_scene(const TetMesh& mesh, const std::vector<DrawnShape>& shapes, const char* title,
                                const std::string& values_label);

/// Of each tetrahedron: the mean |displacement| of its corners, and von Mises' stress.
std::vector<double> displacement_of_tets(const TetMesh& mesh, const std::vector<Eigen::Vector3d>& displacement);
std::vector<double> von_mises(const TetStrains& tets);

/// A .vtu with displacement, strain and stress.
report::Attachment vtu_file(const std::string& name, const TetMesh& mesh,
                            const std::vector<Eigen::Vector3d>& displacement, const TetStrains& tets);

}  // namespace carom::scenario
