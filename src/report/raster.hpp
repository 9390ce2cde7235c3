// How does a picture made of pixels stand inside an SVG?
// As a PNG in the text of its <image>: a map of many cells is smaller and smoother so than as rectangles.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "palette.hpp"

namespace carom::report {

/// Pixels from the upper left, row by row; each is the number of its colour.
struct Raster {
  std::size_t width = 0, height = 0;
  std::vector<std::uint8_t> pixels;
  std::vector<Rgb> colors;  ///< at most 255; a pixel beyond the last one is transparent
};

/// The raster as "data:image/png;base64,...".
std::string png_data(const Raster& raster);

}  // namespace carom::report
