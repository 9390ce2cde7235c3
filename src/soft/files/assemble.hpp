// From what a file lists to a mesh: numbers of vertices become places, vertices of no tetrahedron go, all tetrahedra
// turn the same way.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "carom/soft/mesh_files.hpp"

namespace carom::soft {

struct ListedMesh {
  std::vector<std::int64_t> numbers;  ///< of each vertex; empty: their places from 0
  std::vector<Eigen::Vector3d> vertices;
  std::vector<std::array<std::int64_t, 4>> tets;  ///< by numbers of vertices
};

/// @param vertex_refused, tet_refused  throw the error for vertex or tetrahedron i of the list
MeshFile assemble(ListedMesh&& listed,
                  const std::function<void(std::size_t vertex, const std::string& message)>& vertex_refused,
                  const std::function<void(std::size_t tet, const std::string& message)>& tet_refused);

}  // namespace carom::soft
