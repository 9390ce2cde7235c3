#include "carom/impact/planar.hpp"

#include <cmath>
#include <cstdint>
#include <limits>

#include "carom/core/bits.hpp"
#include "carom/core/error.hpp"

namespace carom {

namespace {

/// Kinetic energy above this share of the initial one counts as a gain; below it is rounding.
constexpr double energy_gain_tolerance = 1e-12;

/// Powers of two that bring a problem to the middle of the range of doubles. Axes t and n have units of their own: the
/// equations of the plane do not mind, if mu is measured in the ratio of the two.
struct Units {
  static constexpr bool scaled = true;
  int velocity = 0;  // of C
  int ratio = 0;     // of S to that of C, and of mu
  int impulse = 0;   // of P_n

  Eigen::Vector2d velocity_out(const Eigen::Vector2d& v) const {
    return {std::ldexp(v[0], velocity + ratio), std::ldexp(v[1], velocity)};
  }
  Eigen::Vector2d impulse_out(const Eigen::Vector2d& p) const {
    return {std::ldexp(p[0], impulse - ratio), std::ldexp(p[1], impulse)};
  }
  double energy_out(double x) const { return std::ldexp(x, velocity + impulse); }
};

/// Numbers in the middle of the range stay as they are.
struct OwnUnits {
  static constexpr bool scaled = false;
  static const Eigen::Vector2d& velocity_out(const Eigen::Vector2d& v) { return v; }
  static const Eigen::Vector2d& impulse_out(const Eigen::Vector2d& p) { return p; }
  static double energy_out(double x) { return x; }
};

/// A place on the path: how far along the first piece (slip), or along the second (what follows it).
struct Place {
  int piece = 0;
  double x = 0.0;
};

/// The solved process: slip, then what follows, until the end. Symbols as in Wang and Mason 1992: S, C are the
/// tangential and normal velocity, W = [[B1, -B3], [-B3, B2]]. The line of limiting friction runs along (-s tangent,
/// normal), mu = tangent / normal. Usually normal is 1; friction out of range has a tangent of 1 instead.
struct Process {
  explicit Process(const PlanarProblem& problem)
      : b1(problem.space.inverse_inertia(0, 0)),
        b2(problem.space.inverse_inertia(1, 1)),
        b3(-0.5 * problem.space.inverse_inertia(0, 1) - 0.5 * problem.space.inverse_inertia(1, 0)),
        s0(problem.space.velocity[0]),
        c0(problem.space.velocity[1]),
        tangent(problem.material.friction) {}

  double b1, b2, b3, s0, c0;
  double tangent, normal = 1.0;
  double s = 0.0;         // direction of the (first) slip: +1, -1, or 0 when there is none
  double slip_end = 0.0;  // length of the first piece: P_n = Ps = normal * slip_end there
  Place compression{}, end{};
  PlanarMode mode = PlanarMode::none;
  bool jamb = false, marginal = false;

  bool happens() const { return mode != PlanarMode::none; }
  bool sticks() const { return mode == PlanarMode::c_sticking || mode == PlanarMode::r_sticking; }
  bool reverses() const { return mode == PlanarMode::c_reversed || mode == PlanarMode::r_reversed; }
  bool slip_ends_in_compression() const { return mode == PlanarMode::c_sticking || mode == PlanarMode::c_reversed; }
  bool slip_ends_in_restitution() const { return mode == PlanarMode::r_sticking || mode == PlanarMode::r_reversed; }

  double k1() const { return normal * b2 + s * tangent * b3; }  // dC along the first piece
  double h1() const { return tangent * b1 + s * normal * b3; }  // how fast slip decays along it
  double k2() const { return sticks() ? b2 - b3 / b1 * b3 : normal * b2 - s * tangent * b3; }  // dC along the second
  double normal2() const { return sticks() ? 1.0 : normal; }                                   // dP_n along it
  double velocity_at_slip_end() const { return c0 + k1() * slip_end; }                         // Cs

  /// The impulse there (adding zero turns -0 into 0).
  Eigen::Vector2d impulse(const Place& at) const {
    if (at.piece == 0) return {-s * tangent * at.x + 0.0, normal * at.x};
    const double p = normal * slip_end + normal2() * at.x;
    return {(sticks() ? (b3 * p - s0) / b1 : s * tangent * (at.x - slip_end)) + 0.0, p};
  }

