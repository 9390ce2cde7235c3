// Inside the folder: a head-on touch as points of a picture.
#pragma once

#include <vector>

namespace carom::scenario {

struct TouchSample {
  double t = 0.0, indentation = 0.0, rate = 0.0, force = 0.0;
};

/// From first touch to separation. Time is summed by the trapezoidal rule: for the eye.
std::vector<TouchSample> touch_samples(double mass, double stiffness, double exponent, double damping, double speed,
                                       int steps);

}  // namespace carom::scenario
