// What do the first terms of the series say about a rod that the ground holds?
// The displacement of a rod with its bottom held is a sum over standing waves. A text that sums 5, 9 or 20 of them
// prints what they give; here are the same sums for any number, in closed form, to set beside the exact answers of
// rod.hpp. Theory: docs/theory/rod.md. Source: Wang 2017, appendix C, eqs. C.23 to C.29.
#pragma once

#include <memory>

#include "carom/elastic/rod.hpp"

#pragma GCC visibility push(default)

namespace carom {

inline constexpr int rod_max_terms = 1000;

/// v(x, t) = sum over k < terms of (2/(L alpha)) y_k(t) sin(alpha x), alpha = (k + 1/2) pi/L, of either kind of
/// damping. The ground holds the bottom for good: valid for the rod itself until it lifts off.
class RodModes {
public:
  /// `contact`, `bounces` and `sample_times` are ignored.
  /// @param terms  1 .. rod_max_terms
  /// @throws InvalidInput as rod_impact, or naming terms
  RodModes(const RodProblem& problem, int terms);
  ~RodModes();
  RodModes(RodModes&&) noexcept;
  RodModes& operator=(RodModes&&) noexcept;

  /// v(x, t) [m], v_t(x, t) [m/s] and v_x(x, t) [-] of the cross-section x in [0, L] [m] at t >= 0 [s].
  double displacement(double x, double t) const;
  double velocity(double x, double t) const;
  double strain(double x, double t) const;

  /// What damping takes per time at t >= 0 [s], int 2 r v_xt^2 dx or int 2 r v_t^2 dx (eq. C.29, times 2 r) [m^3/s^3].
  double dissipation_rate(double t) const;
  /// Energy that damping has taken at the cross-section x until t, per length [m^2/s^2], as RodMotion::dissipation.
  double dissipation(double x, double t) const;
  /// Energy that damping has taken between two cross-sections 0 <= from <= to <= L [m] until t [m^3/s^2].
  double dissipated(double from, double to, double t) const;

private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace carom

#pragma GCC visibility pop
