// Slip and stick in the plane. Slip is closed form; stick has two modes, and its events are the first zeros of sums of
// two sinusoids: the normal velocity and the distances to the two sides of the friction cone.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "bracketed_root.hpp"
#include "state.hpp"

namespace carom::compliant {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// Rounding of a sum of modes, in units of epsilon times the sum of their amplitudes.
constexpr double noise_factor = 8.0;
/// How far to step off the friction cone, as a part of the distance over which the state surely stays inside.
constexpr double step_off = 0.7;

/// A mode this much faster than the other is looked at by its amplitude, until the other brings the event within it.
constexpr double much_faster = 8.0;

/// Sines and cosines of the two modes at a time.
struct Phase {
  double time = 0.0;
  double sine[2] = {0.0, 0.0}, cosine[2] = {1.0, 1.0};
};

/// A sum of two sinusoids, p cos + q sin each, that is positive until its first zero.
class Swing {
public:
  /// @param amplitude  sqrt(p^2 + q^2)
  Swing(const double (&p)[2], const double (&q)[2], const double (&amplitude)[2], const double (&omega)[2]) {
    for (int i = 0; i < 2; ++i) {
      p_[i] = p[i];
      q_[i] = q[i];
      omega_[i] = omega[i];
      amplitude_[i] = amplitude[i];
      noise_ += noise_factor * epsilon * amplitude[i];
      const double second = omega[i] * omega[i] * amplitude[i];
      second_bound_ += second;
      third_bound_ += omega[i] * second;
    }
  }

  /// Up to when it is surely positive.
  double safe_until() const { return until_; }
  /// Whether its zero is there.
  bool ends() const { return ends_; }

  /// Look ahead from the start. A single sinusoid is known for good.
  void start() {
    for (int i = 0; i < 2; ++i)
      if (amplitude_[1 - i] == 0.0 && amplitude_[i] > 0.0 && p_[i] > 0.0) {
        until_ = (std::atan2(q_[i], p_[i]) + 0.5 * std::numbers::pi) / omega_[i];
        ends_ = true;
        return;
      }
    look({});
  }

  /// The same where value and slope are zero at the start. False if it does not rise.
  bool start_from_rest() {
    const double rise = -(omega_[0] * omega_[0] * p_[0] + omega_[1] * omega_[1] * p_[1]);
    if (!(rise > noise_ * omega_[0] * omega_[1])) return false;
    until_ = step_off * 3.0 * rise / third_bound_;  // rise t^2/2 - bound t^3/6
    return true;
  }

  /// Look ahead from where the last look ended.
  void look(const Phase& at) {
    double value = 0.0, slope = 0.0, second = 0.0;
    for (int i = 0; i < 2; ++i) {
      const double f = p_[i] * at.cosine[i] + q_[i] * at.sine[i];
      value += f;
      slope += omega_[i] * (q_[i] * at.cosine[i] - p_[i] * at.sine[i]);
      second -= omega_[i] * omega_[i] * f;
    }
    if (value <= noise_) {
      ends_ = slope < 0.0;
      if (ends_) return;
      value = 0.0;
    }
    const double next = at.time + std::max(safe_distance(value, slope, second), slow_distance(at));
    ends_ = !(next > at.time * (1.0 + epsilon));
    until_ = ends_ ? at.time : next;
  }

private:
  /// First zero of value + slope t - bend t^2/2.
  static double first_zero(double value, double slope, double bend) {
    const double root = std::sqrt(slope * slope + 2.0 * bend * value);
    return slope > 0.0 ? (slope + root) / bend : 2.0 * value / (root - slope);
  }

  /// How far it surely stays positive: the curvature has a bound for all times, and a better one for a while.
  double safe_distance(double value, double slope, double second) const {
    if (!(second_bound_ > 0.0)) return infinity;
    const double t = first_zero(value, slope, second_bound_), reach = 2.0 * t;
    const double bend = std::max(reach * third_bound_ - second, 0.0);
    if (bend >= second_bound_) return t;
    return slope >= 0.0 && bend == 0.0 ? reach : std::min(reach, first_zero(value, slope, bend));
  }

  /// The same if one mode is much faster than the other: until the slow one has come down to its amplitude.
  double slow_distance(const Phase& at) const {
    const int fast = omega_[0] > omega_[1] ? 0 : 1, slow = 1 - fast;
    if (!(omega_[fast] > much_faster * omega_[slow])) return 0.0;
    const double value = p_[slow] * at.cosine[slow] + q_[slow] * at.sine[slow],
                 ahead = q_[slow] * at.cosine[slow] - p_[slow] * at.sine[slow];
    const double room = amplitude_[fast] + noise_;
    if (!(value > room)) return 0.0;
    return (std::atan2(ahead, value) + std::acos(std::min(room / amplitude_[slow], 1.0))) / omega_[slow];
  }

