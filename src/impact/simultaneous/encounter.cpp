#include "encounter.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/core/error.hpp"

#include "system.hpp"

namespace carom::simultaneous {

namespace {

/// Kinetic energy above this share of the initial one, beyond what the tolerance allows, counts as a gain.
constexpr double energy_gain_tolerance = 1e-12;

/// Velocities whose largest is a power of two outside these bounds are scaled by one first, which is exact: the solver
/// then sees neither squares that overflow nor numbers with few digits.
constexpr int largest_exponent = 300;

/// Softer tangential springs than this answer as this: their forces are nothing either way, and eta0^2 must not
/// overflow.
constexpr double softest_eta0 = 1e100;

/// From so many contacts on each is followed by itself: with fewer an event reaches most of them anyway.
constexpr std::size_t many_contacts = 32;
/// The same for steps in parts, which have their surroundings to carry with them.
constexpr std::size_t very_many_contacts = 128, very_many_with_friction = 192;

/// The least promise that rounding is asked to keep (see Flag::ill_conditioned): a hundred times that of velocities of
/// order one in a tight rack.
constexpr double finest_promise = 1e-12;

/// Losses and velocities are computed apart: a ledger that is open by more than this share of the energy, and than the
/// tolerance allows, tells that digits were lost on the way.
constexpr double ledger_accuracy = 1e-9, ledger_tolerances = 10.0;

/// The units in which the solvers work; velocities are those given times 2^-shift.
struct Units {
  double speed = 0.0, mass = 1.0, time = 1.0, stiffness = 1.0, exponent = 1.0;
  int shift = 0;
  double velocity(double x) const { return std::ldexp(x, shift); }
  double energy(double x) const { return std::ldexp(mass * speed * speed * x, 2 * shift); }
  double length() const { return velocity(speed) * time; }
  double force() const { return velocity(mass * speed) / time; }
};

std::string name_of(const std::string& list, std::size_t k) { return list + "[" + std::to_string(k) + "]."; }

void require_valid(const ContactSpring& contact, const std::string& name, SimultaneousMethod method) {
  require_positive(name + "stiffness", contact.stiffness);
  if (contact.exponent != 1.0 && contact.exponent != 1.5)
    throw InvalidInput(name + "exponent", "must be 1 or 1.5, got " + number_text(contact.exponent));
  try {
    carom::require_valid(contact.material);
  } catch (const InvalidInput& error) {
    throw InvalidInput(name + error.field(), error.message());
  }
  if (contact.eta0) require_positive(name + "eta0", *contact.eta0);
  if (method == SimultaneousMethod::kick_drift_kick && contact.material.friction > 0.0 && !contact.eta0)
    throw InvalidInput(name + "eta0", "is needed: kick_drift_kick has no rigid friction");
}

Units units_of(const Encounter& encounter) {
  const std::vector<Eigen::Vector3d>& u = encounter.velocity;
  Units units;
  units.shift = encounter.shift;
  double inverse_mass = 0.0, stiffness = 0.0, exponent = 1.0;
  for (std::size_t c = 0; c < u.size(); ++c) {
    units.speed = std::max(units.speed, -u[c].z());
    inverse_mass = std::max(inverse_mass, encounter.factor.normal_admittance(c));
    const ContactSpring& s = encounter.springs[c];
    if (s.stiffness > stiffness || (s.stiffness == stiffness && s.exponent > exponent)) {
      stiffness = s.stiffness;
      exponent = s.exponent;
    }
  }
  if (u.empty() || !(units.speed > 0.0)) return units;
  units.mass = 1.0 / inverse_mass;
  units.stiffness = stiffness;
  units.exponent = exponent;
  // (m0 v0^(1-p) / k0)^(1/(p+1)), factor by factor: their product may leave the range of a double.
  const double power = 1.0 / (exponent + 1.0);
  units.time = std::pow(units.mass, power) / std::pow(stiffness, power) *
               (exponent == 1.0 ? 1.0
                                : std::pow(units.speed, (1.0 - exponent) * power) *
                                      std::exp2(static_cast<double>(encounter.shift) * (1.0 - exponent) * power));
  return units;
}

std::vector<Spring> springs_of(const Encounter& encounter, const Units& units, Flags& flags) {
  std::vector<Spring> springs;
  const double reach = friction_reach(encounter.factor);
  for (std::size_t c = 0; c < encounter.springs.size(); ++c) {
    const ContactSpring& contact = encounter.springs[c];
    const double e = std::max(contact.material.restitution, smallest_restitution);
    if (e > contact.material.restitution) flags.set(Flag::e_clamped);
    if (contact.exponent != encounter.springs[0].exponent) flags.set(Flag::mixed_exponents);
    Spring spring;
    spring.p = contact.exponent;
    spring.k = contact.stiffness / units.stiffness;
    if (spring.p != units.exponent && units.speed > 0.0)
      spring.k *= std::pow(units.length(), spring.p - units.exponent);
    if (units.speed > 0.0 && !std::isnormal(spring.k))
      throw InvalidInput(
          name_of(encounter.list, c) + "stiffness",
          "is out of all proportion to that of the other contacts, got " + number_text(contact.stiffness));
    spring.e2 = e * e;
    spring.mu = effective_friction(contact.material.friction, reach);
    if (contact.eta0 && spring.mu > 0.0) {
      const bool rigid = encounter.method == SimultaneousMethod::events && *contact.eta0 < rigid_simultaneous_eta0;
      const double eta0 = std::min(*contact.eta0, softest_eta0);
      spring.eta2 = rigid ? 0.0 : eta0 * eta0;
      if (rigid) flags.set(Flag::rigid_limit);
    }
    springs.push_back(spring);
  }
  return springs;
}

template <int D>
Outcome solve_smooth(const System<D>& system, double tolerance, Work& work, Log& log) {
  if (system.size() >= (D == 3 ? very_many_with_friction : very_many_contacts))
    if (std::optional<Outcome> parts = solve_parts(system, tolerance, work, log)) return *parts;
  return solve_flow(system, tolerance, work, log);
}

Outcome solve_frictionless(const System<1>& system, double tolerance, Work& work, Log& log) {
  for (std::size_t c = 0; c < system.size(); ++c)
    if (system.spring(c).hertz()) return solve_smooth(system, tolerance, work, log);
  if (system.size() >= many_contacts)
    if (std::optional<Outcome> local = solve_local_series(system, work, log)) return *local;
  return solve_series(system, work, log);
}

/// Contacts with friction that close do so sticking.
void tell_sticking(const System<1>& system, Log& log) {
  std::vector<Log::Entry> told;
  told.reserve(2 * log.events.size());
  for (Log::Entry& entry : log.events) {
    told.push_back(entry);
    if (entry.type != EventType::closes || !(system.spring(entry.contact).mu > 0.0)) continue;
    entry.type = EventType::start_stick;
    told.push_back(entry);
  }
  log.events.swap(told);
}

Outcome solve_in_order(const Encounter& e, const std::vector<Spring>& springs, const Units& units, Log& log) {
  Work work(simultaneous_work_bound(springs.size()));
  const bool steps = e.method == SimultaneousMethod::kick_drift_kick;
  const double step = 1.0 / e.steps_per_time_unit;
  if (std::any_of(springs.begin(), springs.end(), [](const Spring& s) { return s.mu > 0.0; })) {
    const System<3> system(e.factor, e.order, springs, e.velocity, units.mass, units.speed);
    if (steps) return solve_kick_drift_kick(system, step, log);
    log.straight = system.straight();
    if (!log.straight) return solve_smooth(system, e.tolerance, work, log);
  }
  const System<1> system(e.factor, e.order, springs, e.velocity, units.mass, units.speed);
  if (steps) return solve_kick_drift_kick(system, step, log);
  Outcome out = solve_frictionless(system, e.tolerance, work, log);
  if (log.straight) tell_sticking(system, log);
  return out;
}

/// The outcome with its contacts in the order of the encounter.
Outcome solve(const Encounter& encounter, const std::vector<Spring>& springs, const Units& units, Log& log) {
  const std::vector<std::size_t>& order = encounter.order;
  Outcome sorted = solve_in_order(encounter, springs, units, log), out = sorted;
  for (std::size_t c = 0; c < order.size(); ++c) {
    out.impulse[order[c]] = sorted.impulse[c];
    out.friction_work[order[c]] = sorted.friction_work[c];
    out.state[order[c]] = sorted.state[c];
  }
  for (Log::Entry& entry : log.events) entry.contact = order[entry.contact];
  return out;
}

/// Samples in the order and the units of the encounter.
std::vector<SimultaneousSample> told(std::vector<SimultaneousSample> samples, const Encounter& encounter,
                                     const std::vector<Spring>& springs, const Log& log, const Units& units) {
  const std::vector<std::size_t>& order = encounter.order;
  std::vector<SimultaneousSample::Contact> sorted;
  for (SimultaneousSample& sample : samples) {
    sorted = sample.contacts;
    for (std::size_t c = 0; c < order.size(); ++c) {
      SimultaneousSample::Contact& contact = sample.contacts[order[c]];
      contact = sorted[c];
      contact.force *= units.force();
      contact.compression *= units.length();
      contact.friction *= units.force();
      if (log.straight && contact.normal != NormalMode::open && springs[order[c]].mu > 0.0)
        contact.tangent = TangentMode::stick;
    }
  }
  return samples;
}

void tell(const Encounter& encounter, const Log& log, const Units& units, SimultaneousOutcome& impact) {
  const double impulse_unit = units.velocity(units.mass * units.speed);
  impact.events.reserve(log.events.size());
  for (const Log::Entry& e : log.events)
    impact.events.push_back({e.type, e.contact, e.time, encounter.frames[e.contact] * e.impulse * impulse_unit});
  impact.flags.set(Flag::recompression, log.recompression);
  impact.flags.set(Flag::hyperstatic, log.hyperstatic);
}

/// Velocities of contacts, or the unit of time or of impulse, leave the range of a double: there is no answer.
void lose(SimultaneousOutcome& impact) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  for (ContactOutcome& contact : impact.contacts) {
    contact.impulse.setConstant(none);
    contact.velocity_after.setConstant(none);
    contact.restitution_loss = contact.friction_loss = none;
  }
  impact.energy.restitution_loss = impact.energy.friction_loss = none;
  impact.verdict = Verdict::event_limit;
  impact.flags.set(Flag::event_limit);
  impact.flags.set(Flag::overflow);
}

bool all_finite(const SimultaneousOutcome& impact) {
  double sum = impact.time_unit + impact.velocity_error;
  const EnergyLedger& energy = impact.energy;
  for (const double x : {energy.before, energy.after, energy.restitution_loss, energy.friction_loss, energy.residual})
    sum += 0.0 * x;
  for (const ContactOutcome& c : impact.contacts)
    sum += 0.0 * (c.impulse.sum() + c.velocity_after.sum() + c.restitution_loss + c.friction_loss);
  for (const SimultaneousEvent& event : impact.events) sum += 0.0 * (event.time + event.impulse.sum());
  return std::isfinite(sum);
}

}  // namespace

