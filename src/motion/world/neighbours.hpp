// Who can meet whom soon? Every movable body has a home, and stays within `slack` of it or gets a new one; bodies whose
// homes are farther apart than their radii and twice the slack cannot meet meanwhile. Homes are kept in cells, so that
// looking for neighbours costs the same however many bodies there are. Only a filter: it decides what is looked at, not
// what is found.
#pragma once

#include <Eigen/Core>
#include <array>
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

  /// How far a body may go from its home [m]; infinite if nobody needs one.
  double slack() const { return slack_; }
  const Vector3d& home(std::size_t ball) const { return homes_[ball].position; }
  void set_home(std::size_t ball, const Vector3d& position);

  /// Calls visit(other) for every body, movable or not, whose home is near enough to be met by a ball with this home;
  /// each once, not itself.
  template <class Visit>
  void each(std::size_t ball, const Visit& visit) const {
    if (cells_.empty()) {
      for (std::size_t other = 0; other < homes_.size(); ++other)
        if (other != ball) visit(other);
      return;
    }
    const Cell middle = cell_of(homes_[ball].position);
    for (std::int64_t x = -1; x <= 1; ++x)
      for (std::int64_t y = -1; y <= 1; ++y)
        for (std::int64_t z = -1; z <= 1; ++z) {
          const Cell cell = {middle[0] + x, middle[1] + y, middle[2] + z};
          for (std::uint32_t other = cells_[bucket(cell)]; other != nobody; other = next_[other])
            if (other != ball && places_[other] == cell && near(ball, other)) visit(other);
        }
    for (const std::uint32_t other : fixed_[bucket(middle)].empty() ? everywhere_ : fixed_[bucket(middle)])
      if (near(ball, other)) visit(other);
  }

  /// Whether the homes of two bodies are near enough for them to meet.
  bool near(std::size_t a, std::size_t b) const {
    if (cells_.empty()) return true;
    const double reach = homes_[a].radius + homes_[b].radius + 2.0 * slack_;
    return (homes_[a].position - homes_[b].position).squaredNorm() <= reach * reach;
  }

private:
  using Cell = std::array<std::int64_t, 3>;
  static constexpr std::uint32_t nobody = 0xffffffff;

  Cell cell_of(const Vector3d& position) const;
  std::size_t bucket(const Cell& cell) const;
  void enter(std::size_t ball);
  void leave(std::size_t ball);

  std::vector<Ball> homes_;
  double slack_, cell_size_ = 1.0;
  std::vector<std::uint32_t> cells_;  // first movable body of each bucket; empty: everybody is near
  std::vector<std::uint32_t> next_;
  std::vector<Cell> places_;
  // Immovable bodies are listed where they can be met: in every bucket of the cells they reach into, which also has
  // those that are too large to be listed so.
  std::vector<std::vector<std::uint32_t>> fixed_;
  std::vector<std::uint32_t> everywhere_;
};

}  // namespace carom::world
