#include "structural_contact.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "mode_response.hpp"
#include "panel.hpp"
#include "sideways_kernel.hpp"

namespace carom::elastic {

namespace {

using std::size_t;
using std::numbers::pi;

constexpr double infinity = std::numeric_limits<double>::infinity();

/// e^-negligible is below the rounding of any sum here.
constexpr double negligible = 42.0;

/// The tail starts where kappa a exceeds this: there the slow root is a smooth function of 1/a^2, far from its branch
/// point.
constexpr double tail_from = 4.0;

/// Sums over all k >= first of a smooth function of y = (a_first/a_k)^2 times y, by its polynomial through eight
/// points.
constexpr size_t tail_points = 8;

struct TailBasis {
  std::array<double, tail_points> y{};
  std::array<std::array<double, tail_points>, tail_points>
      monomial{};  ///< [j][n]: coefficient of y^n in Lagrange polynomial j
  TailBasis() {
    for (size_t j = 0; j < tail_points; ++j)
      y[j] = 0.5 - 0.5 * std::cos(pi * (static_cast<double>(j) + 0.5) / static_cast<double>(tail_points));
    for (size_t j = 0; j < tail_points; ++j) {
      std::array<long double, tail_points + 1> c{};
      c[0] = 1.0L;
      size_t degree = 0;
      for (size_t i = 0; i < tail_points; ++i) {
        if (i == j) continue;
        const long double scale = 1.0L / (static_cast<long double>(y[j]) - static_cast<long double>(y[i]));
        for (size_t n = ++degree + 1; n-- > 0;)
          c[n] = scale * ((n > 0 ? c[n - 1] : 0.0L) - static_cast<long double>(y[i]) * c[n]);
      }
      for (size_t n = 0; n < tail_points; ++n) monomial[j][n] = static_cast<double>(c[n]);
    }
  }
};

const TailBasis& tail_basis() {
  static const TailBasis basis;
  return basis;
}

/// Weights w_j with sum_{k>=first} y_k f(y_k) = sum_j w_j f(y_j).
std::array<double, tail_points> tail_weights(int first) {
  const TailBasis& basis = tail_basis();
  const int last = std::max(first + 6, 30);  // summed one by one up to here, Euler-Maclaurin beyond
  std::array<double, tail_points> moment{};  // of y^(n+1)
  const double top = 2.0 * first + 1.0;
  for (int k = first; k < last; ++k) {
    const double ratio = top / (2.0 * k + 1.0), y = ratio * ratio;
    double power = y;
    for (size_t n = 0; n < tail_points; ++n, power *= y) moment[n] += power;
  }
  const double edge = 2.0 * last, r = top / edge;
  double power = r * r;
  for (size_t n = 0; n < tail_points; ++n, power *= r * r) {
    const double s = 2.0 * static_cast<double>(n + 1), e2 = edge * edge;
    moment[n] +=
        power * (edge / (2.0 * (s - 1.0)) - s / (12.0 * edge) + 7.0 / 720.0 * s * (s + 1.0) * (s + 2.0) / (edge * e2) -
                 31.0 / 30240.0 * s * (s + 1.0) * (s + 2.0) * (s + 3.0) * (s + 4.0) / (edge * e2 * e2));
  }
  std::array<double, tail_points> weight{};
  for (size_t j = 0; j < tail_points; ++j)
    for (size_t n = 0; n < tail_points; ++n) weight[j] += basis.monomial[j][n] * moment[n];
  return weight;
}

/// How many modes to take one by one at time t, and whether the slow roots of the rest still count.
struct Cut {
  int modes;
  bool tail;
};
Cut cut(double kappa, double t) {
  const bool tail = t / (2.0 * kappa) < negligible;
  double a =
      std::sqrt(negligible / (kappa * t));  // underdamped: e^{-kappa a^2 t}; fast roots decay at least as quickly
  if (tail) a = std::max(a, tail_from / kappa);
  // Beyond kappa a = 1 the slow root replaces e^{-kappa a^2 t}; it decays at least like e^{-t/(2 kappa)}.
  return {static_cast<int>(std::ceil(0.5 * a / pi)) + 1, tail};
}

/// The kernels of F or -v_x alone, for the search.
struct Kernels {
  double k0, k1;
};
Kernels kernels(const StructuralRod& rod, double t) {
  const double kappa = rod.kappa;
  const Cut limit = cut(kappa, t);
  double k0 = 0.0, k1 = 0.0;
  for (int k = limit.modes - 1; k >= 0; --k) {  // small terms first
    const double a = (2 * k + 1) * pi;
    const ModeResponse m = mode_response(kappa, a, t);
    k0 += rod.strain_only ? m.h : m.stress;
    k1 += m.hd / (a * a) + (rod.strain_only ? 2.0 * kappa * m.h : 0.0);
  }
  if (limit.tail) {
    const auto weight = tail_weights(limit.modes);
    const double a = (2 * limit.modes + 1) * pi, top = 1.0 / (a * a);
    for (size_t j = 0; j < tail_points; ++j) {
      const double v = top * tail_basis().y[j], beta = std::sqrt(kappa * kappa - v), s = -1.0 / (kappa + beta);
      const double phi = weight[j] * top * std::exp(s * t) / (2.0 * beta);  // h of the slow root, summed
      k0 += rod.strain_only ? phi : -s * s * v * phi;
      k1 += s * v * phi + (rod.strain_only ? 2.0 * kappa * phi : 0.0);
    }
  }
  return {4.0 * k0, 0.5 - 4.0 * k1};
}

/// Step of the search at time t: well inside the width of the fronts that arrive at whole times, spread by sqrt(2 kappa
/// t).
double search_step(double kappa, double t) {
  if (kappa * pi > 1.0) return 0.08 * t;  // all modes overdamped: everything happens on the scale of t itself
  const double width = std::sqrt(2.0 * kappa * t), step = std::min(0.05, 0.08 * t);
  const double nearest = std::max(1.0, std::round(t));
  if (t > nearest - 12.0 * width && t < nearest + 12.0 * width) return std::min(step, 0.3 * width);
  // Do not step over the next front.
  const double front = (t < nearest ? nearest : nearest + 1.0) - 12.0 * width;
  return t < front ? std::min(step, std::max(front - t, 0.3 * width)) : std::min(step, 0.3 * width);
}

}  // namespace

StructuralState structural_state(const StructuralRod& rod, double t) {
  const auto& [kappa, gamma, mu, strain_only] = rod;
  const Cut limit = cut(kappa, t);
  StructuralState s;
  double sag = 0.0;
  for (int k = limit.modes - 1; k >= 0; --k) {
    const double a = (2 * k + 1) * pi, v = 1.0 / (a * a);
    const ModeResponse m = mode_response(kappa, a, t);
    const double step = m.hd * v + 2.0 * kappa * m.h;  // (1 - static-relative step response) / a^2
    s.k0 += m.stress, s.k1 += m.hd * v;
    s.strain0 += m.h, s.strain1 += step;
    s.centre.p += (mu * m.hd + gamma * m.h) * v;
    s.centre.h += mu * m.h * v, sag += step * v;
    const double rate = mu * m.hd + gamma * m.h, offset = gamma * step - mu * m.h;
    s.energy += rate * rate * v + offset * offset;
    s.loss += rate * rate;
  }
  if (limit.tail) {
    const auto weight = tail_weights(limit.modes);
    const double a = (2 * limit.modes + 1) * pi, top = 1.0 / (a * a);
    for (size_t j = 0; j < tail_points; ++j) {
      const double v = top * tail_basis().y[j], beta = std::sqrt(kappa * kappa - v), root = -1.0 / (kappa + beta);
      const double h = std::exp(root * t) / (2.0 * beta), wh = weight[j] * top * h;  // h of a mode is v times this h
      const double step = root * v + 2.0 * kappa;
      s.k0 -= root * root * v * wh, s.k1 += root * v * wh;
      s.strain0 += wh, s.strain1 += step * wh;
      s.centre.p += (mu * root + gamma) * v * wh;
      s.centre.h += mu * v * wh, sag += step * v * wh;
      const double rate = mu * root + gamma, offset = gamma * step - mu;
      s.energy += (rate * rate * v + offset * offset) * v * h * wh;
      s.loss += rate * rate * v * h * wh;
    }
  }
  s.k0 *= 4.0, s.k1 = 0.5 - 4.0 * s.k1;
  s.strain0 *= 4.0, s.strain1 = 0.5 - 4.0 * s.strain1;
  s.centre.p *= -8.0;
  s.centre.h = -8.0 * s.centre.h - gamma / 12.0 + 8.0 * gamma * sag;
  s.energy = 4.0 * s.energy - gamma * gamma / 24.0;
  s.loss *= 16.0 * kappa;
  return s;
}

FieldPoint structural_field(const StructuralRod& rod, double x, double t) {
  const auto& [kappa, gamma, mu, strain_only] = rod;
  if (t <= 0.0) return {0.0, x > 0.0 ? -mu : 0.0, 0.0};
  // v = 4 sum y_k sin(a x)/a with the static part -gamma x (1 - x)/2 taken out exactly (c = 1, L = 1/2).
  Cut limit = cut(kappa, t);
  // Slow roots leave terms of order sin(a x)/a^3. Their leading part sums to the static shape, 4 sum sin(a x)/a^3 = x
  // (1 - x)/2; what remains falls like a^-5/kappa^2.
  FieldPoint sum, lead;
  if (limit.tail) {
    limit.modes = std::max(limit.modes, static_cast<int>(std::min(20000.0, 300.0 / std::sqrt(kappa))));
    const double slow = std::exp(-0.5 * t / kappa) / (2.0 * kappa);
    lead = {slow * (2.0 * kappa * gamma - mu), slow * (0.5 * mu / kappa - gamma), 0.0};
  }
  for (int k = limit.modes - 1; k >= 0; --k) {
    const double a = (2 * k + 1) * pi, v = 1.0 / (a * a), shape = 4.0 * std::sin(a * x) / a;
    const ModeResponse m = mode_response(kappa, a, t);
    sum.displacement += (gamma * (m.hd * v + 2.0 * kappa * m.h) - mu * m.h - lead.displacement * v) * shape;
    const double rate = mu * m.hd + gamma * m.h + lead.velocity * v;
    sum.velocity -= rate * shape;
    sum.strain_rate -= rate * 4.0 * std::cos(a * x);
  }
  const double sag = 0.5 * x * (1.0 - x);
  sum.displacement += (lead.displacement - gamma) * sag;
  sum.velocity += lead.velocity * sag;
  sum.strain_rate += lead.velocity * (0.5 - x);
  return sum;
}

StructuralSearch structural_search(const StructuralRod& rod, bool with_threshold) {
  const double kappa = rod.kappa, gamma = rod.gamma, mu = rod.mu;
  StructuralSearch result;
  result.threshold = infinity;
  if (mu == 0.0 && !with_threshold) return result;
  // All modes overdamped: h > 0, and v_x turns positive at no speed. (By rounding it would, where gravity dwarfs mu.)
  if (rod.strain_only && kappa * pi >= 1.0) return result;

  // F < 0 needs k0 < 0 and ratio = -k1/k0 < m = mu/gamma. The threshold is the least ratio.
  const auto force = [&](double t) {
    const Kernels k = kernels(rod, t);
    return mu * k.k0 + gamma * k.k1;
  };
  const auto ratio = [&](double t) {
    const Kernels k = kernels(rod, t);
    return k.k0 < 0.0 ? -k.k1 / k.k0 : infinity;
  };
  const auto finish = [&](double a, double b) {
    const double t = falling_root_of(force, a, b, force(a), force(b));
    result.liftoff = {true, t, structural_state(rod, t).centre, false};
  };
  // Nothing comes back from the top before one diffusion time 1/(8 kappa), nor in light damping before the wave does.
  double t = std::min(0.4, 1.0 / (8.0 * kappa));
  double previous = t, before_previous = t, first_negative_at = infinity;
  double best = infinity, best_t = 0.0;
  bool found = false;
  // One lobe of negative k0 decides in light damping; near critical damping the next one is looked at too.
  constexpr double furthest = 1e4;
  for (; t < furthest * std::max(1.0, kappa);) {
    const Kernels k = kernels(rod, t);
    const double r = k.k0 < 0.0 ? -k.k1 / k.k0 : infinity;
    if (!found && mu * k.k0 + gamma * k.k1 < 0.0 && mu > 0.0) {
      finish(previous, t);
      found = true;
      if (!with_threshold || gamma == 0.0) break;
    }
    if (k.k0 < 0.0) first_negative_at = std::min(first_negative_at, t);
    if (r < best) best = r, best_t = t;
    // A dip between the grid points.
    if (best < infinity && previous == best_t && r > best && before_previous < previous) {
      const Minimum low = refine_minimum(ratio, before_previous, previous, t);
      if (low.value < best) best = low.value, best_t = low.x;
      if (!found && mu > 0.0 && mu > gamma * best && force(best_t) < 0.0) {
        finish(before_previous, best_t);
        found = true;
        if (!with_threshold) break;
      }
    }
    if (best < infinity && t > first_negative_at) {
      const bool lobe_over = k.k0 >= 0.0 && t > first_negative_at + (kappa * pi > 0.4 ? 4.0 : 0.2);
      if (lobe_over || r > 16.0 * best) {
        if (r < infinity || lobe_over) break;
      }
    }
    if (first_negative_at == infinity && kappa * pi >= 1.0 && rod.strain_only) break;  // all h > 0: v_x never turns
    if (first_negative_at == infinity && t > 40.0 * std::max(1.0, kappa)) break;       // k0 > 0 for good
    before_previous = previous, previous = t;
    t += search_step(kappa, t);
  }
  result.threshold = best;
  if (gamma == 0.0) result.threshold = first_negative_at < infinity || found ? 0.0 : infinity;
  return result;
}

}  // namespace carom::elastic
