#include "heat_map.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <limits>
#include <span>
#include <utility>

#include "carom/core/error.hpp"

#include "map_border.hpp"
#include "math_text.hpp"
#include "palette.hpp"
#include "raster.hpp"
#include "svg_draw.hpp"
#include "ticks.hpp"

namespace carom::report {

namespace {

constexpr std::size_t levels = 128;  // steps of colour: finer ones cannot be told apart
constexpr double tick_font = 13.0, label_font = 15.0, tick_length = 4.0;
constexpr int wanted_ticks = 6;
constexpr double largest = 1e300;  // larger values are treated as missing: their range could overflow

struct Range {
  double low, high;
};

bool shown(double value) { return std::abs(value) <= largest; }

Range value_range(const HeatMap& map) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const double v : map.values) {
    if (!shown(v)) continue;
    low = std::min(low, v);
    high = std::max(high, v);
  }
  if (low > high) return {0.0, 1.0};
  const double size = std::max(std::abs(low), std::abs(high));
  if (high - low > 1e-12 * size && high - low > 1e-300) return {low, high};
  const double half = size > 1e-300 ? 0.1 * size : 1.0;
  return {low - half, low + half};
}

/// Every value is whole: between two counts there is nothing to see.
bool counts(const HeatMap& map) {
  return std::all_of(map.values.begin(), map.values.end(), [](double v) { return !shown(v) || v == std::round(v); });
}

/// Those of the colour bar: of counts at whole numbers only.
Ticks bar_ticks(const HeatMap& map, const Range& range) {
  const double length = std::floor(range.high - range.low);
  const int wanted = counts(map) ? static_cast<int>(std::clamp(length, 1.0, double(wanted_ticks))) : wanted_ticks;
  return linear_ticks(range.low, range.high, wanted);
}

void check_edges(const char* field, const std::vector<double>& edges) {
  if (edges.size() < 2) throw InvalidInput(field, fmt::format("must hold at least 2 edges, got {}", edges.size()));
  for (std::size_t i = 0; i < edges.size(); ++i) {
    if (!std::isfinite(edges[i]) || (i > 0 && !(edges[i] > edges[i - 1]))) {
      throw InvalidInput(fmt::format("{}[{}]", field, i),
                         "must be finite and larger than the one before, got " + number_text(edges[i]));
    }
  }
}

void append_rect(std::string& path, double left, double top, double right, double bottom) {
  path += 'M';
  append_svg_number(path, left);
  path += ' ';
  append_svg_number(path, top);
  path += 'H';
  append_svg_number(path, right);
  path += 'V';
  append_svg_number(path, bottom);
  path += 'H';
  append_svg_number(path, left);
  path += 'Z';
}

/// How values become colours: a map of both signs is centred on zero.
class Coloring {
public:
  explicit Coloring(const HeatMap& map) : range_(value_range(map)) {
    constexpr double least_share = 0.01;  // of the larger side: less is noise about zero, not a sign
    size_ = std::max(std::abs(range_.low), std::abs(range_.high));
    is_signed_ = range_.low < -least_share * size_ && range_.high > least_share * size_;
  }
  const Range& range() const { return range_; }
  bool is_signed() const { return is_signed_; }
  Rgb at(double value) const {
    return is_signed_ ? signed_color(value / size_) : heat_color((value - range_.low) / (range_.high - range_.low));
  }
  double level_value(std::size_t level) const {
    return range_.low + (range_.high - range_.low) * static_cast<double>(level) / (levels - 1);
  }
  std::uint8_t level(double value) const {
    const double share = (value - range_.low) / (range_.high - range_.low);
    return static_cast<std::uint8_t>(std::lround(std::clamp(share, 0.0, 1.0) * (levels - 1)));
  }

private:
  Range range_;
  double size_ = 1.0;
  bool is_signed_ = false;
};

/// Where the cells of one axis lie on the page: pixels, rising with the cells or falling.
std::vector<double> edge_pixels(const std::vector<double>& edges, const Scale& scale) {
  std::vector<double> out;
  for (const double edge : edges) {
    const double pixel = scale(edge);
    out.push_back(std::isnan(pixel) ? scale.pixel_low : pixel);  // 0 on a logarithmic axis lies beyond the frame
  }
  return out;
}

