#include "viscous_contact.hpp"

#include <Eigen/LU>
#include <boost/math/special_functions/bessel.hpp>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <vector>

#include "panel.hpp"
#include "sideways_kernel.hpp"

namespace carom::elastic {

namespace {

using std::size_t;
using std::numbers::pi;
using Policy = boost::math::policies::policy<boost::math::policies::promote_double<false>>;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// Gauss points per unit interval: K0 is entire of exponential type rho < pi, and 22 points reach rounding.
constexpr int kernel_order = 22;

/// Up to here the threshold is decided at the end of [t1, 2 t1]; above (2.856) later intervals take over. A little
/// room.
constexpr double late_rho = 2.84;

/// Below this rho t the closed forms of the centre of mass lose digits to cancellation; quadrature does not.
constexpr double closed_form_from = 0.3;

/// Beyond this many intervals t_b is the root of the slowest mode: rho itself is not known well enough for more.
constexpr double longest_march = 2e4;

/// The sideways kernel's series serves rods with less drag than this.
constexpr double longest_reference = 3.9;

/// Large-argument series of e^-z I_nu(z) sqrt(2 pi z), for z where e^z would overflow.
double large_bessel(double nu, double z) {
  double term = 1.0, sum = 1.0;
  for (int k = 1; k < 12; ++k) {
    term *= -(4.0 * nu * nu - (2.0 * k - 1.0) * (2.0 * k - 1.0)) / (8.0 * k * z);
    sum += term;
  }
  return sum / std::sqrt(2.0 * pi * z);
}

/// The contact force per unit speed and per unit gamma on one unit interval.
struct KernelPanel {
  double k0[kernel_order], k1[kernel_order];
  double k0_end, k1_end;
};

double early_k1(double rho, double t) { return t * (i0e(rho * t) + i1e(rho * t)); }

/// Below this rho the kernels of [1, 2] are kept as what drag changes in them. Undamped they are -1 and 2 - t, and a
/// rod that falls slowly against its weight lets go when both nearly cancel: m, rho and 2 - t_b are all small, and the
/// rounding of numbers of order one would swallow them.
constexpr double light_rho = 0.25;

/// e^-z I0(z) - 1 for 0 <= z <= 2 light_rho: sum of (2n)!/(n!)^3 (-z/2)^n over n >= 1.
double bessel_drop(double z) {
  constexpr int terms = 20;  // 0.25^20 40!/20!^3 < 1e-18
  double sum = 0.0;
  // term(n+1)/term(n) = -z (2n + 1)/(n + 1)^2
  for (int n = terms; n >= 0; --n) sum = -z * (2.0 * n + 1.0) / ((n + 1.0) * (n + 1.0)) * (1.0 + sum);
  return sum;
}

/// K0 less its undamped value (1 before t = 1, -1 after it) on [0, 2].
double light_k0(double rho, double t, bool reflected) {
  double sum = bessel_drop(rho * t);
  if (reflected) {
    // reach - t, without cancellation.
    const double reach = std::sqrt(std::max(0.0, (t - 1.0) * (t + 1.0))), drop = bessel_drop(rho * reach);
    sum -= 2.0 * (std::expm1(-rho / (reach + t)) * (1.0 + drop) + drop);
  }
  return sum;
}

/// The light rod on [1, 2] as deviations from the undamped one.
struct LightPanel {
  double early[kernel_order], early1[kernel_order];  ///< of K0, K1 at the Gauss points of [0, 1]
  double k0[kernel_order], k1[kernel_order];         ///< and of [1, 2]
  double k0_end, k1_end;
};
LightPanel light_interval(double rho) {
  const GaussRule& rule = gauss_rule(kernel_order);
  LightPanel panel;
  double k1 = 0.0;
  for (const bool reflected : {false, true}) {
    double* const k0s = reflected ? panel.k0 : panel.early;
    double* const k1s = reflected ? panel.k1 : panel.early1;
    for (size_t i = 0; i < kernel_order; ++i) k0s[i] = light_k0(rho, (reflected ? 1.0 : 0.0) + rule.x[i], reflected);
    for (size_t i = 0; i < kernel_order; ++i) {
      k1s[i] = k1;
      for (size_t j = 0; j < kernel_order; ++j) k1s[i] += rule.integral[i][j] * k0s[j];
    }
    for (size_t i = 0; i < kernel_order; ++i) k1 += rule.weight[i] * k0s[i];
  }
  panel.k0_end = light_k0(rho, 2.0, true), panel.k1_end = k1;
  return panel;
}

/// K0, K1 on [1, 2].
KernelPanel second_interval(double rho, double k1_start) {
  const GaussRule& rule = gauss_rule(kernel_order);
  KernelPanel panel;
  for (size_t i = 0; i < kernel_order; ++i) panel.k0[i] = contact_kernel(rho, 1.0 + rule.x[i]);
  panel.k1_end = k1_start;
  for (size_t i = 0; i < kernel_order; ++i) {
    panel.k1[i] = k1_start;
    for (size_t j = 0; j < kernel_order; ++j) panel.k1[i] += rule.integral[i][j] * panel.k0[j];
    panel.k1_end += rule.weight[i] * panel.k0[i];
  }
  // K0(2-): only the first reflection has arrived.
  const double z = std::sqrt(3.0) * rho;
  panel.k0_end = i0e(2.0 * rho) - 2.0 * std::exp(z - 2.0 * rho) * i0e(z);
  return panel;
}

/// Carries the centre of mass over [a, a + len] under the force f (function of s in [0, 1]).
template <class Force>
CentreOfMass carry(const ViscousRod& rod, CentreOfMass from, double len, const Force& force, const GaussRule& rule) {
  // p' + 2 rho p = 2F - gamma, h' = p (Wang 2017, eq. 5.38), solved by variation of constants.
  CentreOfMass to{from.p * std::exp(-2.0 * rod.rho * len), from.h + from.p * drag_time(rod.rho, len)};
  for (size_t q = 0; q < static_cast<size_t>(rule.n); ++q) {
    const double back = len * (1.0 - rule.x[q]);
    const double load = len * rule.weight[q] * (2.0 * force(rule.x[q]) - rod.gamma);
    const double reach = drag_time(rod.rho, back);
    to.p += load * (1.0 - 2.0 * rod.rho * reach);
    to.h += load * reach;
  }
  return to;
}

/// K0 e^{rho t} on later intervals, half a unit at a time, by the one-unit-memory equation of the rod
/// (docs/theory/rod.md): k(t) = -k(t-1) + (rho^2/2) int_{t-1}^t J1(z)/z k ds.
class LateKernel {
public:
  explicit LateKernel(double rho) : rule_(gauss_rule(order)) {
    const ReferenceKernel kernel(rho);
    for (int i = 0; i < 4; ++i) {
      Values v;
      for (size_t j = 0; j < order; ++j) {
        const double t = 0.5 * (i + rule_.x[j]);
        v[j] = contact_kernel(rho, t) * std::exp(rho * t);
      }
      panels_.push_back(v);
    }
    // The three parts of the window [t-1, t] as matrices: old panel (partly), last panel, panel being solved.
    Matrix self = Matrix::Identity(), old = Matrix::Zero(), last = Matrix::Zero();
    for (size_t i = 0; i < order; ++i) {
      const double x = rule_.x[i];
      const auto row = static_cast<Eigen::Index>(i);
      double basis[max_order];
      old(row, row) = -1.0;
      for (size_t q = 0; q < order; ++q) {
        const double w = 0.5 * rule_.weight[q], y = rule_.x[q];
        const auto col = static_cast<Eigen::Index>(q);
        last(row, col) += w * kernel.strain(0.5 * (1.0 + x - y));
        rule_.lagrange(x + (1.0 - x) * y, basis);
        for (size_t j = 0; j < order; ++j) {
          const auto c = static_cast<Eigen::Index>(j);
          old(row, c) += w * (1.0 - x) * kernel.strain(1.0 - 0.5 * (1.0 - x) * y) * basis[j];
          self(row, c) -= w * x * kernel.strain(0.5 * x * (1.0 - y)) * rule_.basis[i][q][j];
        }
      }
    }
    const auto lu = self.partialPivLu();
    old_ = lu.solve(old), last_ = lu.solve(last);
  }

