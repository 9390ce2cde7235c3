// Inside the compliant model: the problem in the solver's units with the way back, and those who record a run.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdlib>

#include "carom/core/bits.hpp"
#include "carom/impact/spatial.hpp"

#include "state.hpp"

namespace carom::compliant {

/// 2^exponent as a factor, for exponents beyond the range of doubles too: two factors, or std::ldexp, which is slow.
class PowerOfTwo {
public:
  PowerOfTwo() = default;
  explicit PowerOfTwo(int exponent) : exponent_(exponent), in_two_(std::abs(exponent) <= 2 * widest) {
    if (in_two_) first_ = plain(exponent / 2), second_ = plain(exponent - exponent / 2);
  }
  int exponent() const { return exponent_; }
  double operator*(double x) const { return in_two_ ? x * first_ * second_ : std::ldexp(x, exponent_); }

private:
  static constexpr int widest = 1000, bias = 1023;
  static double plain(int k) { return bit_cast<double>(static_cast<std::uint64_t>(k + bias) << 52U); }

  int exponent_ = 0;
  bool in_two_ = true;
  double first_ = 1.0, second_ = 1.0;
};

/// The scaled problem and the way back.
struct Frame {
  Scaled scaled;
  Matrix2d axes;                                      ///< columns: the solver's tangential axes in the caller's
  PowerOfTwo velocity, impulse, energy, energy_root;  ///< the units
  bool in_range = true;                               ///< slip is not too large for the approach

  Vector3d out(const Vector3d& x, const PowerOfTwo& unit) const {
    const Vector2d t = axes * x.head<2>();
    return {unit * t[0], unit * t[1], unit * x[2]};
  }
};

/// The springs of a state, in the caller's units and axes.
ContactSprings springs_of(const Frame& frame, const State& state);

/// Records a run.
class Recorder : public Observer {
public:
  /// Told the units before anything happens; the frame lasts as long as the run.
  void start(const Frame& frame) { frame_ = &frame; }

protected:
  const Frame& frame() const { return *frame_; }

private:
  const Frame* frame_ = nullptr;
};

/// One impact by the springs, with somebody recording it or nobody (null). The outcome is filled in.
/// @throws InvalidInput as compliant_impact
void run_springs(const CompliantProblem& problem, CompliantOutcome& outcome, Recorder* recorder);

/// Tangential springs too stiff to follow (rigid_stiffness_ratio_root)? Then the rigid model is their limit, and answers.
bool is_rigid(const CompliantProblem& problem);
SpatialProblem rigid_limit(const CompliantProblem& problem);

}  // namespace carom::compliant
