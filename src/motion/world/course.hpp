// How one body of a scene moves from an instant on, until something happens to it.
#pragma once

#include <Eigen/Core>
#include <limits>
#include <memory>
#include <optional>
#include <variant>

#include "carom/motion/flight.hpp"
#include "carom/motion/world.hpp"

namespace carom::world {

using Eigen::Vector3d;

struct Solid;

inline constexpr double never = std::numeric_limits<double>::infinity();

/// Marks the absence of a plane or a support.
inline constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

/// The arm of a pendulum: its ball is at anchor + length (cos a down + sin a across), for small angles at
/// anchor + length (down + a across).
struct Arm {
  Vector3d anchor = Vector3d::Zero(), down = Vector3d::Zero(), across = Vector3d::Zero();
  double length = 1.0, gravity = 0.0;  ///< gravity in the plane of the swing, along `down`
  PendulumMotion motion = PendulumMotion::exact;

  Vector3d position(double angle) const;
  Vector3d tangent(double angle) const;  ///< unit, of growing angle
  /// position(to) - position(from), with the digits of to - from.
  Vector3d way(double from, double to) const;
  double angle(const Vector3d& position) const;
  double potential(double mass, double angle, const Vector3d& whole_gravity) const;  ///< [J]
};

/// A body that swings: the arm, and the angle as a function of time.
struct Swing {
  Arm arm;
  PendulumSwing angle;
  double speed_bound = 0.0, acceleration_bound = 0.0;  ///< of the ball [m/s], [m/s^2]
  double reach = never;                                ///< it stays within this of its lowest point [m]
  Vector3d lowest() const { return arm.anchor + arm.length * arm.down; }
};

/// Bounces that are summed up: until `span` the ball moves along the plane with the mean of its velocities, then goes
/// on with those after.
struct Settling {
  double span = 0.0;                                   ///< [s]
  Vector3d velocity_after = Vector3d::Zero();          ///< [m/s]
  Vector3d angular_velocity_after = Vector3d::Zero();  ///< [rad/s]
  Vector3d impulse = Vector3d::Zero();                 ///< of the plane, all in all [N s]
};

/// From `start` on. Times of the functions count from there: what a ball does does not depend on how late it is.
struct Course {
  double start = 0.0;  ///< [s]
  Body body;           ///< then
  double radius = 1.0;                      ///< of the ball that holds it
  const Solid* solid = nullptr;             ///< what it is; kept by the scene
  std::shared_ptr<const FreeFlight> flight;  ///< of what is not a ball: how it turns
  double turning_bound = 0.0;  ///< accelerations about the centre of mass, for a reach of 1 m: [1/s^2]
  WorldBodyState state = WorldBodyState::flight;
  std::size_t plane = none;                  ///< on which it runs or settles
  Vector3d acceleration = Vector3d::Zero();  ///< of its centre, then; of a pendulum by gravity alone
  bool parabola = true;                      ///< and the same from then on
  double acceleration_bound = 0.0;
  double end = never, spin_end = never;  ///< of the state, of the spin about the normal, by themselves
  double speed_noise = 0.0;              ///< relative velocities of this size at contacts just left are rounding [m/s]
  double carried_until = 0.0;            ///< as WorldSaved::Moving::carried_until
  /// Through the air a stretch, shared by copies of the course; its end is no event.
  using Stretch = std::shared_ptr<const FlightInAir>;
  std::variant<std::monostate, BallOnPlane, Swing, Settling, Stretch> detail;

  bool on_plane() const { return std::holds_alternative<BallOnPlane>(detail); }
  const FlightInAir* in_air() const {
    const Stretch* stretch = std::get_if<Stretch>(&detail);
    return stretch != nullptr ? stretch->get() : nullptr;
  }
  const Swing* swing() const { return std::get_if<Swing>(&detail); }
  const Settling* settling() const { return std::get_if<Settling>(&detail); }
  bool moves() const {
    return !body.velocity.isZero(0.0) || acceleration_bound > 0.0 ||
           (flight != nullptr && !body.angular_velocity.isZero(0.0));
  }

  void centre(double time, Vector3d& position, Vector3d& velocity) const;
  /// Where ways are counted from.
  struct Origin {
    Vector3d position = Vector3d::Zero();  ///< through the air: the way so far
    double angle = 0.0;                    ///< of a pendulum
  };
  Origin origin(double time) const;
  /// The velocity, and the way of the centre since then, which may be far less than the digits of the position.
  void way_since(const Origin& origin, double time, Vector3d& way, Vector3d& velocity) const;
  Body at(double time) const;
};

Course immovable_course(const Body& body, double radius);
/// Of a ball that has fallen: it stays where it was seen last, and nothing meets it.
Course pocketed_course(double start, const Body& body, double radius);
Course flight_course(double start, const Body& body, double radius, const Vector3d& gravity);
/// Of a body that is not a ball.
Course tumbling_course(double start, const Body& body, double radius, const Vector3d& gravity);
/// A stretch of flight through the air; a parabola where no force but gravity ever acts.
Course air_course(double start, const Body& body, double radius, const Air& air, const Vector3d& gravity);
Course plane_course(double start, const Body& body, double radius, std::size_t plane, const Vector3d& normal,
                    const PlaneFriction& friction, const Vector3d& gravity);
/// Position and velocity of the body are put on the arm.
Course swing_course(double start, const Body& body, double radius, const Arm& arm);
/// Of a body with forces over time, whose way is known elsewhere (pressed.hpp).
Course pressed_course(double start, const Body& body, double radius);
/// @param body  while it settles
Course settling_course(double start, const Body& body, double radius, std::size_t plane, const Settling& settling);

}  // namespace carom::world
