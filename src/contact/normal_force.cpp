#include "carom/contact/normal_force.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "carom/core/error.hpp"

#include "log_rest.hpp"
#include "quadrature.hpp"

namespace carom {

namespace {

constexpr double rounding = std::numeric_limits<double>::epsilon();
constexpr int most_rounds = 100;  // of Newton's method; it needs fewer than ten

/// exp(x) - 1 - x, also where that is small.
double exp_rest(double x) {
  if (std::abs(x) > 0.25) return std::expm1(x) - x;
  double sum = 0.0, term = 0.5 * x * x;
  for (int n = 3; n < 40; ++n) {
    sum += term;
    if (std::abs(term) < 0.1 * rounding * std::abs(sum)) break;
    term *= x / n;
  }
  return sum;
}

/// The end of an impact with damping A: v = -e v_i, d = A e, and w = -ln(1 - d), which keeps its digits where d is
/// near 1; q = 1 - e, which keeps them where e is.
struct Exit {
  double e, d, w, q;
};

/// d of the exact law. Newton on w below e = .35, on d itself up to .65; above that the difference of the two sides is
/// small, and its series in d is solved, divided by d^2.
Exit exact_exit(double e) {
  if (e == 1.0) return {1.0, 0.0, 0.0, 0.0};
  const double sum = 1.0 + 1.0 / e;
  if (e < 0.35) {
    double w = sum - std::log(sum);
    for (int k = 0; k < most_rounds; ++k) {
      const double d = -std::expm1(-w), rest = std::exp(-w);
      const double step = (std::log1p(d / e) + w - d * sum) / (rest / (e + d) + 1.0 - sum * rest);
      w -= step;
      if (std::abs(step) <= 2.0 * rounding * w) break;
    }
    return {e, -std::expm1(-w), w, 1.0 - e};
  }
  const double q = 1.0 - e;
  double d = 1.5 * q - 0.15 * q * q * q;
  if (e <= 0.65) {
    d = std::min(d, 1.0 - 0.01 * e);
    for (int k = 0; k < most_rounds; ++k) {
      const double step = (std::log1p(d / e) - std::log1p(-d) - d * sum) / (1.0 / (e + d) + 1.0 / (1.0 - d) - sum);
      d = std::clamp(d - step, 0.5 * (q + d), 0.5 * (1.0 + d));  // the root is in (1 - e, 1)
      if (std::abs(step) <= 2.0 * rounding * d) break;
    }
    return {e, d, -std::log1p(-d), q};
  }
  const double log_e = std::log1p(-q);
  for (int k = 0; k < most_rounds; ++k) {
    double value = 0.0, slope = 0.0, power = 1.0;  // power: d^(n-2)
    for (int n = 2; n < 2000; ++n) {
      const double grown = std::expm1(-n * log_e);
      const double c = n % 2 == 0 ? -grown / n : (grown + 2.0) / n;
      value += c * power;
      slope += (n - 2) * c * power / d;
      power *= d;
      if (n % 2 == 1 && std::abs(c) * power < 1e-3 * rounding * q) break;
    }
    const double step = value / slope;
    d -= step;
    if (std::abs(step) <= 2.0 * rounding * d) break;
  }
  return {e, d, -std::log1p(-d), q};
}

/// What a damping gives: A - ln(1 + A) = w - 1 + exp(-w). Below A = .5 both sides are small: their series, divided by
/// A^2, in 1 - e.
Exit exit_of(double a) {
  if (a == 0.0) return {1.0, 0.0, 0.0, 0.0};
  if (a < 0.5) {
    double q = std::min(0.7, 2.0 * a / 3.0);
    for (int k = 0; k < most_rounds; ++k) {
      // The sum of a^(n-2) (e^n - (-1)^n) / n; e^n - 1 in a form that keeps the digits of q.
      double value = 0.0, slope = 0.0, a_power = 1.0;
      const double log_e = std::log1p(-q);
      for (int n = 2; n < 200; ++n) {
        const double fallen = std::expm1(n * log_e);  // e^n - 1
        slope += a_power * (1.0 + fallen);            // of e^n / n over -log_e
        value += a_power * (n % 2 == 0 ? fallen : fallen + 2.0) / n;
        a_power *= a;
        if (a_power < 0.01 * rounding * q) break;
      }
      const double step = value * (1.0 - q) / slope;
      q += step;
      if (std::abs(step) <= 2.0 * rounding * q) break;
    }
    const double e = 1.0 - q;
    return {e, a * e, -std::log1p(-a * e), q};
  }
  const double c = a - std::log1p(a);
  double w = c < 1.0 ? std::sqrt(2.0 * c) : c + 1.0;
  for (int k = 0; k < most_rounds; ++k) {
    const double step = (exp_rest(-w) - c) / -std::expm1(-w);
    w -= step;
    if (std::abs(step) <= 2.0 * rounding * w) break;
  }
  const double d = -std::expm1(-w);
  return {d / a, d, w, 1.0 - d / a};
}

/// Half of the duration: from an end of the impact to its middle, `length` in y = ln(1 + A u). With the distance from
/// the end written as s^(p+1) the force is like s^p there and the integrand smooth.
/// @param rest  the indentation^(p+1) in its unit, divided by the distance from the end
template <class Rest>
double half_duration(double length, double p, const Rest& rest) {
  const double power = -p / (p + 1.0);
  return integral_from_zero(std::pow(length, 1.0 / (p + 1.0)), [&](double s) {
    const double distance = std::min(std::pow(s, p + 1.0), length);
    return (p + 1.0) * std::pow(rest(distance), power);
  });
}

/// Duration in units of (m v^2/k)^(1/(p+1)) / v.
double scaled_duration(double a, double p, const Exit& exit) {
  if (a == 0.0) {
    // 2 dmax B(1/(p+1), 1/2) / (p+1)
    const double x = 1.0 / (p + 1.0);
    const double beta = std::exp(std::lgamma(x) + std::lgamma(0.5) - std::lgamma(x + 0.5));
    return 2.0 * std::pow(0.5 * (p + 1.0), x) * beta * x;
  }
  const double y1 = std::log1p(a), rest = std::exp(-exit.w);
  const double in = half_duration(y1, p, [&](double s) { return s == 0.0 ? a : a - (1.0 + a) * exp_rest(-s) / s; });
  // exp(-w) (exp(s) - 1 - s), where exp(s) alone would overflow.
  const auto fallen = [&](double s) { return s < 1.0 ? rest * exp_rest(s) : std::exp(s - exit.w) - rest * (1.0 + s); };
  const double out = half_duration(exit.w, p, [&](double s) { return s == 0.0 ? exit.d : exit.d - fallen(s) / s; });
  return std::pow(a, (p - 1.0) / (p + 1.0)) * std::pow(p + 1.0, -p / (p + 1.0)) * (in + out);
}

/// (m v^2/k)^(1/(p+1)), the unit of length, also where m v^2/k itself is out of range.
double unit_length(double mass, double k, double p, double v) {
  const double x = 1.0 / (p + 1.0), inside = mass * v * (v / k);
  if (inside > std::numeric_limits<double>::min() && v / k > std::numeric_limits<double>::min() &&
      std::isfinite(inside))
    return std::pow(inside, x);
  return std::pow(v, x) * std::pow(mass, x) * std::pow(v, x) * std::pow(k, -x);
}

/// G(u) = (A u - ln(1 + A u)) / A^2.
double spring_work(double a, double u) { return a == 0.0 ? 0.5 * u * u : log_rest(a * u) / a / a; }

NormalImpact impact_of(double mass, double k, double p, double a, double v, const Exit& exit) {
  NormalImpact impact;
  impact.damping = a;
  impact.effective_restitution = exit.e;
  impact.exit_speed = exit.e * v;
  impact.dissipated = 0.5 * mass * v * v * exit.q * (1.0 + exit.e);
  const double x = 1.0 / (p + 1.0);
  const double unit = unit_length(mass, k, p, v);
  const auto g = [&](double u) { return spring_work(a, u); };
  const double g1 = g(1.0);
  const auto indentation = [&](double u) { return unit * std::pow((p + 1.0) * std::max(g1 - g(u), 0.0), x); };
  impact.max_indentation = indentation(0.0);
  // The force is greatest where A (p+1) (G(1) - G(u)) = p u: one root, the left side falls from u = 0 on.
  double low = 0.0, high = 1.0;
  for (int round = 0; round < 60 && a > 0.0; ++round) {
    const double u = 0.5 * (low + high);
    (a * (p + 1.0) * (g1 - g(u)) > p * u ? low : high) = u;
  }
  const double u = a > 0.0 ? low : 0.0;
  impact.peak_force = k * std::pow(indentation(u), p) * (1.0 + a * u);
  impact.duration = scaled_duration(a, p, exit) * unit / v;
  return impact;
}

void require_contact(double mass, double stiffness, double exponent) {
  require_positive("mass", mass);
  require_positive("stiffness", stiffness);
  require_positive("exponent", exponent);
}

bool needs_positive(DampingLaw law) { return law == DampingLaw::gonthier || law == DampingLaw::flores; }

void require_e(const char* field, DampingLaw law, double e) {
  require_between(field, e, 0.0, 1.0);
  if (e == 0.0 && needs_positive(law))
    throw InvalidInput(field, "must be above 0 for the law " + std::string(name(law)) +
                                  ", whose damping is infinite there (0.01 is nearly as plastic), got 0");
}

}  // namespace

double compliant_restitution(const Restitution& restitution, double approach_speed) {
  const double e = restitution_at(restitution, approach_speed);
  return is_constant(restitution) ? e : std::max(e, least_law_restitution);
}

void require_compliant(const char* field, const Restitution& restitution, DampingLaw law) {
  require_valid(field, restitution);
  if (is_constant(restitution)) require_e(field, law, restitution_at(restitution, 0.0));
}

double exact_damping_factor(double e) {
  require_e("e", DampingLaw::gonthier, e);
  return exact_exit(e).d;
}

double damping(DampingLaw law, double e) {
  require_e("e", law, e);
  switch (law) {
    case DampingLaw::gonthier:
      return exact_exit(e).d / e;
    case DampingLaw::hunt_crossley:
      return 1.5 * (1.0 - e);
    case DampingLaw::lankarani_nikravesh:
      return 0.75 * (1.0 - e) * (1.0 + e);
    case DampingLaw::flores:
      return 1.6 * (1.0 - e) / e;
  }
  return 0.0;
}

double effective_restitution(double damping) {
  require_at_least("damping", damping, 0.0);
  return exit_of(damping).e;
}

std::optional<double> nominal_restitution(DampingLaw law, double damping) {
  require_at_least("damping", damping, 0.0);
  double e = 1.0;
  switch (law) {
    case DampingLaw::gonthier:
      e = exit_of(damping).e;
      break;
    case DampingLaw::hunt_crossley:
      e = 1.0 - damping / 1.5;
      break;
    case DampingLaw::lankarani_nikravesh:
      e = damping > 0.75 ? -1.0 : std::sqrt(1.0 - damping / 0.75);
      break;
    case DampingLaw::flores:
      e = 1.6 / (1.6 + damping);
      break;
  }
  if (!(e >= 0.0)) return std::nullopt;
  return e;
}

double NormalForce::at(double indentation, double rate) const {
  if (!(indentation > 0.0)) return 0.0;
  return std::max(0.0, stiffness * std::pow(indentation, exponent) * (1.0 + damping * rate / touch_speed));
}

NormalImpact normal_impact(const NormalImpactProblem& problem) {
  require_contact(problem.mass, problem.stiffness, problem.exponent);
  require_compliant("e", problem.e, problem.law);
  require_positive("speed", problem.speed);
  const double e = compliant_restitution(problem.e, problem.speed), a = damping(problem.law, e);
  const Exit exit = problem.law == DampingLaw::gonthier ? exact_exit(e) : exit_of(a);
  return impact_of(problem.mass, problem.stiffness, problem.exponent, a, problem.speed, exit);
}

NormalImpact normal_impact(double mass, double stiffness, double exponent, double damping, double speed) {
  require_contact(mass, stiffness, exponent);
  require_at_least("damping", damping, 0.0);
  require_positive("speed", speed);
  return impact_of(mass, stiffness, exponent, damping, speed, exit_of(damping));
}

double max_indentation(double mass, double stiffness, double exponent, double damping, double speed) {
  require_contact(mass, stiffness, exponent);
  require_at_least("damping", damping, 0.0);
  require_positive("speed", speed);
  const double p1 = exponent + 1.0;
  return unit_length(mass, stiffness, exponent, speed) * std::pow(p1 * spring_work(damping, 1.0), 1.0 / p1);
}

double hertz_stiffness(const ElasticSurface& a, const ElasticSurface& b) {
  const auto require = [](const std::string& name, const ElasticSurface& s) {
    require_positive(name + ".young", s.young);
    require_between(name + ".poisson", s.poisson, -1.0, 0.5);
    require_finite(name + ".curvature", s.curvature);
  };
  require("a", a);
  require("b", b);
  const double curvature = a.curvature + b.curvature;
  if (!(curvature > 0.0))
    throw InvalidInput("a.curvature",
                       "must leave a gap around the contact: the two curvatures add up to " + number_text(curvature));
  const double softness = (1.0 - a.poisson * a.poisson) / a.young + (1.0 - b.poisson * b.poisson) / b.young;
  return 4.0 / 3.0 / softness / std::sqrt(curvature);
}

double resting_touch_speed(double mass, double stiffness, double exponent, double damping, double gravity) {
  require_contact(mass, stiffness, exponent);
  require_at_least("damping", damping, 0.0);
  require_positive("gravity", gravity);
  const double at_rest = std::pow(mass * gravity / stiffness, 1.0 / exponent);
  const double frequency = std::sqrt(exponent * stiffness / mass * std::pow(at_rest, exponent - 1.0));
  return 0.5 * damping * gravity / frequency;
}

}  // namespace carom
