#include "carom/impact/spatial.hpp"

#include <cmath>
#include <functional>
#include <limits>

#include "carom/core/error.hpp"
#include "carom/core/parallel.hpp"

#include "answer.hpp"
#include "batch.hpp"
#include "lanes.hpp"

namespace carom {

namespace {

using spatial::impulse_of;
using spatial::Process;
using spatial::Scaled;
using spatial::Silent;
using spatial::State;
using spatial::velocity_of;

/// Rise of kinetic energy that is more than rounding (Flag::energy_gain).
constexpr double gain_tolerance = 1e-12;

/// A ledger that fails to close by more than this part of the larger energy is flagged as ill-conditioned.
constexpr double ledger_tolerance = 1e-9;

SpatialProblem checked(const SpatialProblem& problem) {
  SpatialProblem out = problem;
  out.space = validated(problem.space);
  require_valid(problem.material);
  return out;
}

/// Writes the events into a result.
struct Recorder {
  static constexpr bool ledger = true;
  SpatialImpact& out;
  const Scaled& units;
  void event(EventType type, const State<double>& state) {
    if (out.events.size() < out.events.capacity())
      out.events.push_back({type, impulse_of(state, units), velocity_of(state, units)});
  }
  void line(const State<double>&) {}
  template <class Piece>
  void curve(const Piece&, const State<double>&, double, double) {}
};

/// Kinetic energy in normalised units: a sum of squares.
double kinetic_energy(const spatial::Surface<double>& c, const Eigen::Vector3d& v) {
  const double x = v[0] / c.b11, y = v[1] / c.b22, n = v[2] - c.d1 * x - c.d2 * y;
  return 0.5 * (v[0] * x + v[1] * y + n * n / spatial::normal_stiffness(c));
}

inline SpatialOutcome outcome_of(const SpatialProblem& problem) {
  const Scaled units = spatial::scaled(problem.space);
  Silent silent;
  Process<double, Silent> process(
      spatial::surface_of<double>(units, problem.material.friction, problem.material.restitution),
      spatial::start_of(units), problem.law, silent);
  SpatialOutcome out;
  const Verdict verdict = process.run();
  spatial::answer(out, process, problem, units, verdict);
  return out;
}

// The same once more with AVX2's shorter code, which has room for more of a step at a time: the same operations (no
// FMA), so the same bits. (Not under the address sanitizer, which takes minutes to compile one function of that
// length.)
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__)
#define CAROM_WIDE_OUTCOME
__attribute__((flatten, target("avx2"))) SpatialOutcome wide_outcome_of(const SpatialProblem& problem) {
  return outcome_of(problem);
}
const bool has_avx2 = __builtin_cpu_supports("avx2");
#endif

}  // namespace

bool spatial::moves_with_rounding(const SpatialProblem& problem) {
  const auto impulse_of = [](const SpatialProblem& p) {
    const Scaled units = spatial::scaled(p.space);
    Silent silent;
    Process<double, Silent> process(spatial::surface_of<double>(units, p.material.friction, p.material.restitution),
                                    spatial::start_of(units), p.law, silent);
    process.run();
    return spatial::impulse_of(process.state, units);
  };
  const Eigen::Vector3d impulse = impulse_of(problem);
  const double allowed = 2.0 * conditioned_accuracy * impulse.norm();  // half of a unit counts
  constexpr double unit = 1.0 + std::numeric_limits<double>::epsilon();
  double moved = 0.0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j <= 3; ++j) {
      SpatialProblem p = problem;
      if (j == 3) {
        p.space.velocity[i] *= unit;
      } else {
        if (j < i) continue;
        p.space.inverse_inertia(i, j) *= unit;
        p.space.inverse_inertia(j, i) = p.space.inverse_inertia(i, j);
        if (inverse_inertia_problem(p.space.inverse_inertia)) return true;
      }
      moved += (impulse_of(p) - impulse).norm();
    }
  return !(moved <= allowed);
}

