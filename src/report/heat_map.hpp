// How are a grid of values and a coloured surface drawn?
// As a picture or as faces coloured from one perceptually uniform map (a grid blended between its cells), with a bar
// that says which colour is which value.
#pragma once

#include <string>

#include "carom/report/plot.hpp"

#include "geometry.hpp"
#include "plot_range.hpp"

namespace carom::report {

/// @throws InvalidInput if the edges are not finite and increasing or the values do not fill the cells
void check(const HeatMap& map);

/// Along which axes neighbouring cells run into one another.
struct Blend {
  bool x = true, y = true;
};

void draw_cells(std::string& svg, const HeatMap& map, const Blend& blend, const Scale& x, const Scale& y,
                const Box& frame);

/// The faces, back to front, with thin dark edges.
void draw_faces(std::string& svg, const Faces& faces, const Scale& x, const Scale& y);

/// Polygons, back to front.
void draw_polygons(std::string& svg, const std::vector<Polygon>& polygons, const Scale& x, const Scale& y);

/// What a colour bar says of faces: their values, as of a map.
HeatMap bar_of(const Faces& faces);

/// The bar in `box`, its ticks and label to the right of it.
void draw_color_bar(std::string& svg, const HeatMap& map, const Box& box);

/// What ticks and label of the bar need to its right [px].
double color_bar_width(const HeatMap& map);

}  // namespace carom::report
