// How far are two convex parts apart, and where would they touch?
// The answer is a direction: the width of the free slab across it is a lower bound of the distance, whatever the
// direction, and the distance itself for the best one. So nothing here can be wrong by more than being slow: a
// direction that is not the best one only makes the time of touch take more steps.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "solid.hpp"

namespace carom::world {

/// Where a part is: the centre of mass of its body, and the body's axes.
struct Pose {
  Vector3d position = Vector3d::Zero();
  Matrix3d axes = Matrix3d::Identity();
};

/// A part of a body somewhere.
struct Placed {
  const Convex* part = nullptr;
  Pose pose;
  /// The farthest point in a world direction, from the centre of mass, world axes.
  Vector3d support(const Vector3d& direction) const {
    return pose.axes * part->support(pose.axes.transpose() * direction);
  }
};

/// The free slab across a unit direction, from b to a [m].
double slab(const Placed& a, const Placed& b, const Vector3d& direction);

struct Separation {
  double gap = 0.0;                     ///< [m]; below zero where they overlap
  Vector3d normal = Vector3d::UnitZ();  ///< unit, from b to a
};
/// @param guess  a direction from b to a, of any length; the one of a moment ago is best
Separation separation(const Placed& a, const Placed& b, const Vector3d& guess);
/// The same for a search, which needs no more than an open slab if there is one: of shapes with corners one across a
/// face or two edges, less than the distance where corners are nearest to each other.
Separation open_slab(const Placed& a, const Placed& b, const Vector3d& guess);

/// Whether a slab wider than this is open across a face that looks at the other part, or between their centres of mass:
/// a quick look, which may miss that they are apart.
bool apart_for_sure(const Placed& a, const Placed& b, double gap);

/// Directions along which touching parts lie on each other, in the plane across the normal: the free slab stays as it
/// is while they turn if the normal follows them.
struct Ties {
  std::vector<Vector3d> a, b;  ///< edges of what touches, world axes
  bool face_a = false, face_b = false;
};
Ties ties_of(const Placed& a, const Placed& b, const Vector3d& normal, double tolerance);

/// One place at which two parts touch, fixed to them: so that their gap there can be seen again after a small move.
struct Feature {
  enum class Normal : unsigned char { world, first, second, crossing, between };
  Normal kind = Normal::world;
  Vector3d first = Vector3d::Zero(), second = Vector3d::Zero();            ///< points of the cores, body axes
  Vector3d normal = Vector3d::UnitZ();                                     ///< axes of whom it is fixed to
  Vector3d edge_first = Vector3d::Zero(), edge_second = Vector3d::Zero();  ///< of a crossing, body axes
  double first_rounding = 0.0, second_rounding = 0.0;
  /// Of points on a rim: its radius (else 0) and its axis, body axes.
  double first_rim = 0.0, second_rim = 0.0;
  Vector3d first_axis = Vector3d::UnitZ(), second_axis = Vector3d::UnitZ();
};
struct FeatureGap {
  double gap = 0.0;
  Vector3d normal, point;
};
/// @param before  the normal as it was, for the side
FeatureGap gap_at(const Feature& feature, const Pose& a, const Pose& b, const Vector3d& before);

/// The second derivative of that gap while both bodies fly freely, but for gravity [m/s^2]: what turning does, and
/// going along each other, with the slab between them following what touches, and the lowest point running round a rim.
double bend_at(const Feature& feature, const Body& a, const Body& b, const Vector3d& normal);

/// Fills in whether a point of a feature is on a rim.
void note_rims(Feature& feature, const Convex& a, const Convex* b);

/// All places at which two parts touch along a normal, up to a gap [m]: a corner on a face is one, an edge two, two
/// faces those of the polygon they share; in an order that does not depend on where they are.
void features_of(const Placed& a, const Placed& b, const Separation& apart, double tolerance,
                 std::vector<Feature>& found);

}  // namespace carom::world
