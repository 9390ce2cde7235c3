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

#include "bracketed_root.hpp"
#include "numbers.hpp"
#include "products.hpp"

namespace carom::spatial {

/// Order of the Taylor series. Near a ray slip decays like exp(-s), of which a step of order N resolves N!^(1/N) or so
/// times the N-th root of `truncation`: order 24 covers twice the stretch of order 18 for 1.8 times the products.
inline constexpr std::size_t taylor_order = 24;
/// Size of the last kept terms relative to the sliding speed; it sets the length of a step.
inline constexpr double truncation = 1e-15;
inline constexpr double log2_truncation = -49.828921423310435;
/// The same for derivatives, 1e-13 of the largest of them: a fifth fewer steps.
inline constexpr double log2_slope_truncation = -43.185;
/// Slip that has come down to a share of its start may be that much less exact, but no less than this.
inline constexpr double smallest_share = 0x1p-30;

/// Terms of the series of the normal work and that of friction. They are products: where slip decays like exp(-s) they
/// go like exp(-2 s), of which the same stretch takes more terms to be as exact, (2 x)^33/33! where x^24/24! is
/// `truncation`.
inline constexpr std::size_t work_terms = taylor_order + 10;

inline constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// The contact in normalised units (see Scaled in spatial_process.hpp): W_tt = B, W_tn = d, W_nn = w.
template <class T>
struct Surface {
  double b11, b12, b22, d1, d2, w;
  T mu, e;
  double turned =
      0.0;  // the sine of the turn of the axes: its rounding mixes that much of one component into the other
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

/// May the normal work of a step be found from the balance of energy? That adds up changes of slip times friction,
/// which go like mu^2 B I_n^2 where the work goes like w I_n^2: digits are lost as the first outgrows the second.
template <class T>
bool balances_energy(const Surface<T>& c) {
  constexpr double most = 0x1p8;  // two and a half digits
  return value(c.mu) * value(c.mu) * (c.b11 + c.b22) <= most * c.w;
}

/// 1/k
inline constexpr auto inverses = [] {
  std::array<double, 64> out{};
  for (std::size_t k = 1; k < out.size(); ++k) out[k] = 1.0 / static_cast<double>(k);
  return out;
}();

/// Below this s^2 may underflow though its coefficient makes up for it (grazing: slip up to 2^400 times v_n).
inline constexpr double smallest_to_square = 0x1p-400;

/// Value of a polynomial given by its coefficients, constant first: even and odd powers apart, which halves the wait
/// of each operation for the one before.
template <std::size_t terms, class S, class A>
S polynomial(const A& c, const S& s) {
  static_assert(terms >= 3);
  if (std::abs(value(s)) < smallest_to_square)
    return S(c[0]) + (S(c[1]) + c[2] * s) * s;  // the rest is less than rounding
  constexpr std::size_t top = terms - 1;
  const S z = s * s;
  S one = S(c[top]), other = S(c[top - 1]);
#pragma GCC unroll 32
  for (std::size_t k = top; k >= 2; --k) {
    S& sum = (top - k) % 2 == 0 ? one : other;
    sum = sum * z + c[k - 2];
  }
  return top % 2 == 0 ? one + other * s : other + one * s;
}

/// The same on the values alone.
template <std::size_t terms, class A>
double polynomial_value(const A& c, double s) {
  struct Values {
    const A& c;
    double operator[](std::size_t k) const { return value(c[k]); }
  };
  return polynomial<terms>(Values{c}, s);
}

/// Value and slope in one pass.
template <std::size_t terms, class A>
std::pair<double, double> polynomial_and_slope(const A& c, double s) {
  static_assert(terms % 2 == 0);
  if (std::abs(s) < smallest_to_square)
    return {value(c[0]) + (value(c[1]) + value(c[2]) * s) * s, value(c[1]) + 2.0 * value(c[2]) * s};
  const double z = s * s;
  double even = value(c[terms - 2]), odd = value(c[terms - 1]), even_slope = 0.0, odd_slope = 0.0;
#pragma GCC unroll 32
  for (std::size_t k = terms - 2; k >= 2; k -= 2) {
    even_slope = even_slope * z + even;
    odd_slope = odd_slope * z + odd;
    even = even * z + value(c[k - 2]);
    odd = odd * z + value(c[k - 1]);
  }
  return {even + odd * s, odd + 2.0 * (even_slope * s + odd_slope * z)};
}

using carom::bracketed_root;

/// Terms of a series count as at least the one when they set the length of a step; beyond the other they are about to
/// overflow, and the series is of no use.
inline constexpr double smallest_term = 0x1p-1000, largest_term = 0x1p1000;

/// log2 of the length at which term k of a series, of this size at 1, comes down to 2^`log2_small`.
inline double log2_length(double term, std::size_t k, double log2_small = log2_truncation) {
  if (!(term < largest_term)) return -std::numeric_limits<double>::infinity();
  return (log2_small - rough_log2(std::max(term, smallest_term))) * inverses[k];
}

/// log2 of how exact slip must be that has come down to this share of its start and changes in size at rate R. On its
/// way to rest the flow contracts: what is neglected counts as a change of the first slip, of which it must be a small
/// part. Slip that grows again has no such allowance: its first direction decides how fast, and it must come to lie on
/// its ray. Nor have derivatives: the linear flow they follow depends on the direction of what is left.
template <class T>
double log2_exactness(double share, double R) {
  if constexpr (!std::is_same_v<T, double>) return log2_slope_truncation;
  if (R < 0.0 && share < 1.0) return log2_truncation - rough_log2(std::max(share, smallest_share));
  return log2_truncation;
}

/// Unit of the slip parameter in which the rates of slip are of size one: a power of two.
template <class T>
double slip_unit(const Surface<T>& c) {
  const double rate = value(c.mu) * (c.b11 + c.b22) + std::abs(c.d1) + std::abs(c.d2);
  return power_of_two_below(1.0 / std::clamp(rate, smallest_term, largest_term));
}

/// Four series integrated, over the length: sums of c_k s^k/(k + 1) without the first term. For doubles all four at
/// once.
template <class T, std::size_t terms>
class FourIntegrals {
public:
  void set(std::size_t k, const T& a, const T& b, const T& c, const T& d) {
    if constexpr (together) {
      c_[k] = Quad{a, b, c, d} * inverses[k + 1];
    } else {
      const std::array<T, 4> all{a, b, c, d};
      for (std::size_t i = 0; i < 4; ++i) c_[i][k] = k == 0 ? T(0.0) : all[i] * inverses[k + 1];
    }
  }
  /// The first `count` terms; the others are zero.
  template <std::size_t count, class S>
  std::array<S, 4> at(const S& s) const {
    if constexpr (together) {
      static_assert(count % 2 == 1 && count <= terms);
      Quad sum = (c_[1] + c_[2] * s) * s;
      if (std::abs(s) >= smallest_to_square) {
        const double z = s * s;
        Quad odd = c_[count - 2], even = c_[count - 1];
#pragma GCC unroll 32
        for (std::size_t k = count - 2; k > 1; k -= 2) {
          odd = odd * z + c_[k - 2];
          even = even * z + c_[k - 1];
        }
        sum = (odd + even * s) * s;
      }
      return {sum[0], sum[1], sum[2], sum[3]};
    } else {
      return {polynomial_value<count>(c_[0], s), polynomial_value<count>(c_[1], s), polynomial_value<count>(c_[2], s),
              polynomial_value<count>(c_[3], s)};
    }
  }

