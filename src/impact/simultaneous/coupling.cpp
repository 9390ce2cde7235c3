#include "coupling.hpp"

#include <algorithm>

namespace carom::simultaneous {

std::optional<Coupling> Coupling::of(const System<1>& system, double most) {
  const std::vector<std::vector<std::size_t>> touching = system.contacts_of_blocks();
  double entries = 0.0;
  for (const auto& list : touching) entries += static_cast<double>(list.size()) * static_cast<double>(list.size());
  if (entries > most * static_cast<double>(system.size())) return std::nullopt;

  Coupling coupling;
  std::vector<std::size_t> others;
  for (std::size_t c = 0; c < system.size(); ++c) {
    others.clear();
    for (const std::size_t block : system.moved_by(c))
      others.insert(others.end(), touching[block].begin(), touching[block].end());
    std::sort(others.begin(), others.end());
    others.erase(std::unique(others.begin(), others.end()), others.end());
    for (const std::size_t other : others) {
      const double w = system.block(c, other)(0, 0);
      if (w != 0.0) coupling.entries_.push_back({other, w});
    }
    coupling.first_.push_back(coupling.entries_.size());
  }
  return coupling;
}

}  // namespace carom::simultaneous