SpatialImpact spatial_impact(const SpatialProblem& given) {
  const SpatialProblem problem = checked(given);
  const Scaled units = spatial::scaled(problem.space);
  SpatialImpact out;
  Recorder recorder{out, units};
  Process<double, Recorder> process(
      spatial::surface_of<double>(units, problem.material.friction, problem.material.restitution),
      spatial::start_of(units), problem.law, recorder);
  const Verdict verdict = process.run();
  spatial::answer(out, process, problem, units, verdict);

  const State<double>& end = process.state;
  const double before = kinetic_energy(process.c, units.v);
  // The change of kinetic energy is the impulse times the mean velocity: exact, and free of W^-1.
  const double change =
      0.5 * (end.ix * (end.gx + units.v[0]) + end.iy * (end.gy + units.v[1]) + end.in * (end.vn + units.v[2]));
  // What cannot be negative by definition is not made so by rounding.
  const double restitution_loss = end.wc - end.we;
  const double parts[] = {before, std::max(before + change, 0.0),
                          problem.law == RestitutionLaw::energetic ? std::max(restitution_loss, 0.0) : restitution_loss,
                          std::max(end.friction, 0.0)};
  double* const energies[] = {&out.energy.before, &out.energy.after, &out.energy.restitution_loss,
                              &out.energy.friction_loss};
  bool finite = true;
  for (std::size_t i = 0; i < 4; ++i) {
    *energies[i] = spatial::in_units_of(parts[i], units, 2);
    finite = finite && std::isfinite(*energies[i]) && (i > 0 || parts[i] == 0.0 || std::isnormal(*energies[i]));
  }
  for (const Event<3>& event : out.events) finite = finite && event.impulse.allFinite() && event.velocity.allFinite();
  if (!finite) out.flags.set(Flag::overflow);
  if (!(std::abs(out.energy.imbalance()) <= ledger_tolerance * std::max(out.energy.before, out.energy.after)))
    out.flags.set(Flag::ill_conditioned);
  for (int i = 0; i < 3 && verdict != Verdict::no_impact; ++i) {  // v = v0 + W I, as exactly as its terms allow
    const Eigen::Array3d pushes = problem.space.inverse_inertia.row(i).transpose().array() * out.impulse.array();
    const double miss = problem.space.velocity[i] + pushes.sum() - out.velocity_after[i];
    if (std::abs(miss) > conditioned_accuracy * (problem.space.velocity.cwiseAbs().maxCoeff() + pushes.abs().sum()))
      out.flags.set(Flag::ill_conditioned);
  }
  out.flags.set(Flag::energy_gain, change > gain_tolerance * before);
  return out;
}

SpatialOutcome spatial_outcome(const SpatialProblem& problem) {
#ifdef CAROM_WIDE_OUTCOME
  if (has_avx2) return wide_outcome_of(checked(problem));
#endif
  return outcome_of(checked(problem));
}

void spatial_outcomes(std::span<const SpatialProblem> problems, std::span<SpatialOutcome> outcomes, int threads) {
  if (problems.size() != outcomes.size())
    throw InvalidInput("outcomes", "must be as many as problems, " + std::to_string(problems.size()) + ", got " +
                                       std::to_string(outcomes.size()));
  if (threads < 1) throw InvalidInput("threads", "must be >= 1, got " + std::to_string(threads));
  const bool wide = spatial::has_wide_lanes();
  constexpr std::size_t grain = 256;  // rows per task: some 0.3 ms of work, against microseconds of overhead
  const auto follow = [&](std::size_t first, std::size_t last) {
    spatial::follow_batch(problems.subspan(first, last - first), outcomes.subspan(first, last - first), wide);
  };
  parallel_for(problems.size(), grain, threads, std::ref(follow));  // by reference: no copy on the heap
}

}  // namespace carom
