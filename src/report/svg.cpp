#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <utility>

#include "carom/core/utf8.hpp"
#include "carom/report/writers.hpp"

#include "geometry.hpp"
#include "heat_map.hpp"
#include "label_placement.hpp"
#include "math_text.hpp"
#include "palette.hpp"
#include "plot_range.hpp"
#include "svg_draw.hpp"
#include "svg_legend.hpp"
#include "ticks.hpp"

namespace carom::report {

namespace {

constexpr double tick_font = 13.0, axis_font = 15.0, label_font = 14.0, title_font = 16.0, caption_font = 13.0;
constexpr double tick_length = 5.0, minor_tick_length = 3.0;
constexpr double border = 14.0;  // between the drawing and the edge of the page
constexpr double wanted_tick_spacing_x = 85.0, wanted_tick_spacing_y = 55.0;

/// A label of a line or marker, ready to draw.
struct PlacedLabel {
  std::string markup;
  Color color;
  Box box;
  Anchor anchor;                ///< towards what it names: the box may be wider than the text in the reader's font
  std::optional<Point> leader;  ///< the marker it belongs to, when it had to move away from it
};

class Figure {
public:
  Figure(const Plot& plot, const SvgOptions& options) : plot_(plot), options_(options), frame_(choose_frame(plot)) {
    if (!plot_.bare) {
      x_ticks_ = ticks_of(plot_.x, frame_.x, frame_.width, wanted_tick_spacing_x, true);
      y_ticks_ = ticks_of(plot_.y, frame_.y, frame_.height, wanted_tick_spacing_y, false);
    }
    if (plot_.heat_map) check(*plot_.heat_map);
    if (plot_.heat_map)
      bar_ = plot_.heat_map;
    else if (plot_.faces && !plot_.faces->triangles.empty())
      bar_ = bar_of(*plot_.faces);
    lay_out();
  }

  std::string text() {
    draw_ground();
    if (plot_.heat_map) draw_cells(svg_, *plot_.heat_map, {blends(plot_.x), blends(plot_.y)}, frame_.x, frame_.y, box_);
    if (plot_.faces) draw_faces(svg_, *plot_.faces, frame_.x, frame_.y);
    draw_polygons(svg_, plot_.polygons, frame_.x, frame_.y);
    draw_areas();
    draw_axes();
    draw_lines();
    draw_curves();
    draw_markers();
    place_and_draw_labels();
    if (bar_) {
      draw_color_bar(svg_, *bar_, {box_.right + 18.0, box_.top, box_.right + 34.0, box_.bottom});
    }
    legend_.draw(svg_, legend_left_, box_.top);
    draw_words();
    return document();
  }

private:
  static bool blends(const Axis& axis) { return !axis.whole && axis.categories.empty(); }

  /// The names of an axis of categories; where there is no room, every second one, every third...
  static Ticks named_ticks(const Axis& axis, double each, bool across) {
    constexpr double air = 8.0;  // px between two names side by side
    double needed = 1.1 * tick_font;
    if (across) {
      needed = 0.0;
      for (const std::string& name : axis.categories) needed = std::max(needed, text_width(name, tick_font) + air);
    }
    const auto stride = static_cast<std::size_t>(std::max(1.0, std::ceil(needed / each - 1e-9)));
    Ticks ticks;
    for (std::size_t i = 0; i < axis.categories.size(); i += stride)
      ticks.major.push_back({static_cast<double>(i + 1), axis.categories[i]});
    return ticks;
  }

  static Ticks ticks_of(const Axis& axis, const Scale& scale, double length, double spacing, bool across) {
    if (!axis.categories.empty())
      return named_ticks(axis, length / static_cast<double>(axis.categories.size()), across);
    const double wanted = length / spacing;
    int count = std::max(3, static_cast<int>(wanted));
    // No more ticks than the range is long: then their step is at least one.
    if (axis.whole) count = static_cast<int>(std::clamp(std::floor(scale.high - scale.low), 1.0, double(count)));
    return scale.logarithmic ? logarithmic_ticks(scale.low, scale.high, count)
                             : linear_ticks(scale.low, scale.high, count);
  }

