// Which range does each axis of a plot show, and how large is its frame?
#pragma once

#include "carom/report/plot.hpp"

namespace carom::report {

/// Maps values of one axis to pixels. `low` < `high`, both positive when logarithmic.
struct Scale {
  double low = 0.0, high = 1.0;
  bool logarithmic = false;
  double pixel_low = 0.0, pixel_high = 1.0;  ///< where low and high are drawn

  /// NaN for a value this axis cannot show at any distance (not finite; not positive on a logarithmic axis).
  double operator()(double value) const;
};

struct Frame {
  Scale x, y;
  double width = 0.0, height = 0.0;  ///< [px]
};

/// Ranges that show every curve, marker and cell with a margin (or what the axes ask for), and a frame for them.
/// Pixels are set as for a frame whose upper left corner is the origin.
Frame choose_frame(const Plot& plot);

}  // namespace carom::report
