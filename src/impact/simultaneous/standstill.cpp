#include "standstill.hpp"

#include <algorithm>
#include <cmath>

namespace carom::simultaneous {

/// The largest velocity or acceleration of the pressing contacts, and the largest energy in their springs.
template <int D>
std::pair<double, double> Standstill<D>::motion_and_energy() const {
  double motion = 0.0, stored = 0.0;
  for (std::size_t c = 0; c < now_.m; ++c) {
    if (!now_.modes[c].closed()) continue;
    motion = std::max({motion, see_.u[c].cwiseAbs().maxCoeff(), see_.a[c].cwiseAbs().maxCoeff()});
    stored = std::max(stored, system_.spring(c).energy(std::max(now_.compression(c), 0.0)));
  }
  return {motion, stored};
}

/// No contact has closed, opened, slipped or stuck anew for many swings of the slowest body.
template <int D>
bool Standstill<D>::unchanged() {
  for (; told_ < log_.events.size(); ++told_)
    if (const EventType type = log_.events[told_].type;
        type != EventType::compression_ends && type != EventType::recompression_begins)
      unchanged_since_ = now_.time;
  return D == 3 && now_.time - unchanged_since_ > unchanged_swings * swing_;
}

template <int D>
bool Standstill<D>::spent() {
  const auto [motion, stored] = motion_and_energy();
  if (motion <= idle_speed && stored <= jam_speed * jam_speed) return true;
  return motion <= limits_.tolerance && stored <= limits_.tolerance * limits_.tolerance && unchanged();
}

template <int D>
bool Standstill<D>::jammed() {
  const auto [motion, stored] = motion_and_energy();
  if (!(motion <= drift_speed && stored > drift_speed)) slow_since_ = now_.time;
  if constexpr (D == 1) return false;
  if (now_.time - slow_since_ > drift_swings * swing_ || unchanged()) return true;
  return motion <= limits_.jam && stored > (motion <= idle_speed ? jam_speed * jam_speed : limits_.jam);
}

template <int D>
bool Standstill<D>::time_stands(std::size_t steps) {
  if (steps < window_steps_ + standstill_steps + 10 * now_.m) return false;
  const bool still = now_.time < window_time_ + standstill_time;
  window_steps_ = steps;
  window_time_ = now_.time;
  return still;
}

template class Standstill<1>;
template class Standstill<3>;

}  // namespace carom::simultaneous
