#include "carom/motion/pendulum.hpp"

#include <cmath>

#include "carom/core/error.hpp"

namespace carom {

namespace {

void require_pendulum(double length, double angle, double gravity) {
  require_positive("length", length);
  require_finite("angle", angle);
  require_positive("gravity", gravity);
}

}  // namespace

double pendulum_speed(double length, double angle, double gravity) {
  require_pendulum(length, angle, gravity);
  return std::sqrt(2.0 * gravity * length * (1.0 - std::cos(angle)));
}

double pendulum_speed_small_angle(double length, double angle, double gravity) {
  require_pendulum(length, angle, gravity);
  return angle * std::sqrt(gravity * length);
}

}  // namespace carom
