#include "overdamped_contact.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace carom::elastic {

namespace {

using std::size_t;
using std::numbers::pi;

constexpr double negligible = 42.0;  // e^-42 is below rounding

/// Visits the modes a < rho: a, response h to a unit impulse and h', once only the slow root is left.
template <class Visit>
void slow_modes(double rho, double t, const Visit& visit) {
  for (int k = 0;; ++k) {
    const double a = (2 * k + 1) * pi;
    if (a >= rho) return;
    const double q = std::sqrt(rho - a) * std::sqrt(rho + a), s = -a * a / (rho + q);
    if (-s * t > negligible) return;
    const double h = std::exp(s * t) / (2.0 * q);
    visit(a, h, s * h);
  }
}

CentreOfMass carry(const ViscousRod& rod, CentreOfMass from, double len, const GaussRule& rule, const double* force,
                   double part) {
  CentreOfMass to{from.p * std::exp(-2.0 * rod.rho * len), from.h + from.p * drag_time(rod.rho, len)};
  for (size_t q = 0; q < static_cast<size_t>(rule.n); ++q) {
    const double reach = drag_time(rod.rho, len * (1.0 - rule.x[q]));
    const double load = len * rule.weight[q] * (2.0 * rule.interpolate(force, part * rule.x[q]) - rod.gamma);
    to.p += load * (1.0 - 2.0 * rod.rho * reach), to.h += load * reach;
  }
  return to;
}

}  // namespace

OverdampedContact::OverdampedContact(const ViscousRod& rod) : rod_(rod), late_(negligible / rod.rho) {
  const GaussRule& rule = gauss_rule(order);
  const double longest = std::min(0.5, 2.0 / rod.rho);
  CentreOfMass centre{-rod.mu, 0.0};
  double k1 = 0.0;
  for (double a = 0.0; a < late_;) {
    const double b = std::min(a + longest, std::floor(a) + 1.0);
    Panel panel{a, b - a, k1, {}, centre};
    double k0[order];
    for (size_t i = 0; i < order; ++i) k0[i] = contact_kernel(rod.rho, a + panel.len * rule.x[i]);
    for (size_t i = 0; i < order; ++i) {
      double integral = k1;
      for (size_t j = 0; j < order; ++j) integral += panel.len * rule.integral[i][j] * k0[j];
      panel.force[i] = rod.mu * k0[i] + rod.gamma * integral;
    }
    for (size_t i = 0; i < order; ++i) k1 += panel.len * rule.weight[i] * k0[i];
    centre = carry(rod, centre, panel.len, rule, panel.force, 1.0);
    panels_.push_back(panel);
    a = b;
  }
}

double OverdampedContact::force(double t) const {
  const auto it = std::upper_bound(panels_.begin(), panels_.end(), t, [](double s, const Panel& p) { return s < p.a; });
  const Panel& panel = it == panels_.begin() ? *it : *(it - 1);
  return gauss_rule(order).interpolate(panel.force, std::clamp((t - panel.a) / panel.len, 0.0, 1.0));
}

RodTrace OverdampedContact::at(double t) {
  const double rho = rod_.rho, gamma = rod_.gamma, mu = rod_.mu;
  RodTrace trace;
  if (t < late_) {
    const auto it =
        std::upper_bound(panels_.begin(), panels_.end(), t, [](double s, const Panel& p) { return s < p.a; });
    const Panel& panel = *(it - 1);
    trace.force = force(t);
    trace.centre = carry(rod_, panel.centre, t - panel.a, gauss_rule(order), panel.force, (t - panel.a) / panel.len);
    return trace;
  }
  trace.force = 0.5 * gamma;
  trace.centre.h = -gamma / 12.0;
  slow_modes(rho, t, [&](double a, double h, double hd) {
    const double v = 1.0 / (a * a), step = (hd + 2.0 * rho * h) * v;
    trace.force += 4.0 * (mu * h - gamma * step);
    trace.centre.p -= 8.0 * (mu * hd + gamma * h) * v;
    trace.centre.h += 8.0 * (gamma * step - mu * h) * v;
  });
  return trace;
}

double OverdampedContact::displacement(double x, double t) {
  const double rho = rod_.rho, gamma = rod_.gamma, mu = rod_.mu;
  if (t >= late_) {
    double sum = 0.0;
    slow_modes(rho, t, [&](double a, double h, double hd) {
      sum += (gamma * (hd + 2.0 * rho * h) / (a * a) - mu * h) * std::sin(a * x) / a;
    });
    return 4.0 * sum - 0.5 * gamma * x * (1.0 - x);
  }
  // Free fall plus the push of the ground, arriving from the bottom and its mirror images.
  const double drag = drag_time(rho, t), y = 2.0 * rho * t;
  double fall = t * t * 0.5;
  if (y > 0.1) {
    fall = (t - drag) / (2.0 * rho);
  } else {
    double series = 0.0;
    for (int k = 12; k >= 2; --k) series = (1.0 - series * y) / k;
    fall = t * t * series;
  }
  double sum = -mu * drag - gamma * fall;
  const GaussRule& rule = gauss_rule(max_order);
  const auto image = [&](double d) {
    // Panels of the force bound the pieces: integrate over delays tau in [d, t].
    for (const Panel& p : panels_) {
      const double from = std::max(d, t - p.a - p.len), to = t - p.a;
      if (to <= from) continue;
      for (size_t q = 0; q < static_cast<size_t>(rule.n); ++q) {
        const double tau = from + (to - from) * rule.x[q], reach = std::sqrt(std::max(0.0, (tau - d) * (tau + d)));
        sum += (to - from) * rule.weight[q] * std::exp(rho * (reach - tau)) * i0e(rho * reach) * force(t - tau);
      }
    }
  };
  for (double d = x; d < t; d += 1.0) image(d);
  for (double d = 1.0 - x; d < t; d += 1.0) image(d);
  return sum;
}

