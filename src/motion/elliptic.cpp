#include "elliptic.hpp"

#include <array>
#include <boost/math/special_functions/ellint_rf.hpp>
#include <boost/math/special_functions/ellint_rj.hpp>
#include <cmath>
#include <numbers>

namespace carom {

namespace {

using boost::math::ellint_rf;
using boost::math::ellint_rj;

/// Computed in double: in long double, Boost's default, it takes ten times longer and the last digit is lost after it.
using AsDouble = boost::math::policies::policy<boost::math::policies::promote_double<false>>;

/// Gauss's arithmetic-geometric means of 1 and sqrt(m1). The next pair after one that differs by less than this share
/// agrees to rounding.
constexpr double nearly_equal = 1e-8;

struct Means {
  std::array<double, 32> arithmetic, geometric;
  std::size_t last = 0;
  double limit = 1.0;

  explicit Means(double m1) {
    double a = 1.0, product = m1;
    for (;; ++last) {
      const double b = std::sqrt(product);
      arithmetic[last] = a;
      geometric[last] = b;
      limit = 0.5 * (a + b);
      if (std::abs(a - b) <= nearly_equal * a || last + 1 == arithmetic.size()) return;
      product = a * b;
      a = limit;
    }
  }
};

}  // namespace

double quarter_period(double m1) { return 0.5 * std::numbers::pi / Means(m1).limit; }

double Jacobi::sign() const { return std::fmod(turns, 2.0) == 0.0 ? 1.0 : -1.0; }

/// Bulirsch 1965, Numerical calculation of elliptic integrals and elliptic functions: the ratio of cosine and sine is
/// carried through the means as a product, so a small cosine keeps its digits.
Jacobi jacobi(double u, double m1, double quarter) {
  const double turns = std::nearbyint(0.5 * u / quarter), rest = u - 2.0 * quarter * turns;
  const Means means(m1);
  const double s = std::sin(means.limit * rest), c = std::cos(means.limit * rest);
  if (s == 0.0) return {turns, 0.0, 1.0, 1.0};
  double a = c / s, ratio = means.limit * a, dn = 1.0;
  for (std::size_t i = means.last + 1; i-- > 0;) {
    a *= ratio;
    ratio *= dn;
    dn = (means.geometric[i] + a) / (means.arithmetic[i] + a);
    a = ratio / means.arithmetic[i];
  }
  const double sine = std::copysign(1.0 / std::hypot(ratio, 1.0), s);
  return {turns, sine, std::abs(ratio * sine), dn};
}

double first_kind(double sine, double cosine, double m1, double quarter) {
  const double c2 = cosine * cosine, part = sine * ellint_rf(c2, c2 + m1 * sine * sine, 1.0);
  return cosine < 0.0 ? std::copysign(2.0 * quarter, sine) - part : part;
}

double third_kind(double n, double sine, double cosine, double m1) {
  const auto upto = [&](double s, double c) {
    return s * s * s / 3.0 * ellint_rj(c * c, c * c + m1 * s * s, 1.0, 1.0 - n * s * s, AsDouble());
  };
  const double part = upto(sine, cosine);
  return cosine < 0.0 ? std::copysign(2.0 * upto(1.0, 0.0), sine) - part : part;
}

}  // namespace carom
