#include "impulse_room.hpp"

#include <algorithm>
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

Plot ImpulseRoom::plot() const {
  Plot plot;
  plot.name = "impulse_curve";
  plot.title = "Impulse curve";
  plot.caption =
      "The impulse grows upwards from first touch. Grey: its shadows on the floor and the two walls. Green: the plane "
      "of maximum compression. Blue: the line along which the contact point is at rest.";
  plot.equal_scale = plot.bare = true;
  const Eigen::Vector3d &low = low_, &high = high_;
  const auto outline = [&](std::vector<Eigen::Vector3d> corners, report::Stroke stroke, std::string legend,
                           bool closed) {
    report::Curve curve{{}, stroke, std::move(legend), closed};
    for (const auto& corner : corners) curve.points.push_back(at(corner));
    plot.curves.push_back(std::move(curve));
  };

  // Floor and walls.
  const report::Stroke edge{Color::muted, Dash::solid, 0.8};
  outline({{low.x(), low.y(), 0}, {high.x(), low.y(), 0}, {high.x(), high.y(), 0}, {low.x(), high.y(), 0}}, edge, "",
          true);
  outline({{low.x(), low.y(), 0}, {low.x(), low.y(), high.z()}, {low.x(), high.y(), high.z()}, {low.x(), high.y(), 0}},
          edge, "", false);
  outline({{low.x(), low.y(), high.z()}, {high.x(), low.y(), high.z()}, {high.x(), low.y(), 0}}, edge, "", false);
  const auto axis_name = [&](const Eigen::Vector3d& where, const char* label) {
    plot.markers.push_back({at(where), MarkerShape::cross, Color::muted, label, ""});
  };
  axis_name({high.x(), 0.5 * (low.y() + high.y()), 0}, "$I_{t2}$");
  axis_name({0.5 * (low.x() + high.x()), high.y(), 0}, "$I_{t1}$");
  axis_name({low.x(), high.y(), high.z()}, "$I_n$");

  // Plane of maximum compression, cut by the box's four vertical edges.
  const auto compressed = [&](double x, double y) {
    return Eigen::Vector3d(x, y, compression_impulse(space_, {x, y}));
  };
  outline({compressed(low.x(), low.y()), compressed(high.x(), low.y()), compressed(high.x(), high.y()),
           compressed(low.x(), high.y())},
          {Color::green, Dash::solid, 1.5}, "plane of maximum compression", true);

  const auto sticking = [&](double z) {
    const Eigen::Vector2d t = sticking_impulse(space_, z);
    return Eigen::Vector3d(t.x(), t.y(), z);
  };
  outline({sticking(0.0), sticking(high.z())}, {Color::blue, Dash::dashed, 1.5}, "line of sticking", false);

  const auto shadow = [&](const Eigen::Vector3d& keep, const Eigen::Vector3d& offset, const char* legend) {
    std::vector<Eigen::Vector3d> points;
    for (const auto& p : path_) points.push_back(p.cwiseProduct(keep) + offset);
    outline(std::move(points), {Color::muted, Dash::dotted, 1.5}, legend, false);
  };
  shadow({1, 1, 0}, {0, 0, 0}, "shadows of the curve");
  shadow({0, 1, 1}, {low.x(), 0, 0}, "");
  shadow({1, 0, 1}, {0, low.y(), 0}, "");
  outline(path_, {Color::ink, Dash::solid, 2.8}, "impulse curve", false);
  return plot;
}

}  // namespace carom::scenario
