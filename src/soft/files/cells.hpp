// The cells of VTK files, legacy and XML: which are tetrahedra, and which make the file unreadable.
#pragma once

#include <cstdint>
#include <string>

namespace carom::soft {

inline constexpr int vtk_tetra = 10;

/// Nothing, points, lines and faces, linear or not: they may stand beside the tetrahedra.
constexpr bool is_no_solid(std::int64_t type) {
  return (type >= 0 && type <= 9) || (type >= 21 && type <= 23) || type == 28 || type == 30 ||
         (type >= 34 && type <= 36);
}

inline std::string cell_refusal(std::int64_t type) {
  return "cells of type " + std::to_string(type) +
         " are not read: the solid must be made of tetrahedra of four points (type 10)";
}

}  // namespace carom::soft
