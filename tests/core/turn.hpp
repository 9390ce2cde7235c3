// The shortest turn from the z axis.
#pragma once

#include <Eigen/Geometry>
#include <cmath>

namespace carom::testing {

/// Turns z into `direction`, which must not be -z. As Eigen's FromTwoVectors, which for that one case brings in a
/// singular value decomposition: some ten seconds of compiling wherever it is used.
inline Eigen::Quaterniond turn_from_z(const Eigen::Vector3d& direction) {
  const Eigen::Vector3d to = direction.normalized();
  const double s = std::sqrt((1.0 + to.z()) * 2.0), inverse = 1.0 / s;
  return {0.5 * s, -to.y() * inverse, to.x() * inverse, 0.0};
}

}  // namespace carom::testing
