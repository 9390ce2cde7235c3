// Where are polynomials of degree up to four positive? Roots between the roots of the derivative, by bisection and
// Newton's method: no cancellation to speak of, and none is lost or found twice.
#pragma once

#include <algorithm>
#include <array>
#include <boost/container/static_vector.hpp>
#include <cmath>
#include <cstddef>
#include <limits>

namespace carom::batting {

/// Coefficients, constant first.
using Quartic = std::array<double, 5>;
using Roots = boost::container::static_vector<double, 5>;

inline double value_of(const Quartic& p, double x) { return p[0] + x * (p[1] + x * (p[2] + x * (p[3] + x * p[4]))); }
inline double slope_of(const Quartic& p, double x) {
  return p[1] + x * (2.0 * p[2] + x * (3.0 * p[3] + x * 4.0 * p[4]));
}

/// Roots in (0, high) at which the sign changes, in order.
inline Roots sign_changes(const Quartic& p, double high) {
  Roots critical;
  if (p[2] != 0.0 || p[3] != 0.0 || p[4] != 0.0)
    critical = sign_changes({p[1], 2.0 * p[2], 3.0 * p[3], 4.0 * p[4], 0.0}, high);
  critical.push_back(high);
  Roots out;
  double low = 0.0, f_low = p[0];
  for (const double end : critical) {
    const double f_end = value_of(p, end);
    if ((f_low < 0.0 && f_end > 0.0) || (f_low > 0.0 && f_end < 0.0)) {
      double a = low, b = end, x = 0.5 * (a + b);
      const bool rising = f_end > 0.0;
      for (int i = 0; i < 200; ++i) {
        const double f = value_of(p, x);
        if (f == 0.0) break;
        ((f > 0.0) == rising ? b : a) = x;
        const double newton = x - f / slope_of(p, x);
        // Far from the root a step may be slow: halve every fourth time (by decades where the ends are far apart).
        const double middle = a > 0.0 && b > 16.0 * a ? std::sqrt(a * b) : 0.5 * (a + b);
        const double next = i % 4 != 3 && newton > a && newton < b ? newton : middle;
        const bool done = std::abs(next - x) <= 4.0 * std::numeric_limits<double>::epsilon() * std::abs(next);
        x = next;
        if (done) break;
      }
      out.push_back(x);
    }
    if (f_end != 0.0) f_low = f_end;
    low = end;
  }
  return out;
}

}  // namespace carom::batting
