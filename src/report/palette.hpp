// Which colours does a figure use?
// Names in the drawing, values in one style sheet: a light set, a dark set and a set for print.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "carom/report/plot.hpp"

namespace carom::report {

/// The CSS class that sets `color` (drawn with currentColor).
std::string_view color_class(Color color);

/// The style sheet of a figure. Every rule is kept to `.carom-plot`, so that figures can stand inside a page.
std::string style_sheet();

using Rgb = std::array<unsigned char, 3>;

/// The colour of `fraction` in [0, 1] on a perceptually uniform map from dark blue to yellow.
Rgb heat_color(double fraction);

/// The colour of `fraction` in [-1, 1] on a map from blue over light grey (zero) to orange.
Rgb signed_color(double fraction);

/// The colour as on a light page.
Rgb rgb_of(Color color);

/// "#rrggbb".
std::string hex(Rgb color);

}  // namespace carom::report
