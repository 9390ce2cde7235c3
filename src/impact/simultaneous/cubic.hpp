// Interpolation on a step.
#pragma once

namespace carom::simultaneous {

/// Cubic through values and slopes at the ends of [0, 1].
struct Cubic {
  double v0, s0, v1, s1;
  double at(double x) const {
    const double y = 1.0 - x;
    return v0 * y * y * (1.0 + 2.0 * x) + s0 * x * y * y + v1 * x * x * (3.0 - 2.0 * x) - s1 * x * x * y;
  }
};

}  // namespace carom::simultaneous