  void lay_out() {
    double y_label_width = 0.0;
    for (const Tick& tick : y_ticks_.major) y_label_width = std::max(y_label_width, text_width(tick.label, tick_font));
    const double left =
        border + (plot_.y.label.empty() ? 0.0 : 1.4 * axis_font + 4.0) + y_label_width + tick_length + 5.0;
    const double bar = bar_ ? 34.0 + color_bar_width(*bar_) : 0.0;
    legend_ = Legend(plot_);
    legend_left_ = left + frame_.width + bar + 22.0;
    double last_label = x_ticks_.major.empty() ? 0.0 : 0.5 * text_width(x_ticks_.major.back().label, tick_font);
    last_label = std::max(0.0, last_label - 4.0);
    width_ =
        (legend_.empty() ? left + frame_.width + std::max(bar, last_label) : legend_left_ + legend_.width()) + border;

    if (options_.title) {
      for (const std::string& text : headings())
        title_.push_back(wrap_markup(text, 1.06 * title_font, width_ - 2.0 * border));
    }
    std::size_t title_lines = 0;
    for (const auto& lines : title_) title_lines += lines.size();
    if (options_.caption) caption_ = wrap_markup(plot_.caption, caption_font, width_ - 2.0 * border);
    const bool y_note = !y_ticks_.note.empty();
    const double top = border + 1.35 * title_font * static_cast<double>(title_lines) + (title_lines == 0 ? 0.0 : 9.0) +
                       (y_note ? 1.5 * tick_font : 0.0);
    const double below =
        tick_length + 1.4 * tick_font + (plot_.x.label.empty() && x_ticks_.note.empty() ? 0.0 : 1.7 * axis_font);
    box_ = {left, top, left + frame_.width, top + frame_.height};
    drawn_bottom_ = std::max(box_.bottom + below, top + legend_.height());
    height_ = drawn_bottom_ +
              (caption_.empty() ? 0.0 : 10.0 + 1.4 * caption_font * static_cast<double>(caption_.size())) + border;
    width_ = std::ceil(width_);
    height_ = std::ceil(height_);
    frame_.x.pixel_low += left;
    frame_.x.pixel_high += left;
    frame_.y.pixel_low += top;
    frame_.y.pixel_high += top;
  }

  /// What the plot belongs to, and what it shows.
  std::vector<std::string> headings() const {
    std::vector<std::string> all;
    for (const std::string& text : {options_.heading, plot_.title})
      if (!text.empty() && (all.empty() || all.front() != text)) all.push_back(text);
    return all;
  }

  Point pixel(Point p) const { return {frame_.x(p.x), frame_.y(p.y)}; }

  void draw_ground() {
    svg_ += fmt::format("<rect class=\"page\" width=\"{}\" height=\"{}\" fill=\"currentColor\"/>\n", svg_number(width_),
                        svg_number(height_));
    if (plot_.heat_map || plot_.bare) return;  // a grid would hide cells
    std::string minor, major;
    for (const double x : x_ticks_.minor) append_segment(minor, {frame_.x(x), box_.top}, {frame_.x(x), box_.bottom});
    for (const double y : y_ticks_.minor) append_segment(minor, {box_.left, frame_.y(y)}, {box_.right, frame_.y(y)});
    for (const Tick& t : x_ticks_.major) {
      append_segment(major, {frame_.x(t.value), box_.top}, {frame_.x(t.value), box_.bottom});
    }
    for (const Tick& t : y_ticks_.major) {
      append_segment(major, {box_.left, frame_.y(t.value)}, {box_.right, frame_.y(t.value)});
    }
    if (!minor.empty()) {
      svg_ += "<path class=\"grid\" stroke=\"currentColor\" stroke-width=\"0.5\" fill=\"none\" d=\"" + minor + "\"/>\n";
    }
    svg_ += "<path class=\"grid\" stroke=\"currentColor\" fill=\"none\" d=\"" + major + "\"/>\n";
  }

