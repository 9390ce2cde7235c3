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

// Hues in the order of Okabe and Ito (2008), their lightness spread so that every two of the nine differ by at least
// 17 (light) and 20 (dark) in CIE L*a*b* to normal eyes and to the three colour blindnesses as simulated by Machado,
// Oliveira and Fernandes (2009).
constexpr Shade shades[] = {
    {"ink", "#1a1a1a", "#e6e6e6", "#000000"},    {"muted", "#767676", "#9a9a9a", "#666666"},
    {"blue", "#0b6fd0", "#4c86f8", "#0b6fd0"},   {"orange", "#c86f0a", "#e68a10", "#c86f0a"},
    {"green", "#00995f", "#2fe59a", "#00995f"},  {"purple", "#7a1f96", "#c85cb8", "#7a1f96"},
    {"red", "#b3240f", "#ee5048", "#b3240f"},    {"sky", "#45bcf2", "#96d4fd", "#45bcf2"},
    {"yellow", "#c4bb00", "#ffdc20", "#c4bb00"}, {"page", "#ffffff", "#15181d", "#ffffff"},
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

// From blue over light grey to orange, the lightness falling alike on both sides of zero.
constexpr std::array<std::array<int, 3>, 9> diverging = {{{12, 51, 107},
                                                          {31, 97, 165},
                                                          {92, 151, 205},
                                                          {163, 198, 228},
                                                          {236, 236, 236},
                                                          {245, 190, 140},
                                                          {226, 135, 62},
                                                          {176, 83, 16},
                                                          {103, 44, 6}}};

Rgb between(const std::array<std::array<int, 3>, 9>& map, double fraction) {
  const double place = std::clamp(fraction, 0.0, 1.0) * static_cast<double>(map.size() - 1);
  const auto below = std::min(static_cast<std::size_t>(place), map.size() - 2);
  const double part = place - static_cast<double>(below);
  Rgb rgb{};
  for (std::size_t i = 0; i < 3; ++i) {
    rgb[i] = static_cast<unsigned char>(std::lround(map[below][i] + part * (map[below + 1][i] - map[below][i])));
  }
  return rgb;
}

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

Rgb rgb_of(Color color) {
  const std::string_view text = shades[static_cast<std::size_t>(color)].light;
  const auto digit = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
  Rgb rgb{};
  for (std::size_t i = 0; i < 3; ++i)
    rgb[i] = static_cast<unsigned char>(16 * digit(text[2 * i + 1]) + digit(text[2 * i + 2]));
  return rgb;
}

Rgb heat_color(double fraction) { return between(viridis, fraction); }

Rgb signed_color(double fraction) { return between(diverging, 0.5 + 0.5 * std::clamp(fraction, -1.0, 1.0)); }

std::string hex(Rgb color) { return fmt::format("#{:02x}{:02x}{:02x}", color[0], color[1], color[2]); }

}  // namespace carom::report
