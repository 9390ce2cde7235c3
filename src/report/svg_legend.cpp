#include "svg_legend.hpp"

#include <algorithm>

#include "math_text.hpp"
#include "svg_draw.hpp"

namespace carom::report {

namespace {

constexpr double font = 13.5, line_height = 18.0, entry_gap = 4.0;
constexpr double sample_width = 32.0, sample_gap = 9.0, widest_text = 200.0;

}  // namespace

Legend::Legend(const Plot& plot) {
  for (const Line& line : plot.lines) add(line.legend, {{}, line.stroke, std::nullopt, line.stroke.color});
  for (const Curve& curve : plot.curves)
    add(curve.legend, {{}, curve.stroke, std::nullopt, curve.stroke.color, curve.fill});
  for (const Marker& marker : plot.markers) add(marker.legend, {{}, std::nullopt, marker.shape, marker.color});
}

void Legend::add(const std::string& name, Entry entry) {
  if (name.empty()) return;
  // A curve in pieces, or a curve and its markers under one name, make one entry that shows both.
  if (const auto it = std::find(names_.begin(), names_.end(), name); it != names_.end()) {
    Entry& known = entries_[static_cast<std::size_t>(it - names_.begin())];
    if (known.color == entry.color) {
      if (!known.stroke) known.stroke = entry.stroke;
      if (!known.shape) known.shape = entry.shape;
      return;
    }
  }
  entry.lines = wrap_markup(name, font, widest_text);
  for (const std::string& line : entry.lines) {
    width_ = std::max(width_, sample_width + sample_gap + text_width(line, font));
  }
  height_ += line_height * static_cast<double>(entry.lines.size()) + (entries_.empty() ? 0.0 : entry_gap);
  names_.push_back(name);
  entries_.push_back(std::move(entry));
}

void Legend::draw(std::string& svg, double left, double top) const {
  double y = top;
  for (const Entry& entry : entries_) {
    const double middle = y + 0.5 * line_height;
    if (entry.fill > 0.0) {
      const double half = 0.3 * line_height, right = left + sample_width;
      append_area(svg, {{left, middle - half}, {right, middle - half}, {right, middle + half}, {left, middle + half}},
                  *entry.stroke, entry.fill);
    }
    if (entry.stroke) append_stroke(svg, {{{left, middle}, {left + sample_width, middle}}}, *entry.stroke, false);
    if (entry.shape) append_marker(svg, {left + 0.5 * sample_width, middle}, *entry.shape, entry.color);
    for (const std::string& line : entry.lines) {
      append_text(svg, line, {left + sample_width + sample_gap, y + 0.5 * line_height + 0.35 * font}, font, {});
      y += line_height;
    }
    y += entry_gap;
  }
}

}  // namespace carom::report
