// Slip in space: only the direction of slip is a true unknown. The process is expanded in power series, step by step,
// and events are zeros of polynomials. Where the direction settles too fast for that (stiff slip), collocation takes
// over.
#include "slip.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "bracketed_root.hpp"

namespace carom::compliant {

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// Error allowed per step in the direction of slip [rad].
constexpr double step_tolerance = 1e-12;
/// The same at the very end, where the direction hardly matters any more.
constexpr double loosest_tolerance = 1e-5;
/// The last stretch freezes the velocity when less than this fraction of the impact is at stake, and the velocity could
/// change by less than this fraction: the error is the product of the two.
constexpr double tail_fraction = 1e-6;
/// Order of the power series: about 1e-12 at a quarter of the radius of convergence.
constexpr int order = 20;
/// 1 / (k + 1).
struct Reciprocals {
  double of[order] = {};
  constexpr Reciprocals() {
    for (int k = 0; k < order; ++k) of[k] = 1.0 / (k + 1);
  }
};
constexpr Reciprocals reciprocal;
/// Slip is stiff when the direction would settle by more than this many e-folds while the energy changes by its own
/// size: the series would need more steps than collocation.
constexpr double stiff_limit = 14.0;
/// Longest step in units of the fastest rate at its start: keeps the powers of a step finite.
constexpr double longest_step = 16.0;
/// Steps of a walk towards an event; 3 are usual, 27 the most seen in 100,000 hard impacts.
constexpr int walk_limit = 200;

/// Power series of the process in x, the independent variable in a unit of its own. After first touch dN = E dtau,
/// which makes all equations polynomial: E' = -v_n E, 2 mu eta^2 theta' = v_t.d_perp, v' = W (-mu d, 1) E. At
/// first touch, where E = 0, it is N itself.
class Series {
public:
  Series(const SlipLaw& law, const State& s) : law_(law), by_impulse_(s.energy == 0.0) {
    d_[0] = s.d;
    v_[0] = s.v.head<2>();
    vn_[0] = s.v[2];
    e_[0] = s.energy;
    unit_ = natural_unit(s);
    if (by_impulse_)
      expand_first_touch();
    else
      expand();
    sigma_[0] = slip_speed(law.p, s);
    for (int k = 1; k < order; ++k) sigma_[k] = q_[k] + law.mu_eta2 * vn_[k];
    vn_[0] = std::abs(vn_[0]) * law.sign;
  }

  /// Longest step at which the last terms stay below the tolerance [units]. Three of them, since the terms of a pair
  /// of complex singularities come and go.
  double step(double tolerance) const {
    double exponent = std::log(longest_step);
    for (int k = order - 2; k <= order; ++k) {
      double last = d_[k].cwiseAbs().sum();
      if (!by_impulse_) last = std::max(last, std::abs(e_[k]) / e_[0]);
      if (last > 0.0) exponent = std::min(exponent, std::log(tolerance / last) * reciprocal.of[k - 1]);
    }
    return std::exp(exponent);
  }

  /// Does slip end before h; does v_n turn? Then h is brought down to the place.
  bool slip_ends(double& h) const { return finds_zero(sigma_, 1.0, order - 1, h); }
  bool normal_turns(double& h) const { return finds_zero(vn_, law_.sign, order, h); }
  double energy(double x) const { return value(e_, order, x); }

  /// Where in (0, h] the normal impulse has grown by `more`.
  double place_of_impulse(double more, double h) const {
    return root_in(h, [&](double x) {
      double n = 0.0, slope = 0.0;
      for (int k = order - 1; k >= 0; --k) {
        slope = slope * x + (k + 1) * normal_[k];
        n = (n + normal_[k]) * x;
      }
      return std::pair(n - more, slope);
    });
  }
  double impulse(double x) const {
    double n = 0.0;
    for (int k = order - 1; k >= 0; --k) n = (n + normal_[k]) * x;
    return n;
  }
  /// Where in (0, h] the energy, falling, has come down to `left`.
  double place_of_energy(double left, double h) const {
    return root_in(h, [&](double x) {
      double e = 0.0, slope = 0.0;
      for (int k = order; k >= 0; --k) {
        slope = slope * x + e;
        e = e * x + e_[k];
      }
      return std::pair(left - e, -slope);
    });
  }

