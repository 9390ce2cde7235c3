#include "palette.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace carom::report {

namespace {

struct Shade {
  std::string_view name, light, dark, print;
};

// Hues after Okabe and Ito (2008), told apart with any common colour blindness; yellow is darkened on white and blue
// lightened on dark so that a thin line still shows.
constexpr Shade shades[] = {
    {"ink", "#1a1a1a", "#e6e6e6", "#000000"},    {"muted", "#767676", "#9a9a9a", "#666666"},
    {"blue", "#0072b2", "#4aa8e8", "#0072b2"},   {"orange", "#e08a00", "#f0a53a", "#e08a00"},
    {"green", "#009e73", "#2fc39a", "#009e73"},  {"purple", "#b0509a", "#dc8fc4", "#b0509a"},
    {"red", "#cc4400", "#f4733d", "#cc4400"},    {"sky", "#4fb0e6", "#8fd0f5", "#4fb0e6"},
    {"yellow", "#b5a800", "#f0e442", "#b5a800"}, {"page", "#ffffff", "#15181d", "#ffffff"},
    {"grid", "#e4e4e4", "#2d3239", "#dddddd"},
};

std::string variables(std::string_view Shade::*set) {
  std::string out = ".carom-plot{";
  for (const Shade& shade : shades) out += fmt::format("--carom-{}:{};", shade.name, shade.*set);
  return out + "}";
}

// Viridis (van der Walt and Smith 2015, CC0) at nine even places; between them the straight line in sRGB is close.
constexpr std::array<std::array<int, 3>, 9> viridis = {{{68, 1, 84},
                                                        {71, 45, 123},
                                                        {59, 82, 139},
                                                        {44, 114, 142},
                                                        {33, 145, 140},
                                                        {40, 174, 128},
                                                        {94, 201, 98},
                                                        {173, 220, 48},
                                                        {253, 231, 37}}};

}  // namespace

std::string_view color_class(Color color) { return shades[static_cast<std::size_t>(color)].name; }

std::string style_sheet() {
  // Each colour is given twice: plainly for renderers without CSS variables, then as the variable.
  std::string out = variables(&Shade::light) + "\n";
  for (const Shade& shade : shades) {
    out += fmt::format(".carom-plot .{0}{{color:{1};color:var(--carom-{0})}}\n", shade.name, shade.light);
  }
  out +=
      ".carom-plot text{font-family:'Helvetica Neue',Helvetica,Arial,'Liberation Sans','DejaVu Sans',sans-serif;"
      "fill:currentColor}\n"
      ".carom-plot .math{font-family:'STIX Two Text','Latin Modern Roman',Cambria,'Times New Roman',Times,"
      "'Liberation Serif','DejaVu Serif',serif}\n"
      ".carom-plot .var{font-style:italic}\n"
      ".carom-plot .halo{stroke:#ffffff;stroke:var(--carom-page);stroke-width:4px;stroke-linejoin:round;"
      "paint-order:stroke}\n";
  out += "@media screen and (prefers-color-scheme:dark){" + variables(&Shade::dark) + "}\n";
  out += "@media print{" + variables(&Shade::print) + "}\n";
  return out;
}

std::string heat_color(double fraction) {
  const double place = std::clamp(fraction, 0.0, 1.0) * (viridis.size() - 1);
  const auto below = std::min(static_cast<std::size_t>(place), viridis.size() - 2);
  const double part = place - static_cast<double>(below);
  std::array<int, 3> rgb{};
  for (std::size_t i = 0; i < 3; ++i) {
    rgb[i] = static_cast<int>(std::lround(viridis[below][i] + part * (viridis[below + 1][i] - viridis[below][i])));
  }
  return fmt::format("#{:02x}{:02x}{:02x}", rgb[0], rgb[1], rgb[2]);
}

}  // namespace carom::report
