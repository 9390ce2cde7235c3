#include "polynomial.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace carom {

namespace {

Quartic derivative(const Quartic& c) { return {c[1], 2.0 * c[2], 3.0 * c[3], 4.0 * c[4], 0.0}; }

int degree_of(const Quartic& c) {
  int degree = 4;
  while (degree > 0 && c[static_cast<std::size_t>(degree)] == 0.0) --degree;
  return degree;
}

/// Halves an interval of positive numbers, in the exponent as long as its ends are of different size.
double middle(double low, double high) {
  if (low == 0.0) return 0x1p-16 * high;
  return high > 4.0 * low ? std::sqrt(low) * std::sqrt(high) : 0.5 * (low + high);
}

/// The root between two points, neither negative, where the values have different signs, if there is one only; or any
/// point between them at which `whole` is not positive, where that is given and such a point is met on the way.
double bracketed_root(const Quartic& c, double low, double high, const Quartic* whole = nullptr) {
  const bool rises = value(c, high) > value(c, low);
  const Quartic slope = derivative(c);
  double t = low == 0.0 ? 0.5 * high : middle(low, high);
  for (int i = 0; i < 300; ++i) {
    if (whole != nullptr && value(*whole, t) <= 0.0) return t;
    const double now = value(c, t);
    if (now == 0.0) return t;
    ((now > 0.0) == rises ? high : low) = t;
    const double newton = t - now / value(slope, t);
    const double next = newton > low && newton < high ? newton : middle(low, high);
    if (std::abs(next - t) <= 0.5 * std::numeric_limits<double>::epsilon() * t || std::nextafter(low, high) >= high)
      return next;
    t = next;
  }
  return t;
}

/// -(b + sign(b) root) / 2, where -0 is 0: a ball at rest may have either as its speed.
double larger_half(double b, double root) { return -0.5 * (b < 0.0 ? b - root : b + root); }

/// Where c0 + c1 t + c2 t^2, positive at 0, first becomes zero; in the form that loses no digits.
double first_fall_of_square(const Quartic& c) {
  const double inside = c[1] * c[1] - 4.0 * c[0] * c[2];
  if (inside < 0.0) return std::numeric_limits<double>::infinity();
  const double q = larger_half(c[1], std::sqrt(inside));
  const double t = c[1] < 0.0 ? c[0] / q : c[2] < 0.0 ? q / c[2] : std::numeric_limits<double>::infinity();
  return t >= 0.0 ? t : std::numeric_limits<double>::infinity();
}

/// No root is larger (Cauchy).
double largest_root(const Quartic& c) {
  const auto degree = static_cast<std::size_t>(degree_of(c));
  double most = 0.0;
  for (std::size_t i = 0; i < degree; ++i) most = std::max(most, std::abs(c[i] / c[degree]));
  return std::min(1.0 + most, std::numeric_limits<double>::max());
}

/// The roots of c0 + c1 t + c2 t^2, rising; none where two coincide.
std::size_t roots_of_square(const Quartic& c, std::array<double, 2>& found) {
  if (c[2] == 0.0) {
    found[0] = -c[0] / c[1];
    return c[1] != 0.0 ? 1 : 0;
  }
  const double inside = c[1] * c[1] - 4.0 * c[0] * c[2];
  if (!(inside > 0.0)) return 0;
  const double q = larger_half(c[1], std::sqrt(inside));
  found = {q / c[2], c[0] / q};
  if (found[1] < found[0]) std::swap(found[0], found[1]);
  return 2;
}

/// Where a polynomial turns in (from, to), one after the other; where two coincide, none or both. In place of a turn it
/// may give a point near it where the polynomial is no longer positive: that is what turns are looked at for.
class Extremes {
public:
  Extremes(const Quartic& polynomial, double from, double to)
      : whole(polynomial), c(derivative(polynomial)), low(from), at_low(value(c, from)), end(to) {
    count = roots_of_square(derivative(c), turns);
    while (next < count && turns[next] <= from) ++next;
  }
  /// The next one; infinite when there is none.
  double pop() {
    while (low < end) {
      const double high = next < count ? std::min(turns[next++], end) : end, at_high = value(c, high), from = low;
      const bool crosses = at_low != 0.0 && (at_low < 0.0) != (at_high < 0.0);
      low = high;
      at_low = at_high;
      if (crosses) return bracketed_root(c, from, high, &whole);
    }
    return std::numeric_limits<double>::infinity();
  }

private:
  Quartic whole, c;
  double low, at_low, end;
  std::array<double, 2> turns{};  ///< where the slope of c is zero
  std::size_t count = 0, next = 0;
};

}  // namespace

