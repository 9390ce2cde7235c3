// Friction forces of rigid Coulomb contacts that do not slide: which of them hold, and with what force?
// The normal forces are given (they are states of the springs), so the tangential forces minimise
// f.W f/2 + b.f over the discs |f_c| <= r_c: convex, always solvable; b are the tangential accelerations without f.
#pragma once

#include <Eigen/Core>
#include <Eigen/QR>
#include <vector>

namespace carom::simultaneous {

/// The minimiser over the discs, by exact minimisation over one disc at a time until nothing moves.
/// @param w  positive semidefinite, two rows per contact   @param b  two entries per contact
Eigen::VectorXd least_slip_forces(const Eigen::MatrixXd& w, const Eigen::VectorXd& b, const Eigen::VectorXd& radius);

/// Sticking contacts, and creeping ones whose force has full size and opposes the acceleration it allows.
class RigidFriction {
public:
  /// @param w  tangential inverse inertia of the sticking contacts, followed by the creeping ones
  void set(const Eigen::MatrixXd& w, Eigen::Index sticking);

  bool empty() const { return w_.rows() == 0; }
  bool hyperstatic() const { return hyperstatic_; }

  /// Forces for accelerations b without them and force bounds (of all contacts; only those of creeping ones are used).
  /// `angle` of the creeping contacts: last known in, found out. False if no angle was found.
  bool solve(const Eigen::VectorXd& b, const Eigen::VectorXd& bound, Eigen::VectorXd& angle, Eigen::VectorXd& f) const;

private:
  Eigen::MatrixXd w_;
  Eigen::Index sticking_ = 0;  // contacts
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> stick_;
  Eigen::MatrixXd reduced_, transfer_;  // W of the creeping contacts with the others held; stick_^-1 W_sc
  bool hyperstatic_ = false;
};

}  // namespace carom::simultaneous