  /// With the derivatives of the coefficients, at a plain s.
  template <std::size_t count>
  std::array<T, 4> at_plain(double s) const {
    static_assert(!together && count % 2 == 1 && count <= terms);
    std::array<T, 4> odd, even;
    const double z = s * s;
    for (std::size_t i = 0; i < 4; ++i) {
      odd[i] = c_[i][count - 2];
      even[i] = c_[i][count - 1];
    }
    for (std::size_t k = count - 2; k > 1; k -= 2)
      for (std::size_t i = 0; i < 4; ++i) {
        odd[i] = odd[i] * z + c_[i][k - 2];
        even[i] = even[i] * z + c_[i][k - 1];
      }
    for (std::size_t i = 0; i < 4; ++i) odd[i] = (odd[i] + even[i] * s) * s;
    return odd;
  }

private:
  static constexpr bool together = std::is_same_v<T, double>;
  std::conditional_t<together, std::array<Quad, terms>, std::array<std::array<T, terms>, 4>> c_;
};

/// One Taylor step of curved slip. The parameter of the piece is s in [0, reach].
template <class T>
class TaylorPiece {
public:
  /// @param unit  slip_unit(surface)
  /// @param log2_small  see log2_exactness
  TaylorPiece(const Surface<T>& surface, double unit, const State<T>& state, double log2_small, bool with_work,
              bool with_friction)
      : c_(surface), start_(state), with_friction_(with_friction), balances_(with_work && balances_energy(surface)) {
    expand(unit, log2_small, with_work);
  }

