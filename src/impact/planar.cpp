#include "carom/impact/planar.hpp"

#include <cmath>

#include "carom/core/error.hpp"

namespace carom {

namespace {

/// Kinetic energy above this share of the initial one counts as a gain; below it is rounding.
constexpr double energy_gain_tolerance = 1e-12;

/// The solved process: slip up to normal impulse slip_end, then what follows, until end. Symbols as in Wang and Mason
/// 1992: S, C are the tangential and normal velocity, W = [[B1, -B3], [-B3, B2]].
struct Process {
  double b1, b2, b3, s0, c0, mu;
  double s = 0.0;            // direction of the (first) slip: +1, -1, or 0 when there is none
  double slip_end = 0.0;     // Ps: normal impulse where slip ends
  double compression = 0.0;  // Pc: normal impulse where compression ends
  double end = 0.0;          // Py
  PlanarMode mode = PlanarMode::none;
  bool jamb = false, marginal = false;

  bool happens() const { return mode != PlanarMode::none; }
  bool sticks() const { return mode == PlanarMode::c_sticking || mode == PlanarMode::r_sticking; }
  bool reverses() const { return mode == PlanarMode::c_reversed || mode == PlanarMode::r_reversed; }

  bool slip_ends_in_restitution() const { return mode == PlanarMode::r_sticking || mode == PlanarMode::r_reversed; }
  bool first_piece(double p) const { return mode == PlanarMode::sliding || p < slip_end; }

  double k1() const { return b2 + s * mu * b3; }                                 // dC/dP while slip lasts
  double k2() const { return sticks() ? b2 - b3 / b1 * b3 : b2 - s * mu * b3; }  // and afterwards
  double velocity_at_slip_end() const { return c0 + k1() * slip_end; }           // Cs

  /// The impulse of the process where its normal part is p (adding zero turns -0 into 0).
  Eigen::Vector2d impulse(double p) const {
    if (first_piece(p)) return {-s * mu * p + 0.0, p};
    return {(sticks() ? (b3 * p - s0) / b1 : s * mu * (p - 2.0 * slip_end)) + 0.0, p};
  }

