// Power series in time: values, and the first crossing of a level, with bounds that cannot miss one.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace carom::simultaneous {

constexpr int series_order = 24;
/// The last terms of the series are kept below this: a digit under the rounding of quantities of order 1.
constexpr double truncation = 1e-17;

using Series = std::array<double, series_order + 1>;

inline double value(const Series& c, double t) {
  double sum = c[series_order];
  for (int k = series_order - 1; k >= 0; --k) sum = sum * t + c[static_cast<std::size_t>(k)];
  return sum;
}

inline double slope(const Series& c, double t) {
  double sum = series_order * c[series_order];
  for (int k = series_order - 1; k >= 1; --k) sum = sum * t + k * c[static_cast<std::size_t>(k)];
  return sum;
}

/// First t in (0, h] where the polynomial lies below `level`, or h + 1 if nowhere. Powers of t > 0 grow, so on an
/// interval [a, b] the terms with positive coefficients are least at a, the others at b: bounds that miss nothing.
class FirstBelow {
public:
  FirstBelow(const Series& c, double h, double level) : c_(c), h_(h), level_(level) {
    for (std::size_t k = 0; k <= series_order; ++k) {
      rising_[k] = std::max(c[k], 0.0);
      falling_[k] = std::min(c[k], 0.0);
    }
  }

  double find() const { return search(0.0, h_, value(c_, h_), 0); }
  int pieces() const { return pieces_; }  // looked at by find

private:
  double search(double a, double b, double at_b, int depth) const {
    ++pieces_;
    if (value(rising_, a) + value(falling_, b) >= level_) return h_ + 1.0;
    if (slope(rising_, b) + slope(falling_, a) <= 0.0) return at_b < level_ ? crossing(a, b) : h_ + 1.0;
    constexpr int finest = 50;  // halvings to the spacing of doubles
    if (depth == finest) return at_b < level_ ? b : h_ + 1.0;
    const double middle = 0.5 * (a + b);
    const double left = search(a, middle, value(c_, middle), depth + 1);
    return left <= h_ ? left : search(middle, b, at_b, depth + 1);
  }

  /// The one crossing in a falling piece: Newton inside a shrinking bracket.
  double crossing(double a, double b) const {
    double t = b;
    for (int i = 0; i < 100; ++i) {
      const double g = value(c_, t) - level_;
      (g < 0.0 ? b : a) = t;
      const double newton = t - g / slope(c_, t);
      const double next = newton > a && newton < b ? newton : 0.5 * (a + b);
      if (std::abs(next - t) <= 1e-16 * h_ || b - a <= 1e-16 * h_) break;
      t = next;
    }
    return t;
  }

  const Series& c_;
  Series rising_, falling_;
  double h_, level_;
  mutable int pieces_ = 0;
};

/// First t in (0, h] where sign times the polynomial lies below `level`, or h + 1 if nowhere. `pieces` counts what was
/// looked at.
inline double first_below(const Series& c, double sign, double h, double level, int& pieces) {
  double low = sign * c[0], power = h;  // t^k > 0: only negative terms can pull the value down
  for (std::size_t k = 1; k <= series_order; ++k) {
    low += std::min(sign * c[k], 0.0) * power;
    power *= h;
  }
  if (low >= level) return h + 1.0;
  Series turned = c;
  if (sign < 0.0)
    for (double& x : turned) x = -x;
  const FirstBelow search(turned, h, level);
  const double t = search.find();
  pieces += search.pieces();
  return t;
}

}  // namespace carom::simultaneous
