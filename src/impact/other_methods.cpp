#include "carom/impact/other_methods.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "carom/core/error.hpp"
#include "carom/impact/planar_modes.hpp"

namespace carom {

namespace {

/// Kinetic energy above this share of the initial one counts as a gain, and impulses and velocities that differ by less
/// than it as equal: below it is rounding.
constexpr double rounding = 1e-12;

/// Frictions looked at between two changes of mode, and how often an interval between two of them is halved.
constexpr int friction_samples = 256, halving_count = 60;

struct Symbols {  // of Wang and Mason 1992
  explicit Symbols(const PlanarProblem& problem)
      : b1(problem.space.inverse_inertia(0, 0)),
        b2(problem.space.inverse_inertia(1, 1)),
        b3(-problem.space.inverse_inertia(0, 1)),
        s0(problem.space.velocity[0]),
        c0(problem.space.velocity[1]),
        mu(problem.material.friction),
        e(problem.material.restitution),
        s(s0 != 0.0  ? std::copysign(1.0, s0)
          : b3 > 0.0 ? -1.0
                     : 1.0) {}
  double b1, b2, b3, s0, c0, mu, e, s;
};

PlanarProblem checked(PlanarProblem problem) {
  problem.space = validated(problem.space);
  require_valid(problem.material);
  require_finite("free_acceleration", problem.free_acceleration);
  return problem;
}

PlanarImpact newton_with(PlanarProblem problem, double friction) {
  problem.material.friction = friction;
  problem.law = RestitutionLaw::newton;
  return planar_impact(problem);
}

bool reverses(PlanarMode mode) { return mode == PlanarMode::c_reversed || mode == PlanarMode::r_reversed; }

/// The largest friction up to the given one that is fine. Between `borders` (ascending) it may change any way.
template <class Fine>
double largest(const std::vector<double>& borders, const Fine& fine) {
  for (std::size_t i = borders.size(); i-- > 1;) {
    double above = borders[i];
    if (fine(above)) return above;
    for (int k = friction_samples; k-- > 0;) {
      const double at = borders[i - 1] + (borders[i] - borders[i - 1]) * k / friction_samples;
      if (!fine(at)) {
        above = at;
        continue;
      }
      double low = at, high = above;
      for (int h = 0; h < halving_count; ++h) {
        const double middle = 0.5 * (low + high);
        (fine(middle) ? low : high) = middle;
      }
      return low;
    }
  }
  return 0.0;
}

}  // namespace

AssumedImpact judged_impulse(const PlanarProblem& given, const Eigen::Vector2d& impulse) {
  const PlanarProblem problem = checked(given);
  AssumedImpact out;
  const Eigen::Vector2d &before = problem.space.velocity, after = velocity_after(problem.space, impulse);
  out.verdict = Verdict::separated;
  out.impulse = impulse;
  out.velocity_after = after;
  out.energy.before = kinetic_energy(problem.space);
  out.energy.friction_loss = -0.5 * impulse[0] * (before[0] + after[0]);
  out.energy.restitution_loss = -0.5 * impulse[1] * (before[1] + after[1]);
  PlanarContactSpace end = problem.space;
  end.velocity = after;
  out.energy.after = kinetic_energy(end);
  const double mu = problem.material.friction, size = impulse.norm();
  const double slow = rounding * (before.norm() + after.norm());
  out.broken.set(BrokenLaw::pulls, impulse[1] < -rounding * size);
  out.broken.set(BrokenLaw::outside_cone, std::abs(impulse[0]) > mu * impulse[1] + rounding * size);
  // Slip that ends as it began has had the whole of friction against it; slip of the other direction only began later.
  if (before[0] * after[0] > 0.0 && std::abs(after[0]) > slow) {
    const double full = -std::copysign(mu * impulse[1], before[0]);
    out.broken.set(BrokenLaw::wrong_slip, std::abs(impulse[0] - full) > rounding * size);
  }
  out.broken.set(BrokenLaw::energy_gain, out.energy.after > out.energy.before * (1.0 + rounding));
  return out;
}

AssumedImpact assumed_mode_impact(const PlanarProblem& given, PlanarMode mode) {
  const PlanarProblem problem = checked(given);
  if (problem.law == RestitutionLaw::energetic)
    throw InvalidInput("law", "must be newton or poisson: an assumed mode knows nothing of the work on the way");
  if (mode == PlanarMode::none) throw InvalidInput("mode", "must be one of those of an impact, got none");
  const Symbols b(problem);
  AssumedImpact out;
  out.velocity_after = problem.space.velocity;
  out.energy.before = out.energy.after = kinetic_energy(problem.space);
  if (b.c0 > 0.0 || (b.c0 == 0.0 && planar_outcome(problem).verdict == Verdict::no_impact)) return out;

  const double k1 = b.b2 + b.s * b.mu * b.b3, h1 = b.mu * b.b1 + b.s * b.b3, k2 = b.b2 - b.s * b.mu * b.b3;
  const double slip_end = std::abs(b.s0) / h1, det = b.b1 * b.b2 - b.b3 * b.b3;
  const bool newton = problem.law == RestitutionLaw::newton, sliding = mode == PlanarMode::sliding,
             sticks = mode == PlanarMode::c_sticking || mode == PlanarMode::r_sticking,
             late = mode == PlanarMode::r_sticking || mode == PlanarMode::r_reversed;
  Eigen::Vector2d p;
  if (sliding || (late && !newton))
    p[1] = -(1.0 + b.e) * b.c0 / k1;
  else if (sticks)
    p[1] = newton ? -(b.b3 * b.s0 + (1.0 + b.e) * b.c0 * b.b1) / det : -(1.0 + b.e) * (b.b1 * b.c0 + b.b3 * b.s0) / det;
  else {
    const double turned = 2.0 * b.s * b.mu * b.b3 * slip_end;
    p[1] = newton ? -((1.0 + b.e) * b.c0 + turned) / k2 : -(1.0 + b.e) * (b.c0 + turned) / k2;
  }
  p[0] = sliding ? -b.s * b.mu * p[1] : sticks ? (b.b3 * p[1] - b.s0) / b.b1 : b.s * b.mu * (p[1] - 2.0 * slip_end);
  if (!p.allFinite() || p[1] == 0.0) {  // without approach some formulas have no impulse to offer
    out.verdict = Verdict::separated;
    out.broken.set(BrokenLaw::no_answer);
    return out;
  }
  out = judged_impulse(problem, p);
  // Sliding has to end in the direction assumed, and what is assumed to happen after slip needs slip to end.
  const double slow = rounding * (problem.space.velocity.norm() + out.velocity_after.norm()),
               along = b.s * out.velocity_after[0];
  const bool hold = b.mu * b.b1 >= std::abs(b.b3);
  if ((sliding && along < -slow) || (!sliding && !sticks && along > slow) ||
      (!sliding && ((h1 <= 0.0 && b.s0 != 0.0) || hold != sticks)))
    out.broken.set(BrokenLaw::wrong_slip);
  return out;
}

BearableFriction bearable_friction(const PlanarProblem& given) {
  const PlanarProblem problem = checked(given);
  const double mu = problem.material.friction;
  const PlanarThresholds at = planar_thresholds(problem);
  std::vector<double> borders = {0.0, mu};
  for (const double border : {at.stick_friction, at.slip_end_friction.value_or(0.0)})
    if (border > 0.0 && border < mu) borders.push_back(border);
  std::sort(borders.begin(), borders.end());
  const auto no_gain = [&](double friction) { return !newton_with(problem, friction).flags.has(Flag::energy_gain); };
  const auto no_reversal = [&](double friction) {
    return friction == 0.0 || !reverses(newton_with(problem, friction).mode);
  };
  return {largest(borders, [&](double f) { return no_gain(f) && no_reversal(f); }), largest(borders, no_gain),
          largest(borders, no_reversal)};
}

}  // namespace carom
