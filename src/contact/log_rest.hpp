// Inside the room: a difference that must keep its digits.
#pragma once

#include <cmath>
#include <limits>

namespace carom {

/// x - ln(1 + x), also where that is small.
inline double log_rest(double x) {
  if (std::abs(x) > 0.25) return x - std::log1p(x);
  double sum = 0.0, power = x * x;
  for (int n = 2; n < 60; ++n, power *= -x) {
    const double term = power / n;
    sum += term;
    if (std::abs(term) < 0.1 * std::numeric_limits<double>::epsilon() * std::abs(sum)) break;
  }
  return sum;
}

}  // namespace carom
