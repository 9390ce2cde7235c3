// Stick: three coupled harmonic oscillators, solved by their modes; the first event is found with guaranteed bounds.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "bracketed_root.hpp"
#include "jacobi.hpp"
#include "state.hpp"

namespace carom::compliant {

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// Rounding of a sum of modes, in units of epsilon times the sum of their amplitudes.
constexpr double noise_factor = 8.0;

/// Modes this much faster than the others are looked at by their amplitude, until the others bring the event within it.
constexpr double much_faster = 8.0;

/// How far to step off the friction cone, as a part of the distance over which the state surely stays inside.
constexpr double step_off = 0.7;

/// A function's value and derivatives at the present time, with a bound that holds for all times.
struct Local {
  double c0 = 0.0, c1 = 0.0, c2 = 0.0;  ///< value, first and second derivative
};

/// How far a function surely stays positive, if its third derivative is nowhere larger than `bound`: a positive lower
/// bound on the first root of q = c0 + c1 t + c2 t^2/2 - bound t^3/6.
double safe_distance(const Local& at, double bound) {
  constexpr double forever = std::numeric_limits<double>::infinity();
  const double c0 = std::max(at.c0, 0.0), c1 = at.c1;
  double c2 = at.c2, least = 0.0;
  if (c1 < 0.0 && c2 > 0.0) {
    // q may dip. If the parabola does not reach zero, its minimum lasts for a while; else its tangent must do.
    const double minimum = c0 - 0.5 * c1 * c1 / c2;
    if (minimum > 0.0) least = bound > 0.0 ? std::cbrt(6.0 * minimum / bound) : forever;
    c2 = 0.0;
  }
  // A point at or beyond the root, from which q is concave to the right of it: Newton descends towards the root.
  double t;
  if (c1 < 0.0) {
    t = c0 / -c1;
    if (bound * t * t * t > 48.0 * c0) t = std::cbrt(6.0 * c0 / bound);
  } else {
    if (!(bound > 0.0)) return c2 < 0.0 ? (c1 + std::sqrt(c1 * c1 - 2.0 * c2 * c0)) / -c2 : forever;
    t = std::sqrt(6.0 * c1 / bound) + 3.0 * std::max(c2, 0.0) / bound;
    if (c0 > 0.0) t += std::cbrt(6.0 * c0 / bound);
  }
  if (!(t > 0.0)) return least;
  double value = 0.0;
  const bool falling = c0 > 0.0 && c1 < 0.0;
  const int rounds = falling ? 2 : 60;
  for (int i = 0; i < rounds; ++i) {
    value = c0 + t * (c1 + t * (0.5 * c2 - t * bound / 6.0));
    const double slope = c1 + t * (c2 - 0.5 * t * bound);
    if (!(value < 0.0) || !(slope < 0.0)) break;
    const double next = t - value / slope;
    if (!(next < t)) break;
    const bool close = t - next <= 1e-7 * t;  // quadratic: the next error is below rounding
    t = next;
    if (close) break;
  }
  if (falling) {
    // Two rounds are close; the chord from the present point, where q is concave throughout, is on the safe side.
    value = c0 + t * (c1 + t * (0.5 * c2 - t * bound / 6.0));
    if (value < 0.0) t *= c0 / (c0 - value);
  }
  return std::max(t, least);
}

/// The oscillators of one stretch of stick: z = K^(-1/2) F, z'' = -(K^(1/2) W K^(1/2)) z.
class Modes {
public:
  Modes(const Scaled& p, const State& s) : problem_(p) {
    kappa_ = p.kappa(s.restitution);
    root_ = {1.0 / p.eta0, 1.0 / p.eta0, std::sqrt(kappa_)};
    kinetic_ = p.root.transpose() * root_.asDiagonal();
    Matrix3d q;
    jacobi(kinetic_, q);
    const Vector3d force(s.g[0], s.g[1], std::sqrt(2.0 * kappa_ * s.energy));
    const Vector3d y = force.cwiseQuotient(root_);
    // h = (mu f)^2 - |g|^2, divided by mu^2 when mu > 1 so that no friction is too large.
    const double mn = std::min(p.mu, 1.0) * root_[2], mt = root_[0] / std::max(p.mu, 1.0);
    for (int i = 0; i < 3; ++i) {
      omega_[i] = kinetic_.col(i).norm();
      kinetic_.col(i) /= omega_[i];
      lambda_[i] = omega_[i] * omega_[i];
      a_[i] = q.col(i).dot(y);
      b_[i] = -kinetic_.col(i).dot(s.y);
      amplitude_[i] = std::hypot(a_[i], b_[i]);
      alpha_[i] = mn * q(2, i);
      gamma_[i] = mt * q.col(i).head<2>();
      beta_[i] = -q(2, i) / root_[2];
      force_[i] = root_.cwiseProduct(q.col(i));
    }
    for (int i = 0; i < 3; ++i) {
      const double w2 = lambda_[i];
      normal_bound_ += std::abs(beta_[i]) * amplitude_[i] * w2 * w2;
      normal_noise_ += noise_factor * epsilon * std::abs(beta_[i]) * amplitude_[i] * omega_[i];
      cone_amplitude_ += (std::abs(alpha_[i]) + gamma_[i].norm()) * amplitude_[i];
      force_amplitude_ += std::abs(force_[i][2]) * amplitude_[i];
      for (int j = 0; j < 3; ++j) {
        const double pair = std::abs(alpha_[i] * alpha_[j] - gamma_[i].dot(gamma_[j])) * amplitude_[i] * amplitude_[j];
        const double sum = omega_[i] + omega_[j], difference = std::abs(omega_[i] - omega_[j]);
        const double sum2 = sum * sum, difference2 = difference * difference;
        third_[i][j] = 0.5 * pair * (sum2 * sum + difference2 * difference);
        third_bound_ += third_[i][j];
        fifth_bound_ += 0.5 * pair * (sum2 * sum2 * sum + difference2 * difference2 * difference);
      }
    }
    order();
    mixed_ = p.root.row(2).cwiseAbs().dot(s.y.cwiseAbs());
    move_to(0.0);
  }