  double reach() const { return reach_; }

  T normal_velocity(const T& s) const {
    if constexpr (std::is_same_v<T, double>)
      return polynomial<terms + 1>(vn_, s);
    else
      return way_to<terms>(s).velocity;
  }
  double normal_velocity_value(double s) const { return polynomial_value<terms + 1>(vn_, s); }
  std::pair<double, double> normal_velocity_and_slope(double s) const {
    return polynomial_and_slope<terms + 1>(vn_, s);
  }
  std::pair<double, double> work_and_slope(double s) const {
    if (!balances_) return polynomial_and_slope<work_terms>(work_, s);
    const Way<double> way = way_to<work_terms - 1>(s);
    const double r = length(value(start_.gx) + way.gx, value(start_.gy) + way.gy);
    return {work_on(way, s), way.velocity * (value(i0_) / value(r0_)) * r};
  }
  /// d v_n / ds
  double velocity_slope(double s) const {
    return value(i0_) *
           (c_.w * polynomial_value<terms>(g_.r, s) -
            value(c_.mu) * (c_.d1 * polynomial_value<terms>(g_.x, s) + c_.d2 * polynomial_value<terms>(g_.y, s)));
  }
  /// dI_n/ds
  double impulse_slope(double s) const { return value(i0_) * polynomial_value<terms>(g_.r, s); }
  /// Normal impulse and normal work since the start of the piece.
  T impulse(const T& s) const {
    if constexpr (std::is_same_v<T, double>)
      return polynomial<terms + 1>(in_, s);
    else
      return way_to<terms>(s).impulse;
  }
  double impulse_value(double s) const { return polynomial_value<terms + 1>(in_, s); }
  std::pair<double, double> impulse_and_slope(double s) const { return polynomial_and_slope<terms + 1>(in_, s); }
  T work(const T& s) const { return balances_ ? balance(s) : polynomial<work_terms>(work_, s); }
  double work_value(double s) const { return balances_ ? balance(s) : polynomial_value<work_terms>(work_, s); }

  /// Sign of how v_n changes: w|gamma| - mu d.gamma, and of d x gamma, which tells when slip passes the direction d.
  double cross(double s) const {
    return c_.d1 * polynomial_value<terms>(g_.y, s) - c_.d2 * polynomial_value<terms>(g_.x, s);
  }
  double cross_slope(double s) const {
    double dx = 0.0, dy = 0.0;
    for (std::size_t k = terms - 1; k >= 1; --k) {
      dx = dx * s + static_cast<double>(k) * value(g_.x[k]);
      dy = dy * s + static_cast<double>(k) * value(g_.y[k]);
    }
    return c_.d1 * dy - c_.d2 * dx;
  }
  double slope_slope(double s) const {
    double dx = 0.0, dy = 0.0, dr = 0.0;
    for (std::size_t k = terms - 1; k >= 1; --k) {
      const double n = static_cast<double>(k);
      dx = dx * s + n * value(g_.x[k]);
      dy = dy * s + n * value(g_.y[k]);
      dr = dr * s + n * value(g_.r[k]);
    }
    return value(i0_) * (c_.w * dr - value(c_.mu) * (c_.d1 * dx + c_.d2 * dy));
  }

