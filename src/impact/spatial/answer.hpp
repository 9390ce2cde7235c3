// From a finished process back to the caller's units.
#pragma once

#include "scaled.hpp"

namespace carom::spatial {

/// x times v_unit^power / w_unit, which may leave the range of doubles where x times it does not.
template <class X>
X in_units_of(const X& x, const Scaled& units, int power) {
  const double unit = (power == 2 ? units.v_unit : 1.0) * (units.v_unit / units.w_unit);
  if (std::isnormal(unit) && std::isnormal(units.v_unit / units.w_unit)) return x * unit;
  const int exponent = power * std::ilogb(units.v_unit) - std::ilogb(units.w_unit);
  const auto scale = [&](double y) { return std::ldexp(y, exponent); };
  if constexpr (std::is_same_v<X, double>)
    return scale(x);
  else
    return x.unaryExpr(scale);
}

inline Eigen::Vector3d impulse_of(const State<double>& state, const Scaled& units) {
  const auto t = units.back(state.ix, state.iy);
  return in_units_of(Eigen::Vector3d(t[0], t[1], state.in), units, 1);
}
inline Eigen::Vector3d velocity_of(const State<double>& state, const Scaled& units) {
  const auto t = units.back(state.gx, state.gy);
  return Eigen::Vector3d(t[0], t[1], state.vn) * units.v_unit;
}

/// Velocity at the end. A component far smaller than the whole slip is lost in the rounding of its axes; where it is,
/// it comes from v0 + W I, whose terms are its own.
template <class P>
Eigen::Vector3d velocity_after(const P& process, const SpatialProblem& problem, const Scaled& units) {
  constexpr double far_smaller = 0x1p-10;
  const State<double>& s = process.state;
  Eigen::Vector3d out = velocity_of(s, units);
  if (s.gx == 0.0 && s.gy == 0.0) return out;
  const auto& c = process.c;
  const double whole =
      far_smaller * std::max({std::abs(units.v[0]), std::abs(units.v[1]), std::abs(s.gx), std::abs(s.gy)});
  const double smaller = std::min({std::abs(out[0]), std::abs(out[1])}) / units.v_unit;
  if (smaller >= whole) return out;
  const double b1 = c.b11 * s.ix, n1 = c.d1 * s.in, b2 = c.b22 * s.iy, n2 = c.d2 * s.in;
  const auto change = units.back(b1 + n1, b2 + n2);
  const double x = std::abs(b1) + std::abs(n1), y = std::abs(b2) + std::abs(n2), sine = std::abs(units.sine);
  const double terms[] = {units.cosine * x + sine * y, units.cosine * y + sine * x};
  for (int i = 0; i < 2; ++i) {
    const double before = problem.space.velocity[i];
    if (std::abs(before / units.v_unit) + terms[i] < whole)
      out[i] = before + units.v_unit * change[static_cast<std::size_t>(i)];
  }
  return out;
}

/// Does half a unit of rounding of W or v move the impulse by more than conditioned_accuracy? By trial: solved anew
/// with each number a unit off.
/// @param problem  checked
bool moves_with_rounding(const SpatialProblem& problem);

/// Might it?
template <class P>
bool may_move_with_rounding(const P& process, const Scaled& units) {
  return process.grazes || units.kept < nearly_equal || normal_stiffness(process.c) < nearly_equal * process.c.w;
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
  out.velocity_after = velocity_after(process, problem, units);
  // Not finite, or so small that the digits of what is not zero are gone; slip so fast that beside it the approach,
  // with slip measured in units of widest_ratio, has no square that is a number.
  constexpr double least = std::numeric_limits<double>::min(), slowest = 0x1p-500;
  bool fits = out.impulse.allFinite() && out.velocity_after.allFinite() &&
              (units.v[2] == 0.0 || std::abs(units.v[2]) >= slowest);
  // The tangential impulse counts as a whole: beside its larger part the smaller one may be rounding.
  const double tangential = std::max(std::abs(out.impulse[0]), std::abs(out.impulse[1]));
  fits = fits && (tangential >= least || (process.state.ix == 0.0 && process.state.iy == 0.0)) &&
         (out.impulse[2] >= least || process.state.in == 0.0);
  if (!fits) out.flags.set(Flag::overflow);
  if (may_move_with_rounding(process, units)) out.flags.set(Flag::ill_conditioned, moves_with_rounding(problem));
}

}  // namespace carom::spatial