double OverdampedContact::velocity(double x, double t) {
  const double rho = rod_.rho, gamma = rod_.gamma, mu = rod_.mu;
  if (t >= late_) {
    double sum = 0.0;
    slow_modes(rho, t, [&](double a, double h, double hd) { sum -= (mu * hd + gamma * h) * std::sin(a * x) / a; });
    return 4.0 * sum;
  }
  double sum = -mu * std::exp(-2.0 * rho * t) - gamma * drag_time(rho, t);
  const GaussRule& rule = gauss_rule(max_order);
  const auto image = [&](double d) {
    sum += std::exp(-rho * d) * force(t - d);
    for (const Panel& p : panels_) {
      const double from = std::max(d, t - p.a - p.len), to = t - p.a;
      if (to <= from) continue;
      for (size_t q = 0; q < static_cast<size_t>(rule.n); ++q) {
        const double tau = from + (to - from) * rule.x[q], reach = std::sqrt(std::max(0.0, (tau - d) * (tau + d)));
        const double z = rho * reach, slope = z > 1e-6 ? rho * i1e(z) / z : 0.5 * rho;
        sum += (to - from) * rule.weight[q] * rho * std::exp(z - rho * tau) * (tau * slope - i0e(z)) * force(t - tau);
      }
    }
  };
  for (double d = x; d < t; d += 1.0) image(d);
  for (double d = 1.0 - x; d < t; d += 1.0) image(d);
  return sum;
}

RodEnergy OverdampedContact::energy(double t) {
  const double rho = rod_.rho, gamma = rod_.gamma, mu = rod_.mu;
  if (t <= 0.0) return {0.5 * mu * mu, 2.0 * rho * mu * mu};
  // As viscous_contact_energy, mode by mode; the terms left out after so many modes are below 1e-12 of mu^2 and
  // gamma^2. They fall with the square of the number and with e^{-2 rho t}: later, fewer will do.
  constexpr int modes = 40000;
  double e = -gamma * gamma / 24.0, kinetic = 0.0, plain = 0.0, turning = 0.0;
  const double decay = std::exp(-2.0 * rho * t), enough = modes * std::exp(-rho * t);
  for (int k = 0; k < modes; ++k) {
    const double a = (2 * k + 1) * pi, v = 1.0 / (a * a), w2 = (a - rho) * (a + rho);
    double h, hd;  // response of the mode to a unit impulse
    if (w2 > 0.0) {
      if (k > enough) break;
      const double w = std::sqrt(w2);
      h = std::exp(-rho * t) * (w * t < 1e-8 ? t : std::sin(w * t) / w);
      hd = std::exp(-rho * t) * std::cos(w * t) - rho * h;
    } else {
      const double q = std::sqrt(rho - a) * std::sqrt(rho + a), s1 = -a * a / (rho + q), s2 = -(rho + q);
      if (q * t < 1e-6) {
        h = t * std::exp(-rho * t), hd = std::exp(-rho * t) - rho * h;
      } else {
        h = -std::exp(s1 * t) * std::expm1(-2.0 * q * t) / (2.0 * q);
        hd = (s1 * std::exp(s1 * t) - s2 * std::exp(s2 * t)) / (2.0 * q);
      }
    }
    const double rate = mu * hd + gamma * h, offset = gamma * (hd + 2.0 * rho * h) * v - mu * h;
    e += 4.0 * (rate * rate * v + offset * offset);
    kinetic += 4.0 * rate * rate * v;
    plain += v, turning += v * std::cos(2.0 * a * t);
  }
  // The rest of sum 1/a^2 = 1/8, of which the kinetic part is cos^2(a t) = (1 + cos(2 a t))/2: the sum of cos(2 a
  // t)/a^2 is a triangle wave.
  const double rest = 0.125 - plain, phase = std::fmod(2.0 * t, 2.0);
  const double wave = 0.125 * (phase <= 1.0 ? 1.0 - 2.0 * phase : 2.0 * phase - 3.0) - turning;
  const double scale = 4.0 * decay * mu * mu;
  kinetic += 0.5 * scale * (rest + wave);
  return {e + scale * rest, 4.0 * rho * kinetic};
}

}  // namespace carom::elastic