  /// The state at s; the sums of impulse and work by phase are left to the caller. @return the normal impulse
  T move(State<T>& state, const T& s) const {
    const Way<T> way = squares() ? way_to<work_terms - 1>(s) : way_to<terms>(s);
    state.gx = start_.gx + way.gx;
    state.gy = start_.gy + way.gy;
    state.ix = start_.ix - c_.mu * i0_ * way.x;
    state.iy = start_.iy - c_.mu * i0_ * way.y;
    state.in = start_.in + way.impulse;
    state.vn = way.velocity;
    if (with_friction_)  // r dI_n = i0 r0 r^2 ds
      state.friction = start_.friction + c_.mu * i0_ * r0_ * (way.q_more + T(1.0)) * s;
    return way.impulse;
  }

private:
  static constexpr std::size_t terms = taylor_order + 1;
  using Series = std::array<double, terms + 1>;

  void expand(double unit, double log2_small, bool with_work) {
    r0_ = length(start_.gx, start_.gy);
    g_.set(0, start_.gx / r0_, start_.gy / r0_, T(1.0));
    q_[0] = T(1.0);
    // s in units of the fastest rate, so that no coefficient outgrows the others.
    const std::array<T, 3> m{c_.mu * (c_.b11 * unit), c_.mu * (c_.b12 * unit), c_.mu * (c_.b22 * unit)};
    const std::array<double, 2> d{c_.d1 * unit, c_.d2 * unit};
    i0_ = r0_ * unit;
    const T &x = g_.x[0], &y = g_.y[0];
    const std::array<T, 3> along{x * d[0] + y * d[1], x * m[0] + y * m[1], x * m[1] + y * m[2]};  // u.d, M u
    // The order is known to the compiler: straight code without loops.
    [&]<std::size_t... K>(std::index_sequence<K...>) { (next_coefficient<K + 1>(m, d, along), ...); }
    (std::make_index_sequence<taylor_order>{});
    if (squares()) [&]<std::size_t... K>(std::index_sequence<K...>) {
        (last_square<K + terms>(), ...);
      }
    (std::make_index_sequence<work_terms - 1 - terms>{});
    for (std::size_t k = 0; k < terms; ++k) s_.set(k, g_.x[k], g_.y[k], g_.r[k], squares() ? q_[k] : T(0.0));
    if (squares())
      for (std::size_t k = terms; k + 1 < work_terms; ++k) s_.set(k, T(0.0), T(0.0), T(0.0), q_[k]);
    vn_[0] = value(start_.vn);
    in_[0] = 0.0;
    const double i0 = value(i0_), rub = i0 * value(c_.mu);
    const double rise = i0 * c_.w, fall1 = rub * c_.d1, fall2 = rub * c_.d2;
    for (std::size_t k = 0; k < terms; ++k) {
      const double r = value(g_.r[k]);
      vn_[k + 1] = (rise * r - (fall1 * value(g_.x[k]) + fall2 * value(g_.y[k]))) * inverses[k + 1];
      in_[k + 1] = i0 * r * inverses[k + 1];
    }
    if (with_work && !balances_) {
      work_[0] = T(0.0);
      const SeriesProduct<T, terms, taylor_order> product(velocity_series(), g_.r);
      [&]<std::size_t... K>(std::index_sequence<K...>) {
        ((work_[K + 1] = i0_ * product.template term<K>() * inverses[K + 1]), ...);
      }
      (std::make_index_sequence<work_terms - 1>{});
    }
    // r counts too: where friction outweighs d, x and y are nearly exponentials, and only r is not entire.
    // With derivatives these set the step too: they must stay as exact as the values, relative to their own size.
    const double scale = std::max({1.0, size(g_.x[0]), size(g_.y[0])});
    const auto limit = [&](std::size_t k) {
      const double term = std::max({size(g_.x[k]), size(g_.y[k]), size(g_.r[k])}) / scale;
      return log2_length(term, k, log2_small);
    };
    reach_ = rough_exp2(std::min(limit(taylor_order), limit(taylor_order - 1)));
  }

