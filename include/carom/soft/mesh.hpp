// Which solid do these tetrahedra make, and is it one?
// A mesh is vertices and tetrahedra. What cannot be a mesh at all (an index out of range, a coordinate that is no
// number) is InvalidInput; what is a list of tetrahedra but no solid (a face between three of them, two parts, a flat
// one) is a MeshDefect that says so in a sentence, so that models can answer `invalid_mesh`. Surface, volumes, masses
// and quality of a sound mesh follow. Theory: docs/theory/soft.md. Source: Wang 2017, chapter 6, appendix A.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "carom/core/names.hpp"

#pragma GCC visibility push(default)

namespace carom {

/// Linear tetrahedra (a, b, c, d). After orient() all have (b - a) x (c - a) . (d - a) > 0.
struct TetMesh {
  std::vector<Eigen::Vector3d> vertices;  ///< [m]
  std::vector<std::array<int, 4>> tets;   ///< vertex indices from 0
};

/// A tetrahedron is flat when six times its volume is at most this share of the cube of its longest edge: of what is
/// left then, rounding of coordinates is a good part.
inline constexpr double flat_tet_share = 1e-12;

/// Meshes of more vertices or tetrahedra than this are refused: three unknowns a vertex are still counted by an int.
inline constexpr std::size_t max_mesh_vertices = 50'000'000;
inline constexpr std::size_t max_mesh_tets = 200'000'000;

enum class MeshDefectType : std::uint8_t {
  repeated_vertex,     ///< a tetrahedron names a vertex twice
  flat_tet,            ///< a tetrahedron without volume
  duplicate_tet,       ///< two tetrahedra with the same vertices
  unused_vertex,       ///< a vertex of no tetrahedron
  crowded_face,        ///< a face of three or more tetrahedra
  folded_face,         ///< a face with its two tetrahedra on the same side: they overlap
  several_parts,       ///< tetrahedra that hang together by no vertex
  nonmanifold_edge,    ///< an edge of more than two triangles of the surface
  nonmanifold_vertex,  ///< a vertex in which two sheets of the surface touch
};
template <>
inline constexpr auto names_of<MeshDefectType> = std::to_array<Named<MeshDefectType>>({
    {MeshDefectType::repeated_vertex, "repeated_vertex"},
    {MeshDefectType::flat_tet, "flat_tet"},
    {MeshDefectType::duplicate_tet, "duplicate_tet"},
    {MeshDefectType::unused_vertex, "unused_vertex"},
    {MeshDefectType::crowded_face, "crowded_face"},
    {MeshDefectType::folded_face, "folded_face"},
    {MeshDefectType::several_parts, "several_parts"},
    {MeshDefectType::nonmanifold_edge, "nonmanifold_edge"},
    {MeshDefectType::nonmanifold_vertex, "nonmanifold_vertex"},
});

/// What keeps tetrahedra from being one solid, and where.
struct MeshDefect {
  MeshDefectType type = MeshDefectType::flat_tet;
  std::string message;     ///< "tets[3] has no volume (6 V = 0 m^3)": names tetrahedron, face, edge or vertex
  std::vector<int> where;  ///< the vertices concerned: of the face, edge, vertex or tetrahedron
};

/// Whether these are numbers that can be a mesh.
/// @throws InvalidInput naming `vertices`, `vertices[i]`, `tets` or `tets[i]`: none, too many, a coordinate that is not
/// finite or beyond 1e100 (its cube would overflow), an index out of range
void require_mesh(const TetMesh& mesh);

/// The first defect, by type in the order of MeshDefectType and then by index; none if the mesh is one solid with a
/// closed manifold surface (holes and cavities are fine). How the tetrahedra are oriented does not matter.
/// @throws InvalidInput as require_mesh
std::optional<MeshDefect> find_defect(const TetMesh& mesh);

/// Turns tetrahedra of negative volume over by swapping their last two vertices.
/// @return how many were turned
/// @throws InvalidInput as require_mesh
std::size_t orient(TetMesh& mesh);

/// What is seen of a sound mesh.
struct MeshSurface {
  std::vector<std::array<int, 3>> triangles;  ///< vertices of the mesh, counter-clockwise seen from outside
  std::vector<int> tets;                      ///< the tetrahedron behind each triangle
  std::vector<int> vertices;                  ///< those on the surface, rising
};

/// Faces of one tetrahedron, in the order of the tetrahedra, whichever way these are oriented.
/// @throws InvalidInput as require_mesh
MeshSurface surface_of(const TetMesh& mesh);

/// (b - a) x (c - a) . (d - a) / 6 of tetrahedron `tet`, negative if it is turned over [m^3]. Indices are not checked.
double signed_volume(const TetMesh& mesh, std::size_t tet);

/// Of all tetrahedra, without sign [m^3], and their sum. @throws InvalidInput as require_mesh
std::vector<double> volumes(const TetMesh& mesh);
double volume(const TetMesh& mesh);

/// density * volume of each tetrahedron [kg].
/// @throws InvalidInput as require_mesh, or naming `density` (positive) [kg/m^3]
std::vector<double> tet_masses(const TetMesh& mesh, double density);

/// A quarter of the mass of each tetrahedron on each of its vertices [kg].
/// @param masses  one per tetrahedron, positive [kg]
/// @throws InvalidInput as require_mesh, or naming `masses` or `masses[i]`
std::vector<double> nodal_masses(const TetMesh& mesh, const std::vector<double>& masses);

/// How well shaped the tetrahedra are. A regular one has both dihedral angles at acos(1/3), 1.231, and ratio 1.
struct MeshQuality {
  double smallest_volume = 0.0, largest_volume = 0.0;    ///< [m^3]
  double shortest_edge = 0.0, longest_edge = 0.0;        ///< [m]
  double smallest_dihedral = 0.0, largest_dihedral = 0;  ///< [rad]
  double worst_ratio = 0.0;                              ///< least 3 * inradius / circumradius [-], in (0, 1]
  std::size_t worst_tet = 0;                             ///< the one that has it
};

/// @throws InvalidInput as require_mesh
MeshQuality quality(const TetMesh& mesh);

}  // namespace carom

#pragma GCC visibility pop
