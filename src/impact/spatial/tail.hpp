// Curved slip close to an attracting invariant direction, all the way to its end in one expression.
// Near the ray u* slip is a sum of decaying exponentials of the slip parameter,
//   gamma(s) = E sum_k C_k q^k,  E = exp(R s), q = exp(-a s),  R = d|gamma|/dI_n on the ray, a = -dT/dt > 0,
// whose coefficients follow from the same convolutions as a Taylor step (docs/theory/spatial.md, section 4). Impulse,
// normal velocity and work are integrated term by term, so the end of slip (E = 0) and any event before it are found
// without another step. The parameter is y = (E - 1)/R, the normal impulse per unit of slip on the ray itself.
#pragma once

#include <optional>

#include "series.hpp"

namespace carom::spatial {

inline constexpr std::size_t tail_order = 23;
/// How close to the ray (tangent of the angle) the search for it starts: about as far as the series usually reaches.
inline constexpr double near_ray = 0.3;
/// Exponents closer to zero than this, relative to the rates and by the weight of their term, would need logarithms:
/// the Taylor series takes over.
inline constexpr double resonance = 0.05;
/// However small a term, its weight counts as this much: an exponent that vanishes but for rounding is the divisor of a
/// term whose rounding it would make as large as the others.
inline constexpr double least_weight = 1e-6;

/// An event this near, as a share of what the tail would come to by its end, is left to the Taylor series: the tail
/// finds it as a small difference. From v_n = 0 on work goes like the square of the way, hence the smaller share.
inline constexpr double near_event = 0.02, near_event_work = 0.002;

/// The coefficients for unit amplitude; they depend on the ray only.
template <class T>
struct Ray {
  T ux{}, uy{}, R{}, a{};
  SlipSeries<T, tail_order + 1> g;
  double widest = 0.0;  // the largest transverse amplitude at which the series is exact to `truncation`
};

/// How much wider the series reaches if it need only be exact to 2^log2_small.
inline double tail_allowance(double log2_small) {
  return rough_exp2((log2_small - log2_truncation) * inverses[tail_order]);
}

/// Turns u to the attracting ray next to it, by Newton's method, until what is left of the turning rate is rounding of
/// its terms: so the smaller part of u, which a large entry of B may multiply, has its own digits. Where these terms
/// are small differences of larger ones, it is enough that the angle is right. @return false if there is none
inline bool turn_to_ray(const Surface<double>& c, double& ux, double& uy) {
  constexpr int most = 16;
  constexpr double right = 1e-9;  // of the angle and of the terms: the step that is taken squares it
  for (int i = 0; i < most; ++i) {
    const auto at = direction_at(c, ux, uy);
    if (!(at.slope < 0.0)) return false;
    const double h = std::clamp(-0.5 * at.turn / at.slope, -0.25, 0.25);
    const double per = 1.0 / (1.0 + h * h), ch = (1.0 - h * h) * per, sh = 2.0 * h * per;
    const double x = ch * ux - sh * uy;
    uy = sh * ux + ch * uy;
    ux = x;
    if (std::abs(h) < right &&
        std::abs(at.turn) <= right * (std::abs(ux * c.d2) + std::abs(uy * c.d1) + std::abs(at.R)))
      break;
    if (i + 1 == most && !(std::abs(h) < right)) return false;
  }
  const double norm = std::sqrt(ux * ux + uy * uy);
  ux /= norm;
  uy /= norm;
  return true;
}

/// The attracting ray next to direction u, if there is one to be used.
template <class T>
std::optional<Ray<T>> find_ray(const Surface<T>& c, const T& ux, const T& uy) {
  Surface<double> plain{c.b11, c.b12, c.b22, c.d1, c.d2, c.w, value(c.mu), value(c.e)};
  double px = value(ux), py = value(uy);
  if (!turn_to_ray(plain, px, py)) return std::nullopt;
  Ray<T> ray;
  ray.ux = px;
  ray.uy = py;
  if constexpr (!std::is_same_v<T, double>) {  // one step in T carries the derivatives of the root
    const auto at = direction_at(c, T(px), T(py));
    const T h = at.turn / at.slope;
    ray.ux = T(px) + h * py;
    ray.uy = T(py) - h * px;
  }
  const auto at = direction_at(c, ray.ux, ray.uy);
  ray.R = at.R;
  ray.a = -at.slope;
  const T d1 = ray.ux * c.d1 + ray.uy * c.d2, d2 = ray.ux * c.d2 - ray.uy * c.d1;
  const T inverse_a = T(1.0) / ray.a;
  ray.g.set(0, T(1.0), T(0.0), T(1.0));
  ray.g.set(1, d2 * inverse_a, T(1.0), d2 * inverse_a);
  const auto next_coefficient = [&]<std::size_t n>(std::integral_constant<std::size_t, n>) {
    T slip, speed;
    ray.g.template half_squares<n, 1>(slip, speed);
    const T sum = slip - speed;
    const T y = -(d2 * inverse_a * inverses[n - 1]) * sum;
    const T x = (d2 * y - d1 * sum) * (inverse_a * inverses[n]);
    ray.g.set(n, x, y, x + sum);
  };
  [&]<std::size_t... K>(std::index_sequence<K...>) {
    (next_coefficient(std::integral_constant<std::size_t, K + 2>{}), ...);
  }
  (std::make_index_sequence<tail_order - 1>{});
  const auto limit = [&](std::size_t k) {
    const double size = std::abs(value(ray.g.x[k])) + std::abs(value(ray.g.y[k])) + std::abs(value(ray.g.r[k]));
    return log2_length(size, k);
  };
  ray.widest = rough_exp2(std::min({limit(tail_order), limit(tail_order - 1), -1.0}));
  // Exponents k a - R (impulse) and k a - 2 R (work): none may vanish, unless its term does not count. (It does for
  // derivatives, which see the square of the exponent.)
  const double R = value(ray.R), a = value(ray.a), scale = std::max(a, std::abs(R));
  double power = 1.0;
  for (std::size_t k = 0; k <= tail_order; ++k) {
    const double ka = static_cast<double>(k) * a, nearest = std::min(std::abs(ka - R), std::abs(ka - 2.0 * R));
    const double weight =
        std::is_same_v<T, double> ? std::clamp(std::abs(value(ray.g.r[k])) * power, least_weight, 1.0) : 1.0;
    if (nearest < resonance * scale * weight) return std::nullopt;
    power *= ray.widest;
  }
  return ray;
}

/// Slip from a state near the ray; y in [0, reach], slip ends at y = reach if R < 0.
template <class T>
class TailPiece {
public:
  /// Nothing if the state is too far from the ray for the series.
  /// @param log2_small  see log2_exactness
  static std::optional<TailPiece> fitted(const Surface<T>& surface, const Ray<T>& ray, const State<T>& state,
                                         double log2_small) {
    const T along = ray.ux * state.gx + ray.uy * state.gy, across = ray.ux * state.gy - ray.uy * state.gx;
    const double gx = value(along), gy = value(across);
    const double widest = ray.widest * tail_allowance(log2_small);
    if (!(gx > 0.0) || std::abs(gy) > 1.5 * widest * gx) return std::nullopt;
    const auto miss = [&](const auto& zeta, const auto& px, const auto& py) {
      return px * polynomial<terms>(ray.g.y, zeta) - py * polynomial<terms>(ray.g.x, zeta);
    };
    const double ratio = gy / gx;
    double zeta = ratio * (1.0 - (value(ray.g.y[2]) - value(ray.g.x[1])) * ratio), slope = 1.0;  // to second order
    for (int i = 0; i < 8; ++i) {
      double x = 0.0, y = 0.0, dx = 0.0, dy = 0.0;
      for (std::size_t k = terms; k-- > 0;) {
        dx = dx * zeta + x;
        dy = dy * zeta + y;
        x = x * zeta + value(ray.g.x[k]);
        y = y * zeta + value(ray.g.y[k]);
      }
      slope = gx * dy - gy * dx;
      const double step = (gx * y - gy * x) / slope;
      zeta -= step;
      if (!(std::abs(zeta) <= widest * 1.5)) return std::nullopt;
      if (std::abs(step) <= 1e-9 * std::abs(zeta)) break;
    }
    if (!(std::abs(zeta) <= widest)) return std::nullopt;
    T amplitude(zeta);
    if constexpr (!std::is_same_v<T, double>) amplitude = amplitude - miss(amplitude, along, across) / T(slope);
    return TailPiece(surface, ray, state, amplitude, along);
  }

