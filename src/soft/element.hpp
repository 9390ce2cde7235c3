// The linear tetrahedron: gradients of its four shape functions, and what stress does to its corners.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <array>
#include <vector>

#include "carom/soft/mesh.hpp"

namespace carom::soft {

/// A vector for each vertex, as columns.
using Field = Eigen::Matrix3Xd;

/// First and second Lame constants [Pa], or per Pa of Young's modulus.
struct Lame {
  double lambda = 0.0, mu = 0.0;
};
inline Lame lame(double young, double poisson) {
  return {young * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson)), young / (2.0 * (1.0 + poisson))};
}

/// Gradients of the shape functions as columns [1/m] and the volume [m^3], negative if turned over.
struct Element {
  Eigen::Matrix<double, 3, 4> gradient;
  double volume = 0.0;
};

inline Element element(const Field& at, const std::array<int, 4>& tet) {
  const Eigen::Vector3d a = at.col(tet[0]), u = at.col(tet[1]) - a, v = at.col(tet[2]) - a, w = at.col(tet[3]) - a;
  const Eigen::Vector3d vw = v.cross(w), wu = w.cross(u), uv = u.cross(v);
  const double six = u.dot(vw);
  Element e;
  e.gradient.col(1) = vw / six;
  e.gradient.col(2) = wu / six;
  e.gradient.col(3) = uv / six;
  e.gradient.col(0) = -(e.gradient.col(1) + e.gradient.col(2) + e.gradient.col(3));
  e.volume = six / 6.0;
  return e;
}

/// sum of values (x) gradients: the gradient of a linear field.
inline Eigen::Matrix3d gradient_of(const Field& values, const std::array<int, 4>& tet, const Element& e) {
  Eigen::Matrix<double, 3, 4> corners;
  for (int a = 0; a < 4; ++a) corners.col(a) = values.col(tet[static_cast<std::size_t>(a)]);
  // Differences first: a rigid shift then leaves nothing behind.
  return (corners.rightCols<3>().colwise() - corners.col(0)) * e.gradient.rightCols<3>().transpose();
}

/// Hooke's law for small strain: stress [Pa] of a displacement gradient.
inline Eigen::Matrix3d stress_of(const Eigen::Matrix3d& displacement_gradient, const Lame& material) {
  const Eigen::Matrix3d& h = displacement_gradient;
  Eigen::Matrix3d stress = material.mu * (h + h.transpose());
  stress.diagonal().array() += material.lambda * h.trace();
  return stress;
}

/// Block (a, c) of the stiffness: K_ac = V [lambda g_a g_c^T + mu g_c g_a^T + mu (g_a . g_c) I] (appendix A).
inline Eigen::Matrix3d stiffness_block(const Element& e, int a, int c, const Lame& material) {
  const Eigen::Vector3d ga = e.gradient.col(a), gc = e.gradient.col(c);
  Eigen::Matrix3d block = material.lambda * ga * gc.transpose() + material.mu * gc * ga.transpose();
  block.diagonal().array() += material.mu * ga.dot(gc);
  return e.volume * block;
}

/// The largest |eigenvalue| of a symmetric matrix.
double largest_principal(const Eigen::Matrix3d& symmetric);

}  // namespace carom::soft
