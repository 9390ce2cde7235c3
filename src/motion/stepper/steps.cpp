#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

#include "carom/core/error.hpp"
#include "carom/motion/stepper.hpp"

#include "pace.hpp"

namespace carom {

namespace stepping {

namespace {

constexpr double endless = std::numeric_limits<double>::infinity();
/// Accurate steps: of the time of touch, of the period of the bristles over 2 pi, and of the time in which something
/// decays by a factor e. With them the restitution asked for is delivered to .3 % (tests/motion/stepper_test.cpp).
constexpr double touch_share = 1.0 / 20.0, period_share = 0.5, decay_share = 1.2;
/// Steps of order 3 keep x' = -x bounded up to here: the real root of 1 + z + z^2/2 + z^3/6 = -1, with the sign
/// changed.
constexpr double decay_limit = 2.5127453266183286;

/// Whether explicit steps of order 3 keep x'' + damping x' + stiffness x = 0 bounded.
bool oscillator_bounded(double damping, double stiffness, double step) {
  const std::complex<double> root = std::sqrt(std::complex<double>(0.25 * damping * damping - stiffness, 0.0));
  for (const double sign : {1.0, -1.0}) {
    const std::complex<double> z = step * (-0.5 * damping + sign * root);
    if (!(std::abs(1.0 + z * (1.0 + z * (0.5 + z / 6.0))) <= 1.0 + 1e-12)) return false;
  }
  return true;
}

/// The longest of them. Along each ray into the left half plane the region of stability is one piece.
double longest_bounded(double damping, double stiffness) {
  double low = 0.0, high = 4.0 / std::max(damping, std::sqrt(stiffness));
  if (!(high < endless)) return high;
  for (int round = 0; round < 60; ++round) {
    const double step = 0.5 * (low + high);
    (oscillator_bounded(damping, stiffness, step) ? low : high) = step;
  }
  return low;
}

}  // namespace

Pace pace_of(const ContactSurface& surface, double normal_mass, double tangential_mass, const Press& press,
             double unit_touch) {
  const double k = surface.stiffness, p = surface.exponent;
  const BristleFriction& f = surface.friction;
  // (m v^2/k)^(1/(p+1)) / v, in a form that no small speed makes zero.
  const double unit = std::pow(normal_mass / k, 1.0 / (p + 1.0)) * std::pow(press.speed, (1.0 - p) / (p + 1.0));
  const double depth = std::max(max_indentation(normal_mass, k, p, press.damping, press.speed), press.depth);
  Pace pace;
  pace.touch = unit_touch * unit;
  pace.normal_damping =
      press.damping > 0.0 ? k * std::pow(depth, p) * (press.damping / press.speed) / normal_mass : 0.0;
  pace.normal_stiffness = p * k * std::pow(depth, p - 1.0) / normal_mass;
  pace.tangential_damping = (f.sigma1 + f.sigma2) / tangential_mass;
  pace.tangential_stiffness = f.sigma0 / tangential_mass;
  pace.settling = f.model == FrictionModel::lugre
                      ? press.slip_rate + (press.slip_rate > 0.0 ? pace.tangential_damping : 0.0)
                      : std::max(f.sigma0 / f.sigma1, 1.0 / f.tau_dw);
  return pace;
}

double accurate_step(const Pace& pace) {
  const double decay = std::max({pace.normal_damping, pace.tangential_damping, pace.settling});
  return std::min({touch_share * pace.touch, period_share / std::sqrt(pace.tangential_stiffness), decay_share / decay});
}

bool stays_bounded(const Pace& pace, double step) {
  return oscillator_bounded(pace.normal_damping, pace.normal_stiffness, step) &&
         oscillator_bounded(pace.tangential_damping, pace.tangential_stiffness, step) &&
         step * pace.settling <= decay_limit;
}

double stable_step(const Pace& pace) {
  return std::min({longest_bounded(pace.normal_damping, pace.normal_stiffness),
                   longest_bounded(pace.tangential_damping, pace.tangential_stiffness),
                   pace.settling > 0.0 ? decay_limit / pace.settling : endless});
}

}  // namespace stepping

namespace {

stepping::Pace pace_at(const ContactSurface& surface, double normal_mass, double tangential_mass, double speed,
                       const Sliding& sliding) {
  require_valid(surface);
  require_positive("normal_mass", normal_mass);
  require_positive("tangential_mass", tangential_mass);
  require_positive("speed", speed);
  require_at_least("sliding.speed", sliding.speed, 0.0);
  require_at_least("sliding.load", sliding.load, 0.0);
  const double a = damping(DampingLaw::gonthier, compliant_restitution(surface.e, speed));
  const bool lugre = surface.friction.model == FrictionModel::lugre;
  return stepping::pace_of(
      surface, normal_mass, tangential_mass,
      {speed, a, 0.0, lugre ? bristle_settling_rate(surface.friction, sliding.speed, sliding.load) : 0.0},
      normal_impact(1.0, 1.0, surface.exponent, a, 1.0).duration);
}

}  // namespace

double accurate_substep(const ContactSurface& surface, double normal_mass, double tangential_mass, double speed,
                        const Sliding& sliding) {
  const stepping::Pace pace = pace_at(surface, normal_mass, tangential_mass, speed, sliding);
  return std::min(stepping::accurate_step(pace), stepping::stable_step(pace));
}

double stable_substep(const ContactSurface& surface, double normal_mass, double tangential_mass, double speed,
                      const Sliding& sliding) {
  return stepping::stable_step(pace_at(surface, normal_mass, tangential_mass, speed, sliding));
}

}  // namespace carom
