#include "faces.hpp"

#include <algorithm>

namespace carom::soft {

std::vector<Face> sorted_faces(const TetMesh& mesh) {
  // By their lowest vertex without comparing, then the few faces of each vertex by the others.
  std::vector<std::size_t> first(mesh.vertices.size() + 1, 0);
  const auto for_each_face = [&](const auto& take) {
    for (std::size_t i = 0; i < mesh.tets.size(); ++i)
      for (std::size_t opposite = 0; opposite < 4; ++opposite) {
        std::array<int, 3> face;
        for (std::size_t k = 0; k < 3; ++k) face[k] = mesh.tets[i][std::size_t(face_of_tet[opposite][k])];
        std::sort(face.begin(), face.end());
        take(Face{face, std::int32_t(i), std::int32_t(opposite)});
      }
  };
  for_each_face([&](const Face& face) { ++first[std::size_t(face.vertices[0]) + 1]; });
  for (std::size_t v = 1; v < first.size(); ++v) first[v] += first[v - 1];
  std::vector<Face> faces(4 * mesh.tets.size());
  std::vector<std::size_t> next(first.begin(), first.end() - 1);
  for_each_face([&](const Face& face) { faces[next[std::size_t(face.vertices[0])]++] = face; });
  for (std::size_t v = 0; v + 1 < first.size(); ++v)
    std::sort(faces.begin() + std::ptrdiff_t(first[v]), faces.begin() + std::ptrdiff_t(first[v + 1]),
              [](const Face& a, const Face& b) {
                return a.vertices != b.vertices ? a.vertices < b.vertices
                       : a.tet != b.tet         ? a.tet < b.tet
                                                : a.opposite < b.opposite;
              });
  return faces;
}

}  // namespace carom::soft
