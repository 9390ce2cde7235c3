#include <algorithm>
#include <array>
#include <complex>
#include <limits>
#include <numbers>

#include "carom/core/error.hpp"

#include "scaled.hpp"

namespace carom {

namespace {

using spatial::Surface;
using Complex = std::complex<double>;

Surface<double> checked_surface(const Eigen::Matrix3d& w, double friction, double& unit) {
  ContactSpace space;
  space.inverse_inertia = w;
  const spatial::Scaled scaled = spatial::in_units(validated(space));
  require_at_least("friction", friction, 0.0);
  unit = scaled.w_unit;
  return spatial::surface_of<double>(scaled, friction, 0.0);
}

/// Turning rate as a trigonometric polynomial: T(t) = d2 cos t - d1 sin t - mu (h sin 2t + b12 cos 2t).
struct Turning {
  double d1, d2, m, h;  // m = mu b12, h = mu (b22 - b11)/2
  explicit Turning(const Surface<double>& c) : d1(c.d1), d2(c.d2), m(c.mu * c.b12), h(0.5 * c.mu * (c.b22 - c.b11)) {}
  template <class A>
  A value(const A& t) const {
    return d2 * cos(t) - d1 * sin(t) - h * sin(2.0 * t) - m * cos(2.0 * t);
  }
  template <class A>
  A slope(const A& t) const {
    return -d2 * sin(t) - d1 * cos(t) - 2.0 * h * cos(2.0 * t) + 2.0 * m * sin(2.0 * t);
  }
  double size() const { return std::hypot(d1, d2) + std::hypot(m, h); }
};

/// Real roots in (low, high) of a polynomial (constant first), from those of its derivative, each once.
using Roots = boost::container::static_vector<double, 6>;
Roots real_roots(const std::array<double, 5>& c, int degree, double low, double high) {
  Roots edges;
  edges.push_back(low);
  if (degree > 1) {
    std::array<double, 5> derivative{};
    for (int k = 1; k <= degree; ++k) derivative[static_cast<std::size_t>(k - 1)] = k * c[static_cast<std::size_t>(k)];
    for (const double x : real_roots(derivative, degree - 1, low, high)) edges.push_back(x);
  }
  edges.push_back(high);
  const auto f = [&](double x) {
    double sum = 0.0;
    for (int k = degree; k >= 0; --k) sum = sum * x + c[static_cast<std::size_t>(k)];
    return sum;
  };
  double scale = 0.0;
  for (const double k : c) scale = std::max(scale, std::abs(k));
  Roots out;
  for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
    double a = edges[i], b = edges[i + 1];
    const double fa = f(a), fb = f(b);
    if (fa == 0.0 && i > 0) {  // a double root sits on a root of the derivative
      if (out.empty() || out.back() != a) out.push_back(a);
      continue;
    }
    if (!(fa * fb < 0.0)) continue;
    for (int step = 0; step < 200 && a < b; ++step) {
      const double x = 0.5 * (a + b);
      if (x == a || x == b) break;
      ((f(x) > 0.0) == (fa > 0.0) ? a : b) = x;
    }
    out.push_back(0.5 * (a + b));
  }
  return out;
}

/// The four roots of z^4 + c[3] z^3 + ... + c[0], all at once: each by Newton's method with the others divided out
/// (Weierstrass), from four points of a circle that no symmetry of the roots shares.
std::array<Complex, 4> quartic_roots(const std::array<Complex, 4>& c) {
  double radius = 0.0;
  for (const Complex& k : c) radius = std::max(radius, std::abs(k));
  std::array<Complex, 4> z;
  for (std::size_t i = 0; i < 4; ++i)
    z[i] = std::polar(std::min(1.0 + radius, 2.0), 0.4 + 0.5 * std::numbers::pi * static_cast<double>(i));
  constexpr int limit = 200;  // simple roots take about ten rounds; double ones halve their error in each
  double change = 1.0;
  for (int round = 0; round < limit && change > spatial::epsilon; ++round) {
    change = 0.0;
    for (std::size_t i = 0; i < 4; ++i) {
      Complex step = (((z[i] + c[3]) * z[i] + c[2]) * z[i] + c[1]) * z[i] + c[0];
      for (std::size_t j = 0; j < 4; ++j)
        if (j != i && z[j] != z[i]) step /= z[i] - z[j];
      z[i] -= step;
      change = std::max(change, std::abs(step) / (1.0 + std::abs(z[i])));
    }
  }
  return z;
}

}  // namespace

