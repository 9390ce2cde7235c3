#include "rates.hpp"

#include <algorithm>
#include <cmath>

namespace carom::simultaneous {

template <int D>
void Rates<D>::at(const Eigen::VectorXd& y, double* rate) {
  see.observe_closed(y);
  std::fill(rate, rate + y.size(), 0.0);
  for (const std::size_t c : see.closed) {
    see.f[c].setZero();
    if (!now_.modes[c].closed()) continue;  // opened in the present event
    const Spring& s = system_.spring(c);
    const double d = y[now_.at_d(c)], force = s.force(d);
    const double d_rate = now_.modes[c].normal == NormalMode::unloading ? -see.u[c][n] / s.e2 : -see.u[c][n];
    rate[now_.at_d(c)] = d_rate;
    see.f[c][n] = force;
    if constexpr (D == 3)
      if (s.mu > 0.0) see.f[c].template head<2>() = friction.force(c, y, force, d_rate, rate);
  }
  if constexpr (D == 3) friction.complete_forces(y);
  for (const std::size_t c : see.closed) {
    if (!now_.modes[c].closed()) continue;
    Eigen::Map<typename System<D>::Vector>(rate + D * c) = see.f[c];
    if constexpr (D == 3) rate[now_.at_work(c)] = -see.f[c].template head<2>().dot(see.u[c].template head<2>());
  }
}

template <int D>
void Rates<D>::evaluate(const Eigen::VectorXd& y, const Eigen::VectorXd& rate, Events& events) {
  see.observe_rest();
  std::fill(events.active.begin(), events.active.end(), char{0});
  if constexpr (D == 3) friction.note_push();
  for (std::size_t c = 0; c < now_.m; ++c) {
    const std::size_t i = Events::slots * c;
    const double sign = now_.modes[c].normal == NormalMode::loading ? -1.0 : 1.0;
    events.value[i] = sign * see.u[c][n] + flow_event_level;
    events.rate[i] = sign * see.a[c][n];
    events.active[i] = 1;
    if (now_.modes[c].normal == NormalMode::unloading) {
      events.value[i + 1] = y[now_.at_d(c)];
      events.rate[i + 1] = rate[now_.at_d(c)];
      events.active[i + 1] = 1;
    }
    if constexpr (D == 3)
      if (now_.modes[c].closed()) friction.evaluate(c, y, rate, events);
  }
}

template <int D>
void Rates<D>::refresh(Events& start) {
  see.rebuild(now_);
  if constexpr (D == 3) friction.rebuild();
  at(now_.y, now_.rate.data());
  evaluate(now_.y, now_.rate, start);
}

template <int D>
double Rates<D>::arrival(std::size_t k, double rate) const {
  const std::size_t slot = k % Events::slots;
  if (slot == 0) return 0.5 * flow_event_level;
  if constexpr (D == 3)
    if (slot > 1) return friction.arrival(k, rate);
  return std::isfinite(rate) ? event_time * std::max(1.0, std::abs(rate)) : 0.0;
}

template class Rates<1>;
template class Rates<3>;

}  // namespace carom::simultaneous
