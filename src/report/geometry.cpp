#include "geometry.hpp"

#include <algorithm>
#include <cmath>

namespace carom::report {

namespace {

double distance(Point a, Point b) { return std::hypot(a.x - b.x, a.y - b.y); }

/// Where many points fall into one narrow column, its first, lowest, highest and last point draw the same picture.
Polyline thinned(const Polyline& points) {
  constexpr double column = 0.1;  // px
  Polyline out;
  for (std::size_t first = 0; first < points.size();) {
    std::size_t end = first + 1, lowest = first, highest = first;
    const double place = std::floor(points[first].x / column);
    for (; end < points.size() && std::floor(points[end].x / column) == place; ++end) {
      if (points[end].y < points[lowest].y) lowest = end;
      if (points[end].y > points[highest].y) highest = end;
    }
    std::size_t kept[] = {first, std::min(lowest, highest), std::max(lowest, highest), end - 1};
    const auto* last = std::unique(std::begin(kept), std::end(kept));
    for (const auto* k = std::begin(kept); k != last; ++k) out.push_back(points[*k]);
    first = end;
  }
  return out;
}

/// Streaming removal of points: a run of points that keeps within `tolerance` of the straight line from its first to
/// its last point, going forward, becomes that line. Looks back over at most `longest_run` points, so it is linear.
Polyline simplified(const Polyline& points) {
  constexpr double tolerance = 0.05;  // px: below what anti-aliasing shows
  constexpr std::size_t longest_run = 64;
  if (points.size() < 3) return points;
  Polyline out{points.front()};
  std::size_t first = 0;
  for (std::size_t i = 2; i < points.size(); ++i) {
    const Point a = points[first], b = points[i];
    const double length = distance(a, b);
    bool straight = length > 0.0 && i - first <= longest_run;
    double along_before = 0.0;
    for (std::size_t k = first + 1; straight && k < i; ++k) {
      const Point d{points[k].x - a.x, points[k].y - a.y};
      const double across = ((b.x - a.x) * d.y - (b.y - a.y) * d.x) / length;
      const double along = ((b.x - a.x) * d.x + (b.y - a.y) * d.y) / length;
      straight = std::abs(across) <= tolerance && along >= along_before - tolerance && along <= length + tolerance;
      along_before = std::max(along_before, along);
    }
    if (!straight) {
      first = i - 1;
      out.push_back(points[first]);
    }
  }
  out.push_back(points.back());
  return out;
}

}  // namespace

double overlap_area(const Box& a, const Box& b) {
  const double w = std::min(a.right, b.right) - std::max(a.left, b.left);
  const double h = std::min(a.bottom, b.bottom) - std::max(a.top, b.top);
  return w > 0.0 && h > 0.0 ? w * h : 0.0;
}

std::optional<std::pair<double, double>> clip_line(Point start, Point along, double from, double to, const Box& box) {
  const auto cut = [&](double direction, double room_low, double room_high) {
    if (direction == 0.0) return room_low <= 0.0 && room_high >= 0.0;
    const double t1 = room_low / direction, t2 = room_high / direction;
    from = std::max(from, std::min(t1, t2));
    to = std::min(to, std::max(t1, t2));
    return from <= to;
  };
  if (!cut(along.x, box.left - start.x, box.right - start.x)) return std::nullopt;
  if (!cut(along.y, box.top - start.y, box.bottom - start.y)) return std::nullopt;
  if (!std::isfinite(from) || !std::isfinite(to)) return std::nullopt;
  return std::pair{from, to};
}

std::vector<Polyline> clip_polyline(const Polyline& points, const Box& box) {
  std::vector<Polyline> pieces;
  Polyline piece;
  const auto finish = [&] {
    if (piece.size() >= 2) pieces.push_back(simplified(thinned(piece)));
    piece.clear();
  };
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    const Point a = points[i], b = points[i + 1];
    const Point along{b.x - a.x, b.y - a.y};
    if (!std::isfinite(along.x) || !std::isfinite(along.y)) {
      finish();
      continue;
    }
    // Measured from the nearer end: from a far one the crossing with the frame would drown in rounding.
    const auto far_from_box = [&](Point p) { return distance(p, box.nearest(p)); };
    const bool backwards = far_from_box(b) < far_from_box(a);
    auto part = backwards ? clip_line(b, {-along.x, -along.y}, 0.0, 1.0, box) : clip_line(a, along, 0.0, 1.0, box);
    if (!part) {
      finish();
      continue;
    }
    const auto at = [&](double t) {
      const Point p =
          backwards ? Point{b.x - t * along.x, b.y - t * along.y} : Point{a.x + t * along.x, a.y + t * along.y};
      return box.nearest(p);
    };
    Point enters = at(part->first), leaves = at(part->second);
    bool cut_before = part->first > 0.0, cut_after = part->second < 1.0;
    if (backwards) {
      std::swap(enters, leaves);
      std::swap(cut_before, cut_after);
    }
    if (cut_before) finish();
    if (piece.empty()) piece.push_back(enters);
    piece.push_back(leaves);
    if (cut_after) finish();
  }
  finish();
  return pieces;
}

Polyline clip_polygon(const Polyline& points, const Box& box) {
  Polyline polygon;
  for (const Point& p : points)
    if (std::isfinite(p.x) && std::isfinite(p.y)) polygon.push_back(p);
  // One side after another (Sutherland and Hodgman 1974): how far a point lies inside of it.
  const auto cut = [&polygon](const auto& inside) {
    Polyline kept;
    for (std::size_t i = 0; i < polygon.size(); ++i) {
      const Point &from = polygon[i], &to = polygon[(i + 1) % polygon.size()];
      const double a = inside(from), b = inside(to);
      if (a >= 0.0) kept.push_back(from);
      if ((a < 0.0) != (b < 0.0)) {
        const double share = a / (a - b);
        kept.push_back({from.x + share * (to.x - from.x), from.y + share * (to.y - from.y)});
      }
    }
    polygon = std::move(kept);
  };
  cut([&](const Point& p) { return p.x - box.left; });
  cut([&](const Point& p) { return box.right - p.x; });
  cut([&](const Point& p) { return p.y - box.top; });
  cut([&](const Point& p) { return box.bottom - p.y; });
  return polygon;
}

}  // namespace carom::report
