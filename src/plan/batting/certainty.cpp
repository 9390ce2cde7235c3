#include <Eigen/Geometry>
#include <cmath>

#include "carom/core/contact_space.hpp"
#include "carom/core/error.hpp"
#include "carom/core/text.hpp"
#include "carom/plan/batting_certainty.hpp"

#include "aim.hpp"

namespace carom {

namespace {

/// What the plane sees of a change of impulse, world axes: time of flight and slant.
struct Plane {
  Eigen::Matrix<double, 3, 2> axes;
  Eigen::Vector3d normal;
};

Plane plane_of(const BattingProblem& problem, const BattingShot& shot) {
  Eigen::Vector3d arrival =
      problem.velocity + shot.impulse / problem.mass - problem.gravity * shot.flight_time * Eigen::Vector3d::UnitZ();
  Plane out;
  out.normal = arrival.norm() > 0.0 ? Eigen::Vector3d(arrival.normalized()) : Eigen::Vector3d::UnitX();
  Eigen::Vector3d right = out.normal.cross(Eigen::Vector3d::UnitZ());
  if (right.norm() < 1e-9) right = Eigen::Vector3d::UnitY();  // straight up or down: any axis will do
  right.normalize();
  out.axes << right, right.cross(out.normal);
  return out;
}

void find_axes(BattingCertainty& out) {
  const Eigen::Matrix2d& c = out.covariance;
  const double mean = 0.5 * (c(0, 0) + c(1, 1)), half = 0.5 * (c(0, 0) - c(1, 1));
  const double radius = std::hypot(half, c(0, 1));
  out.semi_axes = {std::sqrt(mean + radius), std::sqrt(std::max(0.0, mean - radius))};
  const double angle = 0.5 * std::atan2(c(0, 1), half);
  out.major = {std::cos(angle), std::sin(angle)};
}

}  // namespace

BattingCertainty batting_certainty(const BattingProblem& problem, const BattingShot& shot,
                                   const BattingSpread& spread) {
  require_valid(problem);
  if (problem.springs) throw InvalidInput("springs", "the certainty of a plan is known for the rigid law only");
  for (const double s : {spread.contact_velocity, spread.friction, spread.restitution})
    if (!(s >= 0.0) || !std::isfinite(s)) throw InvalidInput("spread", "must be >= 0, got " + number_text(s));
  const Eigen::Vector3d velocity = problem.frame.transpose() * shot.contact_velocity;
  const SpatialDerivatives slopes =
      spatial_derivatives({{problem.inverse_inertia, velocity}, problem.material, problem.law});
  const Plane plane = plane_of(problem, shot);
  BattingCertainty out;
  out.plane = plane.axes;
  // A change of impulse moves the object by t dI/m; what of it is along the flight only changes the time.
  const Eigen::Matrix<double, 2, 3> seen = plane.axes.transpose() * problem.frame * (shot.flight_time / problem.mass);
  Eigen::Matrix<double, 3, 5> all;
  all << slopes.by_velocity, slopes.by_friction, slopes.by_restitution;
  out.by = seen * all;
  Eigen::Matrix<double, 5, 1> deviations;
  deviations << Eigen::Vector3d::Constant(spread.contact_velocity), spread.friction, spread.restitution;
  const Eigen::Matrix<double, 2, 5> scaled = out.by * deviations.asDiagonal();
  out.covariance = scaled * scaled.transpose();
  find_axes(out);
  constexpr double deviations_tried = 2.0;
  for (int i = 0; i < 5; ++i)
    for (const double sign : {-1.0, 1.0}) {
      const double change = sign * deviations_tried * deviations[i];
      SpatialProblem moved{{problem.inverse_inertia, velocity}, problem.material, problem.law};
      if (i < 3)
        moved.space.velocity[i] += change;
      else if (i == 3)
        moved.material.friction = std::max(0.0, moved.material.friction + change);
      else
        moved.material.restitution = std::clamp(moved.material.restitution + change, 0.0, 1.0);
      out.order_changes |= spatial_outcome(moved).process != slopes.outcome.process;
    }
  return out;
}

BattingCertainty batting_certainty(const BattingProblem& problem, const BattingShot& shot, const BattingSpread& spread,
                                   const Body& object, const Body& bat, const Contact& contact, const BatMotion& motion,
                                   double contact_point) {
  BattingCertainty out = batting_certainty(problem, shot, spread);
  if (!(contact_point >= 0.0) || !std::isfinite(contact_point))
    throw InvalidInput("spread", "must be >= 0, got " + number_text(contact_point));
  if (contact_point == 0.0) return out;
  Body moved = bat;
  moved.velocity = motion.velocity;
  moved.angular_velocity = motion.angular_velocity;
  const auto impulse_at = [&](const Eigen::Vector3d& shift) -> Eigen::Vector3d {
    Contact there = contact;
    there.point += shift;
    return problem.frame *
           spatial_outcome({contact_space(object, moved, there), problem.material, problem.law}).impulse;
  };
  // Fourth order in a step of the size of the uncertainty's hundredth: errors of 1e-8 of what it contributes.
  const double h = 0.01 * contact_point;
  for (int i = 0; i < 2; ++i) {
    const Eigen::Vector3d along = problem.frame.col(i);
    const Eigen::Vector3d narrow = (impulse_at(h * along) - impulse_at(-h * along)) / (2.0 * h);
    const Eigen::Vector3d wide = (impulse_at(2.0 * h * along) - impulse_at(-2.0 * h * along)) / (4.0 * h);
    const Eigen::Vector2d moves =
        out.plane.transpose() * ((4.0 * narrow - wide) / 3.0) * (shot.flight_time / problem.mass) * contact_point;
    out.covariance += moves * moves.transpose();
  }
  find_axes(out);
  return out;
}

double scatter(const BattingCertainty& certainty) { return std::sqrt(certainty.covariance.trace()); }

Eigen::Vector2d passes_at(const BattingProblem& problem, const BattingCertainty& certainty,
                          const Eigen::Vector3d& impulse) {
  const Eigen::Vector3d normal = certainty.plane.col(0).cross(certainty.plane.col(1));
  const Eigen::Vector3d v = problem.velocity + impulse / problem.mass, away = problem.position - problem.target;
  // normal.(away + v t - g t^2 z/2) = 0: the root nearest to the planned passage is the one with the closest approach.
  const double a = -0.5 * problem.gravity * normal[2], b = normal.dot(v), c = normal.dot(away);
  const Approach near = closest_approach(problem, impulse);
  double time = std::numeric_limits<double>::quiet_NaN();
  if (std::abs(a) * near.time <= 1e-12 * std::abs(b)) {
    time = -c / b;
  } else {
    const double square = b * b - 4.0 * a * c;
    if (square >= 0.0) {
      const double q = -0.5 * (b + std::copysign(std::sqrt(square), b)), t1 = q / a, t2 = c / q;
      time = std::abs(t1 - near.time) < std::abs(t2 - near.time) ? t1 : t2;
    }
  }
  return certainty.plane.transpose() * (away + time * (v - 0.5 * problem.gravity * time * Eigen::Vector3d::UnitZ()));
}

double ellipse_factor(double share) {
  if (!(share >= 0.0 && share < 1.0)) throw InvalidInput("share", "must lie in [0, 1), got " + number_text(share));
  return std::sqrt(-2.0 * std::log1p(-share));
}

}  // namespace carom
