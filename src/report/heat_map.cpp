#include "heat_map.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include "carom/core/error.hpp"

#include "math_text.hpp"
#include "palette.hpp"
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

std::string level_color(std::size_t level) { return heat_color(static_cast<double>(level) / (levels - 1)); }

/// A colour "#rrggbb" as it looks in less light.
std::string lit(const std::string& color, double light) {
  const double share = 0.62 + 0.38 * std::clamp(light, 0.0, 1.0);
  std::string out = "#";
  for (const std::size_t at : {1U, 3U, 5U})
    out += fmt::format("{:02x}", std::lround(share * std::stoi(color.substr(at, 2), nullptr, 16)));
  return out;
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

void draw_cells(std::string& svg, const HeatMap& map, const Scale& x, const Scale& y, const Box& frame) {
  const Range range = value_range(map);
  const std::size_t columns = map.x_edges.size() - 1, rows = map.y_edges.size() - 1;
  const std::size_t none = levels;
  const auto level_of = [&](double v) {
    if (!shown(v)) return none;
    return static_cast<std::size_t>(std::lround((v - range.low) / (range.high - range.low) * (levels - 1)));
  };
  // An edge the axis cannot show (0 on a logarithmic one) lies beyond the frame.
  const auto place = [](double pixel, double beyond) { return std::isnan(pixel) ? beyond : pixel; };
  std::array<std::string, levels> paths;
  for (std::size_t r = 0; r < rows; ++r) {
    const double bottom = std::min(place(y(map.y_edges[r]), frame.bottom), frame.bottom);
    const double top = std::max(place(y(map.y_edges[r + 1]), frame.bottom), frame.top);
    if (!(top < bottom)) continue;
    for (std::size_t c = 0; c < columns;) {
      const std::size_t level = level_of(map.values[r * columns + c]);
      std::size_t end = c + 1;  // equal neighbours make one rectangle
      while (end < columns && level_of(map.values[r * columns + end]) == level) ++end;
      if (level != none) {
        const double left = std::max(place(x(map.x_edges[c]), frame.left), frame.left);
        const double right = std::min(place(x(map.x_edges[end]), frame.left), frame.right);
        if (left < right) append_rect(paths[level], left, top, right, bottom);
      }
      c = end;
    }
  }
  svg += "<g shape-rendering=\"crispEdges\">\n";
  for (std::size_t level = 0; level < levels; ++level) {
    if (!paths[level].empty()) svg += fmt::format("<path fill=\"{}\" d=\"{}\"/>\n", level_color(level), paths[level]);
  }
  svg += "</g>\n";
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
  const Range range = value_range(bar_of(faces));
  svg += "<g stroke=\"#000\" stroke-opacity=\"0.35\" stroke-width=\"0.5\" stroke-linejoin=\"round\">\n";
  for (const Faces::Triangle& triangle : faces.triangles) {
    std::string path;
    bool drawn = true;
    for (const Point& corner : triangle.corners) {
      const double px = x(corner.x), py = y(corner.y);
      drawn = drawn && std::isfinite(px) && std::isfinite(py);
      path += path.empty() ? 'M' : 'L';
      append_svg_number(path, px);
      path += ' ';
      append_svg_number(path, py);
    }
    if (!drawn) continue;
    const double fraction = (triangle.value - range.low) / (range.high - range.low);
    const std::string color = shown(triangle.value) ? heat_color(fraction) : std::string("#999999");
    svg += fmt::format("<path fill=\"{}\" d=\"{}Z\"/>\n", lit(color, triangle.light), path);
  }
  svg += "</g>\n";
}

void draw_color_bar(std::string& svg, const HeatMap& map, const Box& box) {
  const Range range = value_range(map);
  svg += "<g shape-rendering=\"crispEdges\">\n";
  for (std::size_t level = 0; level < levels; ++level) {
    const double step = box.height() / levels;
    std::string path;
    const double bottom = box.bottom - static_cast<double>(level) * step;
    append_rect(path, box.left, bottom - step, box.right, bottom);
    svg += fmt::format("<path fill=\"{}\" d=\"{}\"/>\n", level_color(level), path);
  }
  svg += "</g>\n";
  const Scale scale{range.low, range.high, false, box.bottom, box.top};
  const Ticks ticks = linear_ticks(range.low, range.high, wanted_ticks);
  std::string marks;
  double widest = 0.0;
  for (const Tick& tick : ticks.major) {
    const double y = scale(tick.value);
    append_segment(marks, {box.right, y}, {box.right + tick_length, y});
    append_text(svg, tick.label, {box.right + tick_length + 4.0, y + 0.36 * tick_font}, tick_font, {});
    widest = std::max(widest, text_width(tick.label, tick_font));
  }
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
  const Range range = value_range(map);
  const Ticks ticks = linear_ticks(range.low, range.high, wanted_ticks);
  double widest = 0.0;
  for (const Tick& tick : ticks.major) widest = std::max(widest, text_width(tick.label, tick_font));
  return tick_length + 8.0 + widest + (map.label.empty() && ticks.note.empty() ? 0.0 : 1.4 * label_font);
}

}  // namespace carom::report
