// Where do the bodies touch, and which way is "normal"?
// A contact is a point and a unit normal that points from body B into body A. Its frame is right-handed:
// (t1, t2, n) in space, (t, n) in the plane.
#pragma once

#include <Eigen/Core>

#pragma GCC visibility push(default)

namespace carom {

/// Touching point [m] and unit normal from B into A, world axes.
struct Contact {
  Eigen::Vector3d point = Eigen::Vector3d::Zero();
  Eigen::Vector3d normal = Eigen::Vector3d::UnitZ();
};

/// Two bodies of a list touching.
struct PairContact : Contact {
  std::size_t first = 0;   ///< body i, the one the impulse acts on and the normal points into
  std::size_t second = 1;  ///< body j, which gets the opposite impulse
};

struct PlanarContact {
  Eigen::Vector2d point = Eigen::Vector2d::Zero();
  Eigen::Vector2d normal = Eigen::Vector2d::UnitY();
};

/// Columns (t1, t2, n) in world axes, n the normal normalised. t1 is the world axis least aligned with n, made
/// orthogonal to it: for n = z the frame is (x, y, z).
Eigen::Matrix3d contact_frame(const Contact& contact);

/// Columns (t, n), n the normal normalised; t is n turned clockwise by a right angle: for n = y the frame is (x, y).
Eigen::Matrix2d contact_frame(const PlanarContact& contact);

/// How far from unit length a normal may be and still be normalised instead of refused.
inline constexpr double unit_tolerance = 1e-6;

/// The contact with its normal normalised.
/// @throws InvalidInput naming `point` (not finite) or `normal` (length further than unit_tolerance from 1)
Contact validated(Contact contact);
PlanarContact validated(PlanarContact contact);

}  // namespace carom

#pragma GCC visibility pop
