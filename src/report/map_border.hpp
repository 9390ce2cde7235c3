// Where does what is known of a map end?
// Cells are known or not, but the border between them is a curve: the smoothest that keeps every centre of a known cell
// on its side and every other one on the other.
#pragma once

#include <string>
#include <vector>

#include "geometry.hpp"

namespace carom::report {

/// The part between the lines of a grid that is not known, as an SVG path.
/// @param known  of each crossing of the lines, row by row
/// @param x, y   the lines [px], rising or falling, at least three: the first and the last are the frame, the others
///               go through the centres of cells
std::string unknown_part(const std::vector<char>& known, const std::vector<double>& x, const std::vector<double>& y);

}  // namespace carom::report