  double p_[2] = {}, q_[2] = {}, omega_[2] = {}, amplitude_[2] = {};
  double noise_ = 0.0, second_bound_ = 0.0, third_bound_ = 0.0, until_ = 0.0;
  bool ends_ = false;
};

/// The two oscillators of one stretch of stick: z = K^(-1/2) F, z'' = -(K^(1/2) W K^(1/2)) z.
class Modes {
public:
  Modes(const Scaled& p, const State& s) : p_(p), kappa_(p.kappa(s.restitution)) {
    root_[0] = 1.0 / p.eta0;
    root_[1] = std::sqrt(kappa_);
    // One rotation makes the columns of L^T K^(1/2) orthogonal; then they are omega_ times y_.
    double m[2][2] = {{p.root(0, 0) * root_[0], 0.0}, {p.root(2, 0) * root_[1], p.root(2, 2) * root_[1]}};
    const double off = m[0][0] * m[1][0];
    if (off != 0.0) {
      const double ratio = (m[1][0] * m[1][0] + m[1][1] * m[1][1] - m[0][0] * m[0][0]) / (2.0 * off);
      const double t = std::copysign(1.0, ratio) / (std::abs(ratio) + std::hypot(1.0, ratio));
      const double c = 1.0 / std::sqrt(1.0 + t * t), sine = t * c;
      for (int r = 0; r < 2; ++r) {
        const double left = m[0][r], right = m[1][r];
        m[0][r] = c * left - sine * right;
        m[1][r] = sine * left + c * right;
      }
      q_[0][0] = q_[1][1] = c;
      q_[0][1] = -sine;
      q_[1][0] = sine;
    }
    const double z[2] = {s.g[0] * p.eta0, std::sqrt(2.0 * s.energy)};
    for (int i = 0; i < 2; ++i) {
      omega_[i] = std::sqrt(m[i][0] * m[i][0] + m[i][1] * m[i][1]);
      for (int r = 0; r < 2; ++r) y_[i][r] = m[i][r] / omega_[i];
      a_[i] = q_[i][0] * z[0] + q_[i][1] * z[1];
      b_[i] = -(y_[i][0] * s.y[0] + y_[i][1] * s.y[2]);
      amplitude_[i] = std::sqrt(a_[i] * a_[i] + b_[i] * b_[i]);
    }
  }

  /// The normal velocity, times a sign.
  Swing normal_velocity(double sign) const {
    double p[2], q[2], amplitude[2];
    for (int i = 0; i < 2; ++i) {
      const double beta = -sign * q_[i][1] / root_[1] * omega_[i];
      p[i] = beta * b_[i];
      q[i] = -beta * a_[i];
      amplitude[i] = std::abs(beta) * amplitude_[i];
    }
    return {p, q, amplitude, omega_};
  }

  /// mu f + side g, divided by mu when mu > 1 so that no friction is too large.
  Swing cone(double side) const {
    const double mn = std::min(p_.mu, 1.0) * root_[1], mt = side * root_[0] / std::max(p_.mu, 1.0);
    double p[2], q[2], amplitude[2];
    for (int i = 0; i < 2; ++i) {
      const double c = mn * q_[i][1] + mt * q_[i][0];
      p[i] = c * a_[i];
      q[i] = c * b_[i];
      amplitude[i] = std::abs(c) * amplitude_[i];
    }
    return {p, q, amplitude, omega_};
  }

  void move(Phase& phase, double t) const {
    if (t == phase.time) return;
    phase.time = t;
    for (int i = 0; i < 2; ++i) {
      phase.sine[i] = std::sin(omega_[i] * t);
      phase.cosine[i] = std::cos(omega_[i] * t);
    }
  }

  /// Carry the state over.
  void apply(State& s, const Phase& at) const {
    double impulse[2] = {}, z[2] = {}, dz[2] = {};
    s.y[0] = s.y[2] = 0.0;
    for (int i = 0; i < 2; ++i) {
      const double sine = at.sine[i], cosine = at.cosine[i], gained = grown(at, i);
      const double position = a_[i] * cosine + b_[i] * sine, pace = b_[i] * cosine - a_[i] * sine;
      for (int r = 0; r < 2; ++r) {
        impulse[r] += q_[i][r] * gained;
        z[r] += q_[i][r] * position;
        dz[r] += q_[i][r] * omega_[i] * pace;
      }
      s.y[0] -= y_[i][0] * pace;
      s.y[2] -= y_[i][1] * pace;
    }
    s.impulse += Vector3d(root_[0] * impulse[0], 0.0, root_[1] * impulse[1]);
    s.v = {-dz[0] / root_[0], 0.0, -dz[1] / root_[1]};  // F' = -K v
    s.g = {root_[0] * z[0], 0.0};
    s.energy = z[1] > 0.0 ? 0.5 * z[1] * z[1] : 0.0;
    s.energy_scale = std::max(s.energy_scale, s.energy);
  }