  /// Carry the state over to x.
  void apply(State& s, double x) const {
    Vector2d d = d_[order], t = Vector2d::Zero();
    double n = 0.0, work = 0.0, left = e_[order];
    for (int k = order - 1; k >= 0; --k) {
      d = d * x + d_[k];
      left = left * x + e_[k];
      t = (t + tangential_[k]) * x;
      n = (n + normal_[k]) * x;
      work = (work + work_[k]) * x;
    }
    // The part of the slip speed that goes with v_n integrates to the energy.
    s.friction_loss += law_.mu * (work + law_.mu_eta2 * (s.energy - left));
    s.energy = left;
    s.energy_scale = std::max(s.energy_scale, left);
    s.d = d / d.norm();
    s.add_impulse(law_.p, {-law_.mu * t[0], -law_.mu * t[1], n});
  }

private:
  template <class F>
  static double root_in(double h, const F& f) {
    return bracketed_root(f, 0.0, h, 0.5 * h);
  }

  /// One over the sum of the rates at which angle, energy and velocities change.
  double natural_unit(const State& s) const {
    const double vt = s.v.head<2>().norm(), vn = std::abs(s.v[2]);
    const double change = law_.tangential_change + law_.mu_eta2 * law_.normal_change;
    if (by_impulse_) return 1.0 / (change / (vt + law_.mu_eta2 * vn) + law_.normal_change / vn);
    const double scale = vt + law_.mu_eta2 * vn + std::sqrt(s.energy * change * law_.mu_eta2);
    return 1.0 /
           (vn + vt / (2.0 * law_.mu_eta2) + s.energy * change / scale + std::sqrt(law_.normal_change * s.energy));
  }

  void expand() {
    const Scaled& p = law_.p;
    const double u = unit_, spin = u / (2.0 * law_.mu_eta2);
    Vector2d first[order], second[order];  // (E, v_t.d) and (v_n, E)
    for (int k = 0; k < order; ++k) {
      // Products of series, but for the terms with the coefficients k of v_t.d and the rate, not known yet.
      Vector2d by_x = v_[0] * d_[k][0], by_y = v_[0] * d_[k][1], loaded = d_[0] * e_[k];
      Vector2d turn = Vector2d::Zero(), both = turn;
      first[k] = {e_[k], 0.0};
      second[k] = {vn_[k], e_[k]};
      for (int j = 1; j <= k; ++j) {
        const int i = k - j;
        by_x += v_[j] * d_[i][0];
        by_y += v_[j] * d_[i][1];
        loaded += d_[j] * e_[i];
        turn += d_[j] * rate_[i];
        both += first[i].cwiseProduct(second[j]);
      }
      q_[k] = first[k][1] = by_x[0] + by_y[1];
      rate_[k] = spin * (by_x[1] - by_y[0]);
      turn += d_[0] * rate_[k];
      both += first[k].cwiseProduct(second[0]);
      const double part = reciprocal.of[k], scale = u * part;
      tangential_[k] = scale * loaded;
      work_[k] = scale * both[1];
      normal_[k] = scale * e_[k];
      d_[k + 1] = part * turned(turn);
      e_[k + 1] = -scale * both[0];
      v_[k + 1] = normal_[k] * p.wtn - law_.mu * (p.wtt * tangential_[k]);
      vn_[k + 1] = normal_[k] * p.wnn - law_.mu * p.wtn.dot(tangential_[k]);
    }
  }

  /// a E theta' = v_t.d_perp with E = 0 at the start: the rate's coefficient k appears in order k + 1.
  void expand_first_touch() {
    const Scaled& p = law_.p;
    const double u = unit_, a = 2.0 * law_.mu_eta2;
    e_[1] = -u * vn_[0];
    const double along = u * d_[0].dot(v_[0]);
    for (int k = 0; k < order; ++k) {
      const double part = reciprocal.of[k];
      v_[k + 1] = (-law_.mu * u * part) * (p.wtt * d_[k]);
      vn_[k + 1] = -law_.mu * u * part * p.wtn.dot(d_[k]);
      if (k == 0) {
        v_[1] += u * p.wtn;
        vn_[1] += u * p.wnn;
      }
      if (k > 0) e_[k + 1] = -u * part * vn_[k];
      Vector2d turn = Vector2d::Zero();
      double pull = 0.0, known = 0.0;
      q_[k] = v_[0].dot(d_[k]);
      for (int j = 1; j <= k; ++j) {
        turn += d_[j] * rate_[k - j];
        known += e_[j + 1] * rate_[k - j];
        q_[k] += v_[j].dot(d_[k - j]);
      }
      for (int j = 1; j <= k + 1; ++j) pull += turned(d_[k + 1 - j]).dot(v_[j]);
      const Vector2d rest = part * turned(turn);
      pull += turned(rest).dot(v_[0]);
      rate_[k] = (u * pull - a * known) / (a * e_[1] + part * along);
      d_[k + 1] = rest + (part * rate_[k]) * turned(d_[0]);
      tangential_[k] = (u * part) * d_[k];
      normal_[k] = k == 0 ? u : 0.0;
      work_[k] = u * part * q_[k];
    }
  }