  /// The series of v_n.
  decltype(auto) velocity_series() const {
    if constexpr (std::is_same_v<T, double>) {
      return (vn_);
    } else {
      std::array<T, terms + 1> out;
      out[0] = start_.vn;
      const T rise = i0_ * c_.w, fall1 = i0_ * c_.mu * c_.d1, fall2 = i0_ * c_.mu * c_.d2;
      for (std::size_t k = 0; k < terms; ++k)
        out[k + 1] = (rise * g_.r[k] - (fall1 * g_.x[k] + fall2 * g_.y[k])) * inverses[k + 1];
      return out;
    }
  }

  /// Coefficient n of x, y and r from the lower ones; r from r^2 = x^2 + y^2 by symmetric sums, so half of each. There
  /// the coefficients n and n - 1 come in as multiples of those of order n - 1, so that r_n waits for nothing else.
  template <std::size_t n>
  void next_coefficient(const std::array<T, 3>& m, const std::array<double, 2>& d, const std::array<T, 3>& along) {
    const T &x = g_.x[n - 1], &y = g_.y[n - 1], &r = g_.r[n - 1];
    const T xn = (r * d[0] - (m[0] * x + m[1] * y)) * inverses[n];
    const T yn = (r * d[1] - (m[1] * x + m[2] * y)) * inverses[n];
    if constexpr (n == 1) {
      g_.set(1, xn, yn, along[0] - (along[1] * x + along[2] * y));
      q_[1] = g_.r[1] * 2.0;
    } else {
      constexpr double half = n == 2 ? 0.5 : 1.0;
      T slip, speed;
      g_.template half_squares<n, 2>(slip, speed);
      const T by_r = along[0] * inverses[n] - g_.r[1] * half, by_x = g_.x[1] * half - along[1] * inverses[n],
              by_y = g_.y[1] * half - along[2] * inverses[n];
      g_.set(n, xn, yn, ((slip - speed) + by_x * x + by_y * y) + by_r * r);
      if (squares()) q_[n] = ((speed + g_.r[1] * r * half) + g_.r[n]) * 2.0;
    }
  }
  /// Coefficients of r^2 beyond those of r: the work of friction is its integral.
  template <std::size_t n>
  void last_square() {
    T slip, speed;
    g_.template half_squares<n, n - taylor_order>(slip, speed);
    q_[n] = speed * 2.0;
  }

  /// Is the series of r^2 asked for?
  bool squares() const { return with_friction_ || balances_; }

  /// The way from the start to s, from the integrals of slip: all but the work is linear in them.
  template <class S>
  struct Way {
    S x, y, impulse;           // integrals of slip over its first size, and normal impulse
    S velocity, gx, gy;        // v_n, and by how much slip has changed
    S x_more, y_more, q_more;  // FourIntegrals::at
  };
  template <std::size_t count, class S>
  Way<S> way_to(const S& s) const {
    if constexpr (std::is_same_v<S, T> && !std::is_same_v<T, double>) {
      const double at = value(s);
      Way<T> out = way_by(s_.template at_plain<count>(at), T(at));
      if (at != 0.0) carry_on(out, at, s - at);
      return out;
    } else {
      return way_by(s_.template at<count>(s), s);
    }
  }
  template <class S>
  Way<S> way_by(const std::array<S, 4>& more, const S& s) const {
    const S &x_more = more[0], &y_more = more[1], &r_more = more[2], &q_more = more[3];
    const S rub = as<S>(c_.mu) * as<S>(i0_), vn = as<S>(start_.vn);
    Way<S> out;
    out.x = (as<S>(g_.x[0]) + x_more) * s;
    out.y = (as<S>(g_.y[0]) + y_more) * s;
    out.impulse = as<S>(i0_) * (r_more + 1.0) * s;
    out.velocity = vn + (out.impulse * c_.w - rub * (out.x * c_.d1 + out.y * c_.d2));
    out.gx = out.impulse * c_.d1 - rub * (out.x * c_.b11 + out.y * c_.b12);
    out.gy = out.impulse * c_.d2 - rub * (out.x * c_.b12 + out.y * c_.b22);
    out.x_more = x_more;
    out.y_more = y_more;
    out.q_more = q_more;
    return out;
  }
  /// A way to a plain s goes on by a small step: the rates there are those of slip.
  void carry_on(Way<T>& way, double s, const T& step) const {
    const double per = 1.0 / value(r0_), i0 = value(i0_), mu = value(c_.mu);
    const double x = (value(start_.gx) + value(way.gx)) * per, y = (value(start_.gy) + value(way.gy)) * per;
    const double r = length(x, y);
    const double x_rate = (x - value(way.x) / s) / s, y_rate = (y - value(way.y) / s) / s;
    way.x_more += step * x_rate;
    way.y_more += step * y_rate;
    way.q_more += step * ((r * r - (value(way.q_more) + 1.0)) / s);
    way.x += step * x;
    way.y += step * y;
    way.impulse += step * (i0 * r);
    way.velocity += step * (i0 * (c_.w * r - mu * (c_.d1 * x + c_.d2 * y)));
    way.gx += step * (i0 * (c_.d1 * r - mu * (c_.b11 * x + c_.b12 * y)));
    way.gy += step * (i0 * (c_.d2 * r - mu * (c_.b12 * x + c_.b22 * y)));
  }
  template <class S>
  static S as(const T& x) {
    if constexpr (std::is_same_v<S, T>)
      return x;
    else
      return value(x);
  }

