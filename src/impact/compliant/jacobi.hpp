// The modes of stick: singular values of a 3 x 3 matrix to full relative accuracy.
#pragma once

#include <Eigen/Core>
#include <cmath>
#include <limits>

namespace carom::compliant {

/// Singular values and vectors, m q = V diag(omega), by one-sided Jacobi rotations of the columns of m, which end up
/// as V diag(omega). Unlike an eigenproblem of m^T m it keeps the digits of the soft modes.
inline void jacobi(Eigen::Matrix3d& m, Eigen::Matrix3d& q) {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  q.setIdentity();
  constexpr int pairs[3][2] = {{0, 2}, {1, 2}, {0, 1}};
  for (int sweep = 0; sweep < 30; ++sweep) {
    bool rotated = false;
    for (const auto& [i, j] : pairs) {
      const double off = m.col(i).dot(m.col(j)), ii = m.col(i).squaredNorm(), jj = m.col(j).squaredNorm();
      if (std::abs(off) <= 2.0 * epsilon * std::sqrt(ii * jj)) continue;
      rotated = true;
      const double ratio = (jj - ii) / (2.0 * off);
      const double t = std::copysign(1.0, ratio) / (std::abs(ratio) + std::hypot(1.0, ratio));
      const double c = 1.0 / std::sqrt(1.0 + t * t), s = t * c;
      for (Eigen::Matrix3d* turned : {&m, &q}) {
        const Eigen::Vector3d left = turned->col(i), right = turned->col(j);
        turned->col(i) = c * left - s * right;
        turned->col(j) = s * left + c * right;
      }
    }
    if (!rotated) return;
  }
}

}  // namespace carom::compliant
