// What is colliding?
// Rigid bodies in space (Body) and in the plane (PlanarBody): mass, inertia about the centre of mass, pose and
// velocities. An immovable body takes part in impacts without being moved by them.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <span>

#pragma GCC visibility push(default)

namespace carom {

/// A rigid body in space.
struct Body {
  double mass = 1.0;                                                ///< [kg], > 0
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Identity();            ///< about the centre of mass, body axes [kg m^2]
  Eigen::Vector3d position = Eigen::Vector3d::Zero();               ///< centre of mass, world axes [m]
  Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();  ///< body axes -> world axes
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();               ///< of the centre of mass, world axes [m/s]
  Eigen::Vector3d angular_velocity = Eigen::Vector3d::Zero();       ///< world axes [rad/s]
  bool immovable = false;  ///< never moved by an impulse; keeps the velocities given (mass and inertia are ignored)
};

/// A rigid body in the plane.
struct PlanarBody {
  double mass = 1.0;                                   ///< [kg], > 0
  double inertia = 1.0;                                ///< about the centre of mass [kg m^2], > 0
  Eigen::Vector2d position = Eigen::Vector2d::Zero();  ///< centre of mass [m]
  double angle = 0.0;                                  ///< [rad], counter-clockwise
  Eigen::Vector2d velocity = Eigen::Vector2d::Zero();  ///< of the centre of mass [m/s]
  double angular_velocity = 0.0;                       ///< [rad/s], counter-clockwise
  bool immovable = false;                              ///< as for Body
};

/// How far a given inertia may be from one a body can have and still be taken: unsymmetric by this share of its largest
/// entry (its symmetric part is used), or its largest principal moment above the sum of the others by this share. Room
/// for values printed with few digits.
inline constexpr double inertia_tolerance = 1e-5;

/// The smallest principal moment, as a share of the largest, that is told from zero: turning a thin rod's inertia (zero
/// about its axis) into other axes leaves a rounding error of a few 1e-16.
inline constexpr double slenderness_limit = 1e-15;

/// A body that impacts do not move, at rest: the ground, a wall.
Body immovable_body();
PlanarBody immovable_planar_body();

/// Inertia about the centre of mass in world axes [kg m^2].
Eigen::Matrix3d world_inertia(const Body& body);

/// Velocity of the body's material point now at `point` (world axes) [m/s].
Eigen::Vector3d velocity_at(const Body& body, const Eigen::Vector3d& point);
Eigen::Vector2d velocity_at(const PlanarBody& body, const Eigen::Vector2d& point);

/// Kinetic energy [J]; zero for an immovable body.
double kinetic_energy(const Body& body);
double kinetic_energy(const PlanarBody& body);

/// Momentum of all bodies together [kg m/s]; immovable ones have none.
Eigen::Vector3d momentum(std::span<const Body> bodies);

/// Change the body's velocities by an impulse [N s] acting at `point`; nothing happens to an immovable body.
void apply_impulse(Body& body, const Eigen::Vector3d& point, const Eigen::Vector3d& impulse);
void apply_impulse(PlanarBody& body, const Eigen::Vector2d& point, const Eigen::Vector2d& impulse);

/// @throws InvalidInput naming `mass`, `inertia`, ... for values that are not finite, a mass that is not positive,
/// an inertia that is not symmetric positive definite,
/// or an orientation that is not a unit quaternion to unit_tolerance (contact.hpp; its direction is used). Of an
/// immovable body only position and velocities are checked.
void require_valid(const Body& body);
void require_valid(const PlanarBody& body);

}  // namespace carom

#pragma GCC visibility pop
