// A finger on its way to the object: where does it begin, and what does it meet? Vertices touch, triangles do not; a
// finger that begins inside, or is so small that it goes through between vertices, has to be told from one that misses.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "carom/soft/mesh.hpp"

namespace carom::soft {

/// How far a ball goes until it touches a point: none if it never does; negative if it begins over it.
std::optional<double> travel(const Eigen::Vector3d& centre, const Eigen::Vector3d& direction, double radius,
                             const Eigen::Vector3d& point);

/// Whether a point lies in some tetrahedron.
/// @param at  of all vertices [m]
bool lies_inside(const TetMesh& mesh, const std::vector<Eigen::Vector3d>& at, const Eigen::Vector3d& point);

/// Whether a half line meets a triangle of the surface.
bool meets_surface(const MeshSurface& surface, const std::vector<Eigen::Vector3d>& at, const Eigen::Vector3d& from,
                   const Eigen::Vector3d& direction);

}  // namespace carom::soft
