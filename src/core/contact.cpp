#include "carom/core/contact.hpp"

#include <Eigen/Geometry>
#include <cmath>

#include "carom/core/error.hpp"

namespace carom {

namespace {

template <class C>
C checked(C contact) {
  if (!contact.point.allFinite()) throw InvalidInput("point", "must be finite");
  const double length = contact.normal.norm();
  if (!(std::abs(length - 1.0) <= unit_tolerance))
    throw InvalidInput("normal", "must have unit length, its length is " + number_text(length));
  contact.normal /= length;
  return contact;
}

}  // namespace

Eigen::Matrix3d contact_frame(const Contact& contact) {
  const Eigen::Vector3d n = contact.normal.normalized();
  Eigen::Index axis = 0;
  n.cwiseAbs().minCoeff(&axis);
  Eigen::Matrix3d frame;
  frame.col(2) = n;
  frame.col(0) = (Eigen::Vector3d::Unit(axis) - n[axis] * n).normalized();
  frame.col(1) = n.cross(frame.col(0));
  return frame;
}

Eigen::Matrix2d contact_frame(const PlanarContact& contact) {
  const Eigen::Vector2d n = contact.normal.normalized();
  Eigen::Matrix2d frame;
  frame << n.y(), n.x(), -n.x(), n.y();
  return frame;
}

Contact validated(Contact contact) { return checked(contact); }
PlanarContact validated(PlanarContact contact) { return checked(contact); }

}  // namespace carom
