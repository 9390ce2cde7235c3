// From a finished process back to the caller's units.
#pragma once

#include "spatial_scaled.hpp"

namespace carom::spatial {

inline Eigen::Vector3d impulse_of(const State<double>& state, const Scaled& units) {
  return Eigen::Vector3d(state.ix, state.iy, state.in) * units.v_unit / units.w_unit;
}
inline Eigen::Vector3d velocity_of(const State<double>& state, const Scaled& units) {
  return Eigen::Vector3d(state.gx, state.gy, state.vn) * units.v_unit;
}

/// What spatial_impact, spatial_outcome and spatial_outcomes all answer with.
template <class Out, class P>
void answer(Out& out, const P& process, const SpatialProblem& problem, const Scaled& units, Verdict verdict) {
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

}  // namespace carom::spatial
