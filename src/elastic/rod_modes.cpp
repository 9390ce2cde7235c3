#include "carom/elastic/rod_modes.hpp"

#include <Eigen/Core>
#include <cmath>
#include <numbers>
#include <string>

#include "carom/core/error.hpp"

#include "mode_response.hpp"
#include "scaled_rod.hpp"

namespace carom {

namespace {

using namespace elastic;
using std::numbers::pi;

/// One mode in units t1 = 1: y'' + 2 d y' + a^2 y = -gamma from y = 0, y' = -mu.
struct Mode {
  double a, d;
};
struct Point {
  double y, rate;
};

/// Integral over [0, t] of z_j' z_k', z the distance of a mode from its rest, from the values of z and z' at both ends:
/// the four integrals of products of z and z' obey four linear equations.
double rate_product(const Mode& j, const Mode& k, const Point& j0, const Point& k0, const Point& j1, const Point& k1) {
  const double aj = j.a * j.a, ak = k.a * k.a, d = j.d + k.d, apart = aj - ak;
  const double b1 = j1.y * k1.y - j0.y * k0.y, b2 = j1.y * k1.rate - j0.y * k0.rate;
  const double b3 = j1.rate * k1.y - j0.rate * k0.y, b4 = j1.rate * k1.rate - j0.rate * k0.rate;
  const double q = (2.0 * d * apart * b3 + apart * (b4 + aj * b1) + 2.0 * d * aj * (b2 - b3 + 2.0 * k.d * b1)) /
                   (apart * apart + 4.0 * d * (aj * k.d + ak * j.d));
  return (apart * q - b4 - aj * b1) / (2.0 * d);
}

}  // namespace

class RodModes::Impl {
public:
  Impl(const RodProblem& problem, int terms) : rod(problem) {
    for (int k = 0; k < terms; ++k) {
      const double a = (2 * k + 1) * pi;
      modes.push_back({a, rod.structural ? rod.damped.kappa * a * a : rod.viscous.rho});
    }
  }
  /// What damping resists: the rate of strain or the velocity, 4 shape(x) y'.
  double shape(const Mode& mode, double x) const {
    return rod.structural ? std::cos(mode.a * x) : std::sin(mode.a * x) / mode.a;
  }
  double resistance() const { return rod.structural ? rod.damped.kappa : rod.viscous.rho; }
  Point at(const Mode& mode, double t) const {
    const double gamma = rod.viscous.gamma, mu = rod.viscous.mu, v = 1.0 / (mode.a * mode.a);
    const ModeResponse m = mode_response(mode.d * v, mode.a, t);
    return {gamma * v * (m.hd + 2.0 * mode.d * m.h - 1.0) - mu * m.h, -(mu * m.hd + gamma * m.h)};
  }
  /// Integrals of y_j' y_k' over [0, t].
  const Eigen::MatrixXd& products(double t) {
    if (t == known_until) return known;
    const auto n = static_cast<Eigen::Index>(modes.size());
    const double gamma = rod.viscous.gamma, mu = rod.viscous.mu;
    std::vector<Point> start, end;
    for (const Mode& mode : modes) {
      const double rest = gamma / (mode.a * mode.a);
      Point now = at(mode, t);
      now.y += rest;
      start.push_back({rest, -mu}), end.push_back(now);
    }
    known = Eigen::MatrixXd::Zero(n, n);
    for (std::size_t j = 0; j < modes.size() && resistance() > 0.0; ++j)
      for (std::size_t k = 0; k <= j; ++k) {
        const auto row = static_cast<Eigen::Index>(j), column = static_cast<Eigen::Index>(k);
        known(row, column) = known(column, row) = rate_product(modes[j], modes[k], start[j], start[k], end[j], end[k]);
      }
    known_until = t;
    return known;
  }
  double place(double x) const {
    require_between("x", x, 0.0, rod.length);
    return 0.5 * x / rod.length;
  }
  double time(double t) const {
    require_at_least("t", t, 0.0);
    return t / rod.t1;
  }

