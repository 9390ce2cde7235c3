#include "label_placement.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace carom::report {

namespace {

// Costs, in pixels of covered line. Overlaps are per pixel of area, and each adds a fixed part so that even a touch
// loses to a clear place.
constexpr double overlap_cost = 1.0, overlap_fixed = 200.0;
constexpr double least_air = 2.0, good_air = 10.0;  // px between labels: two short ones side by side read as one
constexpr double crowded_cost = 15.0;
constexpr double line_cost = 1.0, line_fixed = 10.0;
constexpr double outside_cost = 2.0, outside_fixed = 500.0;

}  // namespace

void LabelPlacer::avoid(const Polyline& line) {
  for (std::size_t i = 0; i + 1 < line.size(); ++i) segments_.emplace_back(line[i], line[i + 1]);
}

double LabelPlacer::cost_of(const Box& box) const {
  double cost = 0.0;
  for (const Box& other : boxes_) {
    if (const double area = overlap_area(box, other); area > 0.0) cost += overlap_fixed + overlap_cost * area;
  }
  const double inside = overlap_area(box, frame_), area = box.width() * box.height();
  if (inside < area - 1e-6) cost += outside_fixed + outside_cost * (area - inside);
  bool on_line = false;
  for (const auto& [a, b] : segments_) {
    if (std::max(a.x, b.x) < box.left || std::min(a.x, b.x) > box.right || std::max(a.y, b.y) < box.top ||
        std::min(a.y, b.y) > box.bottom) {
      continue;
    }
    const Point along{b.x - a.x, b.y - a.y};
    if (const auto part = clip_line(a, along, 0.0, 1.0, box)) {
      cost += line_cost * (part->second - part->first) * std::hypot(along.x, along.y);
      on_line = true;
    }
  }
  if (on_line) cost += line_fixed;
  for (const Box& label : labels_) {
    if (overlap_area(box, label) > 0.0) cost += crowded_cost;
  }
  return cost;
}

std::size_t LabelPlacer::place(std::span<const Candidate> candidates) {
  std::size_t best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const double cost = candidates[i].cost + cost_of(candidates[i].box);
    if (cost < least) {
      least = cost;
      best = i;
    }
  }
  if (best < candidates.size()) {
    avoid(candidates[best].box.grown(least_air));
    labels_.push_back(candidates[best].box.grown(good_air));
  }
  return best;
}

std::vector<Candidate> places_around(Point at, double radius, double width, double height) {
  // Right above first, as in maps; straight above, below and left last.
  struct Direction {
    double x, y, cost;
  };
  constexpr Direction directions[] = {{1, -1, 0}, {1, 1, 1},  {-1, -1, 2}, {-1, 1, 3},
                                      {1, 0, 1},  {-1, 0, 3}, {0, -1, 2},  {0, 1, 3}};
  std::vector<Candidate> out;
  for (const double gap : {3.0, 14.0, 28.0, 44.0}) {
    for (const Direction& d : directions) {
      const bool corner = d.x != 0.0 && d.y != 0.0;
      const double reach = corner ? 0.6 * (radius + gap) : radius + gap;
      const double x = at.x + d.x * (reach + 0.5 * width), y = at.y + d.y * (reach + 0.5 * height);
      out.push_back(
          {{x - 0.5 * width, y - 0.5 * height, x + 0.5 * width, y + 0.5 * height}, d.cost + 1.5 * (gap - 3.0)});
    }
  }
  return out;
}

std::vector<Candidate> places_along(Point exit, Point start, double width, double height, const Box& frame) {
  std::vector<Candidate> out;
  const double length = std::hypot(exit.x - start.x, exit.y - start.y);
  if (length == 0.0) return out;
  const Point u{(exit.x - start.x) / length, (exit.y - start.y) / length};
  // Half the box's extent across the line, plus air: at this distance the text just clears the line.
  const double across = 0.5 * (width * std::abs(u.y) + height * std::abs(u.x)) + 3.0;
  // The box is kept inside the frame by moving back along the line; how far depends on the line's direction.
  const Box room{frame.left + 0.5 * width + 4.0, frame.top + 0.5 * height + 3.0, frame.right - 0.5 * width - 4.0,
                 frame.bottom - 0.5 * height - 3.0};
  for (const double side : {1.0, -1.0}) {
    // Above the line is where a reader looks first.
    const Point normal{side * u.y, -side * u.x};
    const Point from{start.x + across * normal.x, start.y + across * normal.y};
    const auto part = clip_line(from, u, 0.0, length, room);
    if (!part) continue;
    for (double back = 0.0; back <= 160.0 && part->second - back >= part->first; back += 16.0) {
      const double t = part->second - back;
      const Point c{from.x + t * u.x, from.y + t * u.y};
      const double below = normal.y > 0.0 ? 2.0 : 0.0;
      out.push_back(
          {{c.x - 0.5 * width, c.y - 0.5 * height, c.x + 0.5 * width, c.y + 0.5 * height}, below + 0.25 * back});
    }
  }
  return out;
}

}  // namespace carom::report
