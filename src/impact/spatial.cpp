#include "carom/impact/spatial.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include "carom/core/error.hpp"

#include "spatial_scaled.hpp"

namespace carom {

namespace {

using spatial::Process;
using spatial::Scaled;
using spatial::Silent;
using spatial::State;

/// Rise of kinetic energy that is more than rounding (Flag::energy_gain).
constexpr double gain_tolerance = 1e-12;

SpatialProblem checked(const SpatialProblem& problem) {
  SpatialProblem out = problem;
  out.space = validated(problem.space);
  require_valid(problem.material);
  return out;
}

Eigen::Vector3d impulse_of(const State<double>& state, const Scaled& units) {
  return Eigen::Vector3d(state.ix, state.iy, state.in) * units.v_unit / units.w_unit;
}
Eigen::Vector3d velocity_of(const State<double>& state, const Scaled& units) {
  return Eigen::Vector3d(state.gx, state.gy, state.vn) * units.v_unit;
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
  void curve(const Piece&, const State<double>&, double) {}
};

/// What both spatial_impact and spatial_outcome answer with.
template <class Out, class P>
void finish(Out& out, const P& process, const SpatialProblem& problem, const Scaled& units, Verdict verdict) {
  out.verdict = verdict;
  out.flags = process.flags;
  out.process = process.process;
  if (verdict == Verdict::no_impact) {
    out.velocity_after = problem.space.velocity;
    return;
  }
  out.impulse = impulse_of(process.state, units);
  out.velocity_after = velocity_of(process.state, units);
  if (!out.impulse.allFinite() || !out.velocity_after.allFinite()) out.flags.set(Flag::overflow);
}

SpatialOutcome outcome_of(const SpatialProblem& problem) {
  const Scaled units = spatial::scaled(problem.space);
  Silent silent;
  Process<double, Silent> process(
      spatial::surface_of<double>(units, problem.material.friction, problem.material.restitution),
      spatial::start_of(units), problem.law, silent);
  SpatialOutcome out;
  const Verdict verdict = process.run();
  finish(out, process, problem, units, verdict);
  return out;
}

/// spatial_outcome without exceptions, for batches.
SpatialOutcome row_of(const SpatialProblem& problem) {
  const Material& m = problem.material;
  const bool sound = m.friction >= 0.0 && std::isfinite(m.friction) && m.restitution >= 0.0 && m.restitution <= 1.0 &&
                     problem.space.velocity.allFinite() && !inverse_inertia_problem(problem.space.inverse_inertia);
  if (!sound) {
    SpatialOutcome out;
    out.verdict = Verdict::invalid;
    return out;
  }
  SpatialProblem symmetric = problem;
  const Eigen::Matrix3d& w = problem.space.inverse_inertia;
  symmetric.space.inverse_inertia = 0.5 * w + 0.5 * w.transpose();
  return outcome_of(symmetric);
}

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
  finish(out, process, problem, units, verdict);

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

SpatialOutcome spatial_outcome(const SpatialProblem& problem) { return outcome_of(checked(problem)); }

void spatial_outcomes(std::span<const SpatialProblem> problems, std::span<SpatialOutcome> outcomes, int threads) {
  if (problems.size() != outcomes.size())
    throw InvalidInput("outcomes", "must be as many as problems, " + std::to_string(problems.size()) + ", got " +
                                       std::to_string(outcomes.size()));
  if (threads < 1) throw InvalidInput("threads", "must be >= 1, got " + std::to_string(threads));
  if (threads == 1) {
    for (std::size_t i = 0; i < problems.size(); ++i) outcomes[i] = row_of(problems[i]);
    return;
  }
  constexpr std::size_t grain = 256;  // rows per task: some 0.5 ms of work, against microseconds of overhead
  tbb::task_arena arena(threads);
  arena.execute([&] {
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, problems.size(), grain), [&](const auto& range) {
      for (std::size_t i = range.begin(); i != range.end(); ++i) outcomes[i] = row_of(problems[i]);
    });
  });
}

}  // namespace carom