  void move_to(double t) {
    time_ = t;
    for (int i = 0; i < 3; ++i) {
      if (amplitude_[i] == 0.0) {
        z_[i] = dz_[i] = sine_[i] = 0.0;
        cosine_[i] = 1.0;
        continue;
      }
      sine_[i] = std::sin(omega_[i] * t);
      cosine_[i] = std::cos(omega_[i] * t);
      z_[i] = a_[i] * cosine_[i] + b_[i] * sine_[i];
      dz_[i] = omega_[i] * (b_[i] * cosine_[i] - a_[i] * sine_[i]);
    }
  }

  double time() const { return time_; }
  double third_bound() const { return third_bound_; }
  double normal_bound() const { return normal_bound_; }
  double normal_noise() const { return normal_noise_; }
  /// The normal impulse since the start.
  double normal_impulse() const {
    double sum = 0.0;
    for (int i = 0; i < 3; ++i)
      if (amplitude_[i] > 0.0) sum += force_[i][2] * grown(i);
    return sum;
  }
  double force_rate() const { return force_[0][2] * dz_[0] + force_[1][2] * dz_[1] + force_[2][2] * dz_[2]; }
  double force() const { return force_[0][2] * z_[0] + force_[1][2] * z_[1] + force_[2][2] * z_[2]; }
  bool unloaded_now() const { return force() <= unloaded * force_amplitude_; }

  /// The normal velocity.
  Local normal_velocity() const {
    Local at;
    for (int i = 0; i < 3; ++i) {
      at.c0 += beta_[i] * dz_[i];
      at.c1 -= beta_[i] * lambda_[i] * z_[i];
      at.c2 -= beta_[i] * lambda_[i] * dz_[i];
    }
    return at;
  }

  /// h, its first two derivatives, and what rounding may have done to it.
  Local cone(double& noise) const {
    const Cone c = cone_derivatives();
    noise = noise_factor * epsilon * (std::abs(c.n[0]) + c.t[0].norm()) * cone_amplitude_;
    return {c.n[0] * c.n[0] - c.t[0].squaredNorm(), 2.0 * (c.n[0] * c.n[1] - c.t[0].dot(c.t[1])),
            2.0 * (c.n[1] * c.n[1] - c.t[1].squaredNorm() + c.n[0] * c.n[2] - c.t[0].dot(c.t[2]))};
  }