  /// Are the series of v_n and of the work good to rounding when the next event needs `velocity` of change in v_n or
  /// `work` of work? (An event very close by is left to the Taylor series, which is exact near its centre.)
  bool resolves(double velocity, double work, double impulse) const {
    const double whole = std::abs(value(v_far_)) + std::abs(value(start_.vn)), far = std::abs(value(i_far_));
    return std::abs(velocity) >= near_event * whole && std::abs(work) >= near_event_work * whole * far &&
           std::abs(impulse) >= near_event * far;
  }

  /// Prepares for `work`, and for State::friction; until then they are not to be asked for.
  void integrate(bool with_work, bool with_friction) {
    if (with_work) integrate_product(g_, k_, k_far_);
    with_friction_ = with_friction;
    if (with_friction) integrate_product(r_, f_, f_far_);
  }

  bool ends() const { return value(ray_.R) < 0.0; }
  double reach() const { return ends() ? -1.0 / value(ray_.R) : std::numeric_limits<double>::max(); }

  T normal_velocity(const T& y) const {
    const auto p = at(y);
    return v_far_ - p.e * polynomial<terms>(g_, p.q);
  }
  double normal_velocity_value(double y) const {
    const auto p = at_value(y);
    return value(v_far_) - p.e * polynomial_value<terms>(g_, p.q);
  }
  double velocity_slope(double y) const { return normal_velocity_and_slope(y).second; }
  std::pair<double, double> normal_velocity_and_slope(double y) const {
    const auto p = at_value(y);
    double sum = 0.0, slope = 0.0;
    for (std::size_t k = terms; k-- > 0;) {
      sum = sum * p.q + value(g_[k]);
      slope = slope * p.q + value(g_[k]) * value(rates_[k]);
    }
    return {value(v_far_) - p.e * sum, slope};
  }
  std::pair<double, double> work_and_slope(double y) const {
    const auto p = at_value(y);
    double i = 0.0, k2 = 0.0, r = 0.0, g = 0.0;
    for (std::size_t k = terms; k-- > 0;) {
      i = i * p.q + value(i_[k]);
      k2 = k2 * p.q + value(k_[k]);
      r = r * p.q + value(r_[k]);
      g = g * p.q + value(g_[k]);
    }
    return {value(v_far_) * (value(i_far_) - p.e * i) - (value(k_far_) - p.e * p.e * k2),
            (value(v_far_) - p.e * g) * r};
  }
  double impulse_slope(double y) const { return polynomial_value<terms>(r_, at_value(y).q); }
  double impulse_value(double y) const {
    const auto p = at_value(y);
    return value(i_far_) - p.e * polynomial_value<terms>(i_, p.q);
  }
  std::pair<double, double> impulse_and_slope(double y) const {
    const auto p = at_value(y);
    return {value(i_far_) - p.e * polynomial_value<terms>(i_, p.q), polynomial_value<terms>(r_, p.q)};
  }
  T impulse(const T& y) const {
    const auto p = at(y);
    return i_far_ - p.e * polynomial<terms>(i_, p.q);
  }
  T work(const T& y) const {
    const auto p = at(y);
    return v_far_ * (i_far_ - p.e * polynomial<terms>(i_, p.q)) - (k_far_ - p.e * p.e * polynomial<terms>(k_, p.q));
  }
  double work_value(double y) const {
    const auto p = at_value(y);
    return value(v_far_) * (value(i_far_) - p.e * polynomial_value<terms>(i_, p.q)) -
           (value(k_far_) - p.e * p.e * polynomial_value<terms>(k_, p.q));
  }

