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

std::size_t Coupling::reach(int steps) const {
  constexpr std::size_t samples = 8;
  std::size_t most = 0;
  std::vector<std::size_t> seen(size(), samples), found;
  for (std::size_t sample = 0; sample < samples; ++sample) {
    found = {(2 * sample + 1) * size() / (2 * samples)};
    seen[found[0]] = sample;
    std::size_t begin = 0;
    for (int step = 0; step < steps; ++step)
      for (const std::size_t end = found.size(); begin < end; ++begin)
        for (const auto& [b, w] : row(found[begin]))
          if (seen[b] != sample) {
            seen[b] = sample;
            found.push_back(b);
          }
    most = std::max(most, found.size());
  }
  return most;
}

}  // namespace carom::simultaneous
