// How are strokes, markers and text written as SVG elements?
// Each function appends one element to `svg`; coordinates are pixels of the page.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "carom/report/plot.hpp"

#include "geometry.hpp"
#include "svg_number.hpp"

namespace carom::report {

constexpr double marker_radius = 4.5, dot_radius = 1.8;  // [px]

enum class Anchor { start, middle, end };

struct TextLook {
  Color color = Color::ink;
  Anchor anchor = Anchor::start;
  bool bold = false;
  bool halo = false;     ///< page-coloured edge, to be read on top of lines
  bool upwards = false;  ///< turned by a quarter, reading from below
};

/// Text with math markup, its baseline at `at`. Nothing for empty text.
void append_text(std::string& svg, std::string_view markup, Point at, double font_size, const TextLook& look);

/// Adds a straight line to the data of a <path>.
void append_segment(std::string& path, Point from, Point to);

void append_stroke(std::string& svg, const std::vector<Polyline>& pieces, const Stroke& stroke, bool closed);
/// A polygon in the stroke's colour; `density` from 0 to 1 is its opacity.
void append_area(std::string& svg, const Polyline& corners, const Stroke& stroke, double density);
void append_arrow_head(std::string& svg, const Polyline& line, const Stroke& stroke);
void append_marker(std::string& svg, Point at, MarkerShape shape, Color color, double scale = 1.0);

/// A thin line from a marker to the nearest edge of its label.
void append_leader(std::string& svg, Point marker, const Box& label);

}  // namespace carom::report
