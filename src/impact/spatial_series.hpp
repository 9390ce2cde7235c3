// Curved slip as a Taylor series in the slip parameter s, dI_n = |gamma| ds (docs/theory/spatial.md, section 3):
//   dgamma/ds = |gamma| d - mu B gamma,  dv_n/ds = w |gamma| - mu d.gamma.
// Only |gamma| is nonlinear, so a coefficient costs three half convolutions and no trigonometry.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

#include "spatial_numbers.hpp"

namespace carom::spatial {

/// Order of the Taylor series. With `truncation` it was the cheapest of the pairs tried (orders 18 and 20, 1e-13 and
/// 1e-15) that close the ledger to 1e-12.
inline constexpr std::size_t taylor_order = 18;
/// Size of the last kept terms relative to the sliding speed; it sets the length of a step.
inline constexpr double truncation = 1e-15;
inline constexpr double log2_truncation = -49.828921423310435;

inline constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// The contact in normalised units (see Scaled in spatial_process.hpp): W_tt = B, W_tn = d, W_nn = w.
template <class T>
struct Surface {
  double b11, b12, b22, d1, d2, w;
  T mu, e;
};

/// Where the process stands.
template <class T>
struct State {
  T gx{}, gy{};        // sliding velocity
  T vn{};              // normal velocity
  T ix{}, iy{}, in{};  // impulse so far
  T pc{}, pe{};        // normal impulse of compression and of restitution
  T wc{}, we{};        // work absorbed in compression, given back in restitution
  T friction{};        // work lost to friction
  bool restitution = false;
};

/// Quantities of a slip direction u: rate of |gamma| and of the angle, per unit of normal impulse, and the slope of
/// the latter (Wang 2017, eq. 2.27 in polar form).
template <class T>
struct Direction {
  T R, turn, slope;
};

template <class T>
Direction<T> direction_at(const Surface<T>& c, const T& ux, const T& uy) {
  const T bx = ux * c.b11 + uy * c.b12, by = ux * c.b12 + uy * c.b22;
  const T fx = c.d1 - c.mu * bx, fy = c.d2 - c.mu * by;
  Direction<T> out;
  out.R = ux * fx + uy * fy;
  out.turn = ux * fy - uy * fx;
  const T across = uy * uy * c.b11 - ux * uy * (2.0 * c.b12) + ux * ux * c.b22;
  out.slope = -(out.R + c.mu * across);
  return out;
}

/// 1/k
inline constexpr auto inverses = [] {
  std::array<double, 64> out{};
  for (std::size_t k = 1; k < out.size(); ++k) out[k] = 1.0 / static_cast<double>(k);
  return out;
}();

/// Value of a polynomial given by its coefficients, constant first.
template <class S, class A>
S polynomial(const A& c, std::size_t terms, const S& s) {
  S sum = S(c[terms - 1]);
  for (std::size_t k = terms - 1; k-- > 0;) sum = sum * s + c[k];
  return sum;
}

/// The same on the values alone.
template <class A>
double polynomial_value(const A& c, std::size_t terms, double s) {
  double sum = value(c[terms - 1]);
  for (std::size_t k = terms - 1; k-- > 0;) sum = sum * s + value(c[k]);
  return sum;
}

/// Value and slope in one pass.
template <class A>
std::pair<double, double> polynomial_and_slope(const A& c, std::size_t terms, double s) {
  double sum = value(c[terms - 1]), slope = 0.0;
  for (std::size_t k = terms - 1; k-- > 0;) {
    slope = slope * s + sum;
    sum = sum * s + value(c[k]);
  }
  return {sum, slope};
}

/// Root of an increasing function in [low, high] with f(low) <= 0 <= f(high): Newton's method that never leaves the
/// shrinking bracket. `f` returns the value and the slope.
template <class F>
double bracketed_root(const F& f, double low, double high, double guess) {
  // A Newton step this small relative to the root squares to less than rounding.
  constexpr double last_step = 1e-9;
  constexpr int most = 100;
  double x = guess > low && guess < high ? guess : 0.5 * (low + high);
  for (int i = 0; i < most; ++i) {
    const auto [fx, slope] = f(x);
    if (fx == 0.0) return x;
    (fx < 0.0 ? low : high) = x;
    double next = x - fx / slope;
    const bool newton = next >= low && next <= high;
    if (!newton) next = 0.5 * (low + high);
    const double step = std::abs(next - x);
    x = next;
    if ((newton && step <= last_step * std::abs(x)) || step <= epsilon * std::abs(x)) break;
  }
  return x;
}

/// Terms of a series count as at least the one when they set the length of a step; beyond the other they are about to
/// overflow, and the series is of no use.
inline constexpr double smallest_term = 0x1p-1000, largest_term = 0x1p1000;

/// mu B up to which the Taylor coefficients stay far from overflow as they are: its 18th power is below 2^1000.
inline constexpr double largest_rate = 0x1p50;

/// log2 of the length at which term k of a series, of this size at 1, comes down to `truncation`.
inline double log2_length(double term, std::size_t k) {
  if (!(term < largest_term)) return -std::numeric_limits<double>::infinity();
  return (log2_truncation - rough_log2(std::max(term, smallest_term))) * inverses[k];
}

/// One Taylor step of curved slip. The parameter of the piece is s in [0, reach].
template <class T>
class TaylorPiece {
public:
  TaylorPiece(const Surface<T>& surface, const State<T>& state, bool with_work) : c_(surface), start_(state) {
    expand(with_work);
  }

