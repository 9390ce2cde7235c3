// What two source files of this room need of a body beyond its public header: its rotation and its inertia as they
// are used, with what validation tolerates (a quaternion near unit length, an inertia nearly symmetric) taken out.
#pragma once

#include <Eigen/Cholesky>

#include "carom/core/body.hpp"

namespace carom {

/// Body axes -> world axes.
inline Eigen::Matrix3d rotation_of(const Body& body) { return body.orientation.normalized().toRotationMatrix(); }

/// The symmetric part of the inertia, body axes.
inline Eigen::Matrix3d inertia_of(const Body& body) { return 0.5 * body.inertia + 0.5 * body.inertia.transpose(); }

/// Cholesky factor of the inertia in body axes. Not in world axes: turning a slender body's inertia rounds its small
/// moment by a share of the large ones, and the answer about its axis would lose those digits.
inline Eigen::LLT<Eigen::Matrix3d> inertia_factor(const Body& body) {
  return Eigen::LLT<Eigen::Matrix3d>(inertia_of(body));
}

}  // namespace carom
