// What the object and the bat look like, as far as it says which poses of the bat cannot be.
#include <algorithm>
#include <cmath>

#include "batting.hpp"

namespace carom::scenario {

namespace {

/// The convex hull of points in a plane, counter-clockwise.
std::vector<Eigen::Vector2d> hull(std::vector<Eigen::Vector2d> points) {
  if (points.size() < 3) return points;
  const auto turn = [](const Eigen::Vector2d& o, const Eigen::Vector2d& a, const Eigen::Vector2d& b) {
    return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);
  };
  std::sort(points.begin(), points.end(), [](const Eigen::Vector2d& a, const Eigen::Vector2d& b) {
    return a[0] != b[0] ? a[0] < b[0] : a[1] < b[1];
  });
  std::vector<Eigen::Vector2d> around;
  for (int half = 0; half < 2; ++half) {
    const std::size_t start = around.size();
    for (const Eigen::Vector2d& p : points) {
      while (around.size() >= start + 2 && turn(around[around.size() - 2], around.back(), p) <= 0.0) around.pop_back();
      around.push_back(p);
    }
    around.pop_back();  // the other half starts with it
    std::reverse(points.begin(), points.end());
  }
  return around;
}

}  // namespace

std::vector<Eigen::Vector2d> face_of(const BattingScenario& s) {
  constexpr double flat = 1e-4;  // of the bat's size: contacts are given to some digits
  const NamedBody& bat = (*s.bodies)[1];
  const Eigen::Matrix3d frame = contact_frame(*s.contact);
  double size = 0.0;
  for (const Eigen::Vector3d& p : bat.outline.points) size = std::max(size, p.norm());
  std::vector<Eigen::Vector2d> points;
  for (const Eigen::Vector3d& p : bat.outline.points) {
    const Eigen::Vector3d from = frame.transpose() * (bat.body.position + bat.body.orientation * p - s.contact->point);
    if (bat.outline.radius == 0.0 && std::abs(from[2]) <= flat * size) points.push_back(from.head<2>());
  }
  return hull(std::move(points));
}

double object_radius(const BattingScenario& s) {
  const NamedBody& struck = (*s.bodies)[0];
  if (struck.outline.radius > 0.0 || !struck.shape) return struck.outline.radius;
  // The side of a cylinder, or the rim of a disc: the normal is across the axis.
  constexpr double across = 1e-6;
  if (std::abs((struck.body.orientation * Eigen::Vector3d::UnitZ()).dot(s.contact->normal)) > across) return 0.0;
  if (const auto* cylinder = std::get_if<Cylinder>(&*struck.shape)) return cylinder->radius;
  if (const auto* disc = std::get_if<Disc>(&*struck.shape)) return disc->radius;
  return 0.0;
}

BatMoves moves_of(const BattingScenario& s) {
  BatMoves moves = *s.moves;
  const NamedBody& struck = (*s.bodies)[0];
  if (struck.shape) {
    const Eigen::Matrix3d turn = struck.body.orientation.toRotationMatrix();
    moves.object_support = [&struck, turn](const Eigen::Vector3d& direction) -> Eigen::Vector3d {
      return struck.body.position + turn * (support(*struck.shape, turn.transpose() * direction) - struck.centre);
    };
  } else {
    for (const Eigen::Vector3d& p : struck.outline.points)
      moves.object_points.push_back(struck.body.position + struck.body.orientation * p);
  }
  moves.object_radius = object_radius(s);
  if (!moves.most_shift.isZero(0.0)) moves.face = face_of(s);
  return moves;
}

}  // namespace carom::scenario
