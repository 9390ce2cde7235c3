// How does a rod move on the ground, whatever velocity it comes with and whatever pulls on it?
// rod.hpp answers for a rod that falls as one piece. Here its cross-sections may have any velocity at first touch and
// any load may act along it, also in time; drag is viscous or absent. Exact, by the wave equation's own formula, as
// long as the ground holds the bottom, and told when it lets go. Theory: docs/theory/rod.md. Source: Wang 2017, lemma
// 10, proposition 11, eqs. 5.15 to 5.24.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "carom/elastic/rod.hpp"

#pragma GCC visibility push(default)

namespace carom {

/// A number along the rod: straight between its points, constant beyond the first and the last; two points at one place
/// are a jump.
struct RodProfile {
  struct Point {
    double x = 0.0;      ///< height along the rod [m], not falling
    double value = 0.0;  ///< there
  };
  std::vector<Point> points;  ///< none: zero everywhere
  double operator()(double x) const;
};

/// What the rod comes with and what acts on it.
struct HeldRodData {
  std::function<double(double x)> velocity;        ///< v_t(x, 0) [m/s], upward; empty: at rest
  std::function<double(double x)> steady_load;     ///< force per mass [m/s^2], upward, beside gravity; empty: none
  std::function<double(double x, double t)> load;  ///< the same, in time: an answer takes some 100 times as long
  std::vector<double> breaks;                      ///< places in (0, L) [m] where one of them jumps or bends
};

/// More drag r 2L/c than this takes seconds, and the rod creeps to rest without a bounce: refused.
inline constexpr double held_rod_most_drag = 30.0;

/// The same from profiles, the load constant in time.
HeldRodData held_rod_data(const RodProfile& velocity, const RodProfile& load);

/// The rod as long as its bottom is held.
class HeldRod {
public:
  /// Of the problem: wave_speed, length, gravity, damping; the rest is ignored.
  /// @throws InvalidInput naming one of these (damping also if it is too much), damping_kind if it is structural, or
  /// breaks
  HeldRod(const RodProblem& problem, HeldRodData data);
  ~HeldRod();
  HeldRod(HeldRod&&) noexcept;
  HeldRod& operator=(HeldRod&&) noexcept;

  /// v [m], v_t [m/s] and v_x [-] at x in [0, L] [m] and t >= 0 [s]; the last two jump along wave fronts. To 1e-12 of
  /// the velocities, of what the load adds in a round trip, for data smooth between their breaks.
  double displacement(double x, double t) const;
  double velocity(double x, double t) const;
  double strain(double x, double t) const;

  /// The whole rod at t.
  struct Whole {
    double momentum = 0.0;  ///< int v_t dx [m^2/s]
    double height = 0.0;    ///< of the centre of mass over its place at first touch [m]
    double energy = 0.0;    ///< of motion and strain, int (v_t^2 + c^2 v_x^2)/2 dx [m^3/s^2]
  };
  Whole whole(double t) const;

  /// When does the ground first have to pull, that is, let go? [s]; 0 if at once, empty if not before `until`.
  std::optional<double> lift_off(double until) const;

private:
  class Impl;
  std::unique_ptr<const Impl> impl_;
};

}  // namespace carom

#pragma GCC visibility pop
