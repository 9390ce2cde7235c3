// Which tetrahedra share which face?
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "carom/soft/mesh.hpp"

namespace carom::soft {

/// One face of one tetrahedron: its vertices rising, and where it is from.
struct Face {
  std::array<int, 3> vertices;
  std::int32_t tet;
  std::int32_t opposite;  ///< the place (0 to 3) of the vertex of the tetrahedron that is not on it
};

/// The vertices of face `opposite` in an order that turns counter-clockwise seen from outside a tetrahedron of positive
/// volume.
inline constexpr std::array<std::array<int, 3>, 4> face_of_tet = {{{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}}};

/// All faces, those with the same vertices side by side, by vertices and then by tetrahedron. Indices must be in range.
std::vector<Face> sorted_faces(const TetMesh& mesh);

}  // namespace carom::soft
