#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <vector>

#include "carom/core/error.hpp"
#include "carom/core/linear_algebra.hpp"
#include "carom/plan/fit_force.hpp"

namespace carom {

namespace {

/// Where exponents are looked for, and how finely before the search closes in.
constexpr double least_exponent = 0.5, most_exponent = 4.0;
constexpr int coarse_steps = 35, fine_steps = 80;

/// The best k and k A at an exponent. Indentations are measured in the largest, so that powers stay near 1.
struct Trial {
  double a = 0.0, b = 0.0, loss = 0.0;
};

Trial at_exponent(std::span<const ForceSample> samples, double speed, double deepest, double p) {
  double xx = 0.0, xy = 0.0, yy = 0.0, xf = 0.0, yf = 0.0;
  const auto columns = [&](const ForceSample& s, double& x, double& y) {
    x = std::pow(s.indentation / deepest, p);
    y = x * s.rate / speed;
  };
  double x = 0.0, y = 0.0;
  for (const ForceSample& s : samples) {
    columns(s, x, y);
    xx += x * x, xy += x * y, yy += y * y, xf += x * s.force, yf += y * s.force;
  }
  Trial out;
  const double det = xx * yy - xy * xy;
  if (det > 1e-14 * xx * yy) {
    out.a = (xf * yy - yf * xy) / det;
    out.b = (yf * xx - xf * xy) / det;
  } else {
    out.a = xf / xx;
  }
  for (const ForceSample& s : samples) {
    columns(s, x, y);
    const double r = out.a * x + out.b * y - s.force;
    out.loss += r * r;
  }
  return out;
}

}  // namespace

NormalForceFit fit_normal_force(std::span<const ForceSample> samples, double approach_speed) {
  require_positive("approach_speed", approach_speed);
  std::vector<ForceSample> good;
  double deepest = 0.0;
  for (const ForceSample& s : samples) {
    require_finite("samples", s.indentation + s.rate + s.force);
    if (!(s.indentation > 0.0 && s.force > 0.0)) continue;
    good.push_back(s);
    deepest = std::max(deepest, s.indentation);
  }
  if (good.size() < 3) throw InvalidInput("samples", "must have three or more with indentation and force above 0");
  const auto trial = [&](double p) { return at_exponent(good, approach_speed, deepest, p); };
  const double width = (most_exponent - least_exponent) / coarse_steps;
  double best = least_exponent, least = trial(best).loss;
  for (int i = 1; i <= coarse_steps; ++i) {
    const double p = least_exponent + i * width, loss = trial(p).loss;
    if (loss < least) best = p, least = loss;
  }
  constexpr double golden = 0.6180339887498949;
  double low = std::max(best - width, least_exponent), high = std::min(best + width, most_exponent);
  for (int i = 0; i < fine_steps; ++i) {
    const double one = high - golden * (high - low), other = low + golden * (high - low);
    (trial(one).loss < trial(other).loss ? high : low) = trial(one).loss < trial(other).loss ? other : one;
  }
  NormalForceFit out;
  out.exponent = 0.5 * (low + high);
  const Trial found = trial(out.exponent);
  out.stiffness = found.a * std::pow(deepest, -out.exponent);
  out.damping = found.b / found.a;
  const auto n = static_cast<Eigen::Index>(good.size());
  out.residual = std::sqrt(found.loss / static_cast<double>(n));
  if (n == 3) return out;
  // By log k (with indentations in metres), p and A.
  Eigen::MatrixXd j(n, 3);
  for (Eigen::Index i = 0; i < n; ++i) {
    const ForceSample& s = good[static_cast<std::size_t>(i)];
    const double x = found.a * std::pow(s.indentation / deepest, out.exponent), u = s.rate / approach_speed;
    const double f = x * (1.0 + out.damping * u);
    j.row(i) << f, f * std::log(s.indentation), x * u;
  }
  const Eigen::VectorXd singular = singular_values(j);
  if (!(singular[2] > 1e-10 * singular[0])) return out;
  const Eigen::MatrixXd covariance = found.loss / static_cast<double>(n - 3) * inverse(j.transpose() * j);
  out.stiffness_error = out.stiffness * std::sqrt(covariance(0, 0));
  out.exponent_error = std::sqrt(covariance(1, 1));
  out.damping_error = std::sqrt(covariance(2, 2));
  return out;
}

}  // namespace carom
