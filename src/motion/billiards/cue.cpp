#include <algorithm>
#include <cmath>
#include <numbers>

#include "carom/core/contact.hpp"
#include "carom/core/error.hpp"
#include "carom/impact/simultaneous.hpp"
#include "carom/impact/spatial.hpp"
#include "carom/motion/billiards.hpp"

namespace carom {

namespace {

using Eigen::Matrix3d, Eigen::MatrixXd, Eigen::Vector3d, Eigen::VectorXd;

/// A tip that slips by less than this share of the speed of the cue holds: what is left is rounding.
constexpr double holding_share = 1e-9;

/// The tip by itself: how it gives way, as an inverse mass.
Matrix3d cue_mobility(const Cue& cue, const Vector3d& axis) {
  const Matrix3d along = axis * axis.transpose();
  return along / cue.mass + (Matrix3d::Identity() - along) / cue.end_mass;
}

/// v + w x r, as a matrix on (v, w).
Eigen::Matrix<double, 3, 6> point_motion(const Vector3d& r) {
  Eigen::Matrix<double, 3, 6> m;
  m.leftCols<3>().setIdentity();
  m.rightCols<3>() << 0.0, r.z(), -r.y(), -r.z(), 0.0, r.x(), r.y(), -r.x(), 0.0;
  return m;
}

void require_inputs(const Body& ball, double radius, const Cue& cue, const CueShot& shot,
                    const std::optional<CueCloth>& cloth) {
  require_valid(ball);
  if (ball.immovable) throw InvalidInput("ball", "must be movable");
  require_positive("radius", radius);
  require_positive("cue.mass", cue.mass);
  require_positive("cue.end_mass", cue.end_mass);
  require_at_least("cue.friction", cue.friction, 0.0);
  require_between("cue.restitution", cue.restitution, 0.0, 1.0);
  require_positive("shot.speed", shot.speed);
  require_finite("shot.direction", shot.direction);
  if (!(shot.elevation >= 0.0 && shot.elevation <= 0.5 * std::numbers::pi))
    throw InvalidInput("shot.elevation", "must be in [0, pi/2], 0 to 90 deg, got " +
                                             number_text(shot.elevation * 180.0 / std::numbers::pi) + " deg");
  require_finite("shot.side", shot.side);
  require_finite("shot.height", shot.height);
  if (const double off = std::hypot(shot.side, shot.height); !(off < 1.0))
    throw InvalidInput("shot.side", "and `height` put the tip beside the ball: together they must be below 1, got " +
                                        number_text(off));
  if (!cloth) return;
  require_at_least("cloth.friction", cloth->friction, 0.0);
  require_between("cloth.restitution", cloth->restitution, 0.0, 1.0);
  require_positive("cloth.stiffness", cloth->stiffness);
}

void strike_free(const Body& ball, const Vector3d& arm, const Cue& cue, const Vector3d& axis, double speed,
                 CueStrike& result) {
  const Contact contact{result.tip, -arm.normalized()};
  const Matrix3d frame = contact_frame(contact);
  const Eigen::Matrix<double, 3, 6> motion = point_motion(arm);
  Eigen::Matrix<double, 6, 1> inverse;
  inverse << Vector3d::Constant(1.0 / ball.mass), Vector3d::Constant(1.0 / ball.inertia(0, 0));
  SpatialProblem problem;
  const Matrix3d mobility = motion * inverse.asDiagonal() * motion.transpose() + cue_mobility(cue, axis);
  problem.space.inverse_inertia = frame.transpose() * mobility * frame;
  problem.space.velocity = frame.transpose() * (ball.velocity + ball.angular_velocity.cross(arm) - speed * axis);
  problem.material = {cue.friction, cue.restitution};
  const SpatialImpact impact = spatial_impact(problem);
  if (impact.verdict == Verdict::no_impact) throw InvalidInput("shot", "the ball runs away from the tip");
  result.impulse = frame * impact.impulse;
  result.slip = impact.velocity_after.head<2>().norm();
  if (result.slip > holding_share * speed) result.verdict = StrikeVerdict::miscue;
  result.restitution_loss = impact.energy.restitution_loss;
  result.friction_loss = impact.energy.friction_loss;
  result.flags = impact.flags;
}

void strike_with_cloth(const Body& ball, double radius, const Vector3d& arm, const Cue& cue, const Vector3d& axis,
                       double speed, const CueCloth& cloth, CueStrike& result) {
  const Vector3d down = -radius * Vector3d::UnitZ();
  const Matrix3d tip = contact_frame(Contact{result.tip, -arm.normalized()});
  const Matrix3d floor = contact_frame(Contact{ball.position + down, Vector3d::UnitZ()});
  SimultaneousSystemProblem problem;
  MechanicalSystem& system = problem.system;
  system.mass_matrix = MatrixXd::Zero(9, 9);
  system.mass_matrix.diagonal().head<6>() << Vector3d::Constant(ball.mass), Vector3d::Constant(ball.inertia(0, 0));
  system.mass_matrix.bottomRightCorner<3, 3>() = cue_mobility(cue, axis).inverse();
  system.velocity = VectorXd::Zero(9);
  system.velocity << ball.velocity, ball.angular_velocity, speed * axis;
  system.jacobian = MatrixXd::Zero(6, 9);
  system.jacobian.topLeftCorner<3, 6>() = tip.transpose() * point_motion(arm);
  system.jacobian.topRightCorner<3, 3>() = -tip.transpose();
  system.jacobian.bottomLeftCorner<3, 6>() = floor.transpose() * point_motion(down);
  constexpr double hertz = 1.5;
  problem.springs = {{1.0, hertz, {cue.friction, cue.restitution}, std::nullopt},
                     {cloth.stiffness, hertz, {cloth.friction, cloth.restitution}, std::nullopt}};
  const SimultaneousSystemImpact impact = simultaneous_impact(problem);
  if (impact.verdict == Verdict::no_impact) throw InvalidInput("shot", "the ball runs away from the tip");
  result.impulse = tip * impact.contacts[0].impulse;
  result.cloth_impulse = floor * impact.contacts[1].impulse;
  result.slip = impact.contacts[0].velocity_after.head<2>().norm();
  // The cloth throws the ball back at the tip, which may creep at last: what counts is whether it ever held.
  const bool held = std::any_of(impact.events.begin(), impact.events.end(), [](const SimultaneousEvent& event) {
    return event.contact == 0 && (event.type == EventType::slip_ends || event.type == EventType::start_stick);
  });
  if (!held) result.verdict = StrikeVerdict::miscue;
  result.restitution_loss = impact.energy.restitution_loss;
  result.friction_loss = impact.energy.friction_loss;
  result.flags = impact.flags;
}

}  // namespace

Vector3d cue_direction(const CueShot& shot) {
  const double flat = std::cos(shot.elevation);
  return {flat * std::cos(shot.direction), flat * std::sin(shot.direction), -std::sin(shot.elevation)};
}

Vector3d tip_place(const CueShot& shot, const Vector3d& centre, double radius) {
  const Vector3d axis = cue_direction(shot), right(std::sin(shot.direction), -std::cos(shot.direction), 0.0);
  const Vector3d up = right.cross(axis);
  const double deep = std::sqrt(std::max(1.0 - shot.side * shot.side - shot.height * shot.height, 0.0));
  return centre + radius * (shot.side * right + shot.height * up - deep * axis);
}

std::optional<std::size_t> body_in_the_way(const CueShot& shot, const std::vector<WorldBody>& bodies,
                                           std::size_t ball) {
  const auto radius_of = [](const WorldBody& body) {
    if (const auto* solid = std::get_if<Sphere>(&body.shape)) return solid->radius;
    const auto* shell = std::get_if<SphericalShell>(&body.shape);
    return shell != nullptr ? shell->radius : 0.0;
  };
  if (ball >= bodies.size() || !(radius_of(bodies[ball]) > 0.0)) throw InvalidInput("ball", "there is no such ball");
  const Vector3d axis = cue_direction(shot), tip = tip_place(shot, bodies[ball].body.position, radius_of(bodies[ball]));
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (i == ball) continue;
    const Vector3d back = tip - bodies[i].body.position;
    const double along = std::clamp(axis.dot(back), 0.0, cue_length);
    if ((back - along * axis).norm() < radius_of(bodies[i]) + cue_radius) return i;
  }
  return std::nullopt;
}

CueStrike cue_strike(const Body& ball, double radius, const Cue& cue, const CueShot& shot,
                     const std::optional<CueCloth>& cloth) {
  require_inputs(ball, radius, cue, shot, cloth);
  const Vector3d axis = cue_direction(shot);
  CueStrike result;
  result.tip = tip_place(shot, ball.position, radius);
  const Vector3d arm = result.tip - ball.position;
  if (cloth)
    strike_with_cloth(ball, radius, arm, cue, axis, shot.speed, *cloth, result);
  else
    strike_free(ball, arm, cue, axis, shot.speed, result);
  result.ball = ball;
  const Vector3d down = -radius * Vector3d::UnitZ();
  result.ball.velocity += (result.impulse + result.cloth_impulse) / ball.mass;
  result.ball.angular_velocity += (arm.cross(result.impulse) + down.cross(result.cloth_impulse)) / ball.inertia(0, 0);
  result.cue_velocity = shot.speed * axis - cue_mobility(cue, axis) * result.impulse;
  return result;
}

}  // namespace carom
