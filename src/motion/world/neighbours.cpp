#include "neighbours.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace carom::world {

namespace {

/// Up to so many movable bodies it takes longer to keep cells than to look at all.
constexpr std::size_t few = 24;
/// Bodies per cell that cost least: fewer mean more moving house, more mean more neighbours.
constexpr double bodies_per_cell = 2.0;
/// An immovable body that reaches into more cells than this is looked at by everybody.
constexpr double most_cells = 4096.0;
/// A body has so many homes before its slack is doubled: as many as it takes to cross the scene, where it is likely to
/// meet something, within these.
constexpr double least_homes = 8.0, most_homes = 256.0;
/// The slack is then far beyond any number of metres.
constexpr std::uint32_t highest_level = 1000;

}  // namespace

Neighbours::Neighbours(std::span<const Ball> balls) {
  constexpr double unbounded = std::numeric_limits<double>::infinity();
  std::size_t movable = 0;
  Vector3d low = Vector3d::Constant(unbounded), high = -low;
  for (const Ball& ball : balls) {
    homes_.push_back({ball.position, ball.radius, ball.movable ? unbounded : 0.0, 0, 0, 0, {}});
    if (!ball.movable) continue;
    ++movable;
    largest_ = std::max(largest_, ball.radius);
    low = low.cwiseMin(ball.position);
    high = high.cwiseMax(ball.position);
  }
  if (movable <= few) return;
  const Vector3d extent = (high - low).cwiseMax(2.0 * largest_);
  const double room = bodies_per_cell * extent.prod() / static_cast<double>(movable);
  const double cell_size = std::max(std::cbrt(room), 2.5 * largest_);
  slack_ = 0.5 * cell_size - largest_;
  moves_at_a_level_ = static_cast<std::uint32_t>(std::clamp(extent.norm() / slack_, least_homes, most_homes));
  levels_.push_back({cell_size, {}});
  const std::size_t buckets = std::bit_ceil(2 * movable);
  cells_.assign(buckets, nobody);
  fixed_.resize(buckets);
  next_.assign(balls.size(), nobody);
  for (std::size_t i = 0; i < balls.size(); ++i) {
    if (balls[i].movable) {
      homes_[i].slack = slack_;
      enter(i);
      continue;
    }
    immovable_.push_back(static_cast<std::uint32_t>(i));
    const Vector3d reach = Vector3d::Constant(balls[i].radius + largest_ + slack_);
    const Cell from = cell_of(balls[i].position - reach, 0), to = cell_of(balls[i].position + reach, 0);
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
          auto& list = fixed_[bucket(cell, 0)];
          if (list.empty() || list.back() != i) list.push_back(static_cast<std::uint32_t>(i));
        }
  }
  for (auto& list : fixed_) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    if (!list.empty()) list.insert(list.end(), everywhere_.begin(), everywhere_.end());
  }
}

Neighbours::Cell Neighbours::cell_of(const Vector3d& position, std::uint32_t level) const {
  Cell cell;
  constexpr double far = 1e18;  // beyond, everything is in one cell
  for (int k = 0; k < 3; ++k)
    cell[static_cast<std::size_t>(k)] =
        static_cast<std::int64_t>(std::clamp(std::floor(position[k] / levels_[level].cell_size), -far, far));
  return cell;
}

std::size_t Neighbours::bucket(const Cell& cell, std::uint32_t level) const {
  std::uint64_t key = level;
  for (const std::int64_t c : cell) key = (key ^ static_cast<std::uint64_t>(c)) * 0x9e3779b97f4a7c15ULL;
  return static_cast<std::size_t>(key >> 32) & (cells_.size() - 1);
}

void Neighbours::enter(std::size_t ball) {
  Home& home = homes_[ball];
  home.cell = cell_of(home.position, home.level);
  std::uint32_t& first = cells_[bucket(home.cell, home.level)];
  next_[ball] = first;
  first = static_cast<std::uint32_t>(ball);
  auto& list = levels_[home.level].balls;
  home.place = static_cast<std::uint32_t>(list.size());
  list.push_back(static_cast<std::uint32_t>(ball));
}

void Neighbours::leave(std::size_t ball) {
  const Home& home = homes_[ball];
  std::uint32_t* link = &cells_[bucket(home.cell, home.level)];
  while (*link != ball) link = &next_[*link];
  *link = next_[ball];
  auto& list = levels_[home.level].balls;
  list[home.place] = list.back();
  homes_[list.back()].place = home.place;
  list.pop_back();
}

void Neighbours::set_home(std::size_t ball, const Vector3d& position) {
  if (cells_.empty()) return;
  leave(ball);
  Home& home = homes_[ball];
  home.position = position;
  home.slack = slack_;
  home.level = home.moves = 0;
  enter(ball);
}

void Neighbours::next_home(std::size_t ball, const Vector3d& position) {
  if (cells_.empty()) return;
  leave(ball);
  Home& home = homes_[ball];
  home.position = position;
  if (++home.moves >= moves_at_a_level_ && home.level < highest_level) {
    home.moves = 0;
    home.slack *= 2.0;
    if (++home.level == levels_.size()) levels_.push_back({2.0 * (largest_ + home.slack), {}});
  }
  enter(ball);
}

}  // namespace carom::world