  void draw_axes() {
    if (plot_.bare) return;
    if (plot_.axes_at_zero) {
      std::string axes;
      if (!frame_.y.logarithmic && frame_.y.low < 0.0 && frame_.y.high > 0.0) {
        append_segment(axes, {box_.left, frame_.y(0.0)}, {box_.right, frame_.y(0.0)});
      }
      if (!frame_.x.logarithmic && frame_.x.low < 0.0 && frame_.x.high > 0.0) {
        append_segment(axes, {frame_.x(0.0), box_.top}, {frame_.x(0.0), box_.bottom});
      }
      if (!axes.empty()) {
        svg_ +=
            "<path class=\"muted\" stroke=\"currentColor\" stroke-width=\"1.1\" fill=\"none\" d=\"" + axes + "\"/>\n";
      }
    }
    std::string ticks;
    for (const Tick& t : x_ticks_.major) {
      append_segment(ticks, {frame_.x(t.value), box_.bottom}, {frame_.x(t.value), box_.bottom + tick_length});
    }
    for (const double x : x_ticks_.minor) {
      append_segment(ticks, {frame_.x(x), box_.bottom}, {frame_.x(x), box_.bottom + minor_tick_length});
    }
    for (const Tick& t : y_ticks_.major) {
      append_segment(ticks, {box_.left - tick_length, frame_.y(t.value)}, {box_.left, frame_.y(t.value)});
    }
    for (const double y : y_ticks_.minor) {
      append_segment(ticks, {box_.left - minor_tick_length, frame_.y(y)}, {box_.left, frame_.y(y)});
    }
    svg_ += fmt::format(
        "<g class=\"ink\" stroke=\"currentColor\" fill=\"none\"><path d=\"{}\"/>"
        "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/></g>\n",
        ticks, svg_number(box_.left), svg_number(box_.top), svg_number(box_.width()), svg_number(box_.height()));
    for (const Tick& t : x_ticks_.major) {
      append_text(svg_, t.label, {frame_.x(t.value), box_.bottom + tick_length + 1.05 * tick_font}, tick_font,
                  {.anchor = Anchor::middle});
    }
    for (const Tick& t : y_ticks_.major) {
      append_text(svg_, t.label, {box_.left - tick_length - 4.0, frame_.y(t.value) + 0.36 * tick_font}, tick_font,
                  {.anchor = Anchor::end});
    }
  }

  void draw_lines() {
    for (const Line& line : plot_.lines) {
      const Point start = pixel(line.through);
      // One unit (or decade) of each axis in pixels, from the ends of the frame.
      const auto per_unit = [](const Scale& s) {
        return (s.pixel_high - s.pixel_low) / (s.logarithmic ? std::log10(s.high / s.low) : s.high - s.low);
      };
      Point along{line.direction.x * per_unit(frame_.x), line.direction.y * per_unit(frame_.y)};
      const double length = std::hypot(along.x, along.y);
      if (!std::isfinite(start.x + start.y) || !std::isfinite(length) || length == 0.0) continue;
      along = {along.x / length, along.y / length};
      const double infinity = std::numeric_limits<double>::infinity();
      const auto part = clip_line(start, along, line.ray ? 0.0 : -infinity, infinity, box_);
      if (!part) continue;
      const auto at = [&](double t) { return box_.nearest({start.x + t * along.x, start.y + t * along.y}); };
      const Polyline drawn{at(part->first), at(part->second)};
      append_stroke(svg_, {drawn}, line.stroke, false);
      obstacles_.push_back(drawn);
      if (!line.label.empty()) line_ends_.push_back({&line, drawn});
    }
  }

  void draw_areas() {
    for (const Curve& curve : plot_.curves) {
      if (!(curve.fill > 0.0)) continue;
      Polyline corners;
      for (const Point& p : curve.points) corners.push_back(pixel(p));
      append_area(svg_, clip_polygon(corners, box_), curve.stroke, curve.fill);
    }
  }