  /// Normal work up to s from the balance of energy: its change is the mean velocity times the impulse, and what
  /// friction has not taken is normal work. The constant part of slip cancels and is left out.
  template <class S>
  S work_on(const Way<S>& way, const S& s) const {
    const S x0 = as<S>(g_.x[0]), y0 = as<S>(g_.y[0]);
    const S rubbed =
        as<S>(r0_) * (way.q_more - (x0 * way.x_more + y0 * way.y_more)) * s - (way.gx * way.x + way.gy * way.y) * 0.5;
    return (as<S>(start_.vn) + way.velocity) * way.impulse * 0.5 + as<S>(c_.mu) * as<S>(i0_) * rubbed;
  }
  template <class S>
  S balance(const S& s) const {
    return work_on(way_to<work_terms - 1>(s), s);
  }

  const Surface<T>& c_;
  State<T> start_;
  T r0_{}, i0_{};  // |gamma| at the start; dI_n/ds there
  bool with_friction_, balances_;
  SlipSeries<T, terms> g_;  // of gamma/r0; q: of its square
  std::array<T, work_terms - 1> q_;
  Series vn_, in_;                      // of the values: what finds events
  std::array<T, work_terms> work_;      // unless it comes from the balance of energy
  FourIntegrals<T, work_terms - 1> s_;  // of x, y, r, and r^2
  double reach_ = 0.0;
};

/// Stretches of a Taylor step on which v_n is monotone: v_n falls only within a sector around the direction of d.
struct Stretches {
  std::array<double, 5> edges{0.0};
  std::size_t count = 1;
};

/// @param monotone  v_n rises in every direction of slip
template <class T>
Stretches stretches_of(const TaylorPiece<T>& piece, bool monotone) {
  Stretches out;
  const double reach = piece.reach();
  if (!monotone) {
    double middle = -1.0;
    const double c0 = piece.cross(0.0), c1 = piece.cross(reach);
    if (c0 * c1 < 0.0) {
      const double sign = c0 < 0.0 ? 1.0 : -1.0;
      middle = bracketed_root([&](double x) { return std::pair(sign * piece.cross(x), sign * piece.cross_slope(x)); },
                              0.0, reach, reach * c0 / (c0 - c1));
    }
    const auto turn_within = [&](double low, double high) {
      const double g0 = piece.velocity_slope(low), g1 = piece.velocity_slope(high);
      if (!(g0 * g1 < 0.0)) return;
      const double sign = g0 < 0.0 ? 1.0 : -1.0;
      out.edges[out.count++] = bracketed_root(
          [&](double x) { return std::pair(sign * piece.velocity_slope(x), sign * piece.slope_slope(x)); }, low, high,
          low + (high - low) * g0 / (g0 - g1));
    };
    if (middle > 0.0 && middle < reach) {
      turn_within(0.0, middle);
      turn_within(middle, reach);
    } else {
      turn_within(0.0, reach);
    }
  }
  out.edges[out.count] = reach;
  return out;
}

}  // namespace carom::spatial