std::vector<double> middles(const std::vector<double>& edges) {
  std::vector<double> out;
  for (std::size_t i = 0; i + 1 < edges.size(); ++i) out.push_back(0.5 * (edges[i] + edges[i + 1]));
  return out;
}

/// The two cells beside a pixel and the share of the second.
struct Place {
  std::size_t first = 0, second = 0;
  double share = 0.0;
  bool outside = false;
};

Place place_of(double pixel, const std::vector<double>& edges, const std::vector<double>& centres, bool blended) {
  const double direction = edges.back() > edges.front() ? 1.0 : -1.0;
  const auto below = [&](const std::vector<double>& values) {
    return static_cast<std::size_t>(
        std::partition_point(values.begin(), values.end(), [&](double v) { return direction * (pixel - v) >= 0.0; }) -
        values.begin());
  };
  const std::size_t edge = below(edges);
  if (edge == 0 || edge == edges.size()) return {0, 0, 0.0, true};
  if (!blended) return {edge - 1, edge - 1};
  const std::size_t next = below(centres);
  if (next == 0) return {0, 0};
  if (next == centres.size()) return {next - 1, next - 1};
  return {next - 1, next, (pixel - centres[next - 1]) / (centres[next] - centres[next - 1])};
}

/// The value between four cells, of those that have one; missing where their share is not above `least`.
double blended_value(const HeatMap& map, const Place& x, const Place& y, double least) {
  const std::size_t columns = map.x_edges.size() - 1;
  double sum = 0.0, known = 0.0;
  for (const auto& [row, row_share] : {std::pair{y.first, 1.0 - y.share}, std::pair{y.second, y.share}})
    for (const auto& [column, share] : {std::pair{x.first, 1.0 - x.share}, std::pair{x.second, x.share}}) {
      const double value = map.values[row * columns + column], weight = row_share * share;
      if (!shown(value)) continue;
      sum += weight * value;
      known += weight;
    }
  return known > least ? sum / known : std::numeric_limits<double>::quiet_NaN();
}

/// The centres of cells, and the ends of the first and the last: beyond the centres colours stay as they are.
std::vector<double> centres_and_ends(const std::vector<double>& edges) {
  std::vector<double> out = middles(edges);
  out.insert(out.begin(), edges.front());
  out.push_back(edges.back());
  return out;
}

/// The value at the crossing of two of these lines.
double value_at(const HeatMap& map, std::size_t row, std::size_t column) {
  const std::size_t columns = map.x_edges.size() - 1, rows = map.y_edges.size() - 1;
  return map
      .values[(std::clamp<std::size_t>(row, 1, rows) - 1) * columns + std::clamp<std::size_t>(column, 1, columns) - 1];
}

/// Where the value passes `level`, between the centres of the cells (marching squares) and on to the frame.
std::string contour_path(const HeatMap& map, double level, const std::vector<double>& x_edges,
                         const std::vector<double>& y_edges, const Box& frame) {
  std::string path;
  const std::vector<double> x = centres_and_ends(x_edges), y = centres_and_ends(y_edges);
  for (std::size_t r = 0; r + 1 < y.size(); ++r)
    for (std::size_t c = 0; c + 1 < x.size(); ++c) {
      const Point corners[] = {{x[c], y[r]}, {x[c + 1], y[r]}, {x[c + 1], y[r + 1]}, {x[c], y[r + 1]}};
      const double values[] = {value_at(map, r, c), value_at(map, r, c + 1), value_at(map, r + 1, c + 1),
                               value_at(map, r + 1, c)};
      if (!std::all_of(std::begin(values), std::end(values), shown)) continue;
      std::vector<Point> crossed;
      for (std::size_t i = 0; i < 4; ++i) {
        const double from = values[i], to = values[(i + 1) % 4];
        if ((from < level) == (to < level)) continue;
        const double share = (level - from) / (to - from);
        const Point a = corners[i], b = corners[(i + 1) % 4];
        crossed.push_back({a.x + share * (b.x - a.x), a.y + share * (b.y - a.y)});
      }
      for (std::size_t i = 0; i + 1 < crossed.size(); i += 2)
        append_segment(path, frame.nearest(crossed[i]), frame.nearest(crossed[i + 1]));
    }
  return path;
}

/// A colour "#rrggbb" as it looks in less light.
std::string lit(Rgb color, double light) {
  const double share = 0.62 + 0.38 * std::clamp(light, 0.0, 1.0);
  for (unsigned char& part : color) part = static_cast<unsigned char>(std::lround(share * part));
  return hex(color);
}