  void draw_curves() {
    for (const Curve& curve : plot_.curves) {
      if (curve.stroke.width == 0.0) continue;
      Polyline points;
      points.reserve(curve.points.size() + 1);
      for (const Point& p : curve.points) points.push_back(pixel(p));
      if (curve.closed && points.size() > 2) points.push_back(points.front());
      const std::vector<Polyline> pieces = clip_polyline(points, box_);
      append_stroke(svg_, pieces, curve.stroke, false);
      if (curve.arrow && !points.empty() && !pieces.empty() && box_.contains(points.back())) {
        append_arrow_head(svg_, pieces.back(), curve.stroke);
      }
      obstacles_.insert(obstacles_.end(), pieces.begin(), pieces.end());
    }
  }

  void draw_markers() {
    for (const Marker& marker : plot_.markers) {
      const Point at = pixel(marker.at);
      if (!std::isfinite(at.x + at.y) || !box_.grown(0.5).contains(at)) continue;
      spot_at(at).add(marker);
    }
    for (const Spot& spot : spots_)
      for (std::size_t i = 0; i < spot.looks.size(); ++i)
        append_marker(svg_, spot.at, spot.looks[i]->shape, spot.looks[i]->color, spot.scale(i));
  }

  /// Markers that coincide: those drawn first stand around the later ones, and all share a label.
  struct Spot {
    Point at;
    std::vector<const Marker*> looks;  // every shape and colour once
    std::string label;

    void add(const Marker& marker) {
      const auto same = [&](const Marker* m) { return m->shape == marker.shape && m->color == marker.color; };
      if (std::none_of(looks.begin(), looks.end(), same)) looks.push_back(&marker);
      if (!marker.label.empty() && (", " + label + ", ").find(", " + marker.label + ", ") == std::string::npos)
        label += (label.empty() ? "" : ", ") + marker.label;
    }
    double scale(std::size_t i) const {
      constexpr double ring = 0.65, widest = 2.6;
      return std::min(1.0 + ring * static_cast<double>(looks.size() - 1 - i), widest);
    }
    double radius() const { return looks.front()->shape == MarkerShape::none ? 0.0 : scale(0) * marker_radius; }
  };

  /// The spot within a radius of `at`, or a new one. Spots are found by the square of the page they lie in.
  Spot& spot_at(Point at) {
    constexpr double same = 0.5 * marker_radius;
    const auto square = [](double x) { return static_cast<long>(std::floor(x / same)); };
    const long column = square(at.x), row = square(at.y);
    for (long dx = -1; dx <= 1; ++dx)
      for (long dy = -1; dy <= 1; ++dy)
        if (const auto found = spot_in_.find({column + dx, row + dy}); found != spot_in_.end()) {
          Spot& spot = spots_[found->second];
          if (std::hypot(spot.at.x - at.x, spot.at.y - at.y) <= same) return spot;
        }
    spot_in_[{column, row}] = spots_.size();
    spots_.push_back({at, {}, ""});
    return spots_.back();
  }

  void place_and_draw_labels() {
    LabelPlacer placer(box_);
    for (const Spot& spot : spots_)
      if (spot.radius() > 0.0) placer.avoid(Box{spot.at.x, spot.at.y, spot.at.x, spot.at.y}.grown(spot.radius() + 1.0));
    for (const Polyline& line : obstacles_) placer.avoid(line);
    std::vector<PlacedLabel> labels;
    const double high = 1.25 * label_font;
    for (const Spot& spot : spots_) {
      if (spot.label.empty()) continue;
      const Point at = spot.at;
      const bool alone = spot.radius() == 0.0;  // nothing is drawn there, so the label itself may stand there
      const double wide = text_width(spot.label, label_font);
      auto places = places_around(at, spot.radius(), wide, high);
      if (alone)
        places.insert(places.begin(),
                      {{at.x - 0.5 * wide, at.y - 0.5 * high, at.x + 0.5 * wide, at.y + 0.5 * high}, -10.0});
      const std::size_t chosen = placer.place(places);
      const Box& box = places[chosen].box;
      const Anchor anchor = box.right <= at.x ? Anchor::end : box.left >= at.x ? Anchor::start : Anchor::middle;
      PlacedLabel label{spot.label, Color::ink, box, anchor, std::nullopt};
      if (chosen >= 8 && !alone) label.leader = at;
      labels.push_back(std::move(label));
    }
    for (const auto& [line, ends] : line_ends_) {
      const double wide = text_width(line->label, label_font);
      auto places = places_along(ends[1], ends[0], wide, high, box_);
      if (!line->ray) {
        for (Candidate other : places_along(ends[0], ends[1], wide, high, box_)) {
          other.cost += 12.0;  // the end it points to comes first
          places.push_back(other);
        }
      }
      if (places.empty()) continue;
      labels.push_back(
          {line->label, line->stroke.color, places[placer.place(places)].box, Anchor::middle, std::nullopt});
    }
    for (const PlacedLabel& label : labels) {
      if (label.leader) append_leader(svg_, *label.leader, label.box);
    }
    for (const PlacedLabel& label : labels) {
      const double x = label.anchor == Anchor::start ? label.box.left
                       : label.anchor == Anchor::end ? label.box.right
                                                     : 0.5 * (label.box.left + label.box.right);
      append_text(svg_, label.markup, {x, label.box.bottom - 0.33 * high}, label_font,
                  {.color = label.color, .anchor = label.anchor, .halo = true});
    }
  }

