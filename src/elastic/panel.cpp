#include "panel.hpp"

#include <boost/math/tools/toms748_solve.hpp>
#include <memory>
#include <numbers>

namespace carom::elastic {

namespace {

using std::size_t;

GaussRule build(int n) {
  GaussRule rule;
  rule.n = n;
  for (int i = 0; i < n; ++i) {
    // Newton's method on P_n from Tricomi's estimate; symmetric points, so the order is ascending in x.
    double z = -std::cos(std::numbers::pi * (i + 0.75) / (n + 0.5)), slope = 1.0;
    for (int step = 0; step < 100; ++step) {
      double p1 = 1.0, p2 = 0.0;
      for (int j = 0; j < n; ++j) {
        const double p3 = p2;
        p2 = p1;
        p1 = ((2.0 * j + 1.0) * z * p2 - j * p3) / (j + 1.0);
      }
      slope = n * (z * p1 - p2) / (z * z - 1.0);
      const double dz = p1 / slope;
      z -= dz;
      if (std::abs(dz) < 1e-16) break;
    }
    const auto k = static_cast<size_t>(i);
    rule.x[k] = 0.5 * (1.0 + z);
    rule.weight[k] = 1.0 / ((1.0 - z * z) * slope * slope);
    // Barycentric weights of Legendre points (Wang and Xiang 2012).
    rule.bary[k] = (i % 2 ? -1.0 : 1.0) * std::sqrt((1.0 - z * z) * rule.weight[k]);
  }
  for (size_t i = 0; i < static_cast<size_t>(n); ++i)
    for (size_t q = 0; q < static_cast<size_t>(n); ++q) {
      rule.lagrange(rule.x[i] * rule.x[q], rule.basis[i][q].data());
      for (size_t j = 0; j < static_cast<size_t>(n); ++j)
        rule.integral[i][j] += rule.x[i] * rule.weight[q] * rule.basis[i][q][j];
    }
  return rule;
}

}  // namespace

void GaussRule::lagrange(double s, double* out) const {
  double sum = 0.0;
  for (int j = 0; j < n; ++j) {
    const double d = s - x[static_cast<size_t>(j)];
    if (d == 0.0) {
      std::fill(out, out + n, 0.0);
      out[j] = 1.0;
      return;
    }
    out[j] = bary[static_cast<size_t>(j)] / d;
    sum += out[j];
  }
  for (int j = 0; j < n; ++j) out[j] /= sum;
}

double GaussRule::interpolate(const double* values, double s) const {
  double num = 0.0, den = 0.0;
  for (int j = 0; j < n; ++j) {
    const double d = s - x[static_cast<size_t>(j)];
    if (d == 0.0) return values[j];
    const double c = bary[static_cast<size_t>(j)] / d;
    num += c * values[j];
    den += c;
  }
  return num / den;
}

double GaussRule::integrate(const double* values, double s) const {
  double sum = 0.0;
  for (int q = 0; q < n; ++q)
    sum += weight[static_cast<size_t>(q)] * interpolate(values, s * x[static_cast<size_t>(q)]);
  return s * sum;
}

const GaussRule& gauss_rule(int n) {
  static const auto rules = [] {
    auto all = std::make_unique<std::array<GaussRule, max_order + 1>>();
    for (int i = 1; i <= max_order; ++i) (*all)[static_cast<size_t>(i)] = build(i);
    return all;
  }();
  return (*rules)[static_cast<size_t>(n)];
}

double falling_root(double a, double b, double fa, double fb, double (*f)(double, const void*), const void* data) {
  if (fa <= 0.0 || !(a < b)) return a;
  // Out of range, or zero by rounding: no bracket, the nearer end is all there is to say.
  if (!(fb < 0.0) || !std::isfinite(fa)) return b;
  std::uintmax_t iterations = 100;
  const auto bracket = boost::math::tools::toms748_solve([&](double x) { return f(x, data); }, a, b, fa, fb,
                                                         boost::math::tools::eps_tolerance<double>(52), iterations);
  return 0.5 * (bracket.first + bracket.second);
}

}  // namespace carom::elastic
