// The solid that a body of a scene is, as collision geometry sees it: convex parts, each the hull of points and of round
// rims about one axis, rounded by a radius. A ball is a point and its radius, a capsule two points, a box eight points, a
// cylinder two rims. Everything is exact: a rim is a circle, not a polygon. Body axes, about the centre of mass.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "carom/motion/world.hpp"

namespace carom::world {

using Eigen::Matrix3d;
using Eigen::Vector3d;

class Convex {
public:
  struct Rim {
    Vector3d centre = Vector3d::Zero();
    double radius = 0.0;
  };

  std::vector<Vector3d> points;
  std::vector<Rim> rims;
  Vector3d axis = Vector3d::UnitZ();  ///< of all rims
  double rounding = 0.0;
  std::optional<Vector3d> half;              ///< of a box along the axes: half its edges, which says all of it at once
  double reach = 0.0;                        ///< no point of the core is farther from the centre of mass
  std::vector<Vector3d> faces;               ///< outward normals of the flat ones
  std::vector<std::vector<int>> faces_of;    ///< those that meet at each point
  std::vector<std::vector<int>> neighbours;  ///< points that an edge leads to, of each point

  /// The farthest point of the core in a direction of any length.
  Vector3d support(const Vector3d& direction) const;
  int support_point(const Vector3d& direction) const;  ///< -1: it is on a rim

  /// What of the core is as far in a unit direction as its farthest point, up to a tolerance [m]: a corner, the ends of an
  /// edge, the corners of a face (in no order); of a flat disc four points of its rim, the farthest first.
  void farthest(const Vector3d& direction, double tolerance, std::vector<Vector3d>& found) const;

  /// Normals of flat faces, and directions of edges, at the farthest point in a direction.
  void faces_near(const Vector3d& direction, std::vector<Vector3d>& normals) const;
  void edges_near(const Vector3d& direction, std::vector<Vector3d>& edges) const;

  void finish();  ///< after points and rims: the reach
};

struct Solid {
  std::vector<Convex> parts;
  double radius = 0.0;  ///< of the ball about the centre of mass that holds it
  bool ball = false;

  bool sharp() const;  ///< no part is rounded
};

/// @throws InvalidInput naming `shape.type` (it has no volume), `shape.faces` (a mesh that is not convex), `parts[k]...`,
/// or what mass_properties says
std::shared_ptr<const Solid> solid_of(const WorldBody& body);

/// How fast a body in free flight turns at most, and how fast its angular velocity changes at most.
struct TurningBounds {
  double rate = 0.0;          ///< [rad/s]
  double acceleration = 0.0;  ///< [rad/s^2]
  /// Of a point at most so far from the centre of mass, about it [m/s^2].
  double of_point(double reach) const { return reach * (rate * rate + acceleration); }
};
TurningBounds turning_bounds(const Body& body);

}  // namespace carom::world