/// The path around the corners; nothing if one is nowhere on paper.
std::string closed_path(std::span<const Point> corners, const Scale& x, const Scale& y) {
  std::string path;
  for (const Point& corner : corners) {
    const double px = x(corner.x), py = y(corner.y);
    if (!std::isfinite(px) || !std::isfinite(py)) return "";
    path += path.empty() ? 'M' : 'L';
    append_svg_number(path, px);
    path += ' ';
    append_svg_number(path, py);
  }
  return path + 'Z';
}

}  // namespace

void check(const HeatMap& map) {
  check_edges("heat_map.x_edges", map.x_edges);
  check_edges("heat_map.y_edges", map.y_edges);
  const std::size_t cells = (map.x_edges.size() - 1) * (map.y_edges.size() - 1);
  if (map.values.size() != cells) {
    throw InvalidInput("heat_map.values",
                       fmt::format("must hold {} values, one per cell, got {}", cells, map.values.size()));
  }
}

void draw_cells(std::string& svg, const HeatMap& map, const Blend& blend, const Scale& x, const Scale& y,
                const Box& frame) {
  const Coloring coloring(map);
  const std::vector<double> x_edges = edge_pixels(map.x_edges, x), y_edges = edge_pixels(map.y_edges, y);
  const std::vector<double> x_centres = middles(x_edges), y_centres = middles(y_edges);
  const bool whole = counts(map);
  // A border between cells that have a value and others is drawn as a curve, over colours that reach beyond it.
  const bool bordered = blend.x && blend.y && !whole && !std::all_of(map.values.begin(), map.values.end(), shown);
  Raster raster;
  raster.width = static_cast<std::size_t>(std::max(1.0, std::round(frame.width())));
  raster.height = static_cast<std::size_t>(std::max(1.0, std::round(frame.height())));
  for (std::size_t level = 0; level < levels; ++level)
    raster.colors.push_back(coloring.at(coloring.level_value(level)));
  std::vector<Place> columns;
  for (std::size_t i = 0; i < raster.width; ++i)
    columns.push_back(place_of(frame.left + frame.width() * (static_cast<double>(i) + 0.5) / double(raster.width),
                               x_edges, x_centres, blend.x && !whole));
  for (std::size_t j = 0; j < raster.height; ++j) {
    const Place row = place_of(frame.top + frame.height() * (static_cast<double>(j) + 0.5) / double(raster.height),
                               y_edges, y_centres, blend.y && !whole);
    for (const Place& column : columns) {
      const double value = row.outside || column.outside ? std::numeric_limits<double>::quiet_NaN()
                                                         : blended_value(map, column, row, bordered ? 0.0 : 0.5);
      raster.pixels.push_back(shown(value) ? coloring.level(value) : static_cast<std::uint8_t>(levels));
    }
  }
  svg += fmt::format("<image x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" preserveAspectRatio=\"none\" href=\"{}\"/>\n",
                     svg_number(frame.left), svg_number(frame.top), svg_number(frame.width()),
                     svg_number(frame.height()), png_data(raster));
  if (bordered) {
    const std::vector<double> across = centres_and_ends(x_edges), up = centres_and_ends(y_edges);
    std::vector<char> known;
    for (std::size_t r = 0; r < up.size(); ++r)
      for (std::size_t c = 0; c < across.size(); ++c) known.push_back(shown(value_at(map, r, c)) ? 1 : 0);
    svg += fmt::format("<path class=\"page\" fill=\"currentColor\" d=\"{}\"/>\n", unknown_part(known, across, up));
  }
  std::string contours;
  for (const double level : map.contours) contours += contour_path(map, level, x_edges, y_edges, frame);
  if (!contours.empty())
    svg += fmt::format("<path class=\"contour\" fill=\"none\" stroke=\"#000000\" stroke-width=\"1.3\" d=\"{}\"/>\n",
                       contours);
}

HeatMap bar_of(const Faces& faces) {
  HeatMap map;
  map.label = faces.label;
  for (const Faces::Triangle& triangle : faces.triangles) map.values.push_back(triangle.value);
  if (faces.low) map.values.push_back(*faces.low);
  if (faces.high) map.values.push_back(*faces.high);
  return map;
}

