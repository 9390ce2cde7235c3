#include "carom/soft/mesh.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "carom/core/error.hpp"
#include "carom/core/text.hpp"

#include "faces.hpp"

namespace carom {

namespace {

/// Coordinates beyond this have cubes that overflow [m].
constexpr double max_coordinate = 1e100;

std::string at(const char* field, std::size_t index) { return std::string(field) + '[' + std::to_string(index) + ']'; }

double six_volumes(const std::array<Eigen::Vector3d, 4>& p) {
  return (p[1] - p[0]).cross(p[2] - p[0]).dot(p[3] - p[0]);
}

std::array<Eigen::Vector3d, 4> corners(const TetMesh& mesh, std::size_t tet) {
  const std::array<int, 4>& t = mesh.tets[tet];
  const auto& v = mesh.vertices;
  return {v[std::size_t(t[0])], v[std::size_t(t[1])], v[std::size_t(t[2])], v[std::size_t(t[3])]};
}

constexpr std::array<std::array<int, 2>, 6> edges_of_tet = {{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}};

}  // namespace

double signed_volume(const TetMesh& mesh, std::size_t tet) { return six_volumes(corners(mesh, tet)) / 6.0; }

void require_mesh(const TetMesh& mesh) {
  const std::size_t count = mesh.vertices.size();
  if (count > max_mesh_vertices)
    throw InvalidInput("vertices",
                       "must be at most " + std::to_string(max_mesh_vertices) + ", got " + std::to_string(count));
  for (std::size_t i = 0; i < count; ++i)
    for (const double x : mesh.vertices[i])
      if (!(std::abs(x) <= max_coordinate))
        throw InvalidInput(at("vertices", i), "must be finite coordinates of at most 1e100 m, got " + number_text(x));
  if (mesh.tets.empty()) throw InvalidInput("tets", "must not be empty");
  if (mesh.tets.size() > max_mesh_tets)
    throw InvalidInput(
        "tets", "must be at most " + std::to_string(max_mesh_tets) + ", got " + std::to_string(mesh.tets.size()));
  for (std::size_t i = 0; i < mesh.tets.size(); ++i)
    for (const int vertex : mesh.tets[i])
      if (vertex < 0 || std::size_t(vertex) >= count)
        throw InvalidInput(at("tets", i), "must be indices of the " + std::to_string(count) +
                                              " vertices, from 0, got " + std::to_string(vertex));
}

std::size_t orient(TetMesh& mesh) {
  require_mesh(mesh);
  std::size_t turned = 0;
  for (std::size_t i = 0; i < mesh.tets.size(); ++i) {
    if (signed_volume(mesh, i) >= 0.0) continue;
    std::swap(mesh.tets[i][2], mesh.tets[i][3]);
    ++turned;
  }
  return turned;
}

MeshSurface surface_of(const TetMesh& mesh) {
  require_mesh(mesh);
  const std::vector<soft::Face> faces = soft::sorted_faces(mesh);
  std::vector<std::pair<std::int32_t, std::int32_t>> outer;  // tetrahedron, opposite vertex
  for (std::size_t i = 0, next; i < faces.size(); i = next) {
    for (next = i + 1; next < faces.size() && faces[next].vertices == faces[i].vertices;) ++next;
    if (next == i + 1) outer.emplace_back(faces[i].tet, faces[i].opposite);
  }
  std::sort(outer.begin(), outer.end());
  MeshSurface surface;
  surface.triangles.reserve(outer.size());
  surface.tets.reserve(outer.size());
  std::vector<char> seen(mesh.vertices.size(), 0);
  for (const auto& [tet, opposite] : outer) {
    const std::array<int, 4>& t = mesh.tets[std::size_t(tet)];
    const auto& place = soft::face_of_tet[std::size_t(opposite)];
    std::array<int, 3> triangle = {t[std::size_t(place[0])], t[std::size_t(place[1])], t[std::size_t(place[2])]};
    if (signed_volume(mesh, std::size_t(tet)) < 0.0) std::swap(triangle[1], triangle[2]);
    for (const int vertex : triangle) seen[std::size_t(vertex)] = 1;
    surface.triangles.push_back(triangle);
    surface.tets.push_back(tet);
  }
  for (std::size_t i = 0; i < seen.size(); ++i)
    if (seen[i] != 0) surface.vertices.push_back(int(i));
  return surface;
}

std::vector<double> volumes(const TetMesh& mesh) {
  require_mesh(mesh);
  std::vector<double> result(mesh.tets.size());
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = std::abs(signed_volume(mesh, i));
  return result;
}

double volume(const TetMesh& mesh) {
  double sum = 0.0;
  for (const double each : volumes(mesh)) sum += each;
  return sum;
}

std::vector<double> tet_masses(const TetMesh& mesh, double density) {
  require_positive("density", density);
  std::vector<double> masses = volumes(mesh);
  for (double& mass : masses) mass *= density;
  return masses;
}

std::vector<double> nodal_masses(const TetMesh& mesh, const std::vector<double>& masses) {
  require_mesh(mesh);
  if (masses.size() != mesh.tets.size())
    throw InvalidInput("masses", "must be one per tetrahedron, " + std::to_string(mesh.tets.size()) + ", got " +
                                     std::to_string(masses.size()));
  std::vector<double> nodal(mesh.vertices.size(), 0.0);
  for (std::size_t i = 0; i < masses.size(); ++i) {
    require_positive(at("masses", i), masses[i]);
    for (const int vertex : mesh.tets[i]) nodal[std::size_t(vertex)] += masses[i] / 4.0;
  }
  return nodal;
}

MeshQuality quality(const TetMesh& mesh) {
  require_mesh(mesh);
  MeshQuality worst;
  worst.smallest_volume = worst.shortest_edge = std::numeric_limits<double>::infinity();
  worst.smallest_dihedral = std::numbers::pi;
  worst.worst_ratio = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < mesh.tets.size(); ++i) {
    const std::array<Eigen::Vector3d, 4> p = corners(mesh, i);
    const double v = std::abs(six_volumes(p)) / 6.0;
    worst.smallest_volume = std::min(worst.smallest_volume, v);
    worst.largest_volume = std::max(worst.largest_volume, v);
    // Outward normals as long as twice their faces. The angle at an edge lies between the two faces that meet there.
    std::array<Eigen::Vector3d, 4> normal;
    double area = 0.0;
    for (std::size_t f = 0; f < 4; ++f) {
      const auto& [a, b, c] = soft::face_of_tet[f];
      normal[f] = (p[std::size_t(b)] - p[std::size_t(a)]).cross(p[std::size_t(c)] - p[std::size_t(a)]);
      area += normal[f].norm() / 2.0;
    }
    for (const auto& [a, b] : edges_of_tet) {
      const double length = (p[std::size_t(a)] - p[std::size_t(b)]).norm();
      worst.shortest_edge = std::min(worst.shortest_edge, length);
      worst.longest_edge = std::max(worst.longest_edge, length);
      const Eigen::Vector3d &m = normal[std::size_t(a)], &n = normal[std::size_t(b)];
      const double angle = std::numbers::pi - std::atan2(m.cross(n).norm(), m.dot(n));
      worst.smallest_dihedral = std::min(worst.smallest_dihedral, angle);
      worst.largest_dihedral = std::max(worst.largest_dihedral, angle);
    }
    // r = 3 V / A; 24 V R = sqrt(s (s - 2 aA) (s - 2 bB) (s - 2 cC)), products of opposite edges, s their sum.
    const double x = (p[0] - p[1]).norm() * (p[2] - p[3]).norm(), y = (p[0] - p[2]).norm() * (p[1] - p[3]).norm(),
                 z = (p[0] - p[3]).norm() * (p[1] - p[2]).norm(), s = x + y + z;
    const double circumradius = std::sqrt(std::max(0.0, s * (s - 2 * x) * (s - 2 * y) * (s - 2 * z))) / (24.0 * v);
    const double ratio = v > 0.0 ? 9.0 * v / (area * circumradius) : 0.0;
    if (!(ratio < worst.worst_ratio)) continue;
    worst.worst_ratio = ratio;
    worst.worst_tet = i;
  }
  return worst;
}

}  // namespace carom