  /// Relative velocity there. Linear on each piece; zero slip in stick and zero approach at maximum compression are
  /// exact, and after it the normal velocity cannot round to an approach.
  Eigen::Vector2d velocity(const Place& at) const {
    if (at.piece == 0) {
      if (at.x == 0.0) return {s0, c0};
      return {s0 - s * h1() * at.x, slip_ends_in_compression() ? c0 + k1() * at.x : k1() * (at.x - compression.x)};
    }
    const double sliding = sticks() ? 0.0 : (s * tangent * b1 - normal * b3) * at.x + 0.0;
    return {sliding, slip_ends_in_restitution() ? velocity_at_slip_end() + k2() * at.x : k2() * (at.x - compression.x)};
  }
};

/// Where the process stops (the table of docs/theory/planar.md, with lengths along the pieces in place of P_n).
[[gnu::always_inline]] inline void solve_end(Process& r, double e, RestitutionLaw law) {
  const double k1 = r.k1();
  if (r.mode == PlanarMode::sliding) {
    r.compression = {0, -r.c0 / k1};
    r.end = {0, (1.0 + e) * r.compression.x};
    return;
  }
  const double k2 = r.k2(), cs = r.velocity_at_slip_end(), xs = r.slip_end,
               ratio = r.sticks() ? r.normal : 1.0;  // of P_n along the pieces
  r.end.piece = 1;
  if (r.slip_ends_in_compression()) {
    r.compression = {1, -cs / k2};
    const double xc = r.compression.x;
    if (law == RestitutionLaw::poisson)
      r.end.x = xc + e * (xc + ratio * xs);
    else if (law == RestitutionLaw::newton)
      r.end.x = xc - e * r.c0 / k2;
    else  // The work absorbed is two trapezoids; give back e^2 of it along k2.
      r.end.x = xc + e / k2 * std::sqrt(std::max(cs * cs - ratio * k2 * xs * (r.c0 + cs), 0.0));
    return;
  }
  r.compression = {0, -r.c0 / k1};
  if (law == RestitutionLaw::poisson) {
    r.end.x = ratio * ((1.0 + e) * r.compression.x - xs);
  } else if (law == RestitutionLaw::newton) {
    r.end.x = (-e * r.c0 - cs) / k2;
  } else {
    const double rho = ratio * ((e * e * r.c0 * r.c0 - cs * cs) / k1);
    r.end.x = rho / (cs + std::sqrt(std::max(cs * cs + k2 * rho, 0.0)));
  }
  r.end.x = std::max(r.end.x, 0.0);  // rounding: slip has ended before
}

/// Is the number zero or between 2^-100 and 2^100? Such numbers need no units: no product of a few of them leaves the
/// range of doubles. By its bits without the sign: it is asked of every number of every row.
inline bool fine(double x) {
  constexpr std::uint64_t bias = 1023, reach = 100, place = 53;
  const std::uint64_t bits = bit_cast<std::uint64_t>(x) << 1U;
  return static_cast<bool>(static_cast<int>(bits - ((bias - reach) << place) < ((2 * reach) << place)) |
                           static_cast<int>(bits == 0));
}
inline bool fine_contact(const Process& r) {  // all asked at once: no branches
  return static_cast<bool>(static_cast<int>(fine(r.b1)) & static_cast<int>(fine(r.b2)) & static_cast<int>(fine(r.b3)) &
                           static_cast<int>(fine(r.tangent)));
}
inline bool fine(const Process& r) {
  return static_cast<bool>(static_cast<int>(fine_contact(r)) & static_cast<int>(fine(r.s0)) &
                           static_cast<int>(fine(r.c0)));
}

/// Numbers far from 1 are brought near it.
Units bring_into_range(Process& r) {
  int normal = 0, half = 0;
  double mu = r.tangent;
  if (!fine_contact(r)) {
    constexpr int unlike = 100;  // directions less unlike than that keep the ratio of their units, and so every bit
    normal = std::ilogb(r.b2);
    half = (std::ilogb(r.b1) - normal) / 2;
    if (std::abs(half) < unlike / 2) half = 0;
    r.b1 = std::ldexp(r.b1, -normal - 2 * half);
    r.b3 = std::ldexp(r.b3, -normal - half);
    r.b2 = std::ldexp(r.b2, -normal);
    mu = std::ldexp(mu, half);
    if (mu < std::numeric_limits<double>::min()) mu = 0.0;  // no digits left to count with
  }
  // Between the two velocities: their squares and products keep their digits as long as they can.
  const int slip = r.s0 != 0.0 ? std::ilogb(r.s0) - half : 0, approach = r.c0 != 0.0 ? std::ilogb(r.c0) : 0;
  const int unit = r.s0 == 0.0 ? approach : r.c0 == 0.0 ? slip : slip + (approach - slip) / 2;
  r.s0 = std::ldexp(r.s0, -unit - half);
  r.c0 = std::ldexp(r.c0, -unit);
  r.tangent = mu;
  if (!fine(mu) && mu > 1.0) {
    r.tangent = 1.0;
    r.normal = 1.0 / mu;
  }
  return {.velocity = unit, .ratio = half, .impulse = unit - normal};
}

/// Which mode, and where it ends. Inlined: the process then lives in registers.
[[gnu::always_inline]] inline void solve(Process& r, const PlanarProblem& problem) {
  if (r.c0 > 0.0) return;
  const double e = problem.material.restitution;
  const auto sign = [](double x) { return static_cast<double>((x > 0.0) - (x < 0.0)); };
  r.s = r.s0 != 0.0 ? sign(r.s0) : -sign(r.b3);
  const double k1 = r.k1();
  if (r.c0 == 0.0 && !(r.s0 != 0.0 && k1 <= 0.0 && problem.free_acceleration < 0.0)) return;
  r.jamb = k1 <= 0.0;
  r.marginal = k1 == 0.0 && r.c0 == 0.0;

  const bool can_stick = r.tangent * r.b1 >= r.normal * std::abs(r.b3);
  if (r.s0 == 0.0) {
    r.mode = can_stick ? PlanarMode::c_sticking : PlanarMode::sliding;
  } else {
    const double speed = std::abs(r.s0), h1 = r.h1();
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

template <class UnitsOf>
[[gnu::always_inline]] inline PlanarOutcome outcome_of(const Process& process, const UnitsOf& units,
                                                       const Eigen::Vector2d& velocity) {
  PlanarOutcome outcome;
  outcome.velocity_after = velocity;
  if (!process.happens()) return outcome;
  outcome.verdict = Verdict::separated;
  outcome.mode = process.mode;
  outcome.impulse = units.impulse_out(process.impulse(process.end));
  outcome.velocity_after = units.velocity_out(process.velocity(process.end));
  outcome.flags.set(Flag::jamb, process.jamb);
  outcome.flags.set(Flag::marginal, process.marginal);
  if constexpr (UnitsOf::scaled) {  // beyond the range, or so small that the digits of what is not zero are gone?
    const Eigen::Vector2d impulse = process.impulse(process.end);
    bool fits = outcome.velocity_after.allFinite() && impulse[1] > 0.0;
    for (int i = 0; i < 2; ++i)
      fits = fits && (impulse[i] == 0.0 || (std::isnormal(impulse[i]) && std::isnormal(outcome.impulse[i])));
    outcome.flags.set(Flag::overflow, !fits);
  }
  return outcome;
}

/// Work of friction and of the normal impulse, taken piece by piece from velocities that are linear in the impulse.
template <class UnitsOf>
EnergyLedger ledger_of(const Process& r, const UnitsOf& units, RestitutionLaw law) {
  PlanarContactSpace space;
  space.inverse_inertia << r.b1, -r.b3, -r.b3, r.b2;
  space.velocity = {r.s0, r.c0};
  EnergyLedger out;
  out.before = out.after = kinetic_energy(space);
  if (r.happens()) {
    const Eigen::Vector2d after = r.velocity(r.end);
    space.velocity = after;
    out.after = kinetic_energy(space);
    const double s0 = std::abs(r.s0), s1 = std::abs(after[0]), c1 = after[1];
    if (r.mode == PlanarMode::sliding) {
      out.friction_loss = 0.5 * r.tangent * (s0 + s1) * r.end.x;
      out.restitution_loss = -0.5 * (r.c0 + c1) * r.normal * r.end.x;
    } else {
      const double cs = r.velocity_at_slip_end();
      out.friction_loss = 0.5 * r.tangent * (s0 * r.slip_end + s1 * r.end.x);
      out.restitution_loss = -0.5 * ((r.c0 + cs) * r.normal * r.slip_end + (cs + c1) * r.normal2() * r.end.x);
    }
    if (law == RestitutionLaw::energetic)
      out.restitution_loss = std::max(out.restitution_loss, 0.0);  // but for rounding
  }
  for (double* energy : {&out.before, &out.after, &out.friction_loss, &out.restitution_loss})
    *energy = units.energy_out(*energy);
  return out;
}

template <class UnitsOf>
void fill_events(PlanarImpact& impact, const Process& r, const UnitsOf& units) {
  const auto add = [&](EventType type, const Place& at) {
    impact.events.push_back({type, units.impulse_out(r.impulse(at)), units.velocity_out(r.velocity(at))});
  };
  const auto add_slip_end = [&] {
    if (r.mode == PlanarMode::sliding || r.s0 == 0.0) return;
    const Place slip_end{1, 0.0};
    add(EventType::slip_ends, slip_end);
    if (r.reverses()) add(EventType::slip_resumes, slip_end);
  };
  const bool sticks_from_start = r.s0 == 0.0 && r.sticks();
  add(sticks_from_start ? EventType::start_stick : EventType::start_slip, {});
  if (!r.slip_ends_in_restitution()) add_slip_end();
  add(EventType::compression_ends, r.compression);
  if (r.slip_ends_in_restitution()) add_slip_end();
  add(EventType::separates, r.end);
}

template <class UnitsOf>
[[gnu::always_inline]] inline PlanarImpact impact_of(Process process, const UnitsOf& units,
                                                     const PlanarProblem& problem) {
  solve(process, problem);
  const Eigen::Vector2d& v = problem.space.velocity;
  const PlanarOutcome outcome = outcome_of(process, units, v);
  PlanarImpact impact;
  impact.verdict = outcome.verdict;
  impact.mode = outcome.mode;
  impact.impulse = outcome.impulse;
  impact.velocity_after = outcome.velocity_after;
  impact.flags = outcome.flags;
  impact.classes = {.direct = v[0] == 0.0, .central = process.b3 == 0.0, .tangential = v[1] == 0.0};
  if (process.happens()) fill_events(impact, process, units);
  impact.energy = ledger_of(process, units, problem.law);
  const EnergyLedger& energy = impact.energy;
  impact.flags.set(Flag::energy_gain, energy.after > energy.before * (1.0 + energy_gain_tolerance));
  bool finite = std::isfinite(0.25 * energy.before + 0.25 * energy.after + 0.25 * energy.friction_loss +
                              0.25 * energy.restitution_loss);
  if constexpr (UnitsOf::scaled) {  // in the middle of the range all points of the path are finite if energies are
    for (const Event<2>& event : impact.events)
      finite = finite && event.impulse.allFinite() && event.velocity.allFinite();
    if (energy.before < std::numeric_limits<double>::min()) finite = energy.before == 0.0 && v.isZero(0.0);
  }
  if (!finite) impact.flags.set(Flag::overflow);
  return impact;
}

[[gnu::cold, gnu::noinline]] PlanarImpact scaled_impact(const PlanarProblem& problem) {
  Process process(problem);
  const Units units = bring_into_range(process);
  return impact_of(process, units, problem);
}

[[gnu::cold, gnu::noinline]] PlanarOutcome scaled_outcome(const PlanarProblem& problem) {
  Process process(problem);
  const Units units = bring_into_range(process);
  solve(process, problem);
  return outcome_of(process, units, problem.space.velocity);
}

}  // namespace

PlanarImpact planar_impact(const PlanarProblem& problem) {
  require_valid(problem);
  const Process process(problem);
  return fine(process) ? impact_of(process, OwnUnits{}, problem) : scaled_impact(problem);
}

PlanarOutcome planar_outcome(const PlanarProblem& problem) {
  require_valid(problem);
  Process process(problem);
  if (!fine(process)) return scaled_outcome(problem);
  solve(process, problem);
  return outcome_of(process, OwnUnits{}, problem.space.velocity);
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
