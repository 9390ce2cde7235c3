// What shape is it?
// One list of uniform solids, each with its sizes in a frame of its own. A shape says how its mass is spread (in space
// and in the plane), what it looks like from a side (outline, silhouette) and how far it reaches in a direction
// (support), which is all that collision geometry asks of a convex solid. The moments behind it: inertia.hpp.
#pragma once

#include <Eigen/Core>
#include <variant>
#include <vector>

#include "carom/core/body.hpp"
#include "carom/core/inertia.hpp"

#pragma GCC visibility push(default)

namespace carom {

// All sizes in metres, positive and finite. The frame of a shape is as its comment says; the axes of a body are those
// of its shape, about the centre of mass.

/// Solid ball, centred.
struct Sphere {
  double radius = 1.0;
};

/// Thin hollow ball, centred.
struct SphericalShell {
  double radius = 1.0;
};

/// Flat, axis z, centred.
struct Disc {
  double radius = 1.0;
};

/// Along x, centred; no inertia about x.
struct ThinRod {
  double length = 1.0;
};

/// Flat, edges along x and y, centred.
struct Rectangle {
  Eigen::Vector2d size = Eigen::Vector2d::Ones();
};

/// Edges along the axes, centred.
struct Box {
  Eigen::Vector3d size = Eigen::Vector3d::Ones();
};

/// Axis z, centred.
struct Cylinder {
  double radius = 1.0;
  double height = 1.0;
};

/// A cylinder with half balls on its ends: axis z, centred.
struct Capsule {
  double radius = 1.0;
  double length = 1.0;  ///< of the straight part
};

/// Apex at the origin, base at z = +height.
struct Cone {
  double radius = 1.0;
  double height = 1.0;
};

/// A cylinder with a cone on its end: the point at the origin, the cylinder from z = tip to tip + height.
struct Pencil {
  double radius = 1.0;
  double height = 1.0;  ///< of the cylinder
  double tip = 1.0;     ///< of the cone
};

/// Turned on a lathe, axis z: its edge goes straight from each point (distance from the axis, z) to the next; flat
/// discs close its ends. A bowling pin.
struct Revolution {
  std::vector<Eigen::Vector2d> profile;  ///< [m], from bottom to top, distances >= 0
};

/// Solid ball, centred, with round holes.
struct DrilledBall {
  double radius = 1.0;
  std::vector<DrilledHole> holes;
};

/// Twelve pentagons and twenty hexagons (a football), centred; a pentagon at the bottom, one of its corners towards +x.
struct TruncatedIcosahedron {
  double edge = 1.0;
};

/// Bounded by planar faces: a mesh. Anywhere in its frame.
struct Polyhedron {
  std::vector<Eigen::Vector3d> vertices;
  std::vector<std::vector<int>> faces;  ///< vertex indices from 0, counter-clockwise seen from outside
};

using Shape = std::variant<Sphere, SphericalShell, Disc, ThinRod, Rectangle, Box, Cylinder, Capsule, Cone, Pencil,
                           Revolution, DrilledBall, TruncatedIcosahedron, Polyhedron>;

/// Mass, centre of mass and inertia of a uniform solid of this shape and mass [kg], in the frame of the shape.
/// @throws InvalidInput naming `mass` or the size that is not positive and finite (`radius`, `size[1]`, ...), or
/// what polyhedron(), revolution() and drilled_ball() name
MassProperties mass_properties(const Shape& shape, double mass);

/// The same for a body in the xy-plane: its moment of inertia about the axis along z through its centre of mass
/// [kg m^2].
/// @throws InvalidInput as mass_properties
double planar_inertia(const Shape& shape, double mass);

/// @throws InvalidInput as mass_properties, whatever the mass
void require_valid(const Shape& shape);

/// A body of this shape and mass [kg] at rest, its centre of mass at the origin.
/// @throws InvalidInput as mass_properties
Body body_of(const Shape& shape, double mass);

/// What there is to see of a solid: the convex hull of points, rounded by a radius. A ball is one point and its radius,
/// a capsule two; a box is eight points and no radius. Without points there is nothing to see.
struct Outline {
  std::vector<Eigen::Vector3d> points = {};  ///< [m]
  double radius = 0.0;                       ///< [m], >= 0
};

/// Corners in place of the rim of a disc, cylinder or cone, and of a rounding seen from a side: the polygons lie within
/// half a percent and a seventh of a percent of the radius.
inline constexpr int rim_corners = 32;
inline constexpr int rounding_corners = 60;

/// The outline of a valid shape (where it is hollow it is covered: the neck of a pin, a hole, a polyhedron's faces).
/// @param origin  where in the frame of the shape the points count from: the centre of mass, for body axes
Outline outline(const Shape& shape, const Eigen::Vector3d& origin = Eigen::Vector3d::Zero());

/// Whether it looks like a ball.
bool is_ball(const Outline& outline);

/// The edge of a body seen along a world axis, counter-clockwise [m]; empty if there is nothing to see.
/// @param outline    in body axes, about the centre of mass
/// @param right, up  world axes of the picture: 0 (x) to 2 (z), different
/// @throws InvalidInput naming `right` or `up`
std::vector<Eigen::Vector2d> silhouette(const Outline& outline, const Body& body, int right, int up);

/// The point of a valid solid that lies farthest in a direction, in the frame of the shape [m]; one of them where there
/// are several. Exact for every shape, round ones too; where a shape is hollow its convex hull is meant, of a drilled
/// ball the whole ball.
/// @param direction  of any length
/// @throws InvalidInput naming `direction` (zero or not finite)
Eigen::Vector3d support(const Shape& shape, const Eigen::Vector3d& direction);

/// The faces of a truncated icosahedron: pentagons first.
Polyhedron faces_of(const TruncatedIcosahedron& solid);

/// Faces close to the surface of a valid shape, counter-clockwise seen from outside, to be drawn: exact for what is
/// bounded by planes, with corners on the surface for what is round. The holes of a ball are left to whoever draws;
/// flat shapes have two sides, a thin rod has none.
/// @param corners  around a circle; a multiple of 4 from 8 on, others are rounded down
Polyhedron surface(const Shape& shape, int corners = rim_corners);

}  // namespace carom

#pragma GCC visibility pop