InvariantDirections invariant_directions(const Eigen::Matrix3d& inverse_inertia, double friction) {
  double unit = 1.0;
  const Surface<double> c = checked_surface(inverse_inertia, friction, unit);
  const Turning turning(c);
  InvariantDirections out;
  if (turning.size() == 0.0) {
    out.every_direction = true;
    return out;
  }
  // Half-angle tangent about the angle where the turning rate is largest: the quartic then keeps its degree, and its
  // roots stay within |z| <= 8 or so; (low, high) covers the circle but for the neighbourhood of the far point, where
  // the turning rate is not zero.
  double origin = 0.0, best = -1.0;
  for (int k = 0; k < 16; ++k) {
    const double t = std::numbers::pi * k / 8.0;
    if (std::abs(turning.value(t)) > best) {
      best = std::abs(turning.value(t));
      origin = t;
    }
  }
  const double far = origin + std::numbers::pi;  // z = 0 there, z = infinity at `origin`
  const double cs = std::cos(far), sn = std::sin(far);
  // in the frame turned by `far`
  const double d1 = cs * turning.d1 + sn * turning.d2, d2 = cs * turning.d2 - sn * turning.d1;
  const double c2 = std::cos(2 * far), s2 = std::sin(2 * far);
  const double h = turning.h * c2 - turning.m * s2, m = turning.m * c2 + turning.h * s2;
  // T (1+z^2)^2 = d2 (1-z^4) - 2 d1 z (1+z^2) - 4 h z (1-z^2) - m (1 - 6 z^2 + z^4)
  const std::array<double, 5> quartic{d2 - m, -2 * d1 - 4 * h, 6 * m, -2 * d1 + 4 * h, -d2 - m};
  const double bound = 1.0 + 8.0 * turning.size() / std::abs(quartic[4]);  // Cauchy's bound on the roots
  for (const double z : real_roots(quartic, 4, -bound, bound)) {
    double t = far + 2.0 * std::atan(z);
    const double slope = turning.slope(t);
    if (slope != 0.0) {
      const double step = turning.value(t) / slope;
      if (std::abs(step) < 1e-6) t -= step;
    }
    t = std::remainder(t, 2.0 * std::numbers::pi);
    InvariantDirection d;
    d.direction = {std::cos(t), std::sin(t)};
    const auto at = spatial::direction_at(c, d.direction[0], d.direction[1]);
    d.rate = at.R * unit;
    d.turning_rate = at.slope * unit;
    d.centrifugal = at.R > 0.0;
    if (out.directions.size() < 4) out.directions.push_back(d);
  }
  std::sort(out.directions.begin(), out.directions.end(), [](const auto& a, const auto& b) {
    return std::atan2(a.direction[1], a.direction[0]) < std::atan2(b.direction[1], b.direction[0]);
  });
  return out;
}

InvariantDirection resumed_slip(const Eigen::Matrix3d& inverse_inertia, double friction) {
  ContactSpace space;
  space.inverse_inertia = inverse_inertia;
  const spatial::Scaled units = spatial::scaled(validated(space));
  require_at_least("friction", friction, 0.0);
  const Surface<double> c = spatial::surface_of<double>(units, friction, 0.0);
  InvariantDirection out;
  out.direction.setZero();
  if (spatial::rest_of(c).sticks) return out;
  double ux = 0.0, uy = 0.0, lambda = 0.0;
  spatial::centrifugal(c, ux, uy, lambda);
  const auto u = units.back(ux, uy);
  out.direction = {u[0], u[1]};
  out.rate = lambda * units.w_unit;
  out.turning_rate = spatial::direction_at(c, ux, uy).slope * units.w_unit;
  out.centrifugal = true;
  return out;
}

double hodograph_speed(const Eigen::Matrix3d& inverse_inertia, double friction, const Eigen::Vector2d& slip,
                       double angle) {
  double unit = 1.0;
  const Surface<double> c = checked_surface(inverse_inertia, friction, unit);
  const double r0 = std::hypot(slip[0], slip[1]);
  if (!slip.allFinite() || !(r0 > 0.0)) throw InvalidInput("slip", "must be finite and not zero");
  const Turning turning(c);
  const double t0 = std::atan2(slip[1], slip[0]);
  if (turning.size() == 0.0) return angle == t0 ? r0 : std::numeric_limits<double>::quiet_NaN();
  for (const auto& d : invariant_directions(inverse_inertia, friction).directions) {
    const double t = std::atan2(d.direction[1], d.direction[0]);
    // the path from t0 to angle must not pass t + 2 pi k
    const double low = std::min(t0, angle), high = std::max(t0, angle);
    const double first = t + 2.0 * std::numbers::pi * std::ceil((low - t) / (2.0 * std::numbers::pi));
    if (first <= high) return std::numeric_limits<double>::quiet_NaN();
  }
  // Zeros of T in zeta = exp(i t): alpha zeta^4 + beta zeta^3 + conj(beta) zeta + conj(alpha) = 0.
  const Complex alpha = 0.5 * Complex(-turning.m, turning.h), beta = 0.5 * Complex(turning.d2, turning.d1);
  boost::container::static_vector<Complex, 4> zeros;
  if (std::abs(alpha) > spatial::epsilon * std::abs(beta)) {
    for (const Complex& zeta : quartic_roots({std::conj(alpha) / alpha, std::conj(beta) / alpha, 0.0, beta / alpha}))
      zeros.push_back(Complex(0, -1) * std::log(zeta));
  } else {
    const Complex t = Complex(0, -0.5) * std::log(-std::conj(beta) / beta);
    zeros.push_back(t);
    zeros.push_back(t + std::numbers::pi);
  }
  // log r by continuous logarithms: pieces short enough that no argument turns by more than half a circle.
  constexpr int pieces = 64;
  Complex sum = 0.0;
  for (Complex t : zeros) {
    for (int k = 0; k < 3; ++k) t -= turning.value(t) / turning.slope(t);
    const Complex u = cos(t), v = sin(t);
    const Complex rate = u * c.d1 + v * c.d2 - c.mu * (u * u * c.b11 + 2.0 * u * v * c.b12 + v * v * c.b22);
    const Complex q = rate / turning.slope(t);
    for (int k = 0; k < pieces; ++k) {
      const double a = t0 + (angle - t0) * k / pieces, b = t0 + (angle - t0) * (k + 1) / pieces;
      sum += q * std::log(sin(0.5 * (b - t)) / sin(0.5 * (a - t)));
    }
  }
  return r0 * std::exp(sum.real());
}

}  // namespace carom