void draw_faces(std::string& svg, const Faces& faces, const Scale& x, const Scale& y) {
  const Coloring coloring(bar_of(faces));
  constexpr Rgb no_value = {0x99, 0x99, 0x99};
  // Edges in the colour of the text: a dark face on a dark page is seen by them.
  svg +=
      "<g class=\"ink\" stroke=\"currentColor\" stroke-opacity=\"0.35\" stroke-width=\"0.5\" "
      "stroke-linejoin=\"round\">\n";
  for (const Faces::Triangle& triangle : faces.triangles) {
    const std::string path = closed_path(triangle.corners, x, y);
    if (path.empty()) continue;
    const Rgb color = shown(triangle.value) ? coloring.at(triangle.value) : no_value;
    svg += fmt::format("<path fill=\"{}\" d=\"{}\"/>\n", lit(color, triangle.light), path);
  }
  svg += "</g>\n";
}

void draw_polygons(std::string& svg, const std::vector<Polygon>& polygons, const Scale& x, const Scale& y) {
  if (polygons.empty()) return;
  svg += "<g stroke-linejoin=\"round\" stroke-width=\"0.6\">\n";
  for (const Polygon& polygon : polygons) {
    const std::string path = polygon.corners.size() > 2 ? closed_path(polygon.corners, x, y) : "";
    if (path.empty()) continue;
    const std::string fill = lit(rgb_of(polygon.color), polygon.light);
    svg += fmt::format("<path fill=\"{}\" stroke=\"{}\" d=\"{}\"/>\n", fill, polygon.outlined ? "#333333" : fill, path);
  }
  svg += "</g>\n";
}

void draw_color_bar(std::string& svg, const HeatMap& map, const Box& box) {
  const Coloring coloring(map);
  const bool whole = counts(map);
  const Range range = coloring.range();
  svg += "<g shape-rendering=\"crispEdges\">\n";
  for (std::size_t level = 0; level < levels; ++level) {
    const double step = box.height() / levels;
    std::string path;
    const double bottom = box.bottom - static_cast<double>(level) * step;
    append_rect(path, box.left, bottom - step, box.right, bottom);
    const double value = coloring.level_value(level);
    svg += fmt::format("<path fill=\"{}\" d=\"{}\"/>\n", hex(coloring.at(whole ? std::round(value) : value)), path);
  }
  svg += "</g>\n";
  const Scale scale{range.low, range.high, false, box.bottom, box.top};
  const Ticks ticks = bar_ticks(map, range);
  std::string marks, across;
  double widest = 0.0;
  for (const Tick& tick : ticks.major) {
    const double y = scale(tick.value);
    append_segment(marks, {box.right, y}, {box.right + tick_length, y});
    append_text(svg, tick.label, {box.right + tick_length + 4.0, y + 0.36 * tick_font}, tick_font, {});
    widest = std::max(widest, text_width(tick.label, tick_font));
  }
  // The colours of the bar are the same on every page, so the line across it is too.
  std::vector<double> marked = map.contours;
  if (coloring.is_signed()) marked.push_back(0.0);
  for (const double value : marked)
    if (value > range.low && value < range.high)
      append_segment(across, {box.left, scale(value)}, {box.right, scale(value)});
  if (!across.empty())
    svg += fmt::format("<path class=\"contour\" fill=\"none\" stroke=\"#000000\" stroke-width=\"1.3\" d=\"{}\"/>\n",
                       across);
  svg += fmt::format(
      "<g class=\"ink\" stroke=\"currentColor\" fill=\"none\"><path d=\"{}\"/>"
      "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/></g>\n",
      marks, svg_number(box.left), svg_number(box.top), svg_number(box.width()), svg_number(box.height()));
  std::string label = map.label;
  if (!ticks.note.empty()) label += (label.empty() ? "" : "  ") + ticks.note;
  append_text(svg, label, {box.right + tick_length + 8.0 + widest + label_font, 0.5 * (box.top + box.bottom)},
              label_font, {.anchor = Anchor::middle, .upwards = true});
}

double color_bar_width(const HeatMap& map) {
  const Ticks ticks = bar_ticks(map, value_range(map));
  double widest = 0.0;
  for (const Tick& tick : ticks.major) widest = std::max(widest, text_width(tick.label, tick_font));
  return tick_length + 8.0 + widest + (map.label.empty() && ticks.note.empty() ? 0.0 : 1.4 * label_font);
}

}  // namespace carom::report
