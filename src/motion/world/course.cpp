#include "course.hpp"

#include <algorithm>
#include <cmath>

#include "solid.hpp"

namespace carom::world {

namespace {

Eigen::Quaterniond turned(const Eigen::Quaterniond& start, const Vector3d& spin, double time) {
  const double rate = spin.norm();
  if (rate == 0.0 || time == 0.0) return start;
  const Eigen::Quaterniond turn(Eigen::AngleAxisd(rate * time, spin / rate));
  return (turn * start).normalized();
}

WorldBodyState state_of(BallState state) {
  switch (state) {
    case BallState::slides:
      return WorldBodyState::slides;
    case BallState::rolls:
      return WorldBodyState::rolls;
    case BallState::spins:
      return WorldBodyState::spins;
    case BallState::rests:
      break;
  }
  return WorldBodyState::rests;
}

}  // namespace

Vector3d Arm::position(double angle) const {
  if (motion == PendulumMotion::small_angle) return anchor + length * (down + angle * across);
  return anchor + length * (std::cos(angle) * down + std::sin(angle) * across);
}

Vector3d Arm::tangent(double angle) const {
  if (motion == PendulumMotion::small_angle) return across;
  return std::cos(angle) * across - std::sin(angle) * down;
}

Vector3d Arm::way(double from, double to) const {
  if (motion == PendulumMotion::small_angle) return length * (to - from) * across;
  const double half = 0.5 * (to - from);
  return 2.0 * length * std::sin(half) * tangent(from + half);
}

double Arm::angle(const Vector3d& position) const {
  const Vector3d out = position - anchor;
  if (motion == PendulumMotion::small_angle) return out.dot(across) / length;
  return std::atan2(out.dot(across), out.dot(down));
}

double Arm::potential(double mass, double angle, const Vector3d& whole_gravity) const {
  if (motion == PendulumMotion::exact) return -mass * whole_gravity.dot(position(angle));
  return -mass * whole_gravity.dot(anchor + length * down) + 0.5 * mass * gravity * length * angle * angle;
}

void Course::centre(double time, Vector3d& position, Vector3d& velocity) const {
  if (parabola) {
    velocity = body.velocity + time * acceleration;
    position = body.position + time * body.velocity + 0.5 * time * time * acceleration;
  } else if (const Swing* swinging = swing()) {
    const PendulumState now = swinging->angle.at(time);
    position = swinging->arm.position(now.angle);
    velocity = swinging->arm.length * now.rate * swinging->arm.tangent(now.angle);
  } else if (const FlightInAir* stretch = in_air()) {
    stretch->centre(std::min(time, end), position, velocity);
    position += body.position;
  } else {
    std::get<BallOnPlane>(detail).centre(std::min(time, end), position, velocity);
  }
}

Course::Origin Course::origin(double time) const {
  Origin origin;
  Vector3d velocity;
  if (swing() != nullptr) origin.angle = swing()->angle.at(time).angle;
  if (in_air() != nullptr)
    in_air()->centre(std::min(time, end), origin.position, velocity);
  else
    centre(time, origin.position, velocity);
  return origin;
}

void Course::way_since(const Origin& origin, double time, Vector3d& way, Vector3d& velocity) const {
  if (const Swing* swinging = swing()) {
    const PendulumState now = swinging->angle.at(time);
    velocity = swinging->arm.length * now.rate * swinging->arm.tangent(now.angle);
    way = swinging->arm.way(origin.angle, now.angle);
    return;
  }
  if (in_air() != nullptr)
    in_air()->centre(std::min(time, end), way, velocity);
  else
    centre(time, way, velocity);
  way -= origin.position;
}

Body Course::at(double time) const {
  if (on_plane()) return std::get<BallOnPlane>(detail).at(std::min(time, end));
  if (flight != nullptr) return time == 0.0 ? body : flight->at(time);
  if (in_air() != nullptr) return in_air()->at(std::min(time, end));
  Body later = body;
  centre(time, later.position, later.velocity);
  if (state == WorldBodyState::flight || state == WorldBodyState::settling)
    later.orientation = turned(body.orientation, body.angular_velocity, time);
  return later;
}

Course immovable_course(const Body& body, double radius) {
  Course course;
  course.body = body;
  course.radius = radius;
  course.state = WorldBodyState::immovable;
  return course;
}

Course pocketed_course(double start, const Body& body, double radius) {
  Course course = immovable_course(body, radius);
  course.start = start;
  course.body.velocity.setZero();
  course.body.angular_velocity.setZero();
  course.state = WorldBodyState::pocketed;
  return course;
}

Course flight_course(double start, const Body& body, double radius, const Vector3d& gravity) {
  Course course;
  course.start = start;
  course.body = body;
  course.radius = radius;
  course.acceleration = gravity;
  course.acceleration_bound = gravity.norm();
  return course;
}

Course tumbling_course(double start, const Body& body, double radius, const Vector3d& gravity) {
  Course course = flight_course(start, body, radius, gravity);
  course.flight = std::make_shared<const FreeFlight>(body, gravity);
  const TurningBounds turning = turning_bounds(body);
  course.turning_bound = turning.of_point(1.0);
  return course;
}

Course air_course(double start, const Body& body, double radius, const Air& air, const Vector3d& gravity) {
  auto flight = std::make_shared<const FlightInAir>(body, radius, air, gravity);
  Course course = flight_course(start, body, radius, gravity);
  if (flight->end() == never) return course;
  course.acceleration = flight->acceleration();
  course.acceleration_bound = flight->acceleration_bound();
  course.parabola = false;
  course.end = flight->end();
  course.detail = std::move(flight);
  return course;
}

Course plane_course(double start, const Body& body, double radius, std::size_t plane, const Vector3d& normal,
                    const PlaneFriction& friction, const Vector3d& gravity) {
  const BallOnPlane ball(body, radius, normal, friction, gravity);
  Course course;
  course.start = start;
  course.body = body;
  course.body.velocity -= body.velocity.dot(normal) * normal;
  course.radius = radius;
  course.state = state_of(ball.state());
  course.plane = plane;
  course.acceleration = ball.acceleration();
  course.parabola = ball.is_parabola();
  course.acceleration_bound = ball.acceleration_bound();
  course.end = ball.end();
  course.spin_end = ball.spin_end();
  course.detail = ball;
  return course;
}

Course swing_course(double start, const Body& body, double radius, const Arm& arm) {
  double angle = arm.angle(body.position);
  // A position says no more than this about the angle: within it of the lowest point it is there, where nothing pulls.
  const double rounding =
      4.0 * std::numeric_limits<double>::epsilon() * (body.position.cwiseAbs().maxCoeff() + arm.length);
  if (std::abs(angle) * arm.length <= rounding) angle = 0.0;
  const double rate = body.velocity.dot(arm.tangent(angle)) / arm.length;
  Swing swing{arm, PendulumSwing(arm.length, arm.gravity, {angle, rate}, arm.motion)};
  const double pace = std::sqrt(arm.gravity / arm.length);
  const Vector3d tangent = arm.tangent(angle);
  Course course;
  course.start = start;
  course.body = body;
  course.body.position = arm.position(angle);
  course.body.velocity = arm.length * rate * tangent;
  course.body.angular_velocity.setZero();
  course.radius = radius;
  course.state = WorldBodyState::swings;
  course.parabola = false;
  if (arm.motion == PendulumMotion::small_angle) {
    swing.speed_bound = arm.length * std::hypot(rate, pace * angle);
    swing.acceleration_bound = pace * swing.speed_bound;
    course.acceleration = -arm.gravity * angle * tangent;
  } else {
    swing.speed_bound = arm.length * std::hypot(rate, 2.0 * pace * std::sin(0.5 * angle));
    // g |sin a| <= 2 g |sin(a/2)|, which is never more than the pace times the greatest speed.
    const double inward = swing.speed_bound * swing.speed_bound / arm.length;
    swing.acceleration_bound = std::hypot(std::min(arm.gravity, pace * swing.speed_bound), inward);
    course.acceleration = -arm.gravity * std::sin(angle) * tangent;
  }
  if (pace > 0.0) swing.reach = swing.speed_bound / pace;  // the chord 2 l sin(a/2), or l a
  course.acceleration_bound = swing.acceleration_bound;
  course.detail = swing;
  return course;
}

Course pressed_course(double start, const Body& body, double radius) {
  Course course = immovable_course(body, radius);
  course.start = start;
  course.state = WorldBodyState::pressed;
  return course;
}

Course settling_course(double start, const Body& body, double radius, std::size_t plane, const Settling& settling) {
  Course course;
  course.start = start;
  course.body = body;
  course.radius = radius;
  course.state = WorldBodyState::settling;
  course.plane = plane;
  course.end = settling.span;
  course.detail = settling;
  return course;
}

}  // namespace carom::world