double value(const Quartic& c, double t) { return (((c[4] * t + c[3]) * t + c[2]) * t + c[1]) * t + c[0]; }

double first_fall(const Quartic& c, double to) {
  if (!(c[0] > 0.0)) return std::numeric_limits<double>::infinity();
  if (degree_of(c) <= 2) {
    const double t = first_fall_of_square(c);
    return t <= to ? t : std::numeric_limits<double>::infinity();
  }
  if (!std::isfinite(to)) to = largest_root(c);
  Extremes extremes(c, 0.0, to);
  for (double low = 0.0; low < to;) {
    const double high = std::min(extremes.pop(), to);
    if (value(c, high) <= 0.0) return bracketed_root(c, low, high);
    low = high;
  }
  return std::numeric_limits<double>::infinity();
}

namespace {

/// |x + v t + a t^2 / 2|^2
Quartic squared(const Eigen::Vector3d& x, const Eigen::Vector3d& v, const Eigen::Vector3d& a) {
  return {x.squaredNorm(), 2.0 * x.dot(v), v.squaredNorm() + x.dot(a), v.dot(a), 0.25 * a.squaredNorm()};
}

}  // namespace

GapPolynomial gap_outside(const Eigen::Vector3d& x, const Eigen::Vector3d& v, const Eigen::Vector3d& a, double reach,
                          double noise, double resting_speed) {
  const double distance = x.norm(), gap = distance - reach;
  GapPolynomial result{squared(x, v, a), gap <= noise, 2.0 * distance * resting_speed};
  result.gap[0] = gap * (distance + reach);
  return result;
}

GapPolynomial gap_above(const Eigen::Vector3d& normal, const Eigen::Vector3d& x, const Eigen::Vector3d& v,
                        const Eigen::Vector3d& a, double reach, double noise, double resting_speed) {
  const double gap = normal.dot(x) - reach;
  return {{gap, normal.dot(v), 0.5 * normal.dot(a), 0.0, 0.0}, gap <= noise, resting_speed};
}

GapPolynomial gap_inside(const Eigen::Vector3d& axis, const Eigen::Vector3d& x, const Eigen::Vector3d& v,
                         const Eigen::Vector3d& a, double reach, double noise, double resting_speed) {
  const auto across = [&](const Eigen::Vector3d& u) -> Eigen::Vector3d { return u - axis.dot(u) * axis; };
  const Eigen::Vector3d y = across(x);
  const double distance = y.norm(), gap = reach - distance;
  GapPolynomial result{squared(y, across(v), across(a)), gap <= noise, 2.0 * distance * resting_speed};
  for (double& c : result.gap) c = -c;
  result.gap[0] = gap * (reach + distance);
  return result;
}

double closing_time(const GapPolynomial& closing, double horizon) {
  Quartic gap = closing.gap;
  if (!closing.touches) return gap[0] > 0.0 ? first_fall(gap, horizon) : std::numeric_limits<double>::infinity();
  if (std::abs(gap[1]) <= closing.resting_rate) gap[1] = 0.0;
  for (int power = 1; power <= 4; ++power) {
    const double next = gap[1];
    if (next < 0.0) return 0.0;
    gap = {gap[1], gap[2], gap[3], gap[4], 0.0};
    if (next > 0.0) return first_fall(gap, horizon);
  }
  return std::numeric_limits<double>::infinity();
}

}  // namespace carom
