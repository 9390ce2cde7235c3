// Where an increasing function is zero: shared by the models that look for a point of their process.
#pragma once

#include <cmath>
#include <limits>

namespace carom {

/// Root of an increasing function in [low, high] with f(low) <= 0 <= f(high): Newton's method that never leaves the
/// shrinking bracket. `f` returns the value and the slope.
template <class F>
double bracketed_root(const F& f, double low, double high, double guess) {
  // A Newton step this small relative to the root squares to less than rounding.
  constexpr double last_step = 1e-9, epsilon = std::numeric_limits<double>::epsilon();
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

}  // namespace carom