  /// The time in (0, end] at which the normal impulse has grown by `more`.
  double time_of_impulse(double more, double end) const {
    return bracketed_root(
        [&](double t) {
          Phase at;
          move(at, t);
          double gained = 0.0, z = 0.0;
          for (int i = 0; i < 2; ++i) {
            gained += q_[i][1] * grown(at, i);
            z += q_[i][1] * (a_[i] * at.cosine[i] + b_[i] * at.sine[i]);
          }
          return std::pair(root_[1] * gained - more, root_[1] * z);
        },
        0.0, end, 0.5 * end);
  }

  /// The time in (0, end] at which the energy of the normal spring, falling, has come down to `left`; `end` if it has
  /// not by then.
  double time_of_energy(double left, double end) const {
    const auto distance = [&](double t) {
      Phase at;
      move(at, t);
      double z = 0.0, dz = 0.0;
      for (int i = 0; i < 2; ++i) {
        z += q_[i][1] * (a_[i] * at.cosine[i] + b_[i] * at.sine[i]);
        dz += q_[i][1] * omega_[i] * (b_[i] * at.cosine[i] - a_[i] * at.sine[i]);
      }
      return std::pair(std::sqrt(2.0 * left) - z, -dz);
    };
    return distance(end).first > 0.0 ? bracketed_root(distance, 0.0, end, 0.5 * end) : end;
  }

  /// As in space: how far half a unit of rounding of W moves the velocity by then, as a part of the first one.
  double doubt(double time) const {
    double sum = 0.0;
    for (int i = 0; i < 2; ++i) {
      const double t = p_.root(0, 0) * y_[i][0], n = p_.root(2, 0) * y_[i][0] + p_.root(2, 2) * y_[i][1];
      sum += 0.25 * epsilon * omega_[i] * time * amplitude_[i] * (std::abs(t) + std::abs(n));
    }
    return sum / (p_.v0[0] - p_.v0[2]);
  }

  /// Is as good as nothing left in the normal spring?
  bool unloaded_at(const Phase& at) const {
    double force = 0.0, amplitude = 0.0;
    for (int i = 0; i < 2; ++i) {
      force += q_[i][1] * (a_[i] * at.cosine[i] + b_[i] * at.sine[i]);
      amplitude += std::abs(q_[i][1]) * (std::abs(a_[i]) + std::abs(b_[i]));
    }
    return force <= unloaded * amplitude;
  }

private:
  /// What mode i has added to the impulse.
  double grown(const Phase& at, int i) const {
    const double sine = at.sine[i], cosine = at.cosine[i];
    const double versine = cosine > 0.0 ? sine * sine / (1.0 + cosine) : 1.0 - cosine;  // 1 - cos, to all digits
    return (a_[i] * sine + b_[i] * versine) / omega_[i];
  }

  const Scaled& p_;
  double kappa_, root_[2], omega_[2], a_[2], b_[2], amplitude_[2];
  double q_[2][2] = {{1.0, 0.0}, {0.0, 1.0}};  ///< forces of the modes, tangential and normal
  double y_[2][2];                             ///< their shares of State::y
};

}  // namespace

