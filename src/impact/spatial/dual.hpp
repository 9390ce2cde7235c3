// A double with its derivatives, for the process of a spatial impact: three of them, so that a number is one vector of
// the processor. Only for translation units that never pass such a number to another one: how it is passed depends on
// the instructions they are compiled for.
#pragma once

#include <algorithm>
#include <cmath>

#include "numbers.hpp"
#include "products.hpp"

namespace carom::spatial {

/// A value with three partial derivatives (forward differentiation), in one vector: value first.
struct Dual {
  static constexpr Quad value_only{1.0, 0.0, 0.0, 0.0}, slopes_only{0.0, 1.0, 1.0, 1.0}, half_value{0.5, 1.0, 1.0, 1.0};
  Quad q;  // not initialised unless asked for: there are long arrays of them

  Dual() = default;
  [[gnu::always_inline]] Dual(double value) : q(value_only * value) {}  // NOLINT: numbers convert
  [[gnu::always_inline]] explicit Dual(const Quad& all) : q(all) {}

  /// f(x) with f'(x): the chain rule.
  [[gnu::always_inline]] Dual mapped(double value, double slope) const {
    Dual out(q * slope);
    out.q[0] = value;
    return out;
  }
  [[gnu::always_inline]] friend Dual combined(double value, double fa, const Dual& a, double fb, const Dual& b) {
    Dual out(a.q * fa + b.q * fb);
    out.q[0] = value;
    return out;
  }
  [[gnu::always_inline]] friend Dual operator+(const Dual& a, const Dual& b) { return Dual(a.q + b.q); }
  [[gnu::always_inline]] friend Dual operator-(const Dual& a, const Dual& b) { return Dual(a.q - b.q); }
  [[gnu::always_inline]] friend Dual operator-(const Dual& a) { return Dual(-a.q); }
  [[gnu::always_inline]] friend Dual operator+(const Dual& a, double b) { return Dual(a.q + value_only * b); }
  [[gnu::always_inline]] friend Dual operator+(double a, const Dual& b) { return b + a; }
  [[gnu::always_inline]] friend Dual operator-(const Dual& a, double b) { return Dual(a.q - value_only * b); }
  [[gnu::always_inline]] friend Dual operator-(double a, const Dual& b) { return Dual(value_only * a - b.q); }
  [[gnu::always_inline]] friend Dual operator*(const Dual& a, double b) { return Dual(a.q * b); }
  [[gnu::always_inline]] friend Dual operator*(double a, const Dual& b) { return Dual(b.q * a); }
  /// The product but for its value, which both parts of the rule count: `once` takes half of it, at the end of a sum.
  [[gnu::always_inline]] static Dual twice_product(const Dual& a, const Dual& b) {
    return Dual(b.q * a.q[0] + a.q * b.q[0]);
  }
  [[gnu::always_inline]] Dual once() const { return Dual(q * half_value); }
  [[gnu::always_inline]] friend Dual operator*(const Dual& a, const Dual& b) { return twice_product(a, b).once(); }
  [[gnu::always_inline]] friend Dual operator/(const Dual& a, double b) { return Dual(a.q / b); }
  [[gnu::always_inline]] friend Dual operator/(const Dual& a, const Dual& b) {
    const double ratio = a.q[0] / b.q[0];
    return Dual((a.q - (b.q * slopes_only) * ratio) / b.q[0]);
  }
  [[gnu::always_inline]] Dual& operator+=(const Dual& b) {
    q += b.q;
    return *this;
  }
  [[gnu::always_inline]] Dual& operator-=(const Dual& b) {
    q -= b.q;
    return *this;
  }
  [[gnu::always_inline]] Dual& operator*=(const Dual& b) { return *this = *this * b; }
};

[[gnu::always_inline]] inline double value(const Dual& x) { return x.q[0]; }

inline double size(const Dual& x) {
  return std::max({std::abs(x.q[0]), std::abs(x.q[1]), std::abs(x.q[2]), std::abs(x.q[3])});
}

inline Dual root(const Dual& x) {
  const double r = std::sqrt(value(x));
  return x.mapped(r, r > 0.0 ? 0.5 / r : 0.0);
}

inline Dual length(const Dual& x, const Dual& y) {
  const double r = length(value(x), value(y));
  return r > 0.0 ? combined(r, value(x) / r, x, value(y) / r, y) : Dual(0.0);
}

inline Dual power(const Dual& x, const Dual& p) {
  const double r = std::pow(value(x), value(p));
  if (!(value(x) > 0.0)) return Dual(r);
  return combined(r, value(p) * r / value(x), x, r * std::log(value(x)), p);
}

/// Value of a polynomial whose coefficients have derivatives: at the value of s, and its slope there times those of s.
template <std::size_t terms, class A>
[[gnu::always_inline]] inline Dual polynomial(const A& c, const Dual& s) {
  const double x = value(s), z = x * x;
  Quad even = c[terms - 1].q, odd = c[terms - 2].q;
  double slope = 0.0, sum = 0.0;
  for (std::size_t k = terms - 1; k >= 2; --k) {
    Quad& part = (terms - 1 - k) % 2 == 0 ? even : odd;
    part = part * z + c[k - 2].q;
  }
  for (std::size_t k = terms; k-- > 0;) {
    slope = slope * x + sum;
    sum = sum * x + value(c[k]);
  }
  const Quad all = (terms - 1) % 2 == 0 ? even + odd * x : odd + even * x;
  return Dual(all + (s.q * Dual::slopes_only) * slope);
}

}  // namespace carom::spatial
