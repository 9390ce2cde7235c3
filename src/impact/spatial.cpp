#include "carom/impact/spatial.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include "carom/core/error.hpp"

#include "spatial_answer.hpp"
#include "spatial_batch.hpp"
#include "spatial_lanes.hpp"

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

const char* name(SpatialCase which) {
  switch (which) {
    case SpatialCase::none:
      return "none";
    case SpatialCase::stick:
      return "stick";
    case SpatialCase::slip_from_rest:
      return "slip_from_rest";
    case SpatialCase::curved_slip:
      return "curved_slip";
    case SpatialCase::slip_ends_in_compression:
      return "slip_ends_in_compression";
    case SpatialCase::slip_ends_in_restitution:
      return "slip_ends_in_restitution";
    case SpatialCase::straight_ends_in_compression:
      return "straight_ends_in_compression";
    case SpatialCase::straight_ends_in_restitution:
      return "straight_ends_in_restitution";
    case SpatialCase::straight_slip:
      return "straight_slip";
    case SpatialCase::late_straight_ends:
      return "late_straight_ends";
    case SpatialCase::late_straight_slip:
      return "late_straight_slip";
  }
  return "?";
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
  const double joule = units.v_unit * (units.v_unit / units.w_unit);
  const double before = kinetic_energy(ContactSpace{units.W, units.v});
  // The change of kinetic energy is the impulse times the mean velocity: exact, and free of W^-1.
  const double change =
      0.5 * (end.ix * (end.gx + units.v[0]) + end.iy * (end.gy + units.v[1]) + end.in * (end.vn + units.v[2]));
  out.energy.before = before * joule;
  out.energy.after = (before + change) * joule;
  out.energy.restitution_loss = (end.wc - end.we) * joule;
  out.energy.friction_loss = end.friction * joule;
  if (!std::isfinite(out.energy.before) || !std::isfinite(out.energy.after)) out.flags.set(Flag::overflow);
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
  if (threads == 1) {
    spatial::follow_batch(problems, outcomes, wide);
    return;
  }
  constexpr std::size_t grain = 256;  // rows per task: some 0.3 ms of work, against microseconds of overhead
  tbb::task_arena arena(threads);
  arena.execute([&] {
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, problems.size(), grain), [&](const auto& range) {
      spatial::follow_batch(problems.subspan(range.begin(), range.size()),
                            outcomes.subspan(range.begin(), range.size()), wide);
    });
  });
}

}  // namespace carom
