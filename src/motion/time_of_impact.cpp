#include "carom/motion/time_of_impact.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "carom/core/error.hpp"
#include "carom/core/text.hpp"

#include "polynomial.hpp"

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

namespace {

void require_valid(const char* whose, const BallPath& ball) {
  // A sum is finite only if all its terms are.
  const double sum = ball.position.sum() + ball.velocity.sum() + ball.acceleration.sum() + ball.radius;
  if (std::isfinite(sum) && ball.radius > 0.0) return;
  const auto finite = [&](const char* what, const Eigen::Vector3d& v) {
    if (!v.allFinite()) throw InvalidInput(std::string(whose) + what, "must be finite");
  };
  finite("position", ball.position);
  finite("velocity", ball.velocity);
  finite("acceleration", ball.acceleration);
  require_positive((std::string(whose) + "radius").c_str(), ball.radius);
}

void require_unit(const char* field, const Eigen::Vector3d& v) {
  if (!(std::abs(v.norm() - 1.0) <= unit_tolerance)) throw InvalidInput(field, "must be a unit vector");
}

void require_horizon(double horizon) {
  if (!(horizon >= 0.0)) throw InvalidInput("horizon", "must be >= 0, got " + number_text(horizon));
}

}  // namespace

double time_of_touch(const BallPath& a, const BallPath& b, double horizon) {
  require_valid("a.", a);
  require_valid("b.", b);
  require_horizon(horizon);
  const double noise = touching_share * std::min(a.radius, b.radius);
  return closing_time(gap_outside(a.position - b.position, a.velocity - b.velocity, a.acceleration - b.acceleration,
                                  a.radius + b.radius, noise),
                      horizon);
}

double time_of_touch(const BallPath& ball, const Eigen::Vector3d& point, const Eigen::Vector3d& normal,
                     double horizon) {
  require_valid("ball.", ball);
  require_unit("normal", normal);
  require_horizon(horizon);
  if (!point.allFinite()) throw InvalidInput("point", "must be finite");
  return closing_time(gap_above(normal, ball.position - point, ball.velocity, ball.acceleration, ball.radius,
                                touching_share * ball.radius),
                      horizon);
}

double time_of_touch_in_tube(const BallPath& ball, const Eigen::Vector3d& point, const Eigen::Vector3d& axis,
                             double radius, double horizon) {
  require_valid("ball.", ball);
  require_unit("axis", axis);
  require_horizon(horizon);
  if (!point.allFinite()) throw InvalidInput("point", "must be finite");
  if (!(radius > ball.radius)) throw InvalidInput("radius", "must be greater than that of the ball");
  return closing_time(gap_inside(axis, ball.position - point, ball.velocity, ball.acceleration, radius - ball.radius,
                                 touching_share * ball.radius),
                      horizon);
}

}  // namespace carom
