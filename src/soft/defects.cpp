// What keeps a list of tetrahedra from being one solid with a closed manifold surface.
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "carom/core/text.hpp"
#include "carom/soft/mesh.hpp"

#include "faces.hpp"

namespace carom {

namespace {

std::string tet_name(std::size_t tet) { return "tets[" + std::to_string(tet) + "]"; }

std::string list(std::vector<int> numbers) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size(); ++i)
    text += (i == 0 ? "" : i + 1 == numbers.size() ? " and " : ", ") + std::to_string(numbers[i]);
  return text;
}

std::string tets_of(const std::vector<int>& tets) {
  std::string text;
  for (std::size_t i = 0; i < tets.size(); ++i)
    text += (i == 0 ? "" : i + 1 == tets.size() ? " and " : ", ") + tet_name(std::size_t(tets[i]));
  return text;
}

std::optional<MeshDefect> single_tet(const TetMesh& mesh) {
  for (std::size_t i = 0; i < mesh.tets.size(); ++i) {
    std::array<int, 4> t = mesh.tets[i];
    std::sort(t.begin(), t.end());
    const auto twice = std::adjacent_find(t.begin(), t.end());
    if (twice != t.end())
      return MeshDefect{MeshDefectType::repeated_vertex,
                        tet_name(i) + " names vertex " + std::to_string(*twice) + " twice",
                        {*twice}};
  }
  for (std::size_t i = 0; i < mesh.tets.size(); ++i) {
    const std::array<int, 4>& t = mesh.tets[i];
    double longest = 0.0;
    for (std::size_t a = 0; a < 4; ++a)
      for (std::size_t b = a + 1; b < 4; ++b)
        longest = std::max(longest, (mesh.vertices[std::size_t(t[a])] - mesh.vertices[std::size_t(t[b])]).norm());
    const double six = 6.0 * std::abs(signed_volume(mesh, i));
    // Sides of 1e-110 m and less have products that vanish: flat, too.
    if (!(six > flat_tet_share * longest * longest * longest))
      return MeshDefect{MeshDefectType::flat_tet,
                        tet_name(i) + " has no volume: " + number_text(six / 6.0) + " m^3 with a longest edge of " +
                            number_text(longest) + " m",
                        {t.begin(), t.end()}};
  }
  return {};
}

std::optional<MeshDefect> duplicate_tet(const TetMesh& mesh, const std::vector<soft::Face>& faces) {
  // Two tetrahedra that share a face and the vertex opposite to it. The lowest later one is named.
  int first = -1, later = -1;
  for (std::size_t i = 0, next; i < faces.size(); i = next) {
    for (next = i + 1; next < faces.size() && faces[next].vertices == faces[i].vertices;) ++next;
    if (next == i + 1) continue;
    std::vector<std::pair<int, int>> tips;  // vertex opposite, tetrahedron
    for (std::size_t k = i; k < next; ++k)
      tips.emplace_back(mesh.tets[std::size_t(faces[k].tet)][std::size_t(faces[k].opposite)], faces[k].tet);
    std::sort(tips.begin(), tips.end());
    for (std::size_t k = 1; k < tips.size(); ++k)
      if (tips[k].first == tips[k - 1].first && (later < 0 || tips[k].second < later))
        first = tips[k - 1].second, later = tips[k].second;
  }
  if (later < 0) return {};
  const std::array<int, 4>& t = mesh.tets[std::size_t(later)];
  return MeshDefect{MeshDefectType::duplicate_tet,
                    tet_name(std::size_t(later)) + " has the same vertices as " + tet_name(std::size_t(first)),
                    {t.begin(), t.end()}};
}

std::optional<MeshDefect> unused_vertex(const TetMesh& mesh) {
  std::vector<char> used(mesh.vertices.size(), 0);
  for (const std::array<int, 4>& t : mesh.tets)
    for (const int vertex : t) used[std::size_t(vertex)] = 1;
  const auto unused = std::find(used.begin(), used.end(), 0);
  if (unused == used.end()) return {};
  const auto count = std::count(used.begin(), used.end(), 0);
  const int vertex = int(unused - used.begin());
  return MeshDefect{MeshDefectType::unused_vertex,
                    "vertices[" + std::to_string(vertex) + "] belongs to no tetrahedron" +
                        (count > 1 ? " (" + std::to_string(count) + " vertices do not)" : ""),
                    {vertex}};
}

std::optional<MeshDefect> bad_face(const TetMesh& mesh, const std::vector<soft::Face>& faces) {
  std::optional<MeshDefect> folded;
  for (std::size_t i = 0, next; i < faces.size(); i = next) {
    for (next = i + 1; next < faces.size() && faces[next].vertices == faces[i].vertices;) ++next;
    const std::vector<int> face(faces[i].vertices.begin(), faces[i].vertices.end());
    if (next - i > 2) {
      std::vector<int> tets;
      for (std::size_t k = i; k < next; ++k) tets.push_back(faces[k].tet);
      if (tets.size() > 4) tets.resize(4);
      return MeshDefect{MeshDefectType::crowded_face,
                        "the face of vertices " + list(face) + " belongs to " + std::to_string(next - i) +
                            " tetrahedra: " + tets_of(tets) + (next - i > 4 ? ", ..." : ""),
                        face};
    }
    if (next - i < 2 || folded) continue;
    // Both opposite vertices on one side of the face.
    const auto at = [&](int vertex) -> const Eigen::Vector3d& { return mesh.vertices[std::size_t(vertex)]; };
    const Eigen::Vector3d normal = (at(face[1]) - at(face[0])).cross(at(face[2]) - at(face[0]));
    double side[2];
    for (std::size_t k = 0; k < 2; ++k)
      side[k] =
          normal.dot(at(mesh.tets[std::size_t(faces[i + k].tet)][std::size_t(faces[i + k].opposite)]) - at(face[0]));
    if ((side[0] > 0.0) == (side[1] > 0.0))
      folded = MeshDefect{MeshDefectType::folded_face,
                          tets_of({faces[i].tet, faces[i + 1].tet}) +
                              " lie on the same side of their common face of vertices " + list(face) + ": they overlap",
                          face};
  }
  return folded;
}