  double reach() const { return reach_; }

  T normal_velocity(const T& s) const { return polynomial(vn_, terms + 1, s); }
  double normal_velocity_value(double s) const { return polynomial_value(vn_, terms + 1, s); }
  std::pair<double, double> normal_velocity_and_slope(double s) const {
    return polynomial_and_slope(vn_, terms + 1, s);
  }
  std::pair<double, double> work_and_slope(double s) const { return polynomial_and_slope(work_, terms + 1, s); }
  /// d v_n / ds
  double velocity_slope(double s) const {
    return value(i0_) *
           (c_.w * polynomial_value(r_, terms, s) -
            value(c_.mu) * (c_.d1 * polynomial_value(x_, terms, s) + c_.d2 * polynomial_value(y_, terms, s)));
  }
  /// dI_n/ds
  double impulse_slope(double s) const { return value(i0_) * polynomial_value(r_, terms, s); }
  /// Normal impulse and normal work since the start of the piece.
  template <class S>
  S impulse(const S& s) const {
    S sum{};
    for (std::size_t k = terms; k-- > 0;) sum = (sum + as<S>(r_[k]) * inverses[k + 1]) * s;
    return sum * as<S>(i0_);
  }
  T work(const T& s) const { return polynomial(work_, terms + 1, s); }
  double work_value(double s) const { return polynomial_value(work_, terms + 1, s); }

  /// Sign of how v_n changes: w|gamma| - mu d.gamma, and of d x gamma, which tells when slip passes the direction d.
  double cross(double s) const {
    return c_.d1 * polynomial_value(y_, terms, s) - c_.d2 * polynomial_value(x_, terms, s);
  }
  double cross_slope(double s) const {
    double dx = 0.0, dy = 0.0;
    for (std::size_t k = terms - 1; k >= 1; --k) {
      dx = dx * s + static_cast<double>(k) * value(x_[k]);
      dy = dy * s + static_cast<double>(k) * value(y_[k]);
    }
    return c_.d1 * dy - c_.d2 * dx;
  }
  double slope_slope(double s) const {
    double dx = 0.0, dy = 0.0, dr = 0.0;
    for (std::size_t k = terms - 1; k >= 1; --k) {
      const double n = static_cast<double>(k);
      dx = dx * s + n * value(x_[k]);
      dy = dy * s + n * value(y_[k]);
      dr = dr * s + n * value(r_[k]);
    }
    return value(i0_) * (c_.w * dr - value(c_.mu) * (c_.d1 * dx + c_.d2 * dy));
  }

  /// The state at s; the sums of impulse and work by phase are left to the caller.
  void move(State<T>& state, const T& s) const {
    T x{}, y{}, sx{}, sy{}, sr{}, sq{};
    for (std::size_t k = terms; k-- > 0;) {
      const double inverse = inverses[k + 1];
      x = x * s + x_[k];
      y = y * s + y_[k];
      sx = (sx + x_[k] * inverse) * s;
      sy = (sy + y_[k] * inverse) * s;
      sr = (sr + r_[k] * inverse) * s;
      sq = (sq + q_[k] * inverse) * s;
    }
    state.gx = r0_ * x;
    state.gy = r0_ * y;
    state.ix = start_.ix - c_.mu * i0_ * sx;
    state.iy = start_.iy - c_.mu * i0_ * sy;
    state.in = start_.in + i0_ * sr;
    state.vn = normal_velocity(s);
    state.friction = start_.friction + c_.mu * i0_ * r0_ * sq;
  }

private:
  static constexpr std::size_t terms = taylor_order + 1;
  using Series = std::array<T, terms + 1>;

