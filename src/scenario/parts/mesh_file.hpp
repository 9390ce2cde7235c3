// Reads the surface of a solid from a mesh file: Wavefront OBJ or OFF, polygons of any size, or STL, binary
// or text, whose triangles are joined where their corners are the same numbers.
#pragma once

#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <string>
#include <string_view>

#include "carom/core/shape.hpp"

namespace carom::scenario {

/// A larger file is refused: five million vertices take less [bytes].
inline constexpr std::uintmax_t max_mesh_size = 1'000'000'000;

/// @throws InvalidInput naming the file's line ("line 12"; "facet 7" of binary STL) or `file` when it cannot be read
Polyhedron read_mesh(const std::filesystem::path& file);

/// The same from a stream; `kind` is the file's extension.
Polyhedron read_mesh(std::istream& in, std::string_view kind);

/// The bytes of a regular file.
/// @throws InvalidInput naming `file`: cannot be opened, or is larger than that
std::string text_of_file(const std::filesystem::path& file, std::uintmax_t largest);

}  // namespace carom::scenario