/// Sets that grow together.
class Sets {
public:
  explicit Sets(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0); }
  int find(int i) {
    while (parent_[std::size_t(i)] != i) i = parent_[std::size_t(i)] = parent_[std::size_t(parent_[std::size_t(i)])];
    return i;
  }
  /// The lowest member stands for all.
  void join(int a, int b) {
    a = find(a), b = find(b);
    parent_[std::size_t(std::max(a, b))] = std::min(a, b);
  }

private:
  std::vector<int> parent_;
};

std::optional<MeshDefect> several_parts(const TetMesh& mesh) {
  Sets parts(mesh.vertices.size());
  for (const std::array<int, 4>& t : mesh.tets)
    for (std::size_t k = 1; k < 4; ++k) parts.join(t[0], t[k]);
  int count = 0;
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v) count += parts.find(int(v)) == int(v) ? 1 : 0;
  if (count == 1) return {};
  const int whole = parts.find(mesh.tets[0][0]);
  std::size_t other = 0;
  while (parts.find(mesh.tets[other][0]) == whole) ++other;
  return MeshDefect{MeshDefectType::several_parts,
                    "the mesh is " + std::to_string(count) + " separate parts: " + tet_name(other) + " (vertex " +
                        std::to_string(mesh.tets[other][0]) + ") does not hang together with tets[0]",
                    {mesh.tets[other][0]}};
}

std::optional<MeshDefect> not_manifold(const TetMesh& mesh) {
  const MeshSurface surface = surface_of(mesh);
  struct Edge {
    int a, b, triangle;
  };
  std::vector<Edge> edges;
  edges.reserve(3 * surface.triangles.size());
  for (std::size_t i = 0; i < surface.triangles.size(); ++i)
    for (std::size_t k = 0; k < 3; ++k) {
      const int a = surface.triangles[i][k], b = surface.triangles[i][(k + 1) % 3];
      edges.push_back({std::min(a, b), std::max(a, b), int(i)});
    }
  std::sort(edges.begin(), edges.end(), [](const Edge& x, const Edge& y) {
    return x.a != y.a ? x.a < y.a : x.b != y.b ? x.b < y.b : x.triangle < y.triangle;
  });
  // Corners of triangles: those at the same vertex on both sides of an edge belong to one sheet.
  Sets corners(3 * surface.triangles.size());
  const auto corner = [&](int triangle, int vertex) {
    const auto& t = surface.triangles[std::size_t(triangle)];
    return 3 * triangle + int(std::find(t.begin(), t.end(), vertex) - t.begin());
  };
  for (std::size_t i = 0, next; i < edges.size(); i = next) {
    for (next = i + 1; next < edges.size() && edges[next].a == edges[i].a && edges[next].b == edges[i].b;) ++next;
    if (next - i != 2) {
      std::vector<int> tets;
      for (std::size_t k = i; k < next; ++k) tets.push_back(surface.tets[std::size_t(edges[k].triangle)]);
      std::sort(tets.begin(), tets.end());
      tets.erase(std::unique(tets.begin(), tets.end()), tets.end());
      if (tets.size() > 4) tets.resize(4);
      return MeshDefect{MeshDefectType::nonmanifold_edge,
                        "the edge of vertices " + list({edges[i].a, edges[i].b}) + " belongs to " +
                            std::to_string(next - i) + " triangles of the surface instead of 2 (" + tets_of(tets) + ")",
                        {edges[i].a, edges[i].b}};
    }
    for (const int vertex : {edges[i].a, edges[i].b})
      corners.join(corner(edges[i].triangle, vertex), corner(edges[i + 1].triangle, vertex));
  }
  std::vector<int> sheet(mesh.vertices.size(), -1);
  int vertex = -1;
  for (int i = 0; i < int(3 * surface.triangles.size()); ++i) {
    const int v = surface.triangles[std::size_t(i / 3)][std::size_t(i % 3)];
    int& seen = sheet[std::size_t(v)];
    if (seen < 0) seen = corners.find(i);
    if (seen != corners.find(i) && (vertex < 0 || v < vertex)) vertex = v;
  }
  if (vertex < 0) return {};
  return MeshDefect{
      MeshDefectType::nonmanifold_vertex,
      "vertices[" + std::to_string(vertex) + "] joins sheets of the surface that touch nowhere else near it",
      {vertex}};
}

}  // namespace

std::optional<MeshDefect> find_defect(const TetMesh& mesh) {
  require_mesh(mesh);
  if (auto defect = single_tet(mesh)) return defect;
  {
    const std::vector<soft::Face> faces = soft::sorted_faces(mesh);
    if (auto defect = duplicate_tet(mesh, faces)) return defect;
    if (auto defect = unused_vertex(mesh)) return defect;
    if (auto defect = bad_face(mesh, faces)) return defect;
  }
  if (auto defect = several_parts(mesh)) return defect;
  return not_manifold(mesh);
}

}  // namespace carom
