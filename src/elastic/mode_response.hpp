// How does one structurally damped mode answer an impulse? y'' + 2 kappa a^2 y' + a^2 y = 0 from y = 0, y' = 1.
#pragma once

#include <cmath>

namespace carom::elastic {

/// Response of one mode to a unit impulse: h, h', and h + 2 kappa h' (which cancels on the slow root).
struct ModeResponse {
  double h, hd, stress;
};

inline ModeResponse mode_response(double kappa, double a, double t) {
  const double d = kappa * a * a, disc = a * a * (kappa * a - 1.0) * (kappa * a + 1.0), x2 = disc * t * t;
  if (x2 > 1.0) {
    const double q = std::sqrt(disc), s1 = -1.0 / (kappa + q / (a * a)), s2 = -(d + q);
    const double e1 = std::exp(s1 * t), e2 = std::exp(s2 * t), norm = 0.5 / q;
    // 1 + 2 kappa s = -s^2/a^2 on both roots.
    return {(e1 - e2) * norm, (s1 * e1 - s2 * e2) * norm, (s2 * s2 * e2 - s1 * s1 * e1) * norm / (a * a)};
  }
  const double decay = std::exp(-d * t);
  double sinc, cosine;
  if (x2 > -0.01) {
    sinc = 1.0 +
           x2 / 6.0 *
               (1.0 + x2 / 20.0 *
                          (1.0 + x2 / 42.0 *
                                     (1.0 + x2 / 72.0 * (1.0 + x2 / 110.0 * (1.0 + x2 / 156.0 * (1.0 + x2 / 210.0))))));
    cosine =
        1.0 +
        x2 / 2.0 *
            (1.0 +
             x2 / 12.0 *
                 (1.0 + x2 / 30.0 * (1.0 + x2 / 56.0 * (1.0 + x2 / 90.0 * (1.0 + x2 / 132.0 * (1.0 + x2 / 182.0))))));
  } else {
    const double x = std::sqrt(-x2);
    sinc = std::sin(x) / x, cosine = std::cos(x);
  }
  const double h = decay * t * sinc, hd = decay * cosine - d * h;
  return {h, hd, h + 2.0 * kappa * hd};
}

}  // namespace carom::elastic
