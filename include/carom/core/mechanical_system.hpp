// What is a mechanical system, seen from its contacts?
// Generalized coordinates with a mass matrix, how fast they change, and how the contacts see that: u = J qdot.
// Linkages, robots and bodies on rods are given so directly; free bodies and their contacts become one by system_of.
#pragma once

#include <Eigen/Core>
#include <span>

#include "carom/core/body.hpp"
#include "carom/core/contact.hpp"

#pragma GCC visibility push(default)

namespace carom {

/// Any mechanical system and its contacts.
struct MechanicalSystem {
  Eigen::MatrixXd mass_matrix;  ///< M, n x n, symmetric positive definite, in the units of the coordinates
  Eigen::MatrixXd
      jacobian;  ///< J, n columns, one row per contact axis: (t1, t2, n), or in the plane (t, n), by contact
  Eigen::VectorXd velocity;  ///< qdot, n
};

/// Free bodies as a mechanical system: six coordinates per movable body in the order of the list, its velocity [m/s]
/// and its angular velocity [rad/s] in world axes; three rows (t1, t2, n) per contact, in the axes of contact_frame.
/// Immovable bodies have no coordinates, and J qdot no place for a motion of theirs: they must be at rest.
/// @throws InvalidInput as ContactGraph, and naming `bodies[i].velocity` or `.angular_velocity` of an immovable body
/// that moves
MechanicalSystem system_of(std::span<const Body> bodies, std::span<const PairContact> contacts);

/// A plane for bodies to move in: orthogonal unit vectors in world axes; turning is counter-clockwise, about right x
/// up.
struct MotionPlane {
  Eigen::Vector3d right = Eigen::Vector3d::UnitX();
  Eigen::Vector3d up = Eigen::Vector3d::UnitY();
};

/// The same for bodies that move in a plane: three coordinates per movable body, its velocity to the right and up [m/s]
/// and its angular velocity [rad/s]; two rows (t, n) per contact, t the normal turned clockwise by a right angle. What
/// of their motion leaves the plane is left out, and normals lie in it.
/// @throws InvalidInput as system_of above, also naming `plane` (not orthogonal unit vectors to unit_tolerance)
MechanicalSystem system_of(std::span<const Body> bodies, std::span<const PairContact> contacts,
                           const MotionPlane& plane);

/// The movable bodies with the velocities of a system made by system_of.
/// @throws InvalidInput naming `velocity` (not six numbers per movable body, or three in a plane)
void set_velocities(std::span<Body> bodies, const Eigen::VectorXd& velocity);
void set_velocities(std::span<Body> bodies, const Eigen::VectorXd& velocity, const MotionPlane& plane);

/// A factor of the inverse inertia at the contacts: F = L^-1 J^T with M = L L^T, so that W = F^T F. Rows that depend on
/// each other are fine.
/// @throws InvalidInput naming `mass_matrix`, `jacobian` or `velocity`, as contact_space; `jacobian` also where F
/// leaves the range of a double
Eigen::MatrixXd contact_factor(const MechanicalSystem& system);

/// Kinetic energy of the whole system, qdot.M qdot / 2 [J].
double kinetic_energy(const MechanicalSystem& system);

}  // namespace carom

#pragma GCC visibility pop
