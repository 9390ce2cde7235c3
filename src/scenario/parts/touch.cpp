#include "touch.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <vector>

#include "impact.hpp"

namespace carom::scenario {

namespace {

/// The convex hull of up to four points, of which each is needed to reach the point of it nearest to the origin:
/// Wolfe's corral (Wolfe 1976, "Finding the nearest point in a polytope").
class Corral {
public:
  explicit Corral(const Eigen::Vector3d& first) : points_{first}, weights_{1.0} {}

  Eigen::Vector3d nearest() const {
    Eigen::Vector3d sum = Eigen::Vector3d::Zero();
    for (std::size_t i = 0; i < points_.size(); ++i) sum += weights_[i] * points_[i];
    return sum;
  }

  /// The nearest point of the hull with this one. False when it is no use: it is there already.
  bool add(const Eigen::Vector3d& point) {
    for (const Eigen::Vector3d& have : points_)
      if (have == point) return false;
    if (points_.size() == 4) return false;  // the origin is inside
    points_.push_back(point);
    weights_.push_back(0.0);
    while (points_.size() > 1) {
      const std::vector<double> target = affine_nearest();
      double step = 1.0;  // towards it, as far as no weight turns negative
      for (std::size_t i = 0; i < points_.size(); ++i)
        if (target[i] <= 0.0) step = std::min(step, weights_[i] / (weights_[i] - target[i]));
      if (std::isnan(step)) step = 0.0;
      for (std::size_t i = 0; i < points_.size(); ++i) weights_[i] += step * (target[i] - weights_[i]);
      if (step == 1.0) break;
      std::size_t least = 0;
      for (std::size_t i = 1; i < points_.size(); ++i)
        if (weights_[i] < weights_[least]) least = i;
      points_.erase(points_.begin() + static_cast<std::ptrdiff_t>(least));
      weights_.erase(weights_.begin() + static_cast<std::ptrdiff_t>(least));
    }
    return true;
  }

private:
  /// Weights, which may be negative, of the nearest point of the line, plane or space through the points.
  std::vector<double> affine_nearest() const {
    Eigen::Matrix3d edges = Eigen::Matrix3d::Zero(), gram = Eigen::Matrix3d::Identity();
    const auto count = static_cast<Eigen::Index>(points_.size()) - 1;
    for (Eigen::Index i = 0; i < count; ++i) edges.col(i) = points_[static_cast<std::size_t>(i) + 1] - points_[0];
    gram.topLeftCorner(count, count) = (edges.transpose() * edges).topLeftCorner(count, count);
    const Eigen::Vector3d along = -(gram.inverse() * (edges.transpose() * points_[0]));
    std::vector<double> weights(points_.size(), 1.0);
    for (Eigen::Index i = 0; i < count; ++i) {
      weights[static_cast<std::size_t>(i) + 1] = along[i];
      weights[0] -= along[i];
    }
    return weights;
  }

  std::vector<Eigen::Vector3d> points_;
  std::vector<double> weights_;
};

/// How far a point is outside a convex shape at least: what the steps towards the nearest point of it prove, within a
/// thousandth. 0 if it is not outside by more than is allowed, or if that cannot be told.
double least_distance(const Shape& shape, const Eigen::Vector3d& point, double radius) {
  constexpr int most_steps = 1000;
  Corral corral(support(shape, Eigen::Vector3d::UnitX()) - point);
  double proven = 0.0;
  for (int step = 0; step < most_steps; ++step) {
    const Eigen::Vector3d nearest = corral.nearest();
    const double distance = nearest.norm();
    if (!(distance > contact_point_tolerance * radius)) return 0.0;
    const Eigen::Vector3d farthest = support(shape, -nearest) - point;
    proven = std::max(proven, nearest.dot(farthest) / distance);
    if (proven >= 0.999 * distance || !corral.add(farthest)) break;
  }
  return proven;
}

std::string said(const std::optional<Shape>& shape, const Eigen::Vector3d& centre, const Eigen::Vector3d& local,
                 const std::string& name) {
  if (!shape) return "";
  const Outline seen = outline(*shape, centre);
  double radius = 0.0;
  for (const Eigen::Vector3d& corner : seen.points) radius = std::max(radius, corner.norm());
  radius += seen.radius;
  const double distance = least_distance(*shape, local + centre, radius);
  if (!(distance > contact_point_tolerance * radius)) return "";
  return fmt::format("must be a point of both bodies, lies {:.2g} m outside {}", distance, name);
}

}  // namespace

std::string outside(const NamedBody& body, const Eigen::Vector3d& point, std::size_t index) {
  return said(body.shape, body.centre, body.body.orientation.conjugate() * (point - body.body.position),
              name_of(body.name, index));
}

std::string outside(const NamedPlanarBody& body, const Eigen::Vector2d& point, std::size_t index) {
  const Eigen::Vector2d local = Eigen::Rotation2Dd(-body.body.angle) * (point - body.body.position);
  return said(body.shape, Eigen::Vector3d::Zero(), {local.x(), local.y(), 0.0}, name_of(body.name, index));
}

}  // namespace carom::scenario
