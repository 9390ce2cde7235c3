// A double with any number of derivatives, for processes of few operations. The three of an impact in space, where time
// counts, fit into one vector register: dual.hpp.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "numbers.hpp"

namespace carom::spatial {

/// A value with its N partial derivatives (forward differentiation).
template <int N>
struct DualOf {
  double v = 0.0;
  std::array<double, N> d{};
  DualOf() = default;
  DualOf(double value) : v(value) {}  // NOLINT: numbers convert

  /// f(x) with f'(x): the chain rule.
  DualOf mapped(double value, double slope) const {
    DualOf out(value);
    for (std::size_t i = 0; i < N; ++i) out.d[i] = slope * d[i];
    return out;
  }
  friend DualOf combined(double value, double fa, const DualOf& a, double fb, const DualOf& b) {
    DualOf out(value);
    for (std::size_t i = 0; i < N; ++i) out.d[i] = fa * a.d[i] + fb * b.d[i];
    return out;
  }
  friend DualOf operator+(const DualOf& a, const DualOf& b) { return combined(a.v + b.v, 1.0, a, 1.0, b); }
  friend DualOf operator-(const DualOf& a, const DualOf& b) { return combined(a.v - b.v, 1.0, a, -1.0, b); }
  friend DualOf operator*(const DualOf& a, const DualOf& b) { return combined(a.v * b.v, b.v, a, a.v, b); }
  friend DualOf operator/(const DualOf& a, const DualOf& b) {
    return combined(a.v / b.v, 1.0 / b.v, a, -a.v / (b.v * b.v), b);
  }
  friend DualOf operator-(const DualOf& a) { return a.mapped(-a.v, -1.0); }
  // In the innermost sums: in place, and always inlined (left to itself the compiler gives up on the long ones).
  [[gnu::always_inline]] DualOf& operator+=(const DualOf& b) {
    v += b.v;
    for (std::size_t i = 0; i < N; ++i) d[i] += b.d[i];
    return *this;
  }
  DualOf& operator-=(const DualOf& b) { return *this = *this - b; }
  DualOf& operator*=(const DualOf& b) { return *this = *this * b; }
};

template <int N>
double value(const DualOf<N>& x) {
  return x.v;
}

template <int N>
double size(const DualOf<N>& x) {
  double out = std::abs(x.v);
  for (const double d : x.d) out = std::max(out, std::abs(d));
  return out;
}

template <int N>
DualOf<N> root(const DualOf<N>& x) {
  const double r = std::sqrt(x.v);
  return x.mapped(r, r > 0.0 ? 0.5 / r : 0.0);
}

template <int N>
DualOf<N> length(const DualOf<N>& x, const DualOf<N>& y) {
  const double r = length(x.v, y.v);
  return r > 0.0 ? combined(r, x.v / r, x, y.v / r, y) : DualOf<N>(0.0);
}

template <int N>
DualOf<N> power(const DualOf<N>& x, const DualOf<N>& p) {
  const double r = std::pow(x.v, p.v);
  if (!(x.v > 0.0)) return DualOf<N>(r);
  return combined(r, p.v * r / x.v, x, r * std::log(x.v), p);
}

}  // namespace carom::spatial