  /// On the cone with h = h' = 0: how far h is surely positive, from its expansion to fourth order and a bound on
  /// its fifth derivative.
  double leave_cone(bool marginal) const {
    const Cone c = cone_derivatives();
    const double h2 =
        marginal ? 0.0
                 : std::max(0.0, 2.0 * (c.n[1] * c.n[1] - c.t[1].squaredNorm() + c.n[0] * c.n[2] - c.t[0].dot(c.t[2])));
    const double h3 = 2.0 * (3.0 * (c.n[1] * c.n[2] - c.t[1].dot(c.t[2])) + c.n[0] * c.n[3] - c.t[0].dot(c.t[3]));
    const double h4 = 2.0 * (3.0 * (c.n[2] * c.n[2] - c.t[2].squaredNorm()) +
                             4.0 * (c.n[1] * c.n[3] - c.t[1].dot(c.t[3])) + c.n[0] * c.n[4] - c.t[0].dot(c.t[4]));
    // h / t^2 = h2/2 + h3/6 t + h4/24 t^2 - bound/120 t^3
    return step_off * safe_distance({0.5 * h2, h3 / 6.0, h4 / 12.0}, fifth_bound_ / 20.0);
  }

  /// How far the force surely stays inside the cone, whatever the modes do that are much faster than the others: these
  /// then count by their amplitudes. Zero where there are none, or they may reach it.
  double cone_distance() const {
    double best = 0.0;
    for (int fast = 1; fast < 3; ++fast) {
      if (!(omega_[slowest_[fast]] > much_faster * omega_[slowest_[fast - 1]])) continue;
      double swing = 0.0, bound = 0.0, pull = 0.0;
      for (int k = fast; k < 3; ++k) {
        const int i = slowest_[k];
        swing += (std::abs(alpha_[i]) + gamma_[i].norm()) * amplitude_[i];
      }
      double n[3] = {};
      Vector2d t[3] = {Vector2d::Zero(), Vector2d::Zero(), Vector2d::Zero()};
      for (int k = 0; k < fast; ++k) {
        const int i = slowest_[k];
        const double d[3] = {z_[i], dz_[i], -lambda_[i] * z_[i]};
        for (int m = 0; m < 3; ++m) {
          n[m] += alpha_[i] * d[m];
          t[m] += gamma_[i] * d[m];
        }
        pull += std::abs(alpha_[i]) * amplitude_[i] * lambda_[i] * omega_[i];
        for (int l = 0; l < fast; ++l) bound += third_[i][slowest_[l]];
      }
      // Of the slow modes (mu f - swing)^2 - |g|^2, as `cone`.
      n[0] -= swing;
      const double value = n[0] * n[0] - t[0].squaredNorm();
      if (!(n[0] > 0.0 && value > 0.0)) continue;
      best = std::max(best, safe_distance({value, 2.0 * (n[0] * n[1] - t[0].dot(t[1])),
                                           2.0 * (n[1] * n[1] - t[1].squaredNorm() + n[0] * n[2] - t[0].dot(t[2]))},
                                          bound + 2.0 * swing * pull));
    }
    return best;
  }

  /// The same for how far the normal velocity keeps its sign.
  double normal_distance(double sign) const {
    double best = 0.0;
    for (int fast = 1; fast < 3; ++fast) {
      if (!(omega_[slowest_[fast]] > much_faster * omega_[slowest_[fast - 1]])) continue;
      Local at;
      double bound = 0.0;
      for (int k = 0; k < 3; ++k) {
        const int i = slowest_[k];
        const double swing = std::abs(beta_[i]) * amplitude_[i];
        if (k >= fast) {
          at.c0 -= swing * omega_[i];
          continue;
        }
        at.c0 += sign * beta_[i] * dz_[i];
        at.c1 -= sign * beta_[i] * lambda_[i] * z_[i];
        at.c2 -= sign * beta_[i] * lambda_[i] * dz_[i];
        bound += swing * lambda_[i] * lambda_[i];
      }
      if (at.c0 > 0.0) best = std::max(best, safe_distance(at, bound));
    }
    return best;
  }

