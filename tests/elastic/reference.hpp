// Slow, independent references for the rod: sums over reflections with Boost's Bessel functions, plain modal sums, and
// the undamped rod by characteristics in long double.
#pragma once

#include <algorithm>
#include <boost/math/quadrature/gauss.hpp>
#include <boost/math/special_functions/bessel.hpp>
#include <cmath>
#include <numbers>
#include <vector>

#include "carom/elastic/rod.hpp"

namespace rod_reference {

using carom::RodProblem;
inline constexpr double pi = std::numbers::pi;

/// Integral of f over [a, b], cut at the given points, 30 Gauss points each.
template <class F>
double integrate(const F& f, double a, double b, std::vector<double> cuts = {}) {
  cuts.push_back(a), cuts.push_back(b);
  std::sort(cuts.begin(), cuts.end());
  double sum = 0.0;
  for (std::size_t i = 0; i + 1 < cuts.size(); ++i)
    if (cuts[i] >= a && cuts[i + 1] <= b && cuts[i + 1] - cuts[i] > 1e-13)
      sum += boost::math::quadrature::gauss<double, 30>::integrate(f, cuts[i], cuts[i + 1]);
  return sum;
}

/// e^{-rho t} sum over images of I0, with the sign of the reflections (+1: both ends free, -1: bottom held).
inline double image_kernel(double rho, double t, double sign) {
  double sum = boost::math::cyl_bessel_i(0, rho * t), s = 2.0 * sign;
  for (int j = 1; j <= t; ++j, s *= sign) sum += s * boost::math::cyl_bessel_i(0, rho * std::sqrt(t * t - j * j));
  return sum * std::exp(-rho * t);
}

/// Structural mode k (y of the sheet) and its rate, from the characteristic roots in long double.
struct ModePoint {
  long double y, rate;
};
inline ModePoint structural_mode(const RodProblem& p, int k, long double t) {
  const long double alpha = (k + 0.5L) * std::numbers::pi_v<long double> / p.length,
                    c2 = p.wave_speed * static_cast<long double>(p.wave_speed);
  const long double d = p.damping * alpha * alpha, disc = d * d - c2 * alpha * alpha,
                    rest = -p.gravity / (c2 * alpha * alpha);
  const long double y0 = -rest, v0 = -static_cast<long double>(p.impact_speed);
  if (disc > 0) {
    const long double q = std::sqrt(disc), s2 = -(d + q), s1 = c2 * alpha * alpha / s2;
    const long double a = (v0 - s2 * y0) / (s1 - s2), b = y0 - a;
    return {rest + a * std::exp(s1 * t) + b * std::exp(s2 * t), a * s1 * std::exp(s1 * t) + b * s2 * std::exp(s2 * t)};
  }
  const long double w = std::sqrt(-disc), b = (v0 + d * y0) / w, e = std::exp(-d * t);
  return {rest + e * (y0 * std::cos(w * t) + b * std::sin(w * t)),
          e * ((b * w - d * y0) * std::cos(w * t) - (y0 * w + d * b) * std::sin(w * t))};
}

/// Energy lost by the first n structural modes between two times: 2 r int (2/L) sum y'^2 dt.
inline double structural_loss(const RodProblem& p, int n, double from, double to) {
  const double t1 = 2.0 * p.length / p.wave_speed;
  double sum = 0.0;
  for (int k = 0; k < n; ++k) {
    // Panels short against the mode's own time scales, packed towards the start where fast modes die.
    const double alpha = (k + 0.5) * pi / p.length, fast = 2.0 * p.damping * alpha * alpha + p.wave_speed * alpha;
    std::vector<double> cuts;
    for (double s = from + 1.0 / fast; s < to;
         s += std::clamp(s - from, 1.0 / fast, std::max(1.0 / (p.wave_speed * alpha), 0.02 * t1)))
      cuts.push_back(s);
    sum += integrate(
        [&](double t) {
          const double v = static_cast<double>(structural_mode(p, k, t).rate);
          return v * v;
        },
        from, to, cuts);
  }
  return 2.0 * p.damping * 2.0 / p.length * sum;
}

/// The undamped rod by characteristics: Q(t+1) = -Q - gamma on the ground, Q - gamma in the air; w' = Q in the air.
/// Units t1 = 1. Times of the first events: lift, touch, lift, ..
inline std::vector<double> undamped_events(long double gamma, long double mu, std::size_t count) {
  struct Piece {
    long double start, end, q, slope;
  };
  std::vector<Piece> pieces{{0, 1, -mu, -gamma}};
  std::vector<double> events;
  bool ground = true;
  long double w = 0;
  for (std::size_t i = 0; events.size() < count; ++i) {
    Piece p = pieces[i];
    long double cut = p.end;
    const long double len = p.end - p.start;
    if (ground) {  // N = -Q turns negative where Q turns positive
      if (p.q > 1e-13L || (std::abs(p.q) <= 1e-13L && p.slope > 0)) {
        cut = p.start;
      } else if (p.slope > 0 && p.q + p.slope * len > 1e-13L) {
        cut = p.start - p.q / p.slope;
      }
      if (cut < p.end) {
        events.push_back(static_cast<double>(cut));
        if (cut > p.start) pieces.push_back({p.start + 1, cut + 1, -p.q - gamma, -p.slope});
        ground = false, w = 0;
        pieces[i] = {cut, p.end, p.q + p.slope * (cut - p.start), p.slope};
        --i;
        continue;
      }
      pieces.push_back({p.start + 1, p.end + 1, -p.q - gamma, -p.slope});
    } else {
      // w + q s + slope s^2/2 = 0
      const long double a = p.slope / 2, disc = p.q * p.q - 4 * a * w;
      long double s = len + 1;
      if (disc >= 0) {
        const long double r = std::sqrt(disc);
        for (long double root : {2 * w / (-p.q + r), 2 * w / (-p.q - r), (-p.q + r) / (2 * a), (-p.q - r) / (2 * a)})
          if (std::isfinite(root) && root > 1e-14L && root <= len && p.q + p.slope * root < 0) s = std::min(s, root);
      }
      if (s <= len) {
        cut = p.start + s;
        events.push_back(static_cast<double>(cut));
        pieces.push_back({p.start + 1, cut + 1, p.q - gamma, p.slope});
        ground = true;
        pieces[i] = {cut, p.end, p.q + p.slope * s, p.slope};
        --i;
        continue;
      }
      w += p.q * len + a * len * len;
      pieces.push_back({p.start + 1, p.end + 1, p.q - gamma, p.slope});
    }
  }
  return events;
}

}  // namespace rod_reference
