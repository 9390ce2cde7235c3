#include <array>
#include <cmath>
#include <complex>
#include <numbers>

#include "viscous_contact.hpp"

namespace carom::elastic {

namespace {

using std::size_t;
using std::numbers::pi;

constexpr int modes = 24;      ///< summed one by one
constexpr size_t orders = 16;  ///< of 1/a in the tail, expanded about the undamped modes

/// Sums over a = (2k+1) pi of cos(a t)/a^q (q even) or sin(a t)/a^q (q odd) on 0 <= t <= 1: polynomials in t - 1/2
/// (Euler polynomials up to a factor). They change sign from one unit interval to the next.
struct ModeSums {
  static constexpr size_t top = orders + 6;
  std::array<std::array<double, top + 1>, top + 1> c{};
  ModeSums() {
    c[1][0] = 0.25;
    for (size_t q = 2; q <= top; ++q) {
      const double sign = q % 2 == 0 ? -1.0 : 1.0;
      for (size_t j = 0; j < q - 1; ++j) c[q][j + 1] = sign * c[q - 1][j] / static_cast<double>(j + 1);
      if (q % 2 == 1) {  // a sum of sines vanishes at t = 0
        double at_zero = 0.0, power = 1.0;
        for (size_t j = 0; j <= q; ++j, power *= -0.5) at_zero += c[q][j] * power;
        c[q][0] -= at_zero;
      }
    }
  }
  double operator()(size_t q, double x) const {
    double sum = 0.0;
    for (size_t j = q; j-- > 0;) sum = sum * x + c[q][j];
    return sum;
  }
};

/// Up to this tau rho^2/2 the expansion of the tail in 1/a holds: beyond it the rounding of its high orders, raised to
/// that power, is no longer below 1e-14.
constexpr double expansion_reach = 16.0;

/// Later the energy is down by e^{-2 rho t} < 1e-5, and so many modes as they are leave 1e-10 of it. Sums of squares.
constexpr int late_modes = 4000;
double late_energy(const ViscousRod& rod, double t) {
  const auto& [rho, gamma, mu] = rod;
  const double decay = std::exp(-rho * t);
  double sum = 0.0, rest = 0.125;  // sum of 1/a^2
  for (int k = 0; k < late_modes; ++k) {
    const double a = (2 * k + 1) * pi, v = 1.0 / (a * a), w = std::sqrt((a - rho) * (a + rho));
    // The response to a unit impulse; w t may be so small that only the slope is left.
    const double h = decay * (w > 0.0 ? std::sin(w * t) / w : t), hd = decay * std::cos(w * t) - rho * h;
    const double rate = mu * hd + gamma * h, offset = gamma * (hd + 2.0 * rho * h) * v - mu * h;
    sum += 4.0 * (rate * rate * v + offset * offset);
    rest -= v;
  }
  return sum + 4.0 * decay * decay * mu * mu * rest - gamma * gamma / 24.0;
}

}  // namespace

double viscous_contact_energy(const ViscousRod& rod, double t) {
  if (rod.rho * rod.rho * t > expansion_reach) return late_energy(rod, t);
  static const ModeSums full;
  const auto [rho, gamma, mu] = rod;
  // E/L = sum (8/a^2) [y'^2/2 + a^2 y^2/2 + gamma y]. With the static sag split off, and S = sin(wt)/w, C = cos(wt),
  // each mode gives (4/a^2) e^{-2 rho t} {gamma^2/a^2 (1 + 2 rho SC + 2 rho^2 S^2) - 4 gamma mu rho S^2 + mu^2 (1 - 2
  // rho SC + 2 rho^2 S^2)}.
  const double tau = 2.0 * t, whole = std::floor(tau), theta = tau - whole;
  const double sign = std::fmod(whole, 2.0) == 0.0 ? 1.0 : -1.0;

  // Tail sums over k >= modes of trig(a tau)/a^q: the closed form less the first modes.
  std::array<double, ModeSums::top + 1> tail{};
  for (size_t q = 3; q <= ModeSums::top; ++q) tail[q] = full(q, theta - 0.5);
  double x2 = 0.0, x4 = 0.0, y2 = 0.0, y4 = 0.0;  // sums of sin(w tau)/w and (1 - cos(w tau))/w^2 over a^2, a^4
  double one4 = 1.0 / 96.0, one6 = 1.0 / 960.0;   // tails of 1/a^4, 1/a^6, .. for the 1 in 1 - cos
  std::array<double, 10> plain{};                 // tails of 1/a^(2n)
  plain[2] = one4, plain[3] = one6;
  plain[4] = 17.0 / 161280.0, plain[5] = 31.0 / 2903040.0;
  std::complex<double> turn = std::polar(1.0, pi * theta);
  const std::complex<double> step = turn * turn;
  for (int k = 0; k < modes; ++k, turn *= step) {
    const double a = (2 * k + 1) * pi, a2 = 1.0 / (a * a), w = std::sqrt((a - rho) * (a + rho));
    const double s = std::sin(w * t) / w, c = std::cos(w * t);
    x2 += 2.0 * s * c * a2, x4 += 2.0 * s * c * a2 * a2;
    y2 += 2.0 * s * s * a2, y4 += 2.0 * s * s * a2 * a2;
    double power = a2 / a;
    for (size_t q = 3; q <= ModeSums::top; ++q, power /= a) tail[q] -= power * (q % 2 ? turn.imag() : turn.real());
    plain[2] -= a2 * a2, plain[3] -= a2 * a2 * a2, plain[4] -= a2 * a2 * a2 * a2, plain[5] -= a2 * a2 * a2 * a2 * a2;
  }
  for (double& value : tail) value *= sign;

  // e^{i tau (w - a)} = sum i^n r_n a^-n (r_n real), and the same times a/w and a^2/w^2.
  std::array<double, orders + 1> d{}, r{}, over_w{}, over_w2{};
  {
    double binomial = 0.5, power = rho * rho;  // a - w = sum_{n>=1} |binom(1/2, n)| rho^2n a^{1-2n}
    for (size_t n = 1; 2 * n - 1 <= orders; ++n) {
      // i tau (w - a) = -i tau binomial power a^{-(2n-1)}; as i^{2n-1} times a real number.
      const double i_sign = (n % 2 == 1) ? 1.0 : -1.0;  // i^{2n-1} = i * (-1)^{n-1}
      d[2 * n - 1] = -tau * binomial * power * i_sign;
      binomial *= (2.0 * static_cast<double>(n) - 1.0) / (2.0 * static_cast<double>(n) + 2.0);
      power *= rho * rho;
    }
    r[0] = 1.0;
    for (size_t n = 1; n <= orders; ++n) {
      for (size_t k = 1; k <= n; k += 2) r[n] += static_cast<double>(k) * d[k] * r[n - k];
      r[n] /= static_cast<double>(n);
    }
    // a^-2 = -(i^2) a^-2: multiplying by sum c_j rho^2j a^-2j is multiplying by sum (-1)^j c_j rho^2j (i/a)^2j.
    for (size_t n = 0; n <= orders; ++n) {
      double c1 = 1.0, p = 1.0;
      for (size_t j = 0; 2 * j <= n; ++j) {
        over_w[n] += c1 * p * r[n - 2 * j];
        over_w2[n] += p * r[n - 2 * j];
        c1 *= (2.0 * static_cast<double>(j) + 1.0) / (2.0 * static_cast<double>(j) + 2.0);
        p *= -rho * rho;
      }
    }
  }
  for (size_t n = 0; n <= orders; ++n) {
    // Im(i^n e^{i a tau}) and Re(i^n e^{i a tau}) over the powers of a they come with.
    static constexpr double im[4] = {1.0, 1.0, -1.0, -1.0}, re[4] = {1.0, -1.0, -1.0, 1.0};
    x2 += im[n % 4] * over_w[n] * tail[n + 3];
    x4 += im[n % 4] * over_w[n] * tail[n + 5];
    y2 -= re[n % 4] * over_w2[n] * tail[n + 4];
    y4 -= re[n % 4] * over_w2[n] * tail[n + 6];
  }
  // 1/w^2 = a^-2 (1 + rho^2/a^2 + ..): three orders suffice beyond 24 modes.
  const double q = rho * rho;
  y2 += plain[2] + q * plain[3] + q * q * plain[4] + q * q * q * plain[5];
  y4 += plain[3] + q * plain[4] + q * q * plain[5];

  const double decay = std::exp(-2.0 * rho * t);
  // Against the static sag -gamma^2/24, of which a light rod that falls slowly has nearly everything back.
  const double sag = std::expm1(-2.0 * rho * t) / 24.0 + decay * rho * (4.0 * x4 + 4.0 * rho * y4);
  return gamma * gamma * sag + decay * (mu * mu * (0.5 - 4.0 * rho * x2 + 4.0 * q * y2) - 8.0 * gamma * mu * rho * y2);
}

}  // namespace carom::elastic
