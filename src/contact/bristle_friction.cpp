#include "carom/contact/bristle_friction.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "carom/core/error.hpp"

namespace carom {

namespace {

using Eigen::Vector2d;

/// Of a force, a state or a speed: crossings of a kink by less are noise. In fast slip limit and force agree to
/// rounding, and so do the dwell state and what it follows.
constexpr double kink_noise = 1e-13;
/// LuGre's bristles give way at the rate sigma0 |v| / g, which is without bound where the load begins; below this share
/// of what would hold the speed by sigma1 alone the load no longer matters.
constexpr double least_load_share = 1e-6;

/// Terms of the law that force, rates and margins share.
struct Terms {
  double s, slip;     // stick function and 1 - s, which keeps its digits
  Vector2d bristles;  // f_br
  Vector2d sliding;   // mu_c f_n dir
  double limit;       // f_max
};

/// dir(v) = v times this.
double direction_over_speed(const BristleFriction& f, bool creeping, double speed) {
  if (!creeping) return speed > 0.0 ? 1.0 / speed : 0.0;
  const double v_eps = f.slip_tolerance(), r = speed / v_eps;
  return f.direction == SlipDirection::smooth ? (1.5 - 0.5 * r * r) / v_eps : (1.5 * r - 0.5 * r * r * r) / v_eps;
}

Terms terms_of(const BristleFriction& f, bool creeping, const BristleState& state, const Vector2d& v, double load) {
  Terms t;
  const double v2 = v.squaredNorm(), x = -v2 / (f.v_s * f.v_s);
  t.slip = -std::expm1(x);
  t.s = std::exp(x);
  t.sliding = f.mu_c * load * direction_over_speed(f, creeping, std::sqrt(v2)) * v;
  t.bristles = t.s * (f.sigma0 * state.z + f.sigma1 * v) + t.slip * t.sliding;
  t.limit = load * (f.mu_c + (f.mu_s - f.mu_c) * state.dwell);
  return t;
}

/// sigma0 |v| / g.
double lugre_rate(const BristleFriction& f, double speed, double load) {
  const double s = std::exp(-speed * speed / (f.v_s * f.v_s));
  const double g = std::hypot(load * (f.mu_c + (f.mu_s - f.mu_c) * s), least_load_share * f.sigma1 * speed);
  return g > 0.0 ? f.sigma0 * speed / g : 0.0;
}

BristleForce lugre_force(const BristleFriction& f, const BristleState& state, const Vector2d& v, double load) {
  BristleForce answer;
  if (f.mu_s == 0.0) {  // nothing bends bristles that give way at once
    answer.force = -f.sigma2 * v;
    return answer;
  }
  answer.z_rate = v - lugre_rate(f, v.norm(), load) * state.z;
  answer.force = -(f.sigma0 * state.z + f.sigma1 * answer.z_rate + f.sigma2 * v);
  return answer;
}

}  // namespace

void require_valid(const BristleFriction& f) {
  require_at_least("mu_c", f.mu_c, 0.0);
  require_at_least("mu_s", f.mu_s, 0.0);
  if (f.mu_c > f.mu_s)
    throw InvalidInput("mu_c", "must be <= mu_s, " + number_text(f.mu_s) + ", got " + number_text(f.mu_c));
  require_positive("sigma0", f.sigma0);
  require_positive("sigma1", f.sigma1);
  require_at_least("sigma2", f.sigma2, 0.0);
  require_positive("v_s", f.v_s);
  if (f.model == FrictionModel::dwell) require_positive("tau_dw", f.tau_dw);
  require_at_least("v_eps", f.v_eps, 0.0);
}

BristleRegime bristle_regime(const BristleFriction& f, const BristleState& state, const Vector2d& v, double load) {
  BristleRegime regime;
  if (f.model == FrictionModel::lugre) return regime;
  regime.creeping = v.norm() < f.slip_tolerance();
  const Terms t = terms_of(f, regime.creeping, state, v, load);
  regime.saturated = t.bristles.norm() > t.limit;
  regime.settling = t.s >= state.dwell;
  return regime;
}

BristleForce bristle_force(const BristleFriction& f, const BristleRegime& regime, const BristleState& state,
                           const Vector2d& v, double load) {
  if (f.model == FrictionModel::lugre) return lugre_force(f, state, v, load);
  const Terms t = terms_of(f, regime.creeping, state, v, load);
  const double rate = f.sigma0 / f.sigma1;
  BristleForce answer;
  const double size = regime.saturated ? t.bristles.norm() : 0.0;
  answer.force = -f.sigma2 * v - (size > 0.0 ? t.limit / size : 1.0) * t.bristles;
  answer.z_rate = t.s * v + t.slip * (t.sliding / f.sigma1 - rate * state.z);
  answer.dwell_rate = (t.s - state.dwell) * (regime.settling ? 1.0 / f.tau_dw : rate);
  return answer;
}

BristleForce bristle_force(const BristleFriction& f, const BristleState& state, const Vector2d& v, double load) {
  if (f.model == FrictionModel::lugre) return lugre_force(f, state, v, load);
  // The regime and its formulas in one go: this is what a stepper spends its time on.
  const double v2 = v.squaredNorm(), speed = std::sqrt(v2), rate = f.sigma0 / f.sigma1;
  const double s = std::exp(-v2 / (f.v_s * f.v_s)), slip = 1.0 - s;
  const Vector2d sliding = f.mu_c * load * direction_over_speed(f, speed < f.slip_tolerance(), speed) * v;
  const Vector2d bristles = s * (f.sigma0 * state.z + f.sigma1 * v) + slip * sliding;
  const double limit = load * (f.mu_c + (f.mu_s - f.mu_c) * state.dwell), size2 = bristles.squaredNorm();
  BristleForce answer;
  answer.force = -f.sigma2 * v - (size2 > limit * limit ? limit / std::sqrt(size2) : 1.0) * bristles;
  answer.z_rate = s * v + (slip / f.sigma1) * (sliding - f.sigma0 * state.z);
  const double rise = s - state.dwell;
  answer.dwell_rate = rise >= 0.0 ? rise / f.tau_dw : rise * rate;
  return answer;
}

void bristle_margins(const BristleFriction& f, const BristleRegime& regime, const BristleState& state,
                     const Vector2d& v, double load, double margins[bristle_kinks]) {
  if (f.model == FrictionModel::lugre) {
    std::fill(margins, margins + bristle_kinks, 1.0);
    return;
  }
  const Terms t = terms_of(f, regime.creeping, state, v, load);
  const double over = t.bristles.norm() - t.limit, rise = t.s - state.dwell, v_eps = f.slip_tolerance(),
               slow = v_eps - v.norm();
  margins[0] = (regime.saturated ? over : -over) + kink_noise * t.limit;
  margins[1] = (regime.settling ? rise : -rise) + kink_noise;
  margins[2] = (regime.creeping ? slow : -slow) + kink_noise * v_eps;
}

BristleRegime beyond(BristleRegime regime, int kink) {
  bool* sides[bristle_kinks] = {&regime.saturated, &regime.settling, &regime.creeping};
  *sides[kink] = !*sides[kink];
  return regime;
}

double bristle_energy(const BristleFriction& friction, const BristleState& state) {
  return 0.5 * friction.sigma0 * state.z.squaredNorm();
}

double steady_friction(const BristleFriction& f, double speed, double load) {
  require_valid(f);
  require_at_least("speed", speed, 0.0);
  require_at_least("load", load, 0.0);
  const double x = -speed * speed / (f.v_s * f.v_s), s = std::exp(x), slip = -std::expm1(x);
  if (speed == 0.0) return 0.0;
  const double limit = load * (f.mu_c + (f.mu_s - f.mu_c) * s);
  if (f.model == FrictionModel::lugre) return limit + f.sigma2 * speed;
  // Bristles at rest: sigma0 z = mu_c f_n dir + sigma1 s v / (1 - s), and so is their force.
  const double dir = direction_over_speed(f, speed < f.slip_tolerance(), speed) * speed;
  return std::min(f.mu_c * load * dir + f.sigma1 * s * speed / slip, limit) + f.sigma2 * speed;
}

double bristle_settling_rate(const BristleFriction& f, double speed, double load) {
  if (f.model == FrictionModel::lugre) return f.mu_s > 0.0 ? lugre_rate(f, speed, load) : 0.0;
  return f.sigma0 / f.sigma1;
}

double unseen_slip_time(const BristleFriction& f, const Vector2d& slip, const Vector2d& slip_rate) {
  // Half of the time to rest at most, so that a step ends before the band; then a step through it takes several.
  return std::max(0.5 * slip.norm(), f.v_s) / slip_rate.norm();
}

double breakaway_force(const BristleFriction& f, double time, double load) {
  require_valid(f);
  require_at_least("time", time, 0.0);
  require_at_least("load", load, 0.0);
  if (f.model == FrictionModel::lugre) return load * f.mu_s;
  return load * (f.mu_c - (f.mu_s - f.mu_c) * std::expm1(-time / f.tau_dw));
}

Eigen::Vector3d transported(const Eigen::Vector3d& vector, const Eigen::Vector3d& from, const Eigen::Vector3d& to) {
  // The rotation by from x to: v + a x v + a x (a x v) / (1 + cos).
  const Eigen::Vector3d axis = from.cross(to), first = axis.cross(vector);
  return vector + first + axis.cross(first) / (1.0 + from.dot(to));
}

}  // namespace carom
