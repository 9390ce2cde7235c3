#include "plot_range.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace carom::report {

namespace {

constexpr double margin = 0.06;                   // of the range, on either side of curves and markers
constexpr double largest = 1e300;                 // beyond, a range's length could overflow
constexpr double smallest_relative_span = 1e-12;  // below, ticks would drown in rounding
constexpr double frame_width = 520.0, frame_height = 360.0, shortest_side = 150.0;
constexpr double narrowest_row = 17.0, widest_row = 40.0, tallest = 1200.0;  // of categories, and of their frame
constexpr double square_side = 460.0;  // longest side of a frame with equal scales

bool usable(double value, bool logarithmic) {
  return std::abs(value) <= largest && (!logarithmic || value >= 1.0 / largest);
}

struct Extent {
  double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();
  bool empty() const { return low > high; }
  void add(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

/// Everything is measured on the axis: plain values, or their logarithms.
double on_axis(double value, bool logarithmic) { return logarithmic ? std::log10(value) : value; }
double off_axis(double place, bool logarithmic) { return logarithmic ? std::pow(10.0, place) : place; }

/// The range around data and cells, in axis places. Cells end at the frame unless something is drawn beyond them.
Extent padded(const Extent& data, const Extent& cells, bool logarithmic) {
  if (data.empty()) return cells.empty() ? Extent{0.0, 1.0} : cells;
  const double size = std::max(std::abs(data.low), std::abs(data.high));
  const double span = data.high - data.low;
  Extent range;
  if (span <= smallest_relative_span * size || span < 1.0 / largest) {
    const double half = logarithmic ? 0.5 : size > 1.0 / largest ? 0.1 * size : 1.0;
    const double middle = 0.5 * (data.low + data.high);
    range = {middle - half, middle + half};
  } else {
    range = {data.low - margin * span, data.high + margin * span};
  }
  if (cells.empty()) return range;
  return {data.low >= cells.low ? cells.low : range.low, data.high <= cells.high ? cells.high : range.high};
}

Extent range_of(const Plot& plot, const Axis& axis, double Point::*coordinate, std::vector<double> HeatMap::*edges) {
  if (!axis.categories.empty()) return {0.5, static_cast<double>(axis.categories.size()) + 0.5};
  const bool logarithmic = axis.logarithmic;
  Extent data, cells;
  const auto add = [&](Extent& extent, double value) {
    if (usable(value, logarithmic)) extent.add(on_axis(value, logarithmic));
  };
  for (const Curve& curve : plot.curves) {
    for (const Point& point : curve.points) {
      if (std::isfinite(point.x) && std::isfinite(point.y)) add(data, point.*coordinate);
    }
  }
  for (const Marker& marker : plot.markers) {
    if (std::isfinite(marker.at.x) && std::isfinite(marker.at.y)) add(data, marker.at.*coordinate);
  }
  if (plot.heat_map) {
    for (const double edge : (*plot.heat_map).*edges) add(cells, edge);
  }
  if (plot.faces) {
    for (const Faces::Triangle& triangle : plot.faces->triangles)
      for (const Point& corner : triangle.corners)
        if (std::isfinite(corner.x) && std::isfinite(corner.y)) add(data, corner.*coordinate);
  }
  for (const Polygon& polygon : plot.polygons)
    for (const Point& corner : polygon.corners)
      if (std::isfinite(corner.x) && std::isfinite(corner.y)) add(data, corner.*coordinate);
  if (data.empty() && cells.empty()) {
    for (const Line& line : plot.lines) add(data, line.through.*coordinate);
  }
  Extent range = padded(data, cells, logarithmic);

  const auto asked = [&](const std::optional<double>& limit) { return limit && usable(*limit, logarithmic); };
  if (asked(axis.low)) range.low = on_axis(*axis.low, logarithmic);
  if (asked(axis.high)) range.high = on_axis(*axis.high, logarithmic);
  if (asked(axis.low) && asked(axis.high) && range.low > range.high) std::swap(range.low, range.high);
  const double size = std::max(std::abs(range.low), std::abs(range.high));
  const double least = std::max({smallest_relative_span * size, logarithmic ? 1e-6 : 0.0, 1.0 / largest});
  if (!(range.high - range.low >= least)) {
    // One asked-for end lies beyond the data, or both are equal: keep what was asked for and open the other side.
    const double open = logarithmic ? 1.0 : size > 1.0 / largest ? 0.1 * size : 1.0;
    if (asked(axis.low) && !asked(axis.high)) {
      range.high = range.low + open;
    } else if (asked(axis.high) && !asked(axis.low)) {
      range.low = range.high - open;
    } else {
      range = {range.low - open, range.low + open};
    }
  }
  if (logarithmic) range = {std::max(range.low, -300.0), std::min(range.high, 300.0)};
  return range;
}

/// One unit of x as long as one unit of y: the frame takes the shape of the ranges, within reason; beyond, the
/// shorter range is widened.
void make_equal(Extent& x, Extent& y, Frame& frame) {
  double wide = x.high - x.low, high = y.high - y.low;
  const double scale = square_side / std::max(wide, high);
  const auto widened = [&](Extent& range, double& length) {
    const double least = shortest_side * 2.0 / scale;
    if (length < least) {
      const double by = 0.5 * (least - length);
      range = {range.low - by, range.high + by};
      length = least;
    }
  };
  widened(x, wide);
  widened(y, high);
  frame.width = wide * scale;
  frame.height = high * scale;
}

}  // namespace

double Scale::operator()(double value) const {
  if (!usable(value, logarithmic)) return std::numeric_limits<double>::quiet_NaN();
  const double from = on_axis(low, logarithmic), to = on_axis(high, logarithmic);
  return pixel_low + (on_axis(value, logarithmic) - from) / (to - from) * (pixel_high - pixel_low);
}

Frame choose_frame(const Plot& plot) {
  Extent x = range_of(plot, plot.x, &Point::x, &HeatMap::x_edges);
  Extent y = range_of(plot, plot.y, &Point::y, &HeatMap::y_edges);
  Frame frame;
  frame.width = frame_width;
  frame.height = frame_height;
  // Names below one another: each needs a line, and a few do not need a tall frame.
  if (const auto rows = static_cast<double>(plot.y.categories.size()); rows > 0.0)
    frame.height =
        std::clamp(widest_row * rows, shortest_side, std::clamp(narrowest_row * rows, frame_height, tallest));
  if (plot.equal_scale && !plot.x.logarithmic && !plot.y.logarithmic) make_equal(x, y, frame);
  const auto scale = [](const Extent& range, bool logarithmic) {
    return Scale{off_axis(range.low, logarithmic), off_axis(range.high, logarithmic), logarithmic, 0.0, 1.0};
  };
  frame.x = scale(x, plot.x.logarithmic);
  frame.y = scale(y, plot.y.logarithmic);
  frame.x.pixel_high = frame.width;
  frame.y.pixel_low = frame.height;
  frame.y.pixel_high = 0.0;
  return frame;
}

}  // namespace carom::report
