// Who can meet whom soon? Every movable body has a home, and stays within its slack of it or gets a new one; bodies
// whose homes are farther apart than their radii and their slacks cannot meet meanwhile. Homes are kept in cells, so
// that looking for neighbours costs the same however many bodies there are. Who travels far gets larger and larger
// slacks: the number of homes grows with the logarithm of the way. Only a filter: it decides what is looked at, not
// what is found.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

namespace carom::world {

using Eigen::Vector3d;

class Neighbours {
public:
  struct Ball {
    Vector3d position = Vector3d::Zero();
    double radius = 1.0;
    bool movable = true;
  };

  /// Homes are where the balls are now. Few bodies are all neighbours of each other, for ever.
  explicit Neighbours(std::span<const Ball> balls);

  /// Whether bodies need homes at all.
  bool keeps() const { return !cells_.empty(); }
  /// How far a body may go from its home [m]: infinite if it needs none, zero if it is immovable.
  double slack(std::size_t ball) const { return homes_[ball].slack; }
  const Vector3d& home(std::size_t ball) const { return homes_[ball].position; }

  /// A body starts anew from here, with the least slack.
  void set_home(std::size_t ball, const Vector3d& position);
  /// A body that has left its home goes on: every so many homes its slack is doubled.
  void next_home(std::size_t ball, const Vector3d& position);

  /// Calls visit(other) for every body, movable or not, whose home is near enough to be met by a ball with this home;
  /// each once, not itself.
  template <class Visit>
  void each(std::size_t ball, const Visit& visit) const {
    if (cells_.empty()) {
      for (std::size_t other = 0; other < homes_.size(); ++other)
        if (other != ball) visit(other);
      return;
    }
    const Home& own = homes_[ball];
    for (std::uint32_t level = 0; level < levels_.size(); ++level) {
      const Level& here = levels_[level];
      if (here.balls.empty()) continue;
      const auto look = [&](std::uint32_t other) {
        if (other != ball && near(ball, other)) visit(static_cast<std::size_t>(other));
      };
      // Two of the greater slack are within one cell of each other; seen from a greater slack the cells are many.
      const double across = own.level <= level ? 3.0 : std::ldexp(1.0, static_cast<int>(own.level - level)) + 3.0;
      if (!(across * across * across <= 27.0 + static_cast<double>(here.balls.size()))) {
        for (const std::uint32_t other : here.balls) look(other);
        continue;
      }
      const auto reach = static_cast<std::int64_t>(0.5 * across);
      const Cell middle = cell_of(own.position, level);
      for (std::int64_t x = -reach; x <= reach; ++x)
        for (std::int64_t y = -reach; y <= reach; ++y)
          for (std::int64_t z = -reach; z <= reach; ++z) {
            const Cell cell = {middle[0] + x, middle[1] + y, middle[2] + z};
            for (std::uint32_t other = cells_[bucket(cell, level)]; other != nobody; other = next_[other])
              if (homes_[other].level == level && homes_[other].cell == cell) look(other);
          }
    }
    const auto fixed = [&](const std::vector<std::uint32_t>& list) {
      for (const std::uint32_t other : list)
        if (near(ball, other)) visit(static_cast<std::size_t>(other));
    };
    if (own.level > 0) return fixed(immovable_);
    const auto& listed = fixed_[bucket(cell_of(own.position, 0), 0)];
    fixed(listed.empty() ? everywhere_ : listed);
  }

  /// Whether the homes of two bodies are near enough for them to meet.
  bool near(std::size_t a, std::size_t b) const {
    return cells_.empty() || near(a, homes_[a].position, homes_[a].slack, b);
  }
  /// The same for a home and a slack that body `a` has had.
  bool near(std::size_t a, const Vector3d& home, double slack, std::size_t b) const {
    const double reach = homes_[a].radius + homes_[b].radius + slack + homes_[b].slack;
    return (home - homes_[b].position).squaredNorm() <= reach * reach;
  }

private:
  using Cell = std::array<std::int64_t, 3>;
  static constexpr std::uint32_t nobody = 0xffffffff;

  struct Home {
    Vector3d position;
    double radius, slack;
    std::uint32_t level = 0, moves = 0;  ///< the slack is that of level 0 times 2^level
    std::uint32_t place = 0;             ///< in the list of the level
    Cell cell{};
  };
  struct Level {
    double cell_size = 1.0;
    std::vector<std::uint32_t> balls;
  };

  Cell cell_of(const Vector3d& position, std::uint32_t level) const;
  std::size_t bucket(const Cell& cell, std::uint32_t level) const;
  void enter(std::size_t ball);
  void leave(std::size_t ball);

  std::vector<Home> homes_;
  double slack_ = 0.0, largest_ = 0.0;  // the least slack; the largest movable radius
  std::uint32_t moves_at_a_level_ = 1;
  std::vector<Level> levels_;
  std::vector<std::uint32_t> cells_;  // first movable body of each bucket; empty: everybody is near
  std::vector<std::uint32_t> next_;
  // Immovable bodies are listed where they can be met from level 0: in every bucket of the cells they reach into, which
  // also has those that are too large to be listed so.
  std::vector<std::vector<std::uint32_t>> fixed_;
  std::vector<std::uint32_t> everywhere_, immovable_;
};

}  // namespace carom::world