  /// How far half a unit of rounding of W moves the velocity by the present time, as a part of the first one: it shifts
  /// the phases of the modes, and those of fast ones most.
  double doubt() const {
    double sum = 0.0;
    for (int i = 0; i < 3; ++i)
      sum += 0.25 * epsilon * omega_[i] * time_ * amplitude_[i] * (problem_.root * kinetic_.col(i)).norm();
    // The root of W mixes a normal velocity with what the slip means to it: rounding of that is lost for good.
    sum += epsilon * mixed_;
    return sum / problem_.v0.norm();
  }

  /// Carry the state over to the present time.
  void apply(State& s) const {
    Vector3d more = Vector3d::Zero(), f = Vector3d::Zero(), df = Vector3d::Zero();
    s.y.setZero();
    for (int i = 0; i < 3; ++i) {
      if (amplitude_[i] == 0.0) continue;
      more += force_[i] * grown(i);
      f += force_[i] * z_[i];
      df += force_[i] * dz_[i];
      s.y -= kinetic_.col(i) * (dz_[i] / omega_[i]);
    }
    s.impulse += more;
    s.v = -df.cwiseQuotient(root_).cwiseQuotient(root_);  // F' = -K v; L y would cost a small v_n its digits
    s.g = f.head<2>();
    const double normal = std::max(f[2], 0.0);
    s.energy = normal * normal / (2.0 * kappa_);
    s.energy_scale = std::max(s.energy_scale, s.energy);
  }

private:
  /// What mode i has added to the impulse.
  double grown(int i) const {
    const double versine =
        cosine_[i] > 0.0 ? sine_[i] * sine_[i] / (1.0 + cosine_[i]) : 1.0 - cosine_[i];  // 1 - cos, to all digits
    return (a_[i] * sine_[i] + b_[i] * versine) / omega_[i];
  }

  /// The modes by frequency.
  void order() {
    slowest_ = {0, 1, 2};
    std::sort(slowest_.begin(), slowest_.end(), [&](int i, int j) { return omega_[i] < omega_[j]; });
  }

  /// Derivatives 0 to 4 of the two sides of the friction cone.
  struct Cone {
    double n[5] = {};
    Vector2d t[5] = {Vector2d::Zero(), Vector2d::Zero(), Vector2d::Zero(), Vector2d::Zero(), Vector2d::Zero()};
  };
  Cone cone_derivatives() const {
    Cone c;
    for (int i = 0; i < 3; ++i) {
      const double d[5] = {z_[i], dz_[i], -lambda_[i] * z_[i], -lambda_[i] * dz_[i], lambda_[i] * lambda_[i] * z_[i]};
      for (int k = 0; k < 5; ++k) {
        c.n[k] += alpha_[i] * d[k];
        c.t[k] += gamma_[i] * d[k];
      }
    }
    return c;
  }

