// Tangential springs in slip: directions of friction that follow the velocity too fast to be integrated are slaved to
// it, with their lag; and what is updated between the steps of either friction.
#include <algorithm>
#include <cmath>

#include "friction.hpp"
#include "plane.hpp"
#include "tuning.hpp"

namespace carom::simultaneous {

/// Slaved directions follow the turning of -u_t with the lag (turning rate)/R. The turning rate takes the acceleration
/// without the lag: what that changes is of second order.
void Friction::lag_slaved_directions(const Eigen::VectorXd& y) {
  see_.respond(see_.f, see_.closed, see_.a);
  for (std::size_t c = 0; c < now_.m; ++c) {
    if (!now_.modes[c].slaved || !now_.modes[c].closed()) continue;
    const Spring& s = system_.spring(c);
    const Eigen::Vector2d u = see_.u[c].head<2>(), f = see_.f[c].head<2>();
    const double speed = u.norm(), d = y[now_.at_d(c)];
    if (!(speed > 0.0) || !(d > 0.0)) continue;
    const double rate = s.p * speed / (s.mu * s.eta2 * d);
    const double lag = cross(u, see_.a[c].head<2>()) / (speed * speed * rate);
    if (!std::isfinite(lag)) continue;
    const double angle = -std::clamp(lag, -largest_lag, largest_lag);
    see_.f[c].head<2>() = std::cos(angle) * f + std::sin(angle) * across(f);
  }
  if (rigid_friction_.empty()) return;
  for (const std::size_t c : rigid_) see_.f[c].head<2>().setZero();
  rigid_forces();
}

/// What slaving leaves out at the state of the last evaluation: the second order of the lag, from the rates of the
/// forces, times the force.
void Friction::find_lag_errors(const Eigen::VectorXd& y, const Eigen::VectorXd& rate) {
  const auto slips = [&](std::size_t c) {
    return system_.spring(c).eta2 > 0.0 && now_.modes[c].closed() && now_.modes[c].tangent == TangentMode::slip;
  };
  for (std::size_t c = 0; c < now_.m; ++c) {
    f_rate_[c].setZero();
    if (!now_.modes[c].closed()) continue;
    const Spring& s = system_.spring(c);
    const double d = y[now_.at_d(c)], force = s.force(d), force_rate = s.slope(d) * rate[now_.at_d(c)];
    f_rate_[c][2] = force_rate;
    const Eigen::Vector2d f = see_.f[c].head<2>(), u = see_.u[c].head<2>();
    if (slips(c)) {
      const double turning =
          now_.modes[c].slaved ? cross(u, see_.a[c].head<2>()) / u.squaredNorm() : rate[now_.at_f(c)];
      if (force > 0.0 && std::isfinite(turning)) f_rate_[c].head<2>() = force_rate / force * f + turning * across(f);
    } else if (s.eta2 > 0.0 && now_.modes[c].tangent == TangentMode::stick) {
      f_rate_[c].head<2>() = rate.segment<2>(now_.at_f(c));
    } else if (force > 0.0) {
      f_rate_[c].head<2>() = force_rate / force * f;  // rigid: without the turning
    }
  }
  see_.respond(f_rate_, see_.closed, a_rate_);
  for (std::size_t c = 0; c < now_.m; ++c) {
    lag_error_[c] = 0.0;
    if (!slips(c)) continue;
    const Spring& s = system_.spring(c);
    const double d = y[now_.at_d(c)], bound = s.mu * s.force(d);
    if (!(bound > 0.0)) continue;
    const Eigen::Vector2d u = see_.u[c].head<2>(), a = see_.a[c].head<2>();
    const double speed2 = u.squaredNorm(), relaxing = s.p * std::sqrt(speed2) / (s.mu * s.eta2 * d);
    const double turning = cross(u, a) / speed2;
    const double turning_rate = cross(u, a_rate_[c].head<2>()) / speed2 - 2.0 * turning * u.dot(a) / speed2;
    const double growth = u.dot(a) / speed2 - rate[now_.at_d(c)] / d;  // of R, relative
    double angle = std::abs(turning_rate - turning * growth) / (relaxing * relaxing);
    const double fastest = std::sqrt(a.squaredNorm() / speed2) + std::abs(rate[now_.at_d(c)]) / d;
    if (!(fastest <= lag_validity * relaxing)) angle = 1.0;
    lag_error_[c] = bound * std::min(angle, 1.0);
  }
}

bool Friction::late(std::size_t c) const {
  return now_.modes[c].slaved && lag_error_[c] > lag_excess * lag_tolerance * limits_.tolerance;
}

bool Friction::lags(const Eigen::VectorXd& y, const Eigen::VectorXd& rate) {
  if (!any_slaved_) return false;
  find_lag_errors(y, rate);
  bool any = false;
  for (std::size_t c = 0; c < now_.m; ++c) any = any || late(c);
  return any;
}

void Friction::release_lagging() {
  any_slaved_ = false;
  for (std::size_t c = 0; c < now_.m; ++c) {
    if (late(c)) {
      if (see_.f[c].head<2>().norm() > 0.0) now_.modes[c].angle = angle_of(see_.f[c].head<2>());
      now_.modes[c].slaved = false;
      now_.y[now_.at_f(c)] = now_.modes[c].angle;
    }
    any_slaved_ = any_slaved_ || now_.modes[c].slaved;
  }
}

/// A direction of its own is given up when slaving is accurate and the direction has come close to the slaved one: the
/// rest of its relaxation would add (force x angle)/R to the impulse.
bool Friction::may_slave(std::size_t c, double allowed) const {
  if (lag_error_[c] > allowed) return false;
  const Spring& s = system_.spring(c);
  const Eigen::Vector2d u = see_.u[c].head<2>(), f = see_.f[c].head<2>();
  const double d = now_.y[now_.at_d(c)], speed = u.norm(), relaxing = s.p * speed / (s.mu * s.eta2 * d);
  if (!(d > 0.0) || !(speed > 0.0)) return true;
  const double lag = cross(u, see_.a[c].head<2>()) / (speed * speed * relaxing);
  const double apart = cross(-u / speed, f) + f.norm() * lag;  // f times its angle to the slaved direction
  return f.dot(u) < 0.0 && std::abs(apart) <= allowed * relaxing;
}

Friction::Renew Friction::update() {
  bool changed = false, springs = false, stopping = false;
  const std::size_t sticking = rigid_.size() - static_cast<std::size_t>(angle_start_.size());
  for (std::size_t k = sticking; k < rigid_.size(); ++k) {
    const Eigen::Vector2d f = see_.f[rigid_[k]].head<2>();
    if (f.squaredNorm() > 0.0)
      now_.modes[rigid_[k]].angle = angle_start_[static_cast<Eigen::Index>(k - sticking)] = angle_of(f);
  }
  for (std::size_t c = 0; c < now_.m; ++c) {
    const Spring& s = system_.spring(c);
    if (!now_.modes[c].closed() || now_.modes[c].tangent != TangentMode::slip) continue;
    const Eigen::Vector2d u = see_.u[c].head<2>();
    if (s.eta2 == 0.0) {
      const double speed = u.norm();
      if (speed > limits_.no_slip) slip_axis_[c] = u / speed;
      slip_speed_[c] = speed;
      const Eigen::Vector2d a = see_.a[c].head<2>();
      if (speed < limits_.stopping && u.dot(a) < 0.0 &&
          a.norm() <= stopping_balance * (system_.block(c, c).topLeftCorner<2, 2>() * see_.f[c].head<2>()).norm()) {
        set_tangent(c, TangentMode::creep);
        now_.modes[c].stopping = stopping = true;
        now_.modes[c].angle = angle_of(-u);
      }
      continue;
    }
    if (u.norm() > 0.0 && now_.modes[c].slaved)
      now_.modes[c].angle = see_.f[c].head<2>().norm() > 0.0 ? angle_of(see_.f[c].head<2>()) : angle_of(-u);
    springs = true;
  }
  any_slaved_ = false;
  if (springs) {
    find_lag_errors(now_.y, now_.rate);
    for (std::size_t c = 0; c < now_.m; ++c) {
      const Spring& s = system_.spring(c);
      if (s.eta2 == 0.0 || !now_.modes[c].closed() || now_.modes[c].tangent != TangentMode::slip) continue;
      const double allowed = lag_tolerance * limits_.tolerance;
      const bool slaved = now_.modes[c].slaved ? lag_error_[c] <= allowed : may_slave(c, lag_hysteresis * allowed);
      any_slaved_ = any_slaved_ || slaved;
      if (slaved == now_.modes[c].slaved) continue;
      changed = true;
      now_.modes[c].slaved = slaved;
      if (!slaved) now_.y[now_.at_f(c)] = now_.modes[c].angle;
    }
  }
  if (stopping) return Renew::all;
  return changed ? Renew::rates : Renew::events;  // the axes of slip have turned
}

}  // namespace carom::simultaneous