  template <class S>
  static S as(const T& x) {
    if constexpr (std::is_same_v<S, double>)
      return value(x);
    else
      return x;
  }

  void expand(bool with_work) {
    r0_ = length(start_.gx, start_.gy);
    x_[0] = start_.gx / r0_;
    y_[0] = start_.gy / r0_;
    r_[0] = T(1.0);
    q_[0] = T(1.0);
    std::array<T, 3> m{c_.mu * c_.b11, c_.mu * c_.b12, c_.mu * c_.b22};
    std::array<double, 2> d{c_.d1, c_.d2};
    i0_ = r0_;
    // Friction beyond reason would overflow the high coefficients: count s in units of its rate.
    const double rate = value(m[0]) + value(m[2]);
    if (rate > largest_rate) {
      const double unit = std::ldexp(1.0, -std::ilogb(rate));
      for (T& x : m) x = x * unit;
      for (double& x : d) x *= unit;
      i0_ = r0_ * unit;
    }
    // The order is known to the compiler: straight code without loops.
    [&]<std::size_t... K>(std::index_sequence<K...>) { (next_coefficient<K + 1>(m, d), ...); }
    (std::make_index_sequence<taylor_order>{});
    vn_[0] = start_.vn;
    for (std::size_t k = 0; k < terms; ++k)
      vn_[k + 1] = i0_ * (r_[k] * c_.w - c_.mu * (x_[k] * c_.d1 + y_[k] * c_.d2)) * inverses[k + 1];
    if (with_work) {
      work_[0] = T(0.0);
      [&]<std::size_t... K>(std::index_sequence<K...>) { (next_work<K>(), ...); }
      (std::make_index_sequence<terms>{});
    }
    // With derivatives these set the step too: they must stay as exact as the values, relative to their own size.
    const double scale = std::max({1.0, size(x_[0]), size(y_[0])});
    const auto limit = [&](std::size_t k) {
      const double term = std::max(size(x_[k]), size(y_[k])) / scale;
      return log2_length(term, k);
    };
    reach_ = rough_exp2(std::min(limit(taylor_order), limit(taylor_order - 1)));
  }

  /// Coefficient n of x, y and r from the lower ones; r from r^2 = x^2 + y^2 by symmetric sums, so half of each.
  template <std::size_t n>
  void next_coefficient(const std::array<T, 3>& m, const std::array<double, 2>& d) {
    x_[n] = (r_[n - 1] * d[0] - (m[0] * x_[n - 1] + m[1] * y_[n - 1])) * inverses[n];
    y_[n] = (r_[n - 1] * d[1] - (m[1] * x_[n - 1] + m[2] * y_[n - 1])) * inverses[n];
    T sx{}, sy{}, sr{};
#pragma GCC unroll 32
    for (std::size_t j = 1; 2 * j < n; ++j) {
      sx += x_[j] * x_[n - j];
      sy += y_[j] * y_[n - j];
      sr += r_[j] * r_[n - j];
    }
    if constexpr (n % 2 == 0) {
      sx += x_[n / 2] * x_[n / 2] * 0.5;
      sy += y_[n / 2] * y_[n / 2] * 0.5;
      sr += r_[n / 2] * r_[n / 2] * 0.5;
    }
    const T half = (sx + sy) + (x_[0] * x_[n] + y_[0] * y_[n]);
    q_[n] = half * 2.0;
    r_[n] = half - sr;
  }

  template <std::size_t n>
  void next_work() {
    T even{}, odd{};
#pragma GCC unroll 32
    for (std::size_t j = 0; j <= n; ++j) (j % 2 ? odd : even) += vn_[j] * r_[n - j];
    work_[n + 1] = i0_ * (even + odd) * inverses[n + 1];
  }

  const Surface<T>& c_;
  State<T> start_;
  T r0_{}, i0_{};  // |gamma| at the start; dI_n/ds there
  Series x_, y_, r_, q_, vn_, work_;
  double reach_ = 0.0;
};

}  // namespace carom::spatial
