#include "carom/motion/time_of_impact.hpp"

#include <algorithm>
#include <cmath>

#include "carom/core/error.hpp"

namespace carom {

BallGap gap_of_balls(const Eigen::Vector3d& center_a, double radius_a, const Eigen::Vector3d& center_b,
                     double radius_b) {
  require_positive("radius_a", radius_a);
  require_positive("radius_b", radius_b);
  const Eigen::Vector3d apart = center_a - center_b;
  BallGap result;
  result.gap = apart.norm() - radius_a - radius_b;
  result.tolerance = ball_touch_tolerance * (radius_a + radius_b);
  result.contact.normal = apart.normalized();
  result.contact.point = center_b + (radius_b + 0.5 * result.gap) * result.contact.normal;
  return result;
}

double flight_time(double speed, double gravity) {
  require_at_least("speed", speed, 0.0);
  require_positive("gravity", gravity);
  return 2.0 * speed / gravity;
}

double fall_time(double height, double speed, double gravity) {
  if (!(height >= 0.0)) throw InvalidInput("height", "must be >= 0, got " + number_text(height));
  require_at_least("speed", speed, 0.0);
  require_positive("gravity", gravity);
  return (speed - std::sqrt(std::max(speed * speed - 2.0 * gravity * height, 0.0))) / gravity;
}

}  // namespace carom
