// How does a mesh come in from a mesher, and go out to be looked at?
// Readers for the files of Gmsh, TetGen and VTK (ParaView), from their bytes in memory, and writers for VTK with data
// on vertices and tetrahedra. No count in a file is believed before there are bytes for it, and what is wrong is said
// with its line, or its byte where a file is not text. Tetrahedra only: files with other solid elements are refused,
// triangles, edges and points beside them are skipped.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "carom/core/names.hpp"
#include "carom/soft/mesh.hpp"

#pragma GCC visibility push(default)

namespace carom {

/// What a file holds. Vertices are in the order of the file, without those of no tetrahedron (middles of arcs, corners
/// of other elements); all tetrahedra have positive volume or none. Whether it is one solid is find_defect's to say.
struct MeshFile {
  TetMesh mesh;
  std::vector<std::int64_t> numbers;  ///< what the file calls each vertex: its number there, or its place from 0 (VTK)
  std::size_t dropped = 0;            ///< vertices of the file that belong to no tetrahedron
  std::size_t turned = 0;             ///< tetrahedra that were the wrong way round
};

// All throw InvalidInput whose field says where: "line 12", "byte 345", or `file` when it has no tetrahedra or is
// written in a way that is not read (said which). Numbers must be finite.

/// Gmsh .msh, versions 2.2 and 4.1, text and binary of either byte order.
MeshFile read_gmsh(std::string_view file);

/// TetGen: a .node file and the .ele file beside it. Fields of errors start with "node, " or "ele, ".
MeshFile read_tetgen(std::string_view node, std::string_view ele);

/// VTK legacy .vtk, versions 1 to 5.1, DATASET UNSTRUCTURED_GRID, ASCII and BINARY.
MeshFile read_vtk(std::string_view file);

/// VTK XML .vtu of one piece: ascii, base64 and appended (raw, base64), plain or compressed by zlib.
MeshFile read_vtu(std::string_view file);

/// Numbers on every vertex or every tetrahedron, to be shown as colours or arrows.
struct MeshValues {
  std::string name;    ///< as ParaView lists it; not empty
  int components = 1;  ///< 1, 3 (a vector) or 9 (a tensor, by rows)
  std::vector<double>
      values;  ///< components of the first vertex, of the second, ...; not finite ones are written as nan
};

enum class VtuEncoding : std::uint8_t {
  text,  ///< shortest numbers that read back the same
  raw    ///< appended as bytes: smaller and faster
};
template <>
inline constexpr auto names_of<VtuEncoding> = std::to_array<Named<VtuEncoding>>({
    {VtuEncoding::text, "text"},
    {VtuEncoding::raw, "raw"},
});

/// The mesh as a VTK XML file; read_vtu gives it back bit for bit (if all its vertices are used and tets positive).
/// @throws InvalidInput as require_mesh, or naming `on_vertices[i]` or `on_tets[i]` whose name, components or number of
/// values is wrong
std::string vtu_text(const TetMesh& mesh, const std::vector<MeshValues>& on_vertices = {},
                     const std::vector<MeshValues>& on_tets = {}, VtuEncoding encoding = VtuEncoding::raw);

/// One moment of a series.
struct SeriesFile {
  double time = 0.0;  ///< or depth, or load: what ParaView's slider shows
  std::string file;   ///< beside the .pvd
};

/// The .pvd file that makes a series out of .vtu files.
/// @throws InvalidInput naming `series[i]` (a time that is not finite, an empty name)
std::string pvd_text(const std::vector<SeriesFile>& series);

}  // namespace carom

#pragma GCC visibility pop