  static constexpr size_t order = 18;
  using Values = Eigen::Matrix<double, order, 1>;

  /// Values on [i/2, (i+1)/2] at the Gauss points.
  const Values& panel(size_t i) {
    while (panels_.size() <= i) {
      const size_t n = panels_.size();
      panels_.push_back(old_ * panels_[n - 2] + last_ * panels_[n - 1]);
    }
    return panels_[i];
  }
  const GaussRule& rule() const { return rule_; }

private:
  using Matrix = Eigen::Matrix<double, order, order>;
  const GaussRule& rule_;
  Matrix old_, last_;
  std::vector<Values> panels_;
};

/// Walks through the late intervals: visit(t of panel start, values of K0 e^{rho t}, K1 at the panel start, rule) until
/// it returns true.
template <class Visit>
void walk_late(double rho, double k1, const Visit& visit) {
  LateKernel kernel(rho);
  const GaussRule& rule = kernel.rule();
  for (size_t i = 4; 0.5 * static_cast<double>(i) < longest_march; ++i) {
    const auto& v = kernel.panel(i);
    const double start = 0.5 * static_cast<double>(i);
    if (visit(start, v, k1, rule)) return;
    for (size_t q = 0; q < kernel.order; ++q)
      k1 += 0.5 * rule.weight[q] * std::exp(-rho * (start + 0.5 * rule.x[q])) * v[static_cast<Eigen::Index>(q)];
  }
}

/// Lift-off of a light rod in (1, 2], looked for in s = 2 - t.
Liftoff light_liftoff(const ViscousRod& rod) {
  const double rho = rod.rho, gamma = rod.gamma, mu = rod.mu;
  const LightPanel panel = light_interval(rho);
  const GaussRule& rule = gauss_rule(kernel_order);
  double excess[kernel_order], early[kernel_order];  // of the force over the undamped one
  for (size_t i = 0; i < kernel_order; ++i) {
    early[i] = mu * panel.early[i] + gamma * panel.early1[i];
    excess[i] = mu * panel.k0[i] + gamma * panel.k1[i];
  }
  const double at_two = mu * panel.k0_end + gamma * panel.k1_end;
  if (!(at_two < mu)) return {};  // F(2-) = at_two - mu
  // F falls all the way: F' = mu K0' + gamma K0 with K0 near -1 and K0' of order rho. From the end that is known best.
  const auto force = [&](double s) { return gamma * s - mu + (s == 0.0 ? at_two : rule.interpolate(excess, 1.0 - s)); };
  double low = 0.0, high = 1.0;
  if (force(high) <= 0.0) return {true, 1.0, early_centre(rod, 1.0), false};  // F(1+) = 0 but for rounding
  // The slope is gamma but for a few rho; bisection where that is not good enough.
  double s = std::min((mu - at_two) / gamma, high);
  for (int i = 0; i < 100; ++i) {
    const double f = force(s);
    (f < 0.0 ? low : high) = s;
    double next = s - f / gamma;
    if (!(next >= low && next <= high)) next = 0.5 * (low + high);
    if (std::abs(next - s) <= epsilon * s) break;
    s = next;
  }
  // Undamped: p = -mu + (gamma + 2 mu) s - gamma s^2, h = mu s - (gamma/2 + mu) s^2 + gamma s^3/3. Drag adds
  // dp' = 2 (excess - rho p), dh' = dp, with p = p0 + dp.
  const auto undamped = [&](double t) {
    const double back = 2.0 - t;
    return t < 1.0 ? -mu + (2.0 * mu - gamma) * t + gamma * t * t
                   : -mu + (gamma + 2.0 * mu) * back - gamma * back * back;
  };
  CentreOfMass added;
  const auto add = [&](double from, double len, const double* values) {
    CentreOfMass to{added.p * std::exp(-2.0 * rho * len), added.h + added.p * drag_time(rho, len)};
    for (size_t q = 0; q < kernel_order; ++q) {
      const double x = len * rule.x[q], reach = drag_time(rho, len - x);
      const double load = 2.0 * len * rule.weight[q] * (rule.interpolate(values, x) - rho * undamped(from + x));
      to.p += load * (1.0 - 2.0 * rho * reach), to.h += load * reach;
    }
    added = to;
  };
  add(0.0, 1.0, early);
  add(1.0, 1.0 - s, excess);
  // -mu + gamma s is what drag leaves of it, the excess: exact by the root.
  const double excess_at = s == 0.0 ? at_two : rule.interpolate(excess, 1.0 - s);
  const double p = (2.0 * mu - gamma * s) * s - excess_at + added.p;
  const double h = s * (mu - (0.5 * gamma + mu) * s + gamma * s * s / 3.0) + added.h;
  return {true, 2.0 - s, {p, h}, false};
}

double slow_frequency(double rho) { return std::sqrt((pi - rho) * (pi + rho)); }

}  // namespace

double i0e(double z) {
  return z < 700.0 ? boost::math::cyl_bessel_i(0, z, Policy()) * std::exp(-z) : large_bessel(0.0, z);
}
double i1e(double z) {
  return z < 700.0 ? boost::math::cyl_bessel_i(1, z, Policy()) * std::exp(-z) : large_bessel(1.0, z);
}

double drag_time(double rho, double t) {
  const double y = 2.0 * rho * t;
  return y == 0.0 ? t : t * (-std::expm1(-y) / y);
}

CentreOfMass free_flight(const ViscousRod& rod, const CentreOfMass& from, double t) {
  const double rho = rod.rho, drag = drag_time(rho, t), y = 2.0 * rho * t;
  CentreOfMass to{from.p * (1.0 - 2.0 * rho * drag) - rod.gamma * drag, from.h + from.p * drag};
  if (std::abs(y) > 0.1) {
    to.h -= rod.gamma * (t - drag) / (2.0 * rho);
  } else {  // (t - drag)/(2 rho) = t^2 (1/2 - y/6 + y^2/24 - ..)
    double sum = 0.0;
    for (int k = 12; k >= 2; --k) sum = (1.0 - sum * y) / k;
    to.h -= rod.gamma * t * t * sum;
  }
  return to;
}

double contact_kernel(double rho, double t) {
  double sum = i0e(rho * t), sign = -2.0;
  for (double j = 1.0; j <= t; j += 1.0, sign = -sign) {
    const double reach = std::sqrt((t - j) * (t + j));
    sum += sign * std::exp(rho * (reach - t)) * i0e(rho * reach);
  }
  return sum;
}

std::vector<double> viscous_stress_function(const ViscousRod& rod, const std::vector<double>& times) {
  const double rho = rod.rho;
  // Panels of half a unit: K0 e^{rho t}, marched where the sum over reflections would lose its digits, and K1.
  constexpr size_t order = LateKernel::order;
  struct Half {
    double k0[order];
    double k1;  ///< at its start
  };
  std::vector<Half> halves;
  const bool march = rho < longest_reference;
  std::optional<LateKernel> kernel;
  if (march) kernel.emplace(rho);
  const GaussRule& rule = gauss_rule(order);
  const auto extend_to = [&](size_t last) {
    while (halves.size() <= last) {
      const double start = 0.5 * static_cast<double>(halves.size());
      Half half{};
      half.k1 = 0.0;
      if (!halves.empty()) {
        const Half& before = halves.back();
        half.k1 = before.k1;
        for (size_t q = 0; q < order; ++q)
          half.k1 += 0.5 * rule.weight[q] * std::exp(-rho * (start - 0.5 + 0.5 * rule.x[q])) * before.k0[q];
      }
      for (size_t q = 0; q < order; ++q) {
        const double t = start + 0.5 * rule.x[q];
        half.k0[q] = march ? kernel->panel(halves.size())[static_cast<Eigen::Index>(q)]
                           : contact_kernel(rho, t) * std::exp(rho * t);
      }
      halves.push_back(half);
    }
  };
  std::vector<double> values;
  values.reserve(times.size());
  for (const double t : times) {
    const auto i = static_cast<size_t>(2.0 * t);
    extend_to(i);
    const Half& half = halves[i];
    const double start = 0.5 * static_cast<double>(i), x = 2.0 * (t - start);
    double weighted[order];  // K0 itself, for its integral
    for (size_t q = 0; q < order; ++q) weighted[q] = std::exp(-rho * (start + 0.5 * rule.x[q])) * half.k0[q];
    const double k1 = half.k1 + 0.5 * rule.integrate(weighted, x);
    const double load = rod.gamma > 0.0 ? rod.gamma * k1 * std::exp(rho * t) : 0.0;
    values.push_back(-(rod.mu * rule.interpolate(half.k0, x) + load));
  }
  return values;
}

double early_force(const ViscousRod& rod, double t) {
  const double i0 = i0e(rod.rho * t), i1 = i1e(rod.rho * t);
  return rod.mu * i0 + rod.gamma * t * (i0 + i1);
}

CentreOfMass early_centre(const ViscousRod& rod, double t) {
  const double rho = rod.rho, z = rho * t;
  if (z < closed_form_from) {
    return carry(
        rod, {-rod.mu, 0.0}, t, [&](double s) { return early_force(rod, s * t); }, gauss_rule(10));
  }
  const double i0 = i0e(z), i1 = i1e(z), decay = std::exp(-2.0 * z), drag = drag_time(rho, t);
  const double a = 2.0 * t * (i0 - i1) - decay;
  const double b = 2.0 * t / rho * i1 - drag;
  const double c = 2.0 * t / (3.0 * rho * rho) * (z * (i0 + i1) - 2.0 * i1) - (t - drag) / (2.0 * rho);
  return {rod.mu * a + rod.gamma * b, rod.mu * b + rod.gamma * c};
}

double viscous_threshold(double rho) {
  if (rho == 0.0) return 0.0;
  if (rho >= pi) return infinity;
  if (rho < light_rho) {
    const LightPanel light = light_interval(rho);
    return light.k1_end / (1.0 - light.k0_end);
  }
  const KernelPanel panel = second_interval(rho, early_k1(rho, 1.0));
  double best = panel.k0_end < 0.0 ? -panel.k1_end / panel.k0_end : infinity;
  if (rho <= late_rho) return best;
  // The infimum of -K1/K0 lies shortly after K0 first turns negative: past that K0 only shrinks like e^{-rho t}.
  constexpr double look_on = 4.0;
  const GaussRule& rule = gauss_rule(kernel_order);
  double negative_since = panel.k0_end < 0.0 ? 2.0 : infinity;
  for (size_t i = 0; i < kernel_order; ++i)
    if (panel.k0[i] < 0.0)
      best = std::min(best, -panel.k1[i] / panel.k0[i]), negative_since = std::min(negative_since, 1.0 + rule.x[i]);
  walk_late(rho, panel.k1_end, [&](double start, const auto& v, double k1, const GaussRule& late) {
    if (start > negative_since + look_on || rho * start > 700.0) return true;
    double scaled[LateKernel::order];
    for (size_t i = 0; i < LateKernel::order; ++i)
      scaled[i] = v[static_cast<Eigen::Index>(i)] * std::exp(-rho * 0.5 * late.x[i]);
    const double factor = std::exp(-rho * start);
    const auto ratio = [&](double x) {
      const double k0 = late.interpolate(scaled, x);
      return k0 < 0.0 ? (k1 / factor + 0.5 * late.integrate(scaled, x)) / -k0 : infinity;
    };
    for (double x : {0.0, 1.0}) best = std::min(best, ratio(x));
    size_t lowest = 0;
    double low = infinity;
    for (size_t i = 0; i < LateKernel::order; ++i) {
      const double value = ratio(late.x[i]);
      if (value < low) low = value, lowest = i;
      if (value < infinity) negative_since = std::min(negative_since, start);
    }
    if (low < infinity) {
      const double a = lowest == 0 ? 0.0 : late.x[lowest - 1];
      const double b = lowest + 1 == LateKernel::order ? 1.0 : late.x[lowest + 1];
      best = std::min(best, refine_minimum(ratio, a, late.x[lowest], b).value);
    }
    return false;
  });
  return best;
}

Liftoff viscous_liftoff(const ViscousRod& rod) {
  const double rho = rod.rho, gamma = rod.gamma, mu = rod.mu;
  if (mu == 0.0 || rho >= pi) return {};
  if (rho == 0.0) {
    // Wang 2017, eqs. 5.50, 5.53, 5.54 and corollary 14.
    if (mu >= gamma) return {true, 1.0, {mu, -gamma / 6.0}, false};
    const double m = mu / gamma;
    return {true, 2.0 - m, {mu * m, mu * m * (3.0 - 4.0 * m) / 6.0}, false};
  }
  const double i0 = i0e(rho), i1 = i1e(rho), two = 2.0 * std::exp(-rho);
  const double at_one = mu * (i0 - two) + gamma * (i0 + i1);  // F(1+)
  if (at_one < 0.0) return {true, 1.0, early_centre(rod, 1.0), false};

  if (rho < light_rho) return light_liftoff(rod);
  const KernelPanel panel = second_interval(rho, i0 + i1);
  const GaussRule& rule = gauss_rule(kernel_order);
  double f[kernel_order];
  for (size_t i = 0; i < kernel_order; ++i) f[i] = mu * panel.k0[i] + gamma * panel.k1[i];
  const auto force = [&](double x) { return rule.interpolate(f, x); };
  const double high = mu + gamma;
  double dip = infinity;
  const double root = first_negative(force, rule, f, at_one, mu * panel.k0_end + gamma * panel.k1_end, &dip);
  const CentreOfMass at_t1 = early_centre(rod, 1.0);
  if (!std::isnan(root)) {
    const CentreOfMass centre = carry(
        rod, at_t1, root, [&](double s) { return force(s * root); }, rule);
    return {true, 1.0 + root, centre, dip < rod_dip_fraction * high};
  }
  if (rho <= late_rho) return {};

  // Later intervals: the sign of e^{rho t} F, since F itself may be as small as rounding.
  const double w = slow_frequency(rho);
  if (gamma == 0.0 && pi / w > longest_march) return {true, pi / w, {}, true};
  Liftoff found;
  CentreOfMass centre = carry(rod, at_t1, 1.0, force, rule);
  dip = infinity;
  walk_late(rho, panel.k1_end, [&](double start, const auto& v, double k1, const GaussRule& late) {
    // With gravity F > 0 for good once gamma K1 outweighs all that is left of mu K0 (|K0| e^{rho t} <= 4 t).
    if (gamma > 0.0 && rho * start > 1.0 + std::log(16.0 * (mu / gamma) * (start + 1.0))) return true;
    double scaled[LateKernel::order], bent[LateKernel::order];
    for (size_t i = 0; i < LateKernel::order; ++i)
      scaled[i] = v[static_cast<Eigen::Index>(i)] * std::exp(-rho * 0.5 * late.x[i]);
    const double factor = std::exp(-rho * start);
    // F e^{rho start} on this panel.
    const auto lifted = [&](double x) {
      const double k0 = late.interpolate(scaled, x);
      return gamma == 0.0 ? mu * k0 : mu * k0 + gamma * (k1 / factor + 0.5 * late.integrate(scaled, x));
    };
    for (size_t i = 0; i < LateKernel::order; ++i) bent[i] = lifted(late.x[i]);
    const double x = first_negative(lifted, late, bent, lifted(0.0), lifted(1.0), &dip);
    const auto real_force = [&](double s) { return factor * lifted(s); };
    if (!std::isnan(x)) {
      centre = carry(
          rod, centre, 0.5 * x, [&](double s) { return real_force(s * x); }, late);
      found = {true, start + 0.5 * x, centre, dip < rod_dip_fraction * mu};
      return true;
    }
    centre = carry(rod, centre, 0.5, real_force, late);
    return false;
  });
  return found;
}

}  // namespace carom::elastic
