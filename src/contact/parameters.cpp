#include "carom/contact/parameters.hpp"

#include <cmath>
#include <limits>
#include <numbers>

#include "carom/core/error.hpp"

namespace carom {

namespace {

constexpr double pi = std::numbers::pi;

/// b cot b as a function of x = b^2, below zero b coth b: one smooth function, 1 at 0.
double b_cot_b(double x) {
  if (std::abs(x) < 1e-4) return 1.0 - x / 3.0 - x * x / 45.0 - 2.0 * x * x * x / 945.0;
  const double b = std::sqrt(std::abs(x));
  return x > 0.0 ? b / std::tan(b) : b / std::tanh(b);
}

/// b / sin b, below zero b / sinh b.
double b_over_sin_b(double x) {
  if (std::abs(x) < 1e-4) return 1.0 + x / 6.0 + 7.0 * x * x / 360.0 + 31.0 * x * x * x / 15120.0;
  const double b = std::sqrt(std::abs(x));
  return x > 0.0 ? b / std::sin(b) : b / std::sinh(b);
}

/// The linear contact with z = cos b, x = b^2 (z = cosh b, x = -b^2 beyond critical damping).
LinearContact contact_at(double x, double ratio) {
  LinearContact c;
  const double decay = b_cot_b(x);
  c.restitution = std::exp(-2.0 * decay);
  c.duration = 2.0 * b_over_sin_b(x);
  c.indentation = std::exp(-decay);
  // The force falls from its start on if z >= 1/2; else it is greatest where the phase has come to 3 b - pi.
  const double b = std::sqrt(std::fmax(x, 0.0));
  c.force = 3.0 * b > pi ? std::exp(-(3.0 * b - pi) / std::tan(b)) : 2.0 * ratio;
  return c;
}

/// x with b cot b = -ln(e)/2, from e = 1 (x = pi^2/4) down to 0 (x to minus infinity).
double x_of(double e) {
  const double wanted = -0.5 * std::log(e);
  if (wanted <= 0.0) return 0.25 * pi * pi;
  double low = wanted > 1.0 ? -(wanted + 1.0) * (wanted + 1.0) : -1e-3, high = 0.25 * pi * pi;
  for (int round = 0; round < 200 && high - low > 0.0; ++round) {
    const double x = 0.5 * (low + high);
    if (!(x > low && x < high)) break;
    (b_cot_b(x) > wanted ? low : high) = x;
  }
  return 0.5 * (low + high);
}

/// cos b, also where it is near zero (b near pi/2).
double ratio_of(double x) {
  const double b = std::sqrt(std::abs(x));
  return x > 0.0 ? std::cos(b) : std::cosh(b);
}

/// Whoever asks for what no number can say is named: the duration, or what is farther still from 1.
void require_stiffness(const ContactParametersProblem& p, double stiffness) {
  if (std::isfinite(stiffness) && stiffness >= std::numeric_limits<double>::min()) return;
  const char* field = "duration";
  double farthest = std::abs(std::log(p.duration));
  if (std::abs(std::log(p.mass)) > farthest) farthest = std::abs(std::log(p.mass)), field = "mass";
  if (p.speed && p.exponent.value_or(1.5) != 1.0 && p.law != ContactLaw::linear &&
      std::abs(std::log(*p.speed)) > farthest)
    field = "speed";
  throw InvalidInput(field, "asks for a stiffness beyond the range of numbers");
}

void answer_linear(const ContactParametersProblem& p, ContactParameters& answer) {
  const double x = x_of(p.e);
  // Near e = 1, b = pi/2 - z and b cot b = (pi/2) z to first order: the ratio from what is asked keeps its digits.
  double ratio = ratio_of(x);
  if (p.e == 1.0)
    ratio = 0.0;
  else if (ratio < 0.5)
    ratio = -0.5 * std::log(p.e) * std::sin(std::sqrt(x)) / std::sqrt(x);
  const LinearContact c = contact_at(x, ratio);
  const double frequency = c.duration / p.duration;
  answer.stiffness = p.mass * frequency * frequency;
  answer.damping = 2.0 * ratio * p.mass * frequency;
  if (ratio > 0.0)
    answer.solref = {1.0 / (ratio * frequency), ratio};
  else
    answer.flags.set(ContactParametersFlag::undamped);
  require_stiffness(p, answer.stiffness);
  if (p.speed) {
    answer.max_indentation = c.indentation * *p.speed / frequency;
    answer.peak_force = c.force * *p.speed * p.mass * frequency;
  }
}

void answer_nonlinear(const ContactParametersProblem& p, double exponent, ContactParameters& answer) {
  const DampingLaw law = static_cast<DampingLaw>(p.law);
  answer.damping = damping(DampingLaw::gonthier, p.e);
  answer.nominal_e = law == DampingLaw::gonthier ? p.e : nominal_restitution(law, answer.damping);
  if (!answer.nominal_e) answer.flags.set(ContactParametersFlag::out_of_reach);
  // The duration is tau (m v^2/k)^(1/(p+1)) / v.
  const double tau = normal_impact({DampingLaw::gonthier, 1.0, 1.0, exponent, p.e, 1.0}).duration;
  const double v = p.speed.value_or(1.0);
  answer.stiffness = p.mass * v * v * std::pow(tau / (p.duration * v), exponent + 1.0);
  if (!std::isnormal(answer.stiffness))  // or only on the way
    answer.stiffness = p.mass * std::pow(v, 1.0 - exponent) * std::pow(tau / p.duration, exponent + 1.0);
  require_stiffness(p, answer.stiffness);
  if (p.speed) {
    const NormalImpact impact = normal_impact({DampingLaw::gonthier, p.mass, answer.stiffness, exponent, p.e, v});
    answer.max_indentation = impact.max_indentation;
    answer.peak_force = impact.peak_force;
  }
}

}  // namespace

LinearContact linear_contact(double damping_ratio) {
  require_at_least("damping_ratio", damping_ratio, 0.0);
  const double b = damping_ratio < 1.0 ? std::acos(damping_ratio) : std::acosh(damping_ratio);
  return contact_at(damping_ratio < 1.0 ? b * b : -b * b, damping_ratio);
}

void require_deliverable(const char* field, double e) {
  require_between(field, e, 0.0, 1.0);
  if (e == 0.0)
    throw InvalidInput(field, "must be above 0, which no finite damping delivers (0.01 is nearly as plastic), got 0");
}

double linear_damping_ratio(double e) {
  require_deliverable("e", e);
  if (e == 1.0) return 0.0;
  const double x = x_of(e), ratio = ratio_of(x);
  return ratio < 0.5 ? -0.5 * std::log(e) * std::sin(std::sqrt(x)) / std::sqrt(x) : ratio;
}

ContactParameters contact_parameters(const ContactParametersProblem& problem) {
  const bool linear = problem.law == ContactLaw::linear;
  require_positive("mass", problem.mass);
  require_deliverable("e", problem.e);
  require_positive("duration", problem.duration);
  const double exponent = problem.exponent.value_or(linear ? 1.0 : 1.5);
  require_positive("exponent", exponent);
  if (linear && exponent != 1.0)
    throw InvalidInput("exponent", "must be 1 for the law linear, got " + number_text(exponent));
  if (problem.speed) require_positive("speed", *problem.speed);
  if (!problem.speed && exponent != 1.0)
    throw InvalidInput("speed", "is required unless the exponent is 1: the duration depends on it");
  ContactParameters answer;
  if (!problem.speed) answer.flags.set(ContactParametersFlag::no_speed);
  if (linear)
    answer_linear(problem, answer);
  else
    answer_nonlinear(problem, exponent, answer);
  const auto lost = [](const std::optional<double>& value) { return value && !std::isfinite(*value); };
  if (lost(answer.max_indentation) || lost(answer.peak_force) || !std::isfinite(answer.damping))
    answer.flags.set(ContactParametersFlag::overflow);
  return answer;
}

}  // namespace carom
