// A body that nothing holds, as felt at its surface: how far vertices move under forces that balance, apart from a
// rigid motion. This is the inverse of the condensed stiffness S = K_ss - K_si K_ii^-1 K_is, column by column for
// vertices that touch: a vertex that touches nothing has no force, so nothing else of the inverse is needed.
#pragma once

#include <Eigen/Core>
#include <map>
#include <vector>

#include "carom/soft/mesh.hpp"
#include "carom/soft/stiffness.hpp"

#include "../linear_solve.hpp"
#include "../prepared.hpp"

namespace carom::soft {

using Vector6 = Eigen::Matrix<double, 6, 1>;
using Matrix36 = Eigen::Matrix<double, 3, 6>;

class Compliance {
public:
  /// @param body  sound mesh, no supports
  Compliance(const SoftBody& body, int threads);

  /// Vertices of the surface; `node` below counts in this list.
  const std::vector<int>& nodes() const { return surface_; }
  const Eigen::Vector3d& at(int node) const { return at_[std::size_t(node)]; }

  /// How all nodes move (three rows each) under unit forces on one along the axes (three columns) [m/N], each balanced
  /// by inertia: spread over the body like the forces that a rigid acceleration would need. As these cancel when all
  /// forces and the weight balance, so does weight itself: it has no column.
  const Eigen::MatrixX3d& columns(int node);

  /// Rigid motion of a node: three shifts [m], three turns times size [m].
  Matrix36 rigid(int node) const { return rigid_at(at(node)); }
  /// Weight as a generalised force for rigid().
  const Vector6& gravity() const { return gravity_; }

  /// Of all vertices of the mesh, under forces on nodes and a rigid motion.
  Field displacement(const std::vector<std::pair<int, Eigen::Vector3d>>& forces, const Vector6& rigid) const;
  double largest_strain(const Field& displacement) const;

  double weight() const { return weight_; }                  ///< [N]
  double size() const { return size_; }                      ///< longest side of the box around it [m]
  double stiffness() const { return stiffness_; }            ///< mean diagonal entry of K on the surface [N/m]
  const Eigen::Vector3d& centre() const { return centre_; }  ///< of mass [m]

private:
  Matrix36 rigid_at(const Eigen::Vector3d& point) const;
  Field balanced(Field forces) const;

  Prepared prepared_;
  LinearBody linear_;
  double young_, weight_ = 0.0, size_ = 0.0, stiffness_ = 0.0;
  Eigen::Vector3d centre_ = Eigen::Vector3d::Zero();
  Vector6 gravity_;
  std::vector<double> nodal_masses_;
  Eigen::Matrix<double, 6, 6> inverse_inertia_;  // of rigid() coordinates
  std::vector<int> surface_;
  std::vector<Eigen::Vector3d> at_;
  std::map<int, Eigen::MatrixX3d> columns_;
};

}  // namespace carom::soft
