#include "outline.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace carom::scenario {

namespace {

/// The convex hull, counter-clockwise. Empty for fewer than three points.
std::vector<report::Point> hull(std::vector<report::Point> points) {
  if (points.size() < 3) return {};
  const auto turn = [](const report::Point& o, const report::Point& a, const report::Point& b) {
    return (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x);
  };
  std::sort(points.begin(), points.end(),
            [](const report::Point& a, const report::Point& b) { return a.x != b.x ? a.x < b.x : a.y < b.y; });
  std::vector<report::Point> around;
  const auto walk = [&](auto first, auto last) {
    const std::size_t start = around.size();
    for (auto p = first; p != last; ++p) {
      while (around.size() >= start + 2 && turn(around[around.size() - 2], around.back(), *p) <= 0.0) around.pop_back();
      around.push_back(*p);
    }
    around.pop_back();  // the other half starts with it
  };
  walk(points.begin(), points.end());
  walk(points.rbegin(), points.rend());
  return around;
}

}  // namespace

Outline box_outline(const Eigen::Vector3d& size) {
  Outline outline;
  for (int corner = 0; corner < 8; ++corner)
    outline.points.push_back(
        0.5 * size.cwiseProduct(Eigen::Vector3d((corner & 1) != 0 ? 1.0 : -1.0, (corner & 2) != 0 ? 1.0 : -1.0,
                                                (corner & 4) != 0 ? 1.0 : -1.0)));
  return outline;
}

std::vector<report::Point> silhouette(const Outline& outline, const Body& body, int right, int up) {
  std::vector<report::Point> points;
  if (outline.radius > 0.0) {
    constexpr int corners = 60;
    for (int i = 0; i < corners; ++i) {
      const double angle = 2.0 * std::numbers::pi * i / corners;
      points.push_back({body.position[right] + outline.radius * std::cos(angle),
                        body.position[up] + outline.radius * std::sin(angle)});
    }
    return points;
  }
  for (const Eigen::Vector3d& p : outline.points) {
    const Eigen::Vector3d world = body.position + body.orientation * p;
    points.push_back({world[right], world[up]});
  }
  return hull(std::move(points));
}

}  // namespace carom::scenario
