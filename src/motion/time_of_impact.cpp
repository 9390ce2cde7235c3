#include "carom/motion/time_of_impact.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
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

constexpr double never = std::numeric_limits<double>::infinity();

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

/// |x + v t + a t^2 / 2|^2
Quartic squared(const Eigen::Vector3d& x, const Eigen::Vector3d& v, const Eigen::Vector3d& a) {
  return {x.squaredNorm(), 2.0 * x.dot(v), v.squaredNorm() + x.dot(a), v.dot(a), 0.25 * a.squaredNorm()};
}

/// When a gap that is this polynomial closes. Its first coefficient is the gap now.
double closing_time(Quartic gap, bool touches, double horizon) {
  if (!(horizon >= 0.0)) throw InvalidInput("horizon", "must be >= 0, got " + number_text(horizon));
  if (!touches) return gap[0] > 0.0 ? first_fall(gap, horizon) : never;
  // The contact that is there now is divided out, as often as it is one.
  for (int power = 1; power <= 4; ++power) {
    const double next = gap[1];
    if (next < 0.0) return 0.0;
    gap = {gap[1], gap[2], gap[3], gap[4], 0.0};
    if (next > 0.0) return first_fall(gap, horizon);
  }
  return never;
}

}  // namespace

double time_of_touch(const BallPath& a, const BallPath& b, double horizon) {
  require_valid("a.", a);
  require_valid("b.", b);
  const Eigen::Vector3d x = a.position - b.position;
  const double reach = a.radius + b.radius, gap = x.norm() - reach;
  Quartic closing = squared(x, a.velocity - b.velocity, a.acceleration - b.acceleration);
  closing[0] = gap * (x.norm() + reach);
  return closing_time(closing, gap <= touching_share * std::min(a.radius, b.radius), horizon);
}

double time_of_touch(const BallPath& ball, const Eigen::Vector3d& point, const Eigen::Vector3d& normal,
                     double horizon) {
  require_valid("ball.", ball);
  require_unit("normal", normal);
  if (!point.allFinite()) throw InvalidInput("point", "must be finite");
  const double gap = normal.dot(ball.position - point) - ball.radius;
  return closing_time({gap, normal.dot(ball.velocity), 0.5 * normal.dot(ball.acceleration), 0.0, 0.0},
                      gap <= touching_share * ball.radius, horizon);
}

double time_of_touch_in_tube(const BallPath& ball, const Eigen::Vector3d& point, const Eigen::Vector3d& axis,
                             double radius, double horizon) {
  require_valid("ball.", ball);
  require_unit("axis", axis);
  if (!point.allFinite()) throw InvalidInput("point", "must be finite");
  if (!(radius > ball.radius)) throw InvalidInput("radius", "must be greater than that of the ball");
  const auto across = [&](const Eigen::Vector3d& v) -> Eigen::Vector3d { return v - axis.dot(v) * axis; };
  const Eigen::Vector3d x = across(ball.position - point);
  const double reach = radius - ball.radius, gap = reach - x.norm();
  Quartic closing = squared(x, across(ball.velocity), across(ball.acceleration));
  for (double& c : closing) c = -c;
  closing[0] = gap * (reach + x.norm());
  return closing_time(closing, gap <= touching_share * ball.radius, horizon);
}

}  // namespace carom
