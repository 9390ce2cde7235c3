#include "approach.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace carom::soft {

namespace {

/// (b - a) x (c - a) . (d - a)
double six_volumes(const Eigen::Vector3d& a, const Eigen::Vector3d& b, const Eigen::Vector3d& c,
                   const Eigen::Vector3d& d) {
  return (b - a).cross(c - a).dot(d - a);
}

}  // namespace

std::optional<double> travel(const Eigen::Vector3d& centre, const Eigen::Vector3d& direction, double radius,
                             const Eigen::Vector3d& point) {
  const Eigen::Vector3d arm = point - centre;
  if (arm.norm() < radius) return -1.0;
  const double along = arm.dot(direction), across2 = arm.squaredNorm() - along * along;
  if (along <= 0.0 || across2 >= radius * radius) return {};
  return along - std::sqrt(radius * radius - across2);
}

bool lies_inside(const TetMesh& mesh, const std::vector<Eigen::Vector3d>& at, const Eigen::Vector3d& point) {
  return std::any_of(mesh.tets.begin(), mesh.tets.end(), [&](const std::array<int, 4>& tet) {
    std::array<Eigen::Vector3d, 4> corner;
    for (std::size_t i = 0; i < 4; ++i) corner[i] = at[std::size_t(tet[i])];
    const double whole = six_volumes(corner[0], corner[1], corner[2], corner[3]);
    // On the same side of every face as the corner opposite.
    for (const Eigen::Vector3d& replaced : corner) {
      std::array<Eigen::Vector3d, 4> with = corner;
      with[std::size_t(&replaced - corner.data())] = point;
      if (!(six_volumes(with[0], with[1], with[2], with[3]) * whole > 0.0)) return false;
    }
    return true;
  });
}

bool meets_surface(const MeshSurface& surface, const std::vector<Eigen::Vector3d>& at, const Eigen::Vector3d& from,
                   const Eigen::Vector3d& direction) {
  return std::any_of(surface.triangles.begin(), surface.triangles.end(), [&](const std::array<int, 3>& triangle) {
    const Eigen::Vector3d a = at[std::size_t(triangle[0])] - from, b = at[std::size_t(triangle[1])] - from,
                          c = at[std::size_t(triangle[2])] - from;
    // The line passes all three edges on the same side, and the triangle's plane lies ahead.
    const double ab = direction.dot(a.cross(b)), bc = direction.dot(b.cross(c)), ca = direction.dot(c.cross(a));
    if (!((ab >= 0.0 && bc >= 0.0 && ca >= 0.0) || (ab <= 0.0 && bc <= 0.0 && ca <= 0.0))) return false;
    const double sum = ab + bc + ca;
    return sum != 0.0 && (ab * c + bc * a + ca * b).dot(direction) / sum > 0.0;
  });
}

}  // namespace carom::soft