  /// Relative velocity there. Linear on each piece; zero slip in stick and zero approach at maximum compression are
  /// exact, and after it the normal velocity cannot round to an approach.
  Eigen::Vector2d velocity(double p) const {
    if (p == 0.0) return {s0, c0};
    if (first_piece(p)) {
      const double sliding = s0 - s * (mu * b1 + s * b3) * p;
      const bool compressing = mode == PlanarMode::c_sticking || mode == PlanarMode::c_reversed;
      return {sliding, compressing ? c0 + k1() * p : k1() * (p - compression)};
    }
    const double sliding = sticks() ? 0.0 : (s * mu * b1 - b3) * (p - slip_end) + 0.0;
    return {sliding,
            slip_ends_in_restitution() ? velocity_at_slip_end() + k2() * (p - slip_end) : k2() * (p - compression)};
  }
};

/// Where the process stops (the table of docs/theory/planar.md).
void solve_end(Process& r, double e, RestitutionLaw law) {
  const double k1 = r.k1(), k2 = r.k2(), cs = r.velocity_at_slip_end(), ps = r.slip_end;
  const bool in_compression = r.mode == PlanarMode::c_sticking || r.mode == PlanarMode::c_reversed;
  r.compression = in_compression ? ps - cs / k2 : -r.c0 / k1;
  const double pc = r.compression;
  if (r.mode == PlanarMode::sliding || law == RestitutionLaw::poisson) {
    r.end = (1.0 + e) * pc;
  } else if (law == RestitutionLaw::newton) {
    r.end = in_compression ? pc - e * r.c0 / k2 : ps + (-e * r.c0 - cs) / k2;
  } else if (in_compression) {
    // The work absorbed is two trapezoids; give back e^2 of it along k2.
    const double work = cs * cs - k2 * ps * (r.c0 + cs);
    r.end = pc + e / k2 * std::sqrt(std::max(work, 0.0));
  } else {
    const double rho = (e * e * r.c0 * r.c0 - cs * cs) / k1;
    r.end = ps + rho / (cs + std::sqrt(std::max(cs * cs + k2 * rho, 0.0)));
  }
}

Process solve(const PlanarProblem& problem) {
  const Eigen::Matrix2d& w = problem.space.inverse_inertia;
  const double e = problem.material.restitution;
  Process r{.b1 = w(0, 0),
            .b2 = w(1, 1),
            .b3 = -0.5 * w(0, 1) - 0.5 * w(1, 0),
            .s0 = problem.space.velocity[0],
            .c0 = problem.space.velocity[1],
            .mu = problem.material.friction};
  if (r.c0 > 0.0) return r;

  const auto sign = [](double x) { return static_cast<double>((x > 0.0) - (x < 0.0)); };
  r.s = r.s0 != 0.0 ? sign(r.s0) : -sign(r.b3);
  const double k1 = r.k1();
  if (r.c0 == 0.0 && !(r.s0 != 0.0 && k1 <= 0.0 && problem.free_acceleration < 0.0)) return r;
  r.jamb = k1 <= 0.0;
  r.marginal = k1 == 0.0 && r.c0 == 0.0;

  const bool can_stick = r.mu * r.b1 >= std::abs(r.b3);
  if (r.s0 == 0.0) {
    r.mode = can_stick ? PlanarMode::c_sticking : PlanarMode::sliding;
  } else {
    const double speed = std::abs(r.s0);
    const double h1 = r.mu * r.b1 + r.s * r.b3;  // how fast slip decays with the normal impulse
    const double stopping = k1 * speed;
    if (h1 <= 0.0 || (stopping > 0.0 && stopping >= -(1.0 + e) * h1 * r.c0)) {
      r.mode = PlanarMode::sliding;
    } else {
      r.slip_end = speed / h1;
      const bool in_restitution = stopping > -h1 * r.c0;
      r.mode = can_stick ? (in_restitution ? PlanarMode::r_sticking : PlanarMode::c_sticking)
                         : (in_restitution ? PlanarMode::r_reversed : PlanarMode::c_reversed);
    }
  }
  solve_end(r, e, problem.law);
  return r;
}

bool is_valid(const PlanarProblem& problem) {
  const Eigen::Matrix2d& w = problem.space.inverse_inertia;
  const double b1 = w(0, 0), b2 = w(1, 1), b3 = 0.5 * w(0, 1) + 0.5 * w(1, 0);
  const double scale = std::max({b1, b2, std::abs(b3)});
  const double sum = b1 + b2 + b3 + problem.space.velocity[0] + problem.space.velocity[1] + problem.material.friction +
                     problem.free_acceleration;
  return std::isfinite(sum) && b1 > 0.0 && b2 - b3 / b1 * b3 > 0.0 &&
         std::abs(w(0, 1) - w(1, 0)) <= symmetry_tolerance * scale && problem.material.friction >= 0.0 &&
         problem.material.restitution >= 0.0 && problem.material.restitution <= 1.0;
}

/// The quick test first: it has no branches to throw from. Whoever fails it is heard out in full.
void require_valid(const PlanarProblem& problem) {
  if (is_valid(problem)) return;
  validated(problem.space);
  carom::require_valid(problem.material);
  require_finite("free_acceleration", problem.free_acceleration);
}

PlanarOutcome outcome_of(const Process& process) {
  PlanarOutcome outcome;
  outcome.velocity_after = {process.s0, process.c0};
  if (!process.happens()) return outcome;
  outcome.verdict = Verdict::separated;
  outcome.mode = process.mode;
  outcome.impulse = process.impulse(process.end);
  outcome.velocity_after = process.velocity(process.end);
  return outcome;
}

/// Work of friction and of the normal impulse, taken piece by piece from velocities that are linear in the impulse.
void fill_ledger(PlanarImpact& impact, const Process& r, PlanarContactSpace space) {
  impact.energy.before = kinetic_energy(space);
  if (!r.happens()) {
    impact.energy.after = impact.energy.before;
    return;
  }
  space.velocity = impact.velocity_after;
  impact.energy.after = kinetic_energy(space);
  const double s1 = std::abs(impact.velocity_after[0]), c1 = impact.velocity_after[1];
  if (r.mode == PlanarMode::sliding) {
    impact.energy.friction_loss = 0.5 * r.mu * (std::abs(r.s0) + s1) * r.end;
    impact.energy.restitution_loss = -0.5 * (r.c0 + c1) * r.end;
  } else {
    const double cs = r.velocity_at_slip_end(), after = r.end - r.slip_end;
    impact.energy.friction_loss = 0.5 * r.mu * (std::abs(r.s0) * r.slip_end + s1 * after);
    impact.energy.restitution_loss = -0.5 * ((r.c0 + cs) * r.slip_end + (cs + c1) * after);
  }
}

void fill_events(PlanarImpact& impact, const Process& r) {
  const auto add = [&](EventType type, double p) { impact.events.push_back({type, r.impulse(p), r.velocity(p)}); };
  const auto add_slip_end = [&] {
    if (r.mode == PlanarMode::sliding || r.s0 == 0.0) return;
    add(EventType::slip_ends, r.slip_end);
    if (r.reverses()) add(EventType::slip_resumes, r.slip_end);
  };
  const bool sticks_from_start = r.s0 == 0.0 && r.sticks();
  add(sticks_from_start ? EventType::start_stick : EventType::start_slip, 0.0);
  if (!r.slip_ends_in_restitution()) add_slip_end();
  add(EventType::compression_ends, r.compression);
  if (r.slip_ends_in_restitution()) add_slip_end();
  add(EventType::separates, r.end);
}

}  // namespace

const char* name(PlanarMode mode) {
  switch (mode) {
    case PlanarMode::none:
      return "none";
    case PlanarMode::sliding:
      return "sliding";
    case PlanarMode::c_sticking:
      return "C-sticking";
    case PlanarMode::r_sticking:
      return "R-sticking";
    case PlanarMode::c_reversed:
      return "C-reversed";
    case PlanarMode::r_reversed:
      return "R-reversed";
  }
  return "?";
}

PlanarImpact planar_impact(const PlanarProblem& problem) {
  require_valid(problem);
  const Process process = solve(problem);
  const PlanarOutcome outcome = outcome_of(process);
  PlanarImpact impact;
  impact.verdict = outcome.verdict;
  impact.mode = outcome.mode;
  impact.impulse = outcome.impulse;
  impact.velocity_after = outcome.velocity_after;
  impact.classes = {.direct = process.s0 == 0.0, .central = process.b3 == 0.0, .tangential = process.c0 == 0.0};
  if (process.happens()) fill_events(impact, process);
  fill_ledger(impact, process, problem.space);
  impact.flags.set(Flag::jamb, process.jamb);
  impact.flags.set(Flag::marginal, process.marginal);
  impact.flags.set(Flag::energy_gain, impact.energy.after > impact.energy.before * (1.0 + energy_gain_tolerance));
  impact.flags.set(Flag::overflow, !(impact.impulse.allFinite() && impact.velocity_after.allFinite() &&
                                     std::isfinite(impact.energy.before) && std::isfinite(impact.energy.after)));
  return impact;
}

PlanarOutcome planar_outcome(const PlanarProblem& problem) {
  require_valid(problem);
  return outcome_of(solve(problem));
}

void planar_outcomes(std::span<const PlanarProblem> problems, std::span<PlanarOutcome> outcomes) {
  if (problems.size() != outcomes.size())
    throw InvalidInput("outcomes", "must have room for " + std::to_string(problems.size()) + " rows, has " +
                                       std::to_string(outcomes.size()));
  for (std::size_t i = 0; i < problems.size(); ++i) {
    try {
      outcomes[i] = planar_outcome(problems[i]);
    } catch (const InvalidInput&) {
      outcomes[i] = PlanarOutcome{};
      outcomes[i].verdict = Verdict::invalid;
    }
  }
}

}  // namespace carom