bool follow_planar_stick(const Scaled& p, State& s, bool on_cone, Observer* observer, Stop& stop) {
  const Modes modes(p, s);
  const double side = s.d[0];  // g = -mu f d where slip ends
  Swing swings[3] = {modes.normal_velocity(s.approaching ? -1.0 : 1.0), modes.cone(side), modes.cone(-side)};
  swings[0].start();
  if (on_cone && s.energy > 0.0) {
    if (!swings[1].start_from_rest()) return false;
  } else {
    swings[1].start();
  }
  swings[2].start();
  Phase phase;
  int first = 0;
  for (;;) {
    if (s.stick_steps++ >= max_compliant_stick_steps) {
      stop = Stop::gives_up;
      return true;
    }
    first = 0;
    for (int k = 1; k < 3; ++k)
      if (swings[k].safe_until() < swings[first].safe_until()) first = k;
    modes.move(phase, swings[first].safe_until());
    if (swings[first].ends()) break;
    swings[first].look(phase);
  }
  bool released = false;  // restitution ends with energy left
  if (s.least_energy > 0.0 && !s.approaching)
    if (const double time = modes.time_of_energy(s.least_energy, phase.time); time < phase.time) {
      modes.move(phase, time);
      released = true;
    }
  const auto state_at = [&](double time) {
    State at = s;
    Phase then;
    modes.move(then, time);
    modes.apply(at, then);
    return at;
  };
  const int points = observer ? observer->points_per_stick() : 0;
  for (int k = 1; k <= points; ++k) observer->point(state_at(phase.time * k / (points + 1)));
  if (observer && observer->wanted() < infinity) {
    hand_out(observer, state_at(phase.time).impulse[2],
             [&](double n) { return state_at(modes.time_of_impulse(n - s.impulse[2], phase.time)); });
  }
  stop = first == 0 ? Stop::normal_turns : Stop::mode_ends;
  const bool parts = !released && first != 0 && !s.approaching && modes.unloaded_at(phase);
  modes.apply(s, phase);
  s.doubt = std::max(s.doubt, modes.doubt(phase.time));
  if (released) {
    s.energy = s.least_energy;
    stop = Stop::separates;
  }
  if (parts) {
    lose_strain(p, s);
    stop = Stop::separates;
  }
  return true;
}

/// Slip in the plane: v is linear, the energy quadratic in the normal impulse.
Stop follow_planar_slip(const Scaled& p, State& s, Observer* observer) {
  const double mu = p.slip_friction(s.restitution), mu_eta2 = mu * p.eta0_squared * p.kappa(s.restitution);
  const double d = s.d[0], vn = s.v[2];
  const double slope = p.wnn - mu * p.wtn[0] * d;
  const double sigma = std::max(slip_speed(p, s), 0.0);
  const double sigma_slope = (p.wtn[0] * d - mu * p.wtt(0, 0)) + mu_eta2 * slope;
  const double to_stick = sigma_slope < 0.0 ? sigma / -sigma_slope : infinity;
  double to_turn = infinity, to_end = infinity;
  if (s.approaching) {
    if (slope > 0.0) to_turn = -vn / slope;
  } else {
    const double left = s.energy - s.least_energy, square = vn * vn + 2.0 * slope * left;
    if (slope < 0.0 && square < 0.0)
      to_turn = vn / -slope;
    else
      to_end = 2.0 * left / (vn + std::sqrt(std::max(square, 0.0)));
  }
  const double n = std::min({to_stick, to_turn, to_end});
  // Events that coincide but for rounding: slip first, then the normal motion.
  bool sticks = to_stick <= to_turn * (1.0 + 4.0 * epsilon) && to_stick < to_end;
  if (sticks && s.approaching && to_stick >= to_turn * (1.0 - 4.0 * epsilon) && p.e > 0.0) {
    // Slip stops just when the normal spring stiffens: it goes on if the stiffer spring drives it.
    const double next_mu = p.slip_friction(true), next_slope = p.wnn - next_mu * p.wtn[0] * d;
    const double next = p.wtn[0] * d - next_mu * p.wtt(0, 0) + next_mu * p.eta0_squared * p.kappa(true) * next_slope;
    if (next > 0.0) sticks = false;
  }
  if (observer) {
    const auto state_after = [&](double x) {
      State at = s;
      at.add_impulse(p, {-mu * d * x, 0.0, x});
      at.energy = std::max(0.0, s.energy - x * (vn + 0.5 * slope * x));
      at.friction_loss += mu * x * (sigma + 0.5 * sigma_slope * x);
      return at;
    };
    // Closest together at the ends, where springs and normal velocity may go as the root of the impulse.
    const int count = observer->points_per_stick();
    for (int k = 1; k <= count; ++k)
      observer->point(state_after(0.5 * n * (1.0 - std::cos(std::numbers::pi * k / (count + 1)))));
    hand_out(observer, s.impulse[2] + n, [&](double to) { return state_after(to - s.impulse[2]); });
  }
  s.friction_loss += mu * n * (sigma + 0.5 * sigma_slope * n);
  s.energy = n == to_end ? s.least_energy : std::max(0.0, s.energy - n * (vn + 0.5 * slope * n));
  s.energy_scale = std::max(s.energy_scale, s.energy);
  s.add_impulse(p, {-mu * d * n, 0.0, n});
  if (sticks) return Stop::mode_ends;
  return n == to_end ? Stop::separates : Stop::normal_turns;
}

}  // namespace carom::compliant