  static double value(const double* c, int degree, double x) {
    double sum = c[degree];
    for (int k = degree - 1; k >= 0; --k) sum = sum * x + c[k];
    return sum;
  }

  /// Has sign times a polynomial, positive before, a zero in (0, h]? Brings h down to the first one. A bound on the
  /// second derivative says how far the polynomial surely stays positive; walking that far again and again converges
  /// like Newton's method, and never beyond the zero. A walk that gets nowhere shortens h too.
  static bool finds_zero(const double* c, double sign, int degree, double& h) {
    double power = h, lowest = std::max(sign * c[0], 0.0), bound = 0.0, scale = lowest;
    const double start = lowest;
    for (int k = 1; k <= degree; ++k, power *= h) {
      const double term = sign * c[k] * power;
      lowest += std::min(term, 0.0);
      scale += std::abs(term);
      bound += k * (k - 1) * std::abs(term);
    }
    if (lowest > 0.0) return false;
    bound /= h * h;
    const double noise = 4.0 * epsilon * scale;
    double x = 0.0;
    for (int i = 0; i < walk_limit; ++i) {
      double f = 0.0, slope = 0.0;
      for (int k = degree; k >= 0; --k) {
        slope = slope * x + f;
        f = f * x + sign * c[k];
      }
      if (x == 0.0) f = start;
      if (f <= noise) {
        if (slope <= 0.0) {
          h = x;
          return true;
        }
        f = noise;
      }
      const double root = std::sqrt(slope * slope + 2.0 * bound * f);  // the zero of f + slope t - bound t^2 / 2
      const double t = slope > 0.0 ? (slope + root) / bound : 2.0 * f / (root - slope);
      if (x + t >= h) return false;
      x += t;
    }
    h = x;
    return false;
  }

  const SlipLaw& law_;
  bool by_impulse_;
  double unit_ = 1.0;
  Vector2d d_[order + 1], v_[order + 1];
  double vn_[order + 1], e_[order + 1], rate_[order];
  double q_[order], sigma_[order];      ///< v_t.d and the slip speed
  Vector2d tangential_[order];          ///< coefficients 1 to order of the integral of d dN
  double normal_[order], work_[order];  ///< of N and of the integral of v_t.d dN
};

bool is_stiff(const SlipLaw& law, const State& s) {
  const double vn = std::abs(s.v[2]);
  const double pace = vn + std::sqrt(vn * vn + 2.0 * law.normal_change * s.energy);
  return s.v.head<2>().norm() > stiff_limit * law.mu_eta2 * pace;
}

Stop follow_spatial(const Scaled& p, State& s, Observer* observer) {
  const SlipLaw law(p, s);
  while (s.slip_steps++ < max_compliant_slip_steps) {
    if (tail_reached(law, s)) {
      follow_tail(law, s, observer);
      return Stop::separates;
    }
    if (is_stiff(law, s)) return follow_stiff_slip(p, s, observer);
    const Series series(law, s);
    double h = series.step(allowed_error(law, s) / law.weight(s.d));
    while (!(series.energy(h) > 0.0)) {
      h *= 0.5;
      if (!(h > epsilon)) return Stop::gives_up;
    }
    bool turns = series.normal_turns(h);
    const double known = h;
    const bool ends = series.slip_ends(h);
    turns = turns && h == known;
    const bool released = s.least_energy > 0.0 && !s.approaching && !(series.energy(h) > s.least_energy);
    if (released) h = series.place_of_energy(s.least_energy, h);
    if (observer) {
      const auto state_at = [&](double x) {
        State at = s;
        series.apply(at, x);
        return at;
      };
      if (observer->points_per_stick() > 0)
        for (int k = 1, count = std::max(3, observer->points_per_stick() / 4); k <= count; ++k)
          observer->point(state_at(0.5 * h * (1.0 - std::cos(std::numbers::pi * k / (count + 1)))));
      hand_out(observer, s.impulse[2] + series.impulse(h),
               [&](double n) { return state_at(series.place_of_impulse(n - s.impulse[2], h)); });
    }
    series.apply(s, h);
    if (released) {
      s.energy = s.least_energy;
      return Stop::separates;
    }
    if (ends) return Stop::mode_ends;
    if (turns) return Stop::normal_turns;
  }
  return Stop::gives_up;
}

}  // namespace