  void draw_words() {
    double y = border + title_font;
    for (std::size_t i = 0; i < title_.size(); ++i)
      for (const std::string& line : title_[i]) {
        append_text(svg_, line, {border, y}, title_font, {.bold = i == 0});
        y += 1.35 * title_font;
      }
    const double middle = 0.5 * (box_.left + box_.right);
    const double x_label_y = box_.bottom + tick_length + 1.4 * tick_font + 1.25 * axis_font;
    append_text(svg_, plot_.x.label, {middle, x_label_y}, axis_font, {.anchor = Anchor::middle});
    append_text(svg_, x_ticks_.note, {box_.right, x_label_y}, tick_font, {.anchor = Anchor::end});
    append_text(svg_, y_ticks_.note, {box_.left, box_.top - 0.6 * tick_font}, tick_font, {});
    append_text(svg_, plot_.y.label, {border + axis_font, 0.5 * (box_.top + box_.bottom)}, axis_font,
                {.anchor = Anchor::middle, .upwards = true});
    y = drawn_bottom_ + 10.0 + caption_font;
    for (const std::string& line : caption_) {
      append_text(svg_, line, {border, y}, caption_font, {.color = Color::muted});
      y += 1.4 * caption_font;
    }
  }

  std::string document() const {
    const std::string w = svg_number(width_), h = svg_number(height_);
    std::string title;
    for (const std::string& text : headings()) title += (title.empty() ? "" : ": ") + plain_text(text);
    return fmt::format(
               "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"carom-plot\" role=\"img\" width=\"{0}\" "
               "height=\"{1}\" "
               "viewBox=\"0 0 {0} {1}\">\n<title>{2}</title>\n<desc>{3}</desc>\n<style>\n",
               w, h, xml_escape(title.empty() ? plot_.name : title), xml_escape(plain_text(plot_.caption))) +
           style_sheet() + "</style>\n" + svg_ + "</svg>\n";
  }

  const Plot& plot_;
  SvgOptions options_;
  Frame frame_;
  Ticks x_ticks_, y_ticks_;
  Legend legend_;
  double legend_left_ = 0.0, width_ = 0.0, height_ = 0.0, drawn_bottom_ = 0.0;
  Box box_;                                      // the frame on the page
  std::optional<HeatMap> bar_;                   // whose values the colour bar shows
  std::vector<std::vector<std::string>> title_;  // in lines: what the plot belongs to, and what it shows
  std::vector<std::string> caption_;
  std::vector<Polyline> obstacles_;
  std::vector<std::pair<const Line*, Polyline>> line_ends_;
  std::vector<Spot> spots_;
  std::map<std::pair<long, long>, std::size_t> spot_in_;
  std::string svg_;
};

}  // namespace

std::string svg_text(const Plot& plot, const SvgOptions& options) { return Figure(plot, options).text(); }

}  // namespace carom::report
