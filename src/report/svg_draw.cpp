#include "svg_draw.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "math_text.hpp"
#include "palette.hpp"

namespace carom::report {

namespace {

void append_point(std::string& path, char command, Point p) {
  path += command;
  append_svg_number(path, p.x);
  path += ' ';
  append_svg_number(path, p.y);
}

double usable_width(double width) { return std::isfinite(width) ? std::clamp(width, 0.1, 20.0) : 1.5; }

std::string dashes(const Stroke& stroke) {
  const double w = std::max(usable_width(stroke.width), 1.0);
  switch (stroke.dash) {
    case Dash::solid:
      return "";
    case Dash::dashed:
      return fmt::format(" stroke-dasharray=\"{} {}\"", svg_number(5.0 * w), svg_number(3.0 * w));
    case Dash::dotted:
      return fmt::format(" stroke-dasharray=\"{} {}\" stroke-linecap=\"round\"", svg_number(0.1), svg_number(2.4 * w));
    case Dash::dash_dot:
      return fmt::format(" stroke-dasharray=\"{} {} {} {}\"", svg_number(6.0 * w), svg_number(2.5 * w),
                         svg_number(1.2 * w), svg_number(2.5 * w));
  }
  return "";
}

std::string polygon(std::initializer_list<Point> points) {
  std::string path;
  for (const Point& p : points) append_point(path, path.empty() ? 'M' : 'L', p);
  return path + 'Z';
}

}  // namespace

void append_text(std::string& svg, std::string_view markup, Point at, double font_size, const TextLook& look) {
  const auto runs = parse_markup(markup);
  if (runs.empty()) return;
  svg += fmt::format("<text xml:space=\"preserve\" class=\"{}{}\" font-size=\"{}\"", color_class(look.color),
                     look.halo ? " halo" : "", svg_number(font_size));
  if (look.anchor != Anchor::start)
    svg += look.anchor == Anchor::middle ? " text-anchor=\"middle\"" : " text-anchor=\"end\"";
  if (look.bold) svg += " font-weight=\"600\"";
  if (look.upwards) {
    svg += fmt::format(" transform=\"translate({} {}) rotate(-90)\"", svg_number(at.x), svg_number(at.y));
  } else {
    svg += fmt::format(" x=\"{}\" y=\"{}\"", svg_number(at.x), svg_number(at.y));
  }
  svg += fmt::format(">{}</text>\n", svg_tspans(runs, font_size));
}

void append_segment(std::string& path, Point from, Point to) {
  append_point(path, 'M', from);
  append_point(path, 'L', to);
}

void append_stroke(std::string& svg, const std::vector<Polyline>& pieces, const Stroke& stroke, bool closed) {
  std::string path;
  for (const Polyline& piece : pieces) {
    for (std::size_t i = 0; i < piece.size(); ++i) append_point(path, i == 0 ? 'M' : 'L', piece[i]);
    if (closed) path += 'Z';
  }
  if (path.empty() || stroke.width == 0.0) return;
  svg += fmt::format(
      "<path class=\"{}\" fill=\"none\" stroke=\"currentColor\" stroke-width=\"{}\" stroke-linejoin=\"round\"{} "
      "d=\"{}\"/>\n",
      color_class(stroke.color), svg_number(usable_width(stroke.width)), dashes(stroke), path);
}

void append_area(std::string& svg, const Polyline& corners, const Stroke& stroke, double density) {
  if (corners.size() < 3) return;
  std::string path;
  for (const Point& p : corners) append_point(path, path.empty() ? 'M' : 'L', p);
  svg += fmt::format("<path class=\"{}\" fill=\"currentColor\" fill-opacity=\"{}\" d=\"{}Z\"/>\n",
                     color_class(stroke.color), svg_number(std::clamp(density, 0.0, 1.0)), path);
}

void append_arrow_head(std::string& svg, const Polyline& line, const Stroke& stroke) {
  if (line.size() < 2) return;
  constexpr double longest_head = 0.6;  // of the arrow: a short one must still show where it points
  double drawn = 0.0;
  for (std::size_t i = 1; i < line.size(); ++i)
    drawn += std::hypot(line[i].x - line[i - 1].x, line[i].y - line[i - 1].y);
  const double size = std::min(5.0 + 2.5 * usable_width(stroke.width), longest_head * drawn);
  const Point tip = line.back();
  // The direction over the arrow's own length: the last few points alone may turn anywhere.
  Point back = line.front();
  for (std::size_t i = line.size() - 1; i-- > 0;) {
    if (std::hypot(line[i].x - tip.x, line[i].y - tip.y) >= size) {
      back = line[i];
      break;
    }
  }
  const double length = std::hypot(tip.x - back.x, tip.y - back.y);
  if (length == 0.0) return;
  const Point u{(tip.x - back.x) / length, (tip.y - back.y) / length};
  const double half = 0.38 * size;
  const Point base{tip.x - size * u.x, tip.y - size * u.y}, notch{tip.x - 0.75 * size * u.x, tip.y - 0.75 * size * u.y};
  svg += fmt::format(
      "<path class=\"{}\" fill=\"currentColor\" d=\"{}\"/>\n", color_class(stroke.color),
      polygon({tip, {base.x - half * u.y, base.y + half * u.x}, notch, {base.x + half * u.y, base.y - half * u.x}}));
}

void append_marker(std::string& svg, Point at, MarkerShape shape, Color color, double scale) {
  const double r = scale * marker_radius;
  const std::string name(color_class(color));
  // The page-coloured edge (halo) keeps a filled marker apart from the line it sits on.
  const auto filled = [&](const std::string& path) {
    svg += "<path class=\"page\" fill=\"none\" stroke=\"currentColor\" stroke-width=\"2.4\" d=\"" + path + "\"/>";
    svg += "<path class=\"" + name + "\" fill=\"currentColor\" d=\"" + path + "\"/>\n";
  };
  const auto circle = [&](const char* group, double radius, const char* paint) {
    svg += fmt::format("<circle class=\"{}\" cx=\"{}\" cy=\"{}\" r=\"{}\" {}/>", group, svg_number(at.x),
                       svg_number(at.y), svg_number(radius), paint);
  };
  switch (shape) {
    case MarkerShape::none:
      break;
    case MarkerShape::dot:
      circle(name.c_str(), dot_radius, "fill=\"currentColor\"");
      svg += '\n';
      break;
    case MarkerShape::circle:
      circle("page", r + 1.2, "fill=\"currentColor\"");
      circle(name.c_str(), r, "fill=\"currentColor\"");
      svg += '\n';
      break;
    case MarkerShape::ring:
      circle("page", r + 1.2, "fill=\"currentColor\"");
      circle(name.c_str(), r - 0.8, "fill=\"none\" stroke=\"currentColor\" stroke-width=\"1.8\"");
      svg += '\n';
      break;
    case MarkerShape::square: {
      const double s = 0.88 * r;
      filled(polygon({{at.x - s, at.y - s}, {at.x + s, at.y - s}, {at.x + s, at.y + s}, {at.x - s, at.y + s}}));
      break;
    }
    case MarkerShape::diamond: {
      const double s = 1.22 * r;
      filled(polygon({{at.x, at.y - s}, {at.x + s, at.y}, {at.x, at.y + s}, {at.x - s, at.y}}));
      break;
    }
    case MarkerShape::triangle: {
      const double s = 1.2 * r;
      filled(polygon({{at.x, at.y - s}, {at.x + 0.95 * s, at.y + 0.7 * s}, {at.x - 0.95 * s, at.y + 0.7 * s}}));
      break;
    }
    case MarkerShape::cross: {
      const double s = 0.9 * r;
      std::string path;
      append_segment(path, {at.x - s, at.y - s}, {at.x + s, at.y + s});
      append_segment(path, {at.x - s, at.y + s}, {at.x + s, at.y - s});
      svg += "<path class=\"page\" fill=\"none\" stroke=\"currentColor\" stroke-width=\"4.4\" d=\"" + path + "\"/>";
      svg += "<path class=\"" + name + "\" fill=\"none\" stroke=\"currentColor\" stroke-width=\"2\" d=\"" + path +
             "\"/>\n";
      break;
    }
  }
}

void append_leader(std::string& svg, Point marker, const Box& label) {
  const Point to{std::clamp(marker.x, label.left, label.right), std::clamp(marker.y, label.top, label.bottom)};
  const double length = std::hypot(to.x - marker.x, to.y - marker.y);
  if (length <= marker_radius) return;
  const double start = (marker_radius + 1.0) / length;
  std::string path;
  append_segment(path, {marker.x + start * (to.x - marker.x), marker.y + start * (to.y - marker.y)}, to);
  svg += "<path class=\"muted\" fill=\"none\" stroke=\"currentColor\" stroke-width=\"0.8\" d=\"" + path + "\"/>\n";
}

}  // namespace carom::report