void require_valid(const std::vector<ContactSpring>& springs, const std::string& list, double tolerance,
                   SimultaneousMethod method, double steps_per_time_unit) {
  require_between("tolerance", tolerance, 1e-14, 1e-2);
  require_between("steps_per_time_unit", steps_per_time_unit, 8.0, 1e6);
  for (std::size_t k = 0; k < springs.size(); ++k) require_valid(springs[k], name_of(list, k), method);
}

int velocity_shift(double fastest) {
  if (fastest == 0.0) return 0;
  const int exponent = std::ilogb(fastest);
  return std::abs(exponent) > largest_exponent ? exponent : 0;
}

std::vector<Eigen::Vector3d> strike(const Encounter& encounter, SimultaneousOutcome& impact,
                                    std::vector<SimultaneousSample>* samples, std::size_t points) {
  const std::vector<Eigen::Vector3d>& u = encounter.velocity;
  impact.contacts.resize(u.size());
  const Units units = units_of(encounter);
  const std::vector<Spring> springs = springs_of(encounter, units, impact.flags);
  const bool in_range = std::all_of(u.begin(), u.end(), [](const Eigen::Vector3d& x) { return x.allFinite(); }) &&
                        (units.speed == 0.0 || (std::isnormal(units.mass * units.speed) && std::isnormal(units.time)));
  if (!in_range) lose(impact);
  if (!in_range || !(units.speed > 0.0)) return {};
  impact.time_unit = units.time;
  Log log;
  std::optional<Path> path;
  if (samples != nullptr) log.path = &path.emplace(points, u.size());
  Outcome out = solve(encounter, springs, units, log);
  if (samples != nullptr) *samples = told(path->take(), encounter, springs, log, units);
  const bool in_cones = put_into_cones(encounter.factor, springs, units.mass, encounter.tolerance, out.impulse);
  for (Eigen::Vector3d& p : out.impulse) p *= units.mass * units.speed;
  const double rounding = encounter.factor.velocity_rounding(out.impulse) / units.speed;
  for (std::size_t c = 0; c < impact.contacts.size(); ++c) {
    ContactOutcome& contact = impact.contacts[c];
    contact.impulse = (encounter.frames[c] * out.impulse[c]).unaryExpr([&](double x) { return units.velocity(x); });
    contact.compressions = out.state[c].compressions;
    contact.restitution_loss = units.energy((1.0 - springs[c].e2) * out.state[c].absorbed);
    contact.friction_loss = units.energy(out.friction_work[c]);
    impact.energy.restitution_loss += contact.restitution_loss;
    impact.energy.friction_loss += contact.friction_loss;
  }
  impact.energy.residual = units.energy(out.residual);
  impact.verdict = out.finished ? Verdict::separated : Verdict::event_limit;
  impact.steps = out.steps;
  impact.velocity_error = units.velocity(out.error * units.speed);
  tell(encounter, log, units, impact);
  impact.flags.set(Flag::event_limit, !out.finished);
  impact.flags.set(Flag::overflow, out.overflow);
  impact.flags.set(Flag::ill_conditioned, !in_cones || rounding > std::max(finest_promise, encounter.tolerance));
  return out.impulse;
}

void finish(const Encounter& encounter, const std::vector<Eigen::Vector3d>& velocity_after,
            SimultaneousOutcome& impact) {
  for (std::size_t c = 0; c < impact.contacts.size(); ++c)
    impact.contacts[c].velocity_after =
        (encounter.frames[c] * velocity_after[c]).unaryExpr([&](double x) { return std::ldexp(x, encounter.shift); });
  const double most = impact.energy.before * (1.0 + energy_gain_tolerance + encounter.tolerance);
  impact.flags.set(Flag::energy_gain, impact.verdict != Verdict::no_impact && impact.energy.after > most);
  const EnergyLedger& energy = impact.energy;
  const double allowed = std::max(ledger_accuracy, ledger_tolerances * encounter.tolerance);
  if (encounter.method == SimultaneousMethod::events &&
      std::abs(energy.imbalance()) > allowed * std::max(energy.before, energy.after))
    impact.flags.set(Flag::ill_conditioned);
  if (!all_finite(impact)) impact.flags.set(Flag::overflow);
}

}  // namespace carom::simultaneous
