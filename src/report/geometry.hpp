// What part of a figure lies inside its frame?
// Boxes, and the clipping of lines and polylines to them, all in pixels with y downwards.
#pragma once

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "carom/report/plot.hpp"

namespace carom::report {

struct Box {
  double left = 0.0, top = 0.0, right = 0.0, bottom = 0.0;

  double width() const { return right - left; }
  double height() const { return bottom - top; }
  bool contains(Point p) const { return p.x >= left && p.x <= right && p.y >= top && p.y <= bottom; }
  Point nearest(Point p) const { return {std::clamp(p.x, left, right), std::clamp(p.y, top, bottom)}; }
  Box grown(double by) const { return {left - by, top - by, right + by, bottom + by}; }
};

double overlap_area(const Box& a, const Box& b);

/// The part of start + t * along, from <= t <= to, inside the box, as the range of t; nothing if it misses.
std::optional<std::pair<double, double>> clip_line(Point start, Point along, double from, double to, const Box& box);

using Polyline = std::vector<Point>;

/// The pieces of a polyline inside the box; a point that is not finite ends a piece. Points that move the drawn line
/// by less than what can be seen are left out.
std::vector<Polyline> clip_polyline(const Polyline& points, const Box& box);

/// The corners of the part of a polygon inside the box; none if they miss each other. Points that are not finite are
/// left out.
Polyline clip_polygon(const Polyline& points, const Box& box);

}  // namespace carom::report
