#include "impulse_room.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <optional>
#include <utility>

#include "carom/impact/impulse_space.hpp"

namespace carom::scenario {

using report::Color;
using report::Dash;
using report::MarkerShape;
using report::Plot;
using report::Point;

ImpulseRoom::ImpulseRoom(const ContactSpace& space, std::vector<Eigen::Vector3d> path)
    : space_(space), path_(std::move(path)), low_(Eigen::Vector3d::Zero()), high_(Eigen::Vector3d::Zero()) {
  // The box around the curve, with some air; its lower corner carries the shadows.
  for (const auto& p : path_) low_ = low_.cwiseMin(p), high_ = high_.cwiseMax(p);
  const double across = std::max({high_.x() - low_.x(), high_.y() - low_.y(), 0.05 * high_.z()});
  for (int i = 0; i < 2; ++i) {
    const double centre = 0.5 * (low_[i] + high_[i]), half = 0.65 * across;
    low_[i] = centre - half, high_[i] = centre + half;
  }
  high_.z() *= 1.1;
  z_scale_ = 1.3 * across / high_.z();  // the tangential part is often far smaller than the normal one
}

/// An axonometric view: t1 to the lower left, t2 to the right, n up.
Point ImpulseRoom::at(const Eigen::Vector3d& p) const {
  constexpr double c = 0.42, s = 0.36;  // how far the t1 axis leans out of the page
  return {p.y() - c * p.x(), z_scale_ * p.z() - s * p.x()};
}

namespace {

/// Marks at multiples of 1, 2 or 5 times a power of ten, four or five of them, and the power taken out of their labels.
struct RoomTicks {
  std::vector<double> at;
  int power = 0;
};

RoomTicks ticks_between(double low, double high) {
  constexpr double wanted = 4.0;
  RoomTicks ticks;
  const double rough = (high - low) / wanted, decade = std::pow(10.0, std::floor(std::log10(rough)));
  if (!std::isfinite(decade) || decade == 0.0) return ticks;
  const double step = rough > 5.0 * decade   ? 10.0 * decade
                      : rough > 2.0 * decade ? 5.0 * decade
                      : rough > decade       ? 2.0 * decade
                                             : decade;
  for (double k = std::ceil(low / step - 1e-9); k * step <= high * (1.0 + 1e-9); ++k) ticks.at.push_back(k * step);
  const int power = static_cast<int>(std::floor(std::log10(std::max(std::abs(low), std::abs(high)))));
  if (power < -2 || power > 3) ticks.power = power;
  return ticks;
}

std::string unit_of(const RoomTicks& ticks) {
  return ticks.power == 0 ? " [N s]" : fmt::format(" [$10^{{{}}}$ N s]", ticks.power);
}

std::string label_of(const RoomTicks& ticks, double value) {
  std::string text = fmt::format("{:.6g}", value / std::pow(10.0, ticks.power));
  if (text.starts_with('-')) text.replace(0, 1, "−");
  return text;
}

/// The part of a flat polygon between two heights.
std::vector<Eigen::Vector3d> between_heights(std::vector<Eigen::Vector3d> corners, double low, double high) {
  for (const auto& [sign, limit] : {std::pair{1.0, low}, std::pair{-1.0, high}}) {
    const auto inside = [&, s = sign, l = limit](const Eigen::Vector3d& p) { return s * (p.z() - l); };
    std::vector<Eigen::Vector3d> kept;
    for (std::size_t i = 0; i < corners.size(); ++i) {
      const Eigen::Vector3d &a = corners[i], &b = corners[(i + 1) % corners.size()];
      const double from = inside(a), to = inside(b);
      if (from >= 0.0) kept.push_back(a);
      if ((from < 0.0) != (to < 0.0)) kept.push_back(a + from / (from - to) * (b - a));
    }
    corners = std::move(kept);
  }
  return corners;
}

/// The part of a segment inside a box; nothing outside.
std::optional<std::pair<Eigen::Vector3d, Eigen::Vector3d>> inside_box(const Eigen::Vector3d& from,
                                                                      const Eigen::Vector3d& to,
                                                                      const Eigen::Vector3d& low,
                                                                      const Eigen::Vector3d& high) {
  double begin = 0.0, end = 1.0;
  for (int i = 0; i < 3; ++i) {
    const double along = to[i] - from[i];
    if (along == 0.0) {
      if (from[i] < low[i] || from[i] > high[i]) return std::nullopt;
      continue;
    }
    const double a = (low[i] - from[i]) / along, b = (high[i] - from[i]) / along;
    begin = std::max(begin, std::min(a, b));
    end = std::min(end, std::max(a, b));
  }
  if (!(begin < end)) return std::nullopt;
  return std::pair{Eigen::Vector3d(from + begin * (to - from)), Eigen::Vector3d(from + end * (to - from))};
}

}  // namespace

void ImpulseRoom::draw_walls(Plot& plot) const {
  const Eigen::Vector3d &low = low_, &high = high_;
  const report::Stroke edge{Color::muted, Dash::solid, 0.9}, faint{Color::muted, Dash::solid, 0.3};
  const auto draw = [&](const std::vector<Eigen::Vector3d>& corners, const report::Stroke& stroke) {
    report::Curve curve{{}, stroke, ""};
    for (const auto& corner : corners) curve.points.push_back(at(corner));
    plot.curves.push_back(std::move(curve));
  };
  const auto write = [&](const Eigen::Vector3d& where, double right, double up, std::string label) {
    const Point p = at(where);
    const double size = high.y() - low.y();
    plot.markers.push_back(
        {{p.x + right * size, p.y + up * size}, MarkerShape::none, Color::muted, std::move(label), ""});
  };
  const RoomTicks t1 = ticks_between(low.x(), high.x()), t2 = ticks_between(low.y(), high.y()),
                  n = ticks_between(0.0, high.z());
  // Grid lines over the floor and the two walls; each axis has its numbers along the edge nearest to the reader.
  for (const double x : t1.at) {
    draw({{x, high.y(), 0}, {x, low.y(), 0}, {x, low.y(), high.z()}}, faint);
    write({x, high.y(), 0}, 0.07, -0.03, label_of(t1, x));
  }
  for (const double y : t2.at) {
    draw({{high.x(), y, 0}, {low.x(), y, 0}, {low.x(), y, high.z()}}, faint);
    write({high.x(), y, 0}, -0.02, -0.06, label_of(t2, y));
  }
  for (const double z : n.at) {
    draw({{high.x(), low.y(), z}, {low.x(), low.y(), z}, {low.x(), high.y(), z}}, faint);
    if (z > 0.0) write({low.x(), high.y(), z}, 0.08, 0.0, label_of(n, z));
  }
  draw({{low.x(), low.y(), 0},
        {high.x(), low.y(), 0},
        {high.x(), high.y(), 0},
        {low.x(), high.y(), 0},
        {low.x(), low.y(), 0}},
       edge);
  draw({{low.x(), low.y(), 0}, {low.x(), low.y(), high.z()}, {low.x(), high.y(), high.z()}, {low.x(), high.y(), 0}},
       edge);
  draw({{low.x(), low.y(), high.z()}, {high.x(), low.y(), high.z()}, {high.x(), low.y(), 0}}, edge);
  // Where the tangential impulse is zero.
  draw({{low.x(), 0, 0}, {high.x(), 0, 0}}, edge);
  draw({{0, low.y(), 0}, {0, high.y(), 0}}, edge);
  write({high.x(), 0.5 * (low.y() + high.y()), 0}, -0.02, -0.15, "$I_{t2}$" + unit_of(t2));
  write({0.5 * (low.x() + high.x()), high.y(), 0}, 0.42, -0.1, "$I_{t1}$" + unit_of(t1));
  write({low.x(), high.y(), high.z()}, 0.0, 0.05, "$I_n$" + unit_of(n));
}

Plot ImpulseRoom::plot() const {
  Plot plot;
  plot.name = "impulse_curve";
  plot.title = "Impulse curve";
  plot.caption =
      "The impulse grows upwards from first touch. Grey: its shadows on the floor and the two walls. Green: the plane "
      "of maximum compression inside the box.";
  plot.equal_scale = plot.bare = true;
  const Eigen::Vector3d &low = low_, &high = high_;
  draw_walls(plot);
  const auto outline = [&](const std::vector<Eigen::Vector3d>& corners, report::Stroke stroke, std::string legend,
                           bool closed) {
    report::Curve curve{{}, stroke, std::move(legend), closed};
    for (const auto& corner : corners) curve.points.push_back(at(corner));
    plot.curves.push_back(std::move(curve));
  };

  const auto compressed = [&](double x, double y) {
    return Eigen::Vector3d(x, y, compression_impulse(space_, {x, y}));
  };
  outline(between_heights({compressed(low.x(), low.y()), compressed(high.x(), low.y()), compressed(high.x(), high.y()),
                           compressed(low.x(), high.y())},
                          0.0, high.z()),
          {Color::green, Dash::solid, 1.5}, "plane of maximum compression", true);

  const auto sticking = [&](double z) {
    const Eigen::Vector2d t = sticking_impulse(space_, z);
    return Eigen::Vector3d(t.x(), t.y(), z);
  };
  if (const auto part = inside_box(sticking(0.0), sticking(high.z()), {low.x(), low.y(), 0.0}, high)) {
    outline({part->first, part->second}, {Color::blue, Dash::dashed, 1.5}, "line of sticking", false);
    plot.caption += " Blue: the line along which the contact point is at rest.";
  }

  const auto shadow = [&](const Eigen::Vector3d& keep, const Eigen::Vector3d& offset, const char* legend) {
    std::vector<Eigen::Vector3d> points;
    for (const auto& p : path_) points.push_back(p.cwiseProduct(keep) + offset);
    outline(points, {Color::muted, Dash::solid, 1.8}, legend, false);
  };
  shadow({1, 1, 0}, {0, 0, 0}, "shadows of the curve");
  shadow({0, 1, 1}, {low.x(), 0, 0}, "");
  shadow({1, 0, 1}, {0, low.y(), 0}, "");
  outline(path_, {Color::ink, Dash::solid, 2.8}, "impulse curve", false);
  return plot;
}

}  // namespace carom::scenario
