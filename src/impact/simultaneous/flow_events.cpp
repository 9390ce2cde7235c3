// Events of simultaneous impact: where on a step the first one lies, and the state there.
#include <algorithm>
#include <array>
#include <cmath>

#include "cubic.hpp"
#include "flow.hpp"
#include "tuning.hpp"

namespace carom::simultaneous {

namespace {

/// Where an event function that is positive at 0 and negative at 1 crosses zero, from its values and slopes there. If
/// the slopes are not known, by a line, whose ends are `weight` times the values.
double crossing(const Cubic& f, const std::array<double, 2>& weight) {
  const bool smooth = std::isfinite(f.s0) && std::isfinite(f.s1);
  if (!(f.v0 > 0.0)) return 0.0;
  if (!smooth) return weight[0] * f.v0 / (weight[0] * f.v0 - weight[1] * f.v1);
  double a = 0.0, b = 1.0;
  for (int i = 0; i < 50; ++i) {
    const double x = 0.5 * (a + b);
    (f.at(x) < 0.0 ? b : a) = x;
  }
  return b;
}

}  // namespace

/// A step by t, positive or negative, from a state with that rate to y1_: the classical method of order 4.
template <int D>
void Flow<D>::short_step(const Eigen::VectorXd& y, const Eigen::VectorXd& rate, double t) {
  work_.spend(short_step_work * (step_overhead + static_cast<double>(m_)));
  auto& [at, second, third, fourth] = short_;
  at = y + 0.5 * t * rate;
  rate_of(at, second.data());
  at = y + 0.5 * t * second;
  rate_of(at, third.data());
  at = y + t * third;
  rate_of(at, fourth.data());
  y1_ = y + t / 6.0 * (rate + 2.0 * (second + third) + fourth);
}

/// y1_, rate1_ and end_ after time t of the present step; by a short step where a known state is within reach.
template <int D>
void Flow<D>::step_to(double t, double reach) {
  const bool near = std::abs(t - known_.t) <= reach, early = t <= reach;
  if (near) {
    short_step(known_.y, known_.rate, t - known_.t);
  } else if (early) {
    short_step(y_, rate_, t);
  } else {
    const auto rhs = [this](const Eigen::VectorXd& at, double* out) { rate_of(at, out); };
    piece_error_ = method_.step(rhs, y_, rate_, t, y1_, weight_);
    ++steps_;
    work_.spend(step_overhead + static_cast<double>(m_));
  }
  rate_of(y1_, rate1_.data());
  evaluate(y1_, rate1_, end_);
  if (!near && !early) keep(t);
}

/// Makes the state in y1_, after time t of the present step, the one to go on from.
template <int D>
void Flow<D>::keep(double t) {
  known_.t = t;
  known_.y = y1_;
  known_.rate = rate1_;
}

/// How near zero event function k counts as having arrived.
template <int D>
double Flow<D>::arrival(std::size_t k, double rate) const {
  const std::size_t slot = k % slots;
  if (slot == 0) return 0.5 * flow_event_level;
  const ContactState& state = state_[k / slots];
  // The speed at which creep is called slip is nothing physical.
  if (state.tangent == TangentMode::creep && slot == (state.stopping ? 3 : 2)) return 0.1 * slip_threshold_;
  if (!std::isfinite(rate) && state.tangent == TangentMode::stick) return friction_margin;
  if constexpr (D == 3)
    if (!std::isfinite(rate) && state.tangent == TangentMode::creep) return creep_room(k / slots);
  if (!std::isfinite(rate)) return 0.0;
  if (is_rigid(k / slots) && state.tangent == TangentMode::slip && slot == 2) return slip_arrival * zero_slip_;
  return event_time * std::max(1.0, std::abs(rate)) * (slot == 1 ? 1.0 : 1e-3);
}

/// Shortens the step [0, h] to its first event, if there is one. The events of the end of the step are in end_.
template <int D>
bool Flow<D>::locate(double& h) {
  const auto fired = [&](const Events& e, std::size_t i) { return e.active[i] && e.value[i] < 0.0; };
  const auto any_fired = [&](const Events& e) {
    for (std::size_t i = 0; i < slots * m_; ++i)
      if (fired(e, i)) return true;
    return false;
  };
  const double reach = short_share * h;
  double dip = 1.0;
  if (!any_fired(end_)) {
    // A function that falls first and rises at the end may have dipped below zero in between.
    for (std::size_t i = 0; i < slots * m_; ++i) {
      if (!start_.active[i] || !(start_.value[i] > 0.0) || !(start_.rate[i] < 0.0) || !(end_.rate[i] > 0.0)) continue;
      const Cubic f{start_.value[i], h * start_.rate[i], end_.value[i], h * end_.rate[i]};
      for (int j = 1; j < 16; ++j)
        if (f.at(j / 16.0) < 0.0) dip = std::min(dip, j / 16.0);
    }
    if (dip == 1.0) return false;
  }
  keep(h);
  if (dip < 1.0) {
    step_to(dip * h, reach);
    if (!any_fired(end_)) {
      step_to(h, reach);
      return false;
    }
    h *= dip;
  }

  low_ = start_;
  high_ = end_;
  double t_low = 0.0, t_high = h;
  std::array<double, 2> weight{1.0, 1.0};  // an end that stays again counts half as much (the Illinois method)
  std::size_t last = 2;                    // the end that stayed last
  constexpr double narrow = 0.01 * shortest_step;
  for (int i = 0; i < 60 && t_high - t_low > narrow; ++i) {
    const double width = t_high - t_low;
    double x = 1.0;
    for (std::size_t k = 0; k < slots * m_; ++k)
      if (fired(high_, k))
        x = std::min(x, crossing({low_.value[k], width * low_.rate[k], high_.value[k], width * high_.rate[k]}, weight));
    if (i >= 8 && i % 2 == 0) x = 0.5;
    const double t = std::clamp(t_low + x * width, t_low + 0.5 * narrow, t_high - 0.5 * narrow);
    step_to(t, reach);
    bool past = false, there = false;
    for (std::size_t k = 0; k < slots * m_; ++k) {
      if (!end_.active[k]) continue;
      const double near = arrival(k, end_.rate[k]);
      past = past || end_.value[k] < -near;
      there = there || (fired(high_, k) && end_.value[k] <= near);
    }
    if (!past && there) {
      h = t;
      return true;
    }
    (past ? t_high : t_low) = t;
    std::swap(past ? high_ : low_, end_);
    const std::size_t stays = past ? 0 : 1;
    weight[1 - stays] = 1.0;
    if (last == stays) weight[stays] *= 0.5;
    last = stays;
  }
  h = t_high;
  step_to(h, reach);
  return true;
}

template bool Flow<1>::locate(double&);
template bool Flow<3>::locate(double&);
template double Flow<1>::arrival(std::size_t, double) const;
template double Flow<3>::arrival(std::size_t, double) const;

}  // namespace carom::simultaneous
