// Numbers the process of a spatial impact can be run with: double, or a double with its derivatives. The same code
// follows both, so the derivatives are those of the very process that was computed.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "carom/core/bits.hpp"

namespace carom::spatial {

/// A value with its N partial derivatives (forward differentiation).
template <int N>
struct Dual {
  double v = 0.0;
  std::array<double, N> d{};
  Dual() = default;
  Dual(double value) : v(value) {}  // NOLINT: numbers convert

  /// f(x) with f'(x): the chain rule.
  Dual mapped(double value, double slope) const {
    Dual out(value);
    for (std::size_t i = 0; i < N; ++i) out.d[i] = slope * d[i];
    return out;
  }
  friend Dual combined(double value, double fa, const Dual& a, double fb, const Dual& b) {
    Dual out(value);
    for (std::size_t i = 0; i < N; ++i) out.d[i] = fa * a.d[i] + fb * b.d[i];
    return out;
  }
  friend Dual operator+(const Dual& a, const Dual& b) { return combined(a.v + b.v, 1.0, a, 1.0, b); }
  friend Dual operator-(const Dual& a, const Dual& b) { return combined(a.v - b.v, 1.0, a, -1.0, b); }
  friend Dual operator*(const Dual& a, const Dual& b) { return combined(a.v * b.v, b.v, a, a.v, b); }
  friend Dual operator/(const Dual& a, const Dual& b) {
    return combined(a.v / b.v, 1.0 / b.v, a, -a.v / (b.v * b.v), b);
  }
  friend Dual operator-(const Dual& a) { return a.mapped(-a.v, -1.0); }
  // In the innermost sums: in place, and always inlined (left to itself the compiler gives up on the long ones).
  [[gnu::always_inline]] Dual& operator+=(const Dual& b) {
    v += b.v;
    for (std::size_t i = 0; i < N; ++i) d[i] += b.d[i];
    return *this;
  }
  Dual& operator-=(const Dual& b) { return *this = *this - b; }
  Dual& operator*=(const Dual& b) { return *this = *this * b; }
};

inline double value(double x) { return x; }
template <int N>
double value(const Dual<N>& x) {
  return x.v;
}

/// Size of a number for "is it negligible?": the derivatives count too.
inline double size(double x) { return std::abs(x); }
template <int N>
double size(const Dual<N>& x) {
  double out = std::abs(x.v);
  for (const double d : x.d) out = std::max(out, std::abs(d));
  return out;
}

inline double root(double x) { return std::sqrt(x); }
template <int N>
Dual<N> root(const Dual<N>& x) {
  const double r = std::sqrt(x.v);
  return x.mapped(r, r > 0.0 ? 0.5 / r : 0.0);
}

/// std::hypot where squares could leave the range of doubles, else as exact and faster.
inline double length(double x, double y) {
  constexpr double smallest = 0x1p-900, largest = 0x1p900;
  const double square = x * x + y * y;
  return square > smallest && square < largest ? std::sqrt(square) : std::hypot(x, y);
}
template <int N>
Dual<N> length(const Dual<N>& x, const Dual<N>& y) {
  const double r = length(x.v, y.v);
  return r > 0.0 ? combined(r, x.v / r, x, y.v / r, y) : Dual<N>(0.0);
}

/// log2 to 0.01 (normal numbers) and 2^x to 1e-4 (x < 1000; zero below -1000), for lengths of steps: exponent and
/// mantissa apart.
inline double rough_log2(double x) {
  const auto bits = bit_cast<std::int64_t>(x);
  const double m = bit_cast<double>((bits & 0x000f'ffff'ffff'ffff) | 0x3ff0'0000'0000'0000);
  return static_cast<double>((bits >> 52) - 1023) + (m * (2.0 - m * (1.0 / 3.0)) - 5.0 / 3.0);
}
inline double rough_exp2(double x) {
  if (!(x > -1000.0)) return 0.0;
  constexpr double shift = 0x1.8p52;  // adding it rounds to an integer, left in the low bits
  const double t = x + shift, f = x - (t - shift);
  const double fraction = 1.0 + f * (0.69315 + f * (0.24023 + f * (0.05550 + f * 0.00962)));
  return bit_cast<double>(bit_cast<std::int64_t>(fraction) + (bit_cast<std::int64_t>(t) << 52));
}

/// The largest power of two up to a positive, normal x.
inline double power_of_two_below(double x) {
  return bit_cast<double>(bit_cast<std::int64_t>(x) & 0x7ff0'0000'0000'0000);
}

/// x^p for x >= 0 and p > 0, or x > 0.
inline double power(double x, double p) { return std::pow(x, p); }
template <int N>
Dual<N> power(const Dual<N>& x, const Dual<N>& p) {
  const double r = std::pow(x.v, p.v);
  if (!(x.v > 0.0)) return Dual<N>(r);
  return combined(r, p.v * r / x.v, x, r * std::log(x.v), p);
}

}  // namespace carom::spatial
