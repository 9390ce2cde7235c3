// Reads the surface of a solid from a mesh file: Wavefront OBJ or OFF, polygons of any size.
#pragma once

#include <Eigen/Core>
#include <filesystem>
#include <vector>

namespace carom::scenario {

struct Surface {
  std::vector<Eigen::Vector3d> vertices;  ///< [m]
  std::vector<std::vector<int>> faces;    ///< vertex indices from 0, counter-clockwise seen from outside
};

/// @throws InvalidInput naming the file's line ("line 12") or `file` when it cannot be read
Surface read_mesh(const std::filesystem::path& file);

}  // namespace carom::scenario
