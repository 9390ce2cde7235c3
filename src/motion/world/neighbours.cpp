#include "neighbours.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace carom::world {

namespace {

/// Up to so many movable bodies it takes longer to keep cells than to look at all.
constexpr std::size_t few = 24;
/// Bodies per cell that cost least: fewer mean more moving house, more mean more neighbours.
constexpr double bodies_per_cell = 2.0;
/// An immovable body that reaches into more cells than this is looked at by everybody.
constexpr double most_cells = 4096.0;

}  // namespace

Neighbours::Neighbours(std::span<const Ball> balls)
    : homes_(balls.begin(), balls.end()), slack_(std::numeric_limits<double>::infinity()) {
  std::size_t movable = 0;
  double largest = 0.0;
  Vector3d low = Vector3d::Constant(slack_), high = -low;
  for (const Ball& ball : balls) {
    if (!ball.movable) continue;
    ++movable;
    largest = std::max(largest, ball.radius);
    low = low.cwiseMin(ball.position);
    high = high.cwiseMax(ball.position);
  }
  if (movable <= few) return;
  const Vector3d extent = (high - low).cwiseMax(2.0 * largest);
  const double room = bodies_per_cell * extent.prod() / static_cast<double>(movable);
  cell_size_ = std::max(std::cbrt(room), 2.5 * largest);
  slack_ = 0.5 * cell_size_ - largest;
  const std::size_t buckets = std::bit_ceil(2 * movable);
  cells_.assign(buckets, nobody);
  fixed_.resize(buckets);
  next_.assign(balls.size(), nobody);
  places_.resize(balls.size());
  for (std::size_t i = 0; i < balls.size(); ++i) {
    if (balls[i].movable) {
      enter(i);
      continue;
    }
    const Vector3d reach = Vector3d::Constant(balls[i].radius + largest + 2.0 * slack_);
    const Cell from = cell_of(balls[i].position - reach), to = cell_of(balls[i].position + reach);
    double count = 1.0;
    for (std::size_t k = 0; k < 3; ++k) count *= static_cast<double>(to[k] - from[k] + 1);
    if (!(count <= most_cells)) {
      everywhere_.push_back(static_cast<std::uint32_t>(i));
      continue;
    }
    Cell cell;
    for (cell[0] = from[0]; cell[0] <= to[0]; ++cell[0])
      for (cell[1] = from[1]; cell[1] <= to[1]; ++cell[1])
        for (cell[2] = from[2]; cell[2] <= to[2]; ++cell[2]) {
          auto& list = fixed_[bucket(cell)];
          if (list.empty() || list.back() != i) list.push_back(static_cast<std::uint32_t>(i));
        }
  }
  for (auto& list : fixed_) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    if (!list.empty()) list.insert(list.end(), everywhere_.begin(), everywhere_.end());
  }
}

Neighbours::Cell Neighbours::cell_of(const Vector3d& position) const {
  Cell cell;
  constexpr double far = 1e18;  // beyond, everything is in one cell
  for (int k = 0; k < 3; ++k)
    cell[static_cast<std::size_t>(k)] =
        static_cast<std::int64_t>(std::clamp(std::floor(position[k] / cell_size_), -far, far));
  return cell;
}

std::size_t Neighbours::bucket(const Cell& cell) const {
  std::uint64_t key = 0;
  for (const std::int64_t c : cell) key = (key ^ static_cast<std::uint64_t>(c)) * 0x9e3779b97f4a7c15ULL;
  return static_cast<std::size_t>(key >> 32) & (cells_.size() - 1);
}

void Neighbours::enter(std::size_t ball) {
  places_[ball] = cell_of(homes_[ball].position);
  std::uint32_t& first = cells_[bucket(places_[ball])];
  next_[ball] = first;
  first = static_cast<std::uint32_t>(ball);
}

void Neighbours::leave(std::size_t ball) {
  std::uint32_t* link = &cells_[bucket(places_[ball])];
  while (*link != ball) link = &next_[*link];
  *link = next_[ball];
}

void Neighbours::set_home(std::size_t ball, const Vector3d& position) {
  if (cells_.empty()) return;
  leave(ball);
  homes_[ball].position = position;
  enter(ball);
}

}  // namespace carom::world
