#include "smooth_curve.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace carom::scenario {

namespace {

using report::Point;

/// A curve of lines that turn by less than this looks smooth [rad].
constexpr double most_turn = 4.0 * std::numbers::pi / 180.0;
/// A corner between pieces shorter than this share of the frame is not seen.
constexpr double shortest = 1.0 / 400.0;
/// The frame of a picture, width over height.
constexpr double aspect = 1.4;

}  // namespace

std::vector<Point> smooth_curve(const std::vector<double>& at, const std::function<double(double)>& f,
                                std::size_t most) {
  std::vector<Point> points;
  for (const double x : at) points.push_back({x, f(x)});
  for (bool added = true; added && points.size() < most;) {
    const auto [left, right] =
        std::minmax_element(points.begin(), points.end(), [](const Point& a, const Point& b) { return a.x < b.x; });
    const auto [low, high] =
        std::minmax_element(points.begin(), points.end(), [](const Point& a, const Point& b) { return a.y < b.y; });
    const double wide = (right->x - left->x) / aspect, tall = high->y - low->y;
    if (!(wide > 0.0) || !(tall > 0.0)) return points;
    // Both pieces beside a corner are halved, unless they are too short to be seen.
    std::vector<char> halve(points.size(), 0);
    const auto piece = [&](std::size_t i) {
      return Point{(points[i + 1].x - points[i].x) / wide, (points[i + 1].y - points[i].y) / tall};
    };
    for (std::size_t i = 0; i + 2 < points.size(); ++i) {
      const Point a = piece(i), b = piece(i + 1);
      const double turn = std::abs(std::atan2(a.x * b.y - a.y * b.x, a.x * b.x + a.y * b.y));
      if (!(turn > most_turn)) continue;
      if (std::hypot(a.x, a.y) > shortest) halve[i] = 1;
      if (std::hypot(b.x, b.y) > shortest) halve[i + 1] = 1;
    }
    std::vector<Point> finer;
    added = false;
    for (std::size_t i = 0; i < points.size(); ++i) {
      finer.push_back(points[i]);
      if (halve[i] == 0 || finer.size() + (points.size() - i) > most) continue;
      const double x = 0.5 * (points[i].x + points[i + 1].x);
      finer.push_back({x, f(x)});
      added = true;
    }
    points = std::move(finer);
  }
  return points;
}

}  // namespace carom::scenario