  Scaled rod;
  std::vector<Mode> modes;

private:
  double known_until = -1.0;
  Eigen::MatrixXd known;
};

RodModes::RodModes(const RodProblem& problem, int terms) {
  check_rod(problem);
  if (terms < 1 || terms > rod_max_terms)
    throw InvalidInput("terms", "must be in [1, " + std::to_string(rod_max_terms) + "], got " + std::to_string(terms));
  impl_ = std::make_unique<Impl>(problem, terms);
}
RodModes::~RodModes() = default;
RodModes::RodModes(RodModes&&) noexcept = default;
RodModes& RodModes::operator=(RodModes&&) noexcept = default;

double RodModes::displacement(double x, double t) const {
  const double at = impl_->place(x), now = impl_->time(t);
  double sum = 0.0;
  for (const Mode& mode : impl_->modes) sum += 4.0 * impl_->at(mode, now).y * std::sin(mode.a * at) / mode.a;
  return impl_->rod.t1 * impl_->rod.unit * sum;
}

double RodModes::velocity(double x, double t) const {
  const double at = impl_->place(x), now = impl_->time(t);
  double sum = 0.0;
  for (const Mode& mode : impl_->modes) sum += 4.0 * impl_->at(mode, now).rate * std::sin(mode.a * at) / mode.a;
  return impl_->rod.unit * sum;
}

double RodModes::strain(double x, double t) const {
  const double at = impl_->place(x), now = impl_->time(t);
  double sum = 0.0;
  for (const Mode& mode : impl_->modes) sum += 4.0 * impl_->at(mode, now).y * std::cos(mode.a * at);
  return impl_->rod.unit / impl_->rod.speed * sum;
}

double RodModes::dissipation_rate(double t) const {
  const double now = impl_->time(t);
  double sum = 0.0;
  for (const Mode& mode : impl_->modes) {
    const double rate = impl_->at(mode, now).rate;
    sum += 16.0 * mode.d * rate * rate / (mode.a * mode.a);  // the shapes squared are 1/4 or 1/(4 a^2) over the rod
  }
  return impl_->rod.energy(sum) / impl_->rod.t1;
}

double RodModes::dissipation(double x, double t) const {
  const double at = impl_->place(x), now = impl_->time(t);
  const Eigen::MatrixXd& products = impl_->products(now);
  Eigen::VectorXd shape(products.rows());
  for (Eigen::Index k = 0; k < shape.size(); ++k)
    shape[k] = 4.0 * impl_->shape(impl_->modes[static_cast<std::size_t>(k)], at);
  const double unit = impl_->rod.unit;
  return 2.0 * impl_->resistance() * shape.dot(products * shape) * unit * unit;
}

double RodModes::dissipated(double from, double to, double t) const {
  const double low = impl_->place(from), high = impl_->place(to), now = impl_->time(t);
  require_at_least("to", to, from);
  const Eigen::MatrixXd& products = impl_->products(now);
  // cos cos and sin sin are half the sum and half the difference of the cosines of both wave numbers.
  const auto wave = [&](double n) {
    const auto at = [n](double x) { return n == 0.0 ? x : std::sin(n * x) / n; };
    return 0.5 * (at(high) - at(low));
  };
  const double sign = impl_->rod.structural ? 1.0 : -1.0;
  double sum = 0.0;
  for (Eigen::Index j = 0; j < products.rows(); ++j)
    for (Eigen::Index k = 0; k < products.rows(); ++k) {
      const Mode &one = impl_->modes[static_cast<std::size_t>(j)], &other = impl_->modes[static_cast<std::size_t>(k)];
      const double scale = impl_->rod.structural ? 1.0 : 1.0 / (one.a * other.a);
      sum += 16.0 * products(j, k) * scale * (wave(one.a - other.a) + sign * wave(one.a + other.a));
    }
  return impl_->rod.energy(2.0 * impl_->resistance() * 2.0 * sum);  // per length 1/2
}

}  // namespace carom
