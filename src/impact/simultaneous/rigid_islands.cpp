#include "rigid_islands.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "tuning.hpp"

namespace carom::simultaneous {

Eigen::MatrixXd tangential_blocks(const System<3>& system, const std::vector<std::size_t>& contacts) {
  const auto size = static_cast<Eigen::Index>(contacts.size());
  Eigen::MatrixXd w(2 * size, 2 * size);
  for (Eigen::Index i = 0; i < size; ++i)
    for (Eigen::Index j = 0; j < size; ++j)
      w.block<2, 2>(2 * i, 2 * j) =
          system.block(contacts[static_cast<std::size_t>(i)], contacts[static_cast<std::size_t>(j)])
              .topLeftCorner<2, 2>();
  return w;
}

std::vector<std::vector<std::size_t>> islands_of(const System<3>& system, const std::vector<std::size_t>& contacts) {
  constexpr std::size_t few = 32;  // looking for islands would take longer than one matrix for all
  const std::size_t n = contacts.size();
  if (n <= few) {
    std::vector<std::size_t> all(n);
    std::iota(all.begin(), all.end(), std::size_t{0});
    return {all};
  }
  std::vector<std::pair<std::size_t, std::size_t>> touching;  // block, place
  for (std::size_t k = 0; k < n; ++k)
    for (const std::size_t block : system.moved_by(contacts[k])) touching.emplace_back(block, k);
  std::sort(touching.begin(), touching.end());
  std::vector<std::size_t> parent(n);
  std::iota(parent.begin(), parent.end(), std::size_t{0});
  const auto root = [&](std::size_t k) {
    while (parent[k] != k) k = parent[k] = parent[parent[k]];
    return k;
  };
  for (std::size_t i = 1; i < touching.size(); ++i)
    if (touching[i].first == touching[i - 1].first) {
      const std::size_t a = root(touching[i].second), b = root(touching[i - 1].second);
      parent[std::max(a, b)] = std::min(a, b);
    }
  std::vector<std::size_t> number(n, n);
  std::vector<std::vector<std::size_t>> islands;
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t& island = number[root(k)];
    if (island == n) {
      island = islands.size();
      islands.emplace_back();
    }
    islands[island].push_back(k);
  }
  return islands;
}

Eigen::VectorXd least_slip_forces(const System<3>& system, const std::vector<std::size_t>& contacts,
                                  const Eigen::VectorXd& b, const Eigen::VectorXd& radius, double& visits) {
  Eigen::VectorXd f(b.size());
  visits = 0.0;
  std::vector<std::size_t> some;
  for (const std::vector<std::size_t>& island : islands_of(system, contacts)) {
    some.clear();
    Eigen::VectorXd own_b(2 * static_cast<Eigen::Index>(island.size())), own_radius(own_b.size() / 2);
    for (std::size_t i = 0; i < island.size(); ++i) {
      const auto at = static_cast<Eigen::Index>(i), from = static_cast<Eigen::Index>(island[i]);
      some.push_back(contacts[island[i]]);
      own_b.segment<2>(2 * at) = b.segment<2>(2 * from);
      own_radius[at] = radius[from];
    }
    std::size_t sweeps = 0;
    const Eigen::VectorXd own = least_slip_forces(tangential_blocks(system, some), own_b, own_radius, sweeps);
    visits += static_cast<double>(sweeps * island.size());
    for (std::size_t i = 0; i < island.size(); ++i)
      f.segment<2>(2 * static_cast<Eigen::Index>(island[i])) = own.segment<2>(2 * static_cast<Eigen::Index>(i));
  }
  return f;
}

double RigidIslands::set(const System<3>& system, const std::vector<std::size_t>& contacts, std::size_t sticking) {
  sticking_ = static_cast<Eigen::Index>(sticking);
  islands_.clear();
  double work = 0.0;
  std::vector<std::size_t> some;
  for (const std::vector<std::size_t>& places : islands_of(system, contacts)) {
    Island& island = islands_.emplace_back();
    some.clear();
    Eigen::Index stick = 0;
    for (const std::size_t place : places) {
      some.push_back(contacts[place]);
      island.places.push_back(static_cast<Eigen::Index>(place));
      if (place < sticking) ++stick;
    }
    island.friction.set(tangential_blocks(system, some), stick);
    const auto size = static_cast<Eigen::Index>(some.size());
    island.b.setZero(2 * size);
    island.f.setZero(2 * size);
    island.bound.setZero(size);
    island.angle.setZero(size - stick);
    work += factoring_work * std::pow(static_cast<double>(some.size()), 3);
  }
  return work;
}

bool RigidIslands::hyperstatic() const {
  return std::any_of(islands_.begin(), islands_.end(), [](const Island& i) { return i.friction.hyperstatic(); });
}

double RigidIslands::turning_work(const Island& island) {
  const auto creeping = static_cast<double>(island.angle.size());
  return island.friction.iterations() * (creep_work[0] + creep_work[1] * creeping * creeping);
}

double RigidIslands::solve(const Eigen::VectorXd& b, const Eigen::VectorXd& bound, Eigen::VectorXd& angle,
                           Eigen::VectorXd& f) const {
  if (islands_.size() == 1) {
    islands_[0].friction.solve(b, bound, angle, f);
    return turning_work(islands_[0]);
  }
  double work = 0.0;
  for (const Island& island : islands_) {
    const auto size = static_cast<Eigen::Index>(island.places.size()), stick = size - island.angle.size();
    for (Eigen::Index i = 0; i < size; ++i) {
      const Eigen::Index from = island.places[static_cast<std::size_t>(i)];
      island.b.segment<2>(2 * i) = b.segment<2>(2 * from);
      island.bound[i] = bound[from];
      if (i >= stick) island.angle[i - stick] = angle[from - sticking_];
    }
    island.friction.solve(island.b, island.bound, island.angle, island.f);
    work += turning_work(island);
    for (Eigen::Index i = 0; i < size; ++i) {
      const Eigen::Index to = island.places[static_cast<std::size_t>(i)];
      f.segment<2>(2 * to) = island.f.segment<2>(2 * i);
      if (i >= stick) angle[to - sticking_] = island.angle[i - stick];
    }
  }
  return work;
}

}  // namespace carom::simultaneous