double stake(const SlipLaw& law, const State& s) {
  if (s.approaching || !(s.energy < s.energy_scale)) return 1.0;
  const double vn = s.v[2], n = 2.0 * s.energy / (vn + std::sqrt(vn * vn + 2.0 * law.normal_change * s.energy));
  const double energy = s.energy * (1.0 + law.mu * law.mu_eta2) + law.mu * n * s.v.head<2>().norm();
  return std::min(1.0, std::max(energy / (s.energy_scale + s.friction_loss), (1.0 + law.mu) * n / s.impulse[2]));
}

double allowed_error(const SlipLaw& law, const State& s) {
  return std::min(step_tolerance / stake(law, s), loosest_tolerance);
}

bool tail_reached(const SlipLaw& law, const State& s) {
  const double vn = s.v[2];
  return !s.approaching && s.least_energy == 0.0 && law.normal_change * s.energy <= tail_fraction * vn * vn &&
         law.tangential_change * s.energy <= tail_fraction * vn * (s.v.head<2>().norm() + law.mu_eta2 * vn) &&
         stake(law, s) <= tail_fraction;
}

namespace {

/// From here to E = 0 with frozen velocity: tan(phi/2) = tan(phi0/2) (E/E0)^(p/2), phi the angle from d to v_t.
void run_tail(const SlipLaw& law, State& s) {
  if (s.energy == 0.0) return;
  const double vn = s.v[2], n = s.energy / vn;
  const Vector2d vt = s.v.head<2>();
  const double speed = vt.norm();
  Vector2d mean = s.d;
  if (speed > 0.0) {
    const Vector2d along = vt / speed, across = turned(along);
    const double phi = std::atan2(s.d[0] * vt[1] - s.d[1] * vt[0], s.d.dot(vt));
    const double t0 = std::tan(0.5 * phi), power = speed / (2.0 * law.mu_eta2 * vn);
    // Gauss-Legendre in x, with E/E0 = x^3 to soften the power at E = 0. The stretch weighs tail_fraction at most.
    constexpr double x[6] = {0.033765242898423986094, 0.16939530676686774317, 0.38069040695840154568,
                             0.61930959304159845432,  0.83060469323313225683, 0.96623475710157601391};
    constexpr double weight[6] = {0.08566224618958517252, 0.18038078652406930378, 0.23395696728634552369,
                                  0.23395696728634552369, 0.18038078652406930378, 0.08566224618958517252};
    double cosine = 0.0, sine = 0.0;
    for (int k = 0; k < 6; ++k) {
      const double t = t0 * std::pow(x[k], 3.0 * power), scale = 3.0 * x[k] * x[k] * weight[k] / (1.0 + t * t);
      cosine += scale * (1.0 - t * t);
      sine += scale * 2.0 * t;
    }
    mean = cosine * along - sine * across;
  }
  s.friction_loss += law.mu * (n * vt.dot(mean) + law.mu_eta2 * s.energy);
  s.add_impulse(law.p, {-law.mu * n * mean[0], -law.mu * n * mean[1], n});
  s.energy = 0.0;
}

}  // namespace

void follow_tail(const SlipLaw& law, State& s, Observer* observer) {
  if (observer == nullptr) return run_tail(law, s);
  const State before = s;
  run_tail(law, s);
  // So little is at stake that a straight line shows it.
  hand_out(observer, s.impulse[2], [&](double to) {
    const double x = std::min((to - before.impulse[2]) / (s.impulse[2] - before.impulse[2]), 1.0);
    State at = before;
    at.impulse += x * (s.impulse - before.impulse);
    at.y += x * (s.y - before.y);
    at.v += x * (s.v - before.v);
    at.energy = (1.0 - x) * before.energy;
    at.friction_loss += x * (s.friction_loss - before.friction_loss);
    return at;
  });
}

Stop follow_slip(const Scaled& problem, State& state, Observer* observer) {
  return problem.planar ? follow_planar_slip(problem, state, observer) : follow_spatial(problem, state, observer);
}

}  // namespace carom::compliant
