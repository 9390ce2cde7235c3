// Tangential springs in slip: directions of friction that follow the velocity too fast to be integrated are slaved to
// it, with their lag; and what is updated between the steps of either friction.
#include <algorithm>
#include <cmath>

#include "flow.hpp"
#include "plane.hpp"
#include "tuning.hpp"

namespace carom::simultaneous {

/// Slaved directions follow the turning of -u_t with the lag (turning rate)/R. The turning rate takes the acceleration
/// without the lag: what that changes is of second order.
template <>
void Flow<3>::lag_slaved_directions(const Eigen::VectorXd& y) const {
  respond(f_, closed_, a_);
  for (std::size_t c = 0; c < m_; ++c) {
    if (!state_[c].slaved || !state_[c].closed()) continue;
    const Spring& s = system_.spring(c);
    const Eigen::Vector2d u = u_[c].head<2>(), f = f_[c].head<2>();
    const double speed = u.norm(), d = y[at_d(c)];
    if (!(speed > 0.0) || !(d > 0.0)) continue;
    const double rate = s.p * speed / (s.mu * s.eta2 * d);
    const double lag = cross(u, a_[c].head<2>()) / (speed * speed * rate);
    if (!std::isfinite(lag)) continue;
    const double angle = -std::clamp(lag, -largest_lag, largest_lag);
    f_[c].head<2>() = std::cos(angle) * f + std::sin(angle) * across(f);
  }
  if (rigid_friction_.empty()) return;
  for (const std::size_t c : rigid_) f_[c].head<2>().setZero();
  rigid_forces();
}

/// What slaving leaves out at the state of the last evaluation: the second order of the lag, from the rates of the
/// forces, times the force.
template <>
void Flow<3>::find_lag_errors(const Eigen::VectorXd& y, const Eigen::VectorXd& rate) const {
  const auto slips = [&](std::size_t c) {
    return system_.spring(c).eta2 > 0.0 && state_[c].closed() && state_[c].tangent == TangentMode::slip;
  };
  for (std::size_t c = 0; c < m_; ++c) {
    f_rate_[c].setZero();
    if (!state_[c].closed()) continue;
    const Spring& s = system_.spring(c);
    const double d = y[at_d(c)], force = s.force(d), force_rate = s.slope(d) * rate[at_d(c)];
    f_rate_[c][2] = force_rate;
    const Eigen::Vector2d f = f_[c].head<2>(), u = u_[c].head<2>();
    if (slips(c)) {
      const double turning = state_[c].slaved ? cross(u, a_[c].head<2>()) / u.squaredNorm() : rate[at_f(c)];
      if (force > 0.0 && std::isfinite(turning)) f_rate_[c].head<2>() = force_rate / force * f + turning * across(f);
    } else if (s.eta2 > 0.0 && state_[c].tangent == TangentMode::stick) {
      f_rate_[c].head<2>() = rate.segment<2>(at_f(c));
    } else if (force > 0.0) {
      f_rate_[c].head<2>() = force_rate / force * f;  // rigid: without the turning
    }
  }
  respond(f_rate_, closed_, a_rate_);
  for (std::size_t c = 0; c < m_; ++c) {
    lag_error_[c] = 0.0;
    if (!slips(c)) continue;
    const Spring& s = system_.spring(c);
    const double d = y[at_d(c)], bound = s.mu * s.force(d);
    if (!(bound > 0.0)) continue;
    const Eigen::Vector2d u = u_[c].head<2>(), a = a_[c].head<2>();
    const double speed2 = u.squaredNorm(), relaxing = s.p * std::sqrt(speed2) / (s.mu * s.eta2 * d);
    const double turning = cross(u, a) / speed2;
    const double turning_rate = cross(u, a_rate_[c].head<2>()) / speed2 - 2.0 * turning * u.dot(a) / speed2;
    const double growth = u.dot(a) / speed2 - rate[at_d(c)] / d;  // of R, relative
    double angle = std::abs(turning_rate - turning * growth) / (relaxing * relaxing);
    const double fastest = std::sqrt(a.squaredNorm() / speed2) + std::abs(rate[at_d(c)]) / d;
    if (!(fastest <= lag_validity * relaxing)) angle = 1.0;
    lag_error_[c] = bound * std::min(angle, 1.0);
  }
}

/// True if a step has ended where slaving was not allowed: the contacts concerned go on from the step's beginning
/// with a direction of their own.
template <>
bool Flow<3>::release_lagging() {
  if (!any_slaved_) return false;
  find_lag_errors(y1_, rate1_);
  bool any = false;
  const auto late = [&](std::size_t c) {
    return state_[c].slaved && lag_error_[c] > lag_excess * lag_tolerance * tolerance_;
  };
  for (std::size_t c = 0; c < m_; ++c) any = any || late(c);
  if (!any) return false;
  rate_of(y_, rate_.data());
  any_slaved_ = false;
  for (std::size_t c = 0; c < m_; ++c) {
    if (late(c)) {
      if (f_[c].head<2>().norm() > 0.0) state_[c].angle = angle_of(f_[c].head<2>());
      state_[c].slaved = false;
      y_[at_f(c)] = state_[c].angle;
    }
    any_slaved_ = any_slaved_ || state_[c].slaved;
  }
  rate_of(y_, rate_.data());
  evaluate(y_, rate_, start_);
  return true;
}

/// A direction of its own is given up when slaving is accurate and the direction has come close to the slaved one: the
/// rest of its relaxation would add (force x angle)/R to the impulse.
template <>
bool Flow<3>::may_slave(std::size_t c, double allowed) const {
  if (lag_error_[c] > allowed) return false;
  const Spring& s = system_.spring(c);
  const Eigen::Vector2d u = u_[c].head<2>(), f = f_[c].head<2>();
  const double d = y_[at_d(c)], speed = u.norm(), relaxing = s.p * speed / (s.mu * s.eta2 * d);
  if (!(d > 0.0) || !(speed > 0.0)) return true;
  const double lag = cross(u, a_[c].head<2>()) / (speed * speed * relaxing);
  const double apart = cross(-u / speed, f) + f.norm() * lag;  // f times its angle to the slaved direction
  return f.dot(u) < 0.0 && std::abs(apart) <= allowed * relaxing;
}

/// Between steps: axes of rigid slip, angles of creep, and whether the springs' direction is followed or slaved.
template <>
void Flow<3>::update_slaving() {
  bool changed = false, springs = false, stopping = false;
  const std::size_t sticking = rigid_.size() - static_cast<std::size_t>(angle_start_.size());
  for (std::size_t k = sticking; k < rigid_.size(); ++k) {
    const Eigen::Vector2d f = f_[rigid_[k]].head<2>();
    if (f.squaredNorm() > 0.0)
      state_[rigid_[k]].angle = angle_start_[static_cast<Eigen::Index>(k - sticking)] = angle_of(f);
  }
  for (std::size_t c = 0; c < m_; ++c) {
    const Spring& s = system_.spring(c);
    if (!state_[c].closed() || state_[c].tangent != TangentMode::slip) continue;
    const Eigen::Vector2d u = u_[c].head<2>();
    if (s.eta2 == 0.0) {
      const double speed = u.norm();
      if (speed > zero_slip_) slip_axis_[c] = u / speed;
      slip_speed_[c] = speed;
      const Eigen::Vector2d a = a_[c].head<2>();
      if (speed < stopping_speed_ && u.dot(a) < 0.0 &&
          a.norm() <= stopping_balance * (system_.block(c, c).topLeftCorner<2, 2>() * f_[c].head<2>()).norm()) {
        set_tangent(c, TangentMode::creep);
        state_[c].stopping = stopping = true;
        state_[c].angle = angle_of(-u);
      }
      continue;
    }
    if (u.norm() > 0.0 && state_[c].slaved)
      state_[c].angle = f_[c].head<2>().norm() > 0.0 ? angle_of(f_[c].head<2>()) : angle_of(-u);
    springs = true;
  }
  any_slaved_ = false;
  if (springs) {
    find_lag_errors(y_, rate_);
    for (std::size_t c = 0; c < m_; ++c) {
      const Spring& s = system_.spring(c);
      if (s.eta2 == 0.0 || !state_[c].closed() || state_[c].tangent != TangentMode::slip) continue;
      const double allowed = lag_tolerance * tolerance_;
      const bool slaved = state_[c].slaved ? lag_error_[c] <= allowed : may_slave(c, lag_hysteresis * allowed);
      any_slaved_ = any_slaved_ || slaved;
      if (slaved == state_[c].slaved) continue;
      changed = true;
      state_[c].slaved = slaved;
      if (!slaved) y_[at_f(c)] = state_[c].angle;
    }
  }
  if (stopping) return refresh();
  if (changed) rate_of(y_, rate_.data());
  evaluate(y_, rate_, start_);  // the axes of slip have turned
}

}  // namespace carom::simultaneous