  /// As TaylorPiece::move.
  T move(State<T>& state, const T& y) const {
    const auto p = at(y);
    T x{}, z{}, sx{}, sz{}, sg{}, si{};
    for (std::size_t k = terms; k-- > 0;) {
      x = x * p.q + x_[k];
      z = z * p.q + z_[k];
      sx = sx * p.q + x_[k] * inverse_rates_[k];
      sz = sz * p.q + z_[k] * inverse_rates_[k];
      sg = sg * p.q + g_[k];
      si = si * p.q + i_[k];
    }
    sx = sx_far_ - p.e * sx;
    sz = sz_far_ - p.e * sz;
    const T pull = i_far_ - p.e * si;
    const T &ux = ray_.ux, &uy = ray_.uy;
    state.gx = p.e * (ux * x - uy * z);
    state.gy = p.e * (uy * x + ux * z);
    state.ix = start_.ix - c_.mu * (ux * sx - uy * sz);
    state.iy = start_.iy - c_.mu * (uy * sx + ux * sz);
    state.in = start_.in + pull;
    state.vn = v_far_ - p.e * sg;
    if (with_friction_) state.friction = start_.friction + c_.mu * (f_far_ - p.e * p.e * polynomial<terms>(f_, p.q));
    return pull;
  }

private:
  static constexpr std::size_t terms = tail_order + 1;
  using Series = std::array<T, terms>;
  template <class S>
  struct Point {
    S e, q;
  };

