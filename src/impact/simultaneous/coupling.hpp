// The inverse inertia between contacts along their normals, W_nn, row by row: only contacts that share a body have an
// entry.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "system.hpp"

namespace carom::simultaneous {

class Coupling {
public:
  struct Entry {
    std::size_t contact = 0;
    double w = 0.0;
  };

  /// None if the rows have more than `most` entries on average: a body that touches thousands couples all of them, and
  /// its motion says it shorter.
  static std::optional<Coupling> of(const System<1>& system, double most);

  std::size_t size() const { return first_.size() - 1; }
  /// In the order of the contacts; the diagonal is among them.
  std::span<const Entry> row(std::size_t c) const { return {entries_.data() + first_[c], first_[c + 1] - first_[c]}; }

  /// The most contacts that lie within so many steps of any of a few contacts, which stand for all.
  std::size_t reach(int steps) const;

private:
  std::vector<Entry> entries_;
  std::vector<std::size_t> first_ = {0};
};

}  // namespace carom::simultaneous
