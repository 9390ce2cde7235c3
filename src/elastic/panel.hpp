// How is a smooth function kept, integrated and searched on one short interval?
// By its values at the Gauss points of the interval: the polynomial through them, its integrals and its first sign
// change.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

namespace carom::elastic {

inline constexpr int max_order = 24;

/// Gauss-Legendre rule of n points on [0, 1], with what interpolation through these points needs.
struct GaussRule {
  int n = 0;
  std::array<double, max_order> x{}, weight{}, bary{};
  /// integral[i][j]: the integral from 0 to x[i] of the j-th Lagrange polynomial.
  std::array<std::array<double, max_order>, max_order> integral{};
  /// basis[i][q][j]: j-th Lagrange polynomial at x[i] * x[q], for integrals over [0, x[i]].
  std::array<std::array<std::array<double, max_order>, max_order>, max_order> basis{};

  /// Values of all Lagrange polynomials at s in [0, 1].
  void lagrange(double s, double* out) const;
  /// The polynomial through the values, at s in [0, 1].
  double interpolate(const double* values, double s) const;
  /// Its integral from 0 to s.
  double integrate(const double* values, double s) const;
};

/// The rule with n points, 1 <= n <= max_order. Built once per process.
const GaussRule& gauss_rule(int n);

/// Root of f in [a, b] given f(a) >= 0 > f(b), to the last bit or so.
double falling_root(double a, double b, double fa, double fb, double (*f)(double, const void*), const void* data);

template <class F>
double falling_root_of(const F& f, double a, double b, double fa, double fb) {
  return falling_root(
      a, b, fa, fb, [](double x, const void* data) { return (*static_cast<const F*>(data))(x); }, &f);
}

/// Place of a minimum of f in [a, b], refined until f turns negative or the place is known to sqrt(epsilon).
struct Minimum {
  double x, value;
};
template <class F>
Minimum refine_minimum(const F& f, double a, double m, double b) {
  constexpr double golden = 0.3819660112501051;
  constexpr int steps = 48;  // 0.618^48 of the bracket is below the resolution of a parabola's bottom
  double fm = f(m);
  for (int i = 0; i < steps && fm >= 0.0 && b - a > 1e-9 * (1.0 + std::abs(m)); ++i) {
    const bool right = b - m > m - a;
    const double x = right ? m + golden * (b - m) : m - golden * (m - a);
    const double fx = f(x);
    if (fx < fm) {
      (right ? a : b) = m;
      m = x, fm = fx;
    } else {
      (right ? b : a) = x;
    }
  }
  return {m, fm};
}

/// First place in [0, 1] where the smooth f turns negative, looked for at the Gauss points, the ends and in the dips
/// between them; NaN if nowhere. `lowest_dip` receives the lowest interior minimum passed on the way (+inf if none).
template <class F>
double first_negative(const F& f, const GaussRule& rule, const double* node_values, double f0, double f1,
                      double* lowest_dip = nullptr) {
  // A point close to each end, so that a dip between an end and its neighbour is the lowest of three as well.
  constexpr double near = 1e-3;
  const int n = rule.n, last = n + 3;
  double x[max_order + 4], y[max_order + 4];
  x[0] = 0.0, y[0] = f0;
  x[1] = near, y[1] = f(near);
  for (int i = 0; i < n; ++i) x[i + 2] = rule.x[static_cast<std::size_t>(i)], y[i + 2] = node_values[i];
  x[last - 1] = 1.0 - near, y[last - 1] = f(1.0 - near);
  x[last] = 1.0, y[last] = f1;
  if (x[2] < near)
    std::swap(x[1], x[2]), std::swap(y[1], y[2]), std::swap(x[last - 1], x[last - 2]),
        std::swap(y[last - 1], y[last - 2]);
  double high = 0.0;
  for (int i = 0; i <= last; ++i) high = std::max(high, std::abs(y[i]));
  for (int i = 1; i <= last; ++i) {
    if (y[i] < 0.0) return falling_root_of(f, x[i - 1], x[i], y[i - 1], y[i]);
    if (i < last && y[i] <= y[i - 1] && y[i] <= y[i + 1]) {
      // With many points a dip is resolved: it cannot go four times deeper than the points show.
      const double drop = std::max(y[i - 1], y[i + 1]) - y[i];
      if (n > 6 && y[i] > 4.0 * drop + 1e-3 * high) continue;
      const Minimum low = refine_minimum(f, x[i - 1], x[i], x[i + 1]);
      if (lowest_dip) *lowest_dip = std::min(*lowest_dip, low.value);
      if (low.value < 0.0) return falling_root_of(f, x[i - 1], low.x, y[i - 1], low.value);
    }
  }
  return std::numeric_limits<double>::quiet_NaN();
}

}  // namespace carom::elastic