  TailPiece(const Surface<T>& surface, const Ray<T>& ray, const State<T>& state, const T& zeta, const T& along)
      : c_(surface), ray_{ray.ux, ray.uy, ray.R, ray.a}, start_(state) {
    const T amplitude = along / polynomial<terms>(ray.g.x, zeta);
    T factor = amplitude;
    const T d1 = ray.ux * c_.d1 + ray.uy * c_.d2, d2 = ray.ux * c_.d2 - ray.uy * c_.d1;
    for (std::size_t k = 0; k < terms; ++k) {
      x_[k] = factor * ray.g.x[k];
      z_[k] = factor * ray.g.y[k];
      r_[k] = factor * ray.g.r[k];
      factor *= zeta;
      rates_[k] = ray.a * static_cast<double>(k) - ray.R;
      const T inverse = inverse_rates_[k] = T(1.0) / rates_[k];
      i_[k] = r_[k] * inverse;
      g_[k] = (r_[k] * c_.w - c_.mu * (d1 * x_[k] + d2 * z_[k])) * inverse;
      i_far_ += i_[k];
      sx_far_ += x_[k] * inverse;
      sz_far_ += z_[k] * inverse;
      v_far_ += g_[k];
    }
    v_far_ += start_.vn;
  }

  /// The integral of (sum a_k q^k)(sum r_k q^k) E^2, term by term.
  void integrate_product(const Series& a, Series& out, T& far) {
    const SeriesProduct<T, tail_order, tail_order> product(a, r_);
    [&]<std::size_t... m>(std::index_sequence<m...>) {
      ((out[m] = product.template term<m>() / (ray_.a * static_cast<double>(m) - ray_.R * 2.0)), ...);
    }
    (std::make_index_sequence<terms>{});
    for (const T& term : out) far += term;
  }

  Point<T> at(const T& y) const {
    T e = ray_.R * y + 1.0;
    if (!(value(e) > 0.0)) e = T(0.0);
    return {e, power(e, -(ray_.a / ray_.R))};
  }
  Point<double> at_value(double y) const {
    const double e = std::max(0.0, value(ray_.R) * y + 1.0);
    return {e, std::pow(e, -(value(ray_.a) / value(ray_.R)))};
  }

  const Surface<T>& c_;
  struct {
    T ux, uy, R, a;
  } ray_;
  State<T> start_;
  Series x_, z_, r_, i_, g_, k_, f_, rates_, inverse_rates_;
  bool with_friction_ = false;
  T i_far_{}, v_far_{}, k_far_{}, f_far_{}, sx_far_{}, sz_far_{};
};

}  // namespace carom::spatial
