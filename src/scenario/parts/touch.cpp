#include "touch.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "impact.hpp"

namespace carom::scenario {

namespace {

/// How far a point is outside a convex shape at least, up to a share of a radius: the nearest point of the shape found
/// by Frank and Wolfe's steps, each of which also proves a distance. Enough of them for a hundredth of the radius; of a
/// point for which they do not decide, nothing is said.
double least_distance(const Shape& shape, const Eigen::Vector3d& point, double radius) {
  constexpr int most_steps = 2000;
  Eigen::Vector3d nearest = support(shape, Eigen::Vector3d::UnitX());
  double proven = 0.0;
  for (int step = 0; step < most_steps; ++step) {
    const Eigen::Vector3d away = point - nearest;
    const double distance = away.norm();
    if (!(distance > contact_point_tolerance * radius)) return 0.0;
    const Eigen::Vector3d farthest = support(shape, away);
    proven = std::max(proven, away.dot(point - farthest) / distance);
    if (proven >= 0.99 * distance) break;
    const Eigen::Vector3d along = farthest - nearest;
    const double length = along.squaredNorm();
    if (!(length > 0.0)) break;
    nearest += std::clamp(away.dot(along) / length, 0.0, 1.0) * along;
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
  return fmt::format("must be a point of both bodies, lies {:.3g} m outside {}", distance, name);
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