  const Scaled& problem_;
  double kappa_ = 1.0, time_ = 0.0;
  Vector3d root_;
  Matrix3d kinetic_;  ///< columns: the modes' shares of State::y
  std::array<double, 3> lambda_{}, omega_{}, a_{}, b_{}, amplitude_{}, alpha_{}, beta_{}, z_{}, dz_{}, sine_{},
      cosine_{};
  std::array<Vector2d, 3> gamma_;
  std::array<Vector3d, 3> force_;  ///< force per unit of the mode
  std::array<int, 3> slowest_{};
  double third_[3][3] = {};  ///< what two modes add to third_bound_
  double normal_bound_ = 0.0, normal_noise_ = 0.0, third_bound_ = 0.0, fifth_bound_ = 0.0;
  double cone_amplitude_ = 0.0, force_amplitude_ = 0.0, mixed_ = 0.0;
};

void show(const Modes& modes, const State& from, Observer* observer) {
  if (observer == nullptr) return;
  const int count = observer->points_per_stick();
  Modes walk = modes;
  const auto state = [&] {
    State s = from;
    walk.apply(s);
    return s;
  };
  for (int k = 1; k <= count; ++k) {
    walk.move_to(modes.time() * k / (count + 1));
    observer->point(state());
  }
  hand_out(observer, from.impulse[2] + modes.normal_impulse(), [&](double n) {
    walk.move_to(bracketed_root(
        [&](double t) {
          walk.move_to(t);
          return std::pair(walk.normal_impulse() - (n - from.impulse[2]), walk.force());
        },
        0.0, modes.time(), 0.5 * modes.time()));
    return state();
  });
}

/// The time in (0, end] at which the energy of the normal spring (of stiffness 1), falling, has come down to `left`;
/// `end` if it has not by then.
double time_of_energy(Modes& modes, double left, double end) {
  const auto distance = [&](double t) {
    modes.move_to(t);
    return std::pair(std::sqrt(2.0 * left) - modes.force(), -modes.force_rate());
  };
  return distance(end).first > 0.0 ? bracketed_root(distance, 0.0, end, 0.5 * end) : end;
}

/// First time from `start` up to `limit` at which the normal velocity, of the given sign before, reaches zero; `limit`
/// if it does not. Steps are counted, and none are taken beyond their bound.
double first_turn(Modes& modes, double sign, double start, double limit, std::size_t& steps) {
  double t = start;
  modes.move_to(t);
  while (t < limit && steps++ < max_compliant_stick_steps) {
    Local at = modes.normal_velocity();
    at = {sign * at.c0, sign * at.c1, sign * at.c2};
    if (at.c0 <= modes.normal_noise()) {
      if (at.c1 < 0.0) return t;
      at.c0 = 0.0;
    }
    const double next = t + std::max(safe_distance(at, modes.normal_bound()), modes.normal_distance(sign));
    if (next >= limit) return limit;
    if (next <= t * (1.0 + epsilon)) return t;
    t = next;
    modes.move_to(t);
  }
  return limit;
}

/// First time from `start` up to `limit` at which the force reaches the friction cone; `limit` if it does not. With
/// `unloads`, also where nothing is left of the force.
double first_slip(Modes& modes, double start, double limit, bool unloads, std::size_t& steps) {
  double t = start;
  while (t < limit && steps++ < max_compliant_stick_steps) {
    modes.move_to(t);
    double noise;
    const Local h = modes.cone(noise);
    if (h.c0 <= noise && h.c1 <= 0.0) return t;
    if (unloads && modes.unloaded_now()) return t;
    const double next = t + std::max(safe_distance(h, modes.third_bound()), modes.cone_distance());
    if (next <= t * (1.0 + epsilon)) return t;
    t = next;
  }
  return limit;
}

}  // namespace

Stop follow_stick(const Scaled& problem, State& state, bool on_cone, bool marginal, Observer* observer) {
  Stop stop = Stop::mode_ends;
  if (problem.planar && !marginal && follow_planar_stick(problem, state, on_cone, observer, stop)) return stop;
  Modes modes(problem, state);
  const double start = on_cone ? modes.leave_cone(marginal) : 0.0;
  // Look ahead as far as half a swing of the normal spring lasts, then twice as far, and so on; the likely event first,
  // since it limits the search for the other.
  double time = 0.0, known = 0.0, horizon = 2.0 / std::sqrt(problem.kappa(state.restitution) * problem.wnn);
  for (;; known = horizon, horizon *= 2.0) {
    if (!(horizon < std::numeric_limits<double>::max())) return Stop::gives_up;  // numbers out of range
    const double from = std::max(start, known);
    if (state.approaching) {
      const double turn = first_turn(modes, -1.0, known, horizon, state.stick_steps);
      time = first_slip(modes, from, turn, false, state.stick_steps);
      if (time >= turn) stop = Stop::normal_turns;
    } else {
      const double slip = first_slip(modes, from, horizon, true, state.stick_steps);
      time = first_turn(modes, 1.0, known, slip, state.stick_steps);
      if (time < slip) stop = Stop::normal_turns;
    }
    if (state.stick_steps >= max_compliant_stick_steps) return Stop::gives_up;
    if (time < horizon) break;
    stop = Stop::mode_ends;
  }
  bool released = false;  // restitution ends with energy left
  if (state.least_energy > 0.0 && !state.approaching) {
    const double until = time_of_energy(modes, state.least_energy, time);
    released = until < time;
    time = until;
  }
  modes.move_to(time);
  show(modes, state, observer);
  const bool unloaded_at_end = stop == Stop::mode_ends && !state.approaching && modes.unloaded_now();
  modes.apply(state);
  state.doubt = std::max(state.doubt, modes.doubt());
  if (released) {
    state.energy = state.least_energy;
    return Stop::separates;
  }
  if (!unloaded_at_end) return stop;
  lose_strain(problem, state);
  return Stop::separates;
}

}  // namespace carom::compliant
