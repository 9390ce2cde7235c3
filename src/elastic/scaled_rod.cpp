#include "scaled_rod.hpp"

#include <algorithm>
#include <cmath>

#include "carom/core/error.hpp"

namespace carom::elastic {

namespace {

/// With m = mu/(g t1), viscous damping r t1 below this share of min(1, m^2) moves no result of the first contact by
/// more than rounding (e_energy^2 of a slow rod is 1 - rho/(3 m^2)), nor below that share of min(1, m) any later one.
constexpr double negligible_drag = 1e-17;
/// Below this m the squares of velocities that count leave the range of a double.
constexpr double slowest_share = 1e-150;

}  // namespace

void check_rod(const RodProblem& problem) {
  require_positive("wave_speed", problem.wave_speed);
  require_positive("length", problem.length);
  require_at_least("gravity", problem.gravity, 0.0);
  require_at_least("damping", problem.damping, 0.0);
  require_at_least("impact_speed", problem.impact_speed, 0.0);
}

Scaled::Scaled(const RodProblem& p)
    : t1(2.0 * (p.length / p.wave_speed)), length(p.length), speed(p.wave_speed), unit(1.0) {
  if (!(t1 > 0.0 && std::isfinite(t1)))
    throw InvalidInput("wave_speed", "2 length / wave_speed must be a finite time above zero, got " + number_text(t1));
  const double rho = p.damping * t1, gamma = p.gravity * t1;
  if (!std::isfinite(gamma)) throw InvalidInput("gravity", "times 2 length / wave_speed must be finite");
  // A power of two, so that nothing is rounded and no square leaves the range of a double.
  int exponent = 0;
  if (const double fastest = std::max(gamma, p.impact_speed); fastest > 0.0) std::frexp(fastest, &exponent);
  unit = std::ldexp(1.0, std::clamp(exponent, -1000, 1000));
  const double g = gamma / unit, mu = p.impact_speed / unit;
  weightless = p.gravity > 0.0 && g == 0.0;
  double kappa = 0.0;
  if (p.damping_kind == DampingKind::structural) {
    kappa = p.damping / p.length / p.wave_speed / 2.0;
    if (!std::isfinite(kappa * kappa)) throw InvalidInput("damping", "over 2 length wave_speed must have a square");
    // Without damping both kinds are the same rod.
    structural = kappa >= rod_least_structural;
    clamped = structural && kappa < rod_lightest_structural;
    if (clamped) kappa = rod_lightest_structural;
  } else if (!std::isfinite(rho)) {
    throw InvalidInput("damping", "times 2 length / wave_speed must be finite");
  }
  // Drag that is rounding against both weight and impact is none.
  const double m = g > 0.0 ? std::min(1.0, mu / g) : 1.0;
  const bool drags = p.damping_kind == DampingKind::viscous;
  speedless = mu > 0.0 && m < slowest_share;
  viscous = {drags && rho > negligible_drag * m * m ? rho : 0.0, g, mu};
  bouncing = {drags && rho > negligible_drag * m ? rho : 0.0, g, mu};
  damped = {structural ? kappa : 0.0, g, mu, p.contact == ContactCondition::vx};
}

}  // namespace carom::elastic
