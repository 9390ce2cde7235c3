// Fills a closed surface with tetrahedra by a program that is installed: gmsh, else tetgen. It runs on its own, without
// a shell, in a folder of its own, for a limited time.
#pragma once

#include <chrono>
#include <filesystem>

#include "carom/soft/mesh.hpp"

namespace carom::scenario {

/// How long the program may take.
inline constexpr std::chrono::seconds mesher_time_limit{120};

/// Whether a file is a surface that such a program could fill.
bool is_surface_file(const std::filesystem::path& file);

/// @param surface  an .stl, .obj or .off file of a closed surface, whose triangles stay
/// @param size     about how long edges inside should be [m]
/// @throws InvalidInput naming `file`: there is no mesher, it fails (with its last words) or takes longer than `limit`
TetMesh filled(const std::filesystem::path& surface, double size, std::chrono::milliseconds limit = mesher_time_limit);

}  // namespace carom::scenario
