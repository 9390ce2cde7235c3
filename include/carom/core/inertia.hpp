// How heavy is it, where is its centre of mass, and how hard is it to turn?
// Mass properties of uniform solids, their placement in a common frame and their composition (parallel-axis
// theorem), and of any closed triangulated or polygonal surface (exact integrals over its faces).
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <span>
#include <vector>

#pragma GCC visibility push(default)

namespace carom {

/// Mass, centre of mass and inertia of a solid in some frame.
struct MassProperties {
  double mass = 0.0;                                  ///< [kg]
  Eigen::Vector3d center = Eigen::Vector3d::Zero();   ///< centre of mass [m]
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();  ///< about the centre of mass, axes of the frame [kg m^2]
};

// Uniform solids, each in its own frame, as its comment says. All sizes in metres, masses in kilograms, both
// positive and finite, else InvalidInput.
MassProperties solid_sphere(double mass, double radius);             ///< centred
MassProperties spherical_shell(double mass, double radius);          ///< thin, centred
MassProperties disc(double mass, double radius);                     ///< flat, axis z, centred
MassProperties thin_rod(double mass, double length);                 ///< along x, centred; no inertia about x
MassProperties rectangle(double mass, const Eigen::Vector2d& size);  ///< flat, edges along x and y, centred
MassProperties box(double mass, const Eigen::Vector3d& size);        ///< edges along the axes, centred
MassProperties cylinder(double mass, double radius, double height);  ///< axis z, centred
MassProperties capsule(double mass, double radius, double length);   ///< axis z, centred; length of the straight part
MassProperties cone(double mass, double radius, double height);      ///< apex at the origin, base at z = +height

/// A cylinder with a cone on its end: the point at the origin, the cylinder of `height` from z = tip on.
MassProperties pencil(double mass, double radius, double height, double tip);

/// A solid of revolution about the z axis: its edge goes straight from one point (distance from the axis, z) to the
/// next, and flat discs close its ends. Exact.
/// @param profile  [m], from bottom to top
/// @throws InvalidInput naming `mass`, `profile` (fewer than two points, no volume) or `profile[i]` (not finite, a
/// distance below zero, a z below that of the point before)
MassProperties revolution(double mass, std::span<const Eigen::Vector2d> profile);

/// A round hole with a flat bottom, drilled into a ball from outside.
struct DrilledHole {
  double radius = 0.1;                                   ///< [m], > 0
  Eigen::Vector3d bottom = Eigen::Vector3d::Zero();      ///< centre of its bottom, counted from that of the ball [m]
  Eigen::Vector3d direction = Eigen::Vector3d::UnitZ();  ///< from there to its mouth, of any length but zero
};

/// A ball with holes in it, in the frame centred at the ball. Exact to rounding (each hole is a smooth integral over
/// its bottom).
/// @param mass  of what is left [kg]
/// @throws InvalidInput naming `mass`, `radius`, `holes[i].radius`, `holes[i].direction`, `holes[i].bottom` (not inside
/// the ball with all of its rim) or `holes[i]` (it meets an earlier one)
MassProperties drilled_ball(double mass, double radius, std::span<const DrilledHole> holes);

/// The same solid turned by `orientation` and then shifted by `offset`, in the frame they are given in.
/// @throws InvalidInput naming `offset` (not finite) or `orientation` (not a unit quaternion to unit_tolerance)
MassProperties placed(const MassProperties& solid, const Eigen::Vector3d& offset,
                      const Eigen::Quaterniond& orientation = Eigen::Quaterniond::Identity());

/// The space of a solid taken away, as a part for joined(): its mass and inertia negated.
MassProperties hole(const MassProperties& solid);

/// Several solids rigidly joined (Steiner's theorem), holes included.
/// @throws InvalidInput naming `parts` if there is none or the total mass is not positive, `parts[i].mass`, ... if a
/// number is not finite or mass and inertia differ in sign
MassProperties joined(std::span<const MassProperties> parts);

/// A uniform solid bounded by planar faces, each a list of vertex indices, counter-clockwise seen from outside.
/// @param mass      total mass [kg]
/// @param vertices  [m]
/// @throws InvalidInput for a surface that is not closed, is turned inside out, or encloses no volume
/// beyond the rounding of the vertices
MassProperties polyhedron(double mass, std::span<const Eigen::Vector3d> vertices,
                          std::span<const std::vector<int>> faces);

/// Volume enclosed by such a surface [m^3] (same errors).
double polyhedron_volume(std::span<const Eigen::Vector3d> vertices, std::span<const std::vector<int>> faces);

}  // namespace carom

#pragma GCC visibility pop
