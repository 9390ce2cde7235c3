// Friction forces of rigid Coulomb contacts that do not slide: which of them hold, and with what force?
// The normal forces are given (they are states of the springs), so the tangential forces minimise
// f.W f/2 + b.f over the discs |f_c| <= r_c: convex, always solvable; b are the tangential accelerations without f.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "carom/core/linear_algebra.hpp"

namespace carom::simultaneous {

/// The minimiser over the discs, by exact minimisation over one disc at a time until nothing moves.
/// @param w  positive semidefinite, two rows per contact   @param b  two entries per contact
/// @param sweeps  receives how often every disc was visited
Eigen::VectorXd least_slip_forces(const Eigen::MatrixXd& w, const Eigen::VectorXd& b, const Eigen::VectorXd& radius,
                                  std::size_t& sweeps);

/// Sticking contacts, and creeping ones whose force has full size and opposes the acceleration it allows.
class RigidFriction {
public:
  /// @param w  tangential inverse inertia of the sticking contacts, followed by the creeping ones
  void set(const Eigen::MatrixXd& w, Eigen::Index sticking);

  bool empty() const { return w_.rows() == 0; }
  bool hyperstatic() const { return hyperstatic_; }
  /// Of Newton's method in the last solve.
  int iterations() const { return iterations_; }

  /// Forces for accelerations b without them and force bounds (of all contacts; only those of creeping ones are used).
  /// `angle` of the creeping contacts: last known in, found out. False if no angle was found. Allocates nothing.
  bool solve(const Eigen::VectorXd& b, const Eigen::VectorXd& bound, Eigen::VectorXd& angle, Eigen::VectorXd& f) const;

private:
  bool turn_creeping(const Eigen::VectorXd& bound, Eigen::VectorXd& angle) const;

  Eigen::MatrixXd w_;
  Eigen::Index sticking_ = 0;  // contacts
  Eigen::MatrixXd hold_;       // pseudoinverse of W of the sticking contacts: least norm where they are dependent
  Eigen::MatrixXd reduced_, transfer_;  // W of the creeping contacts with the others held; hold_ W_sc
  // Creeping contacts that cannot move, since those that stick hold them too: what would turn their force is rounding,
  // and it keeps its direction.
  std::vector<char> held_;
  bool hyperstatic_ = false;
  mutable int iterations_ = 0;
  mutable Eigen::VectorXd base_, direction_, force_, acceleration_, residual_, change_;  // workspace of solve
  mutable Eigen::MatrixXd jacobian_;
  mutable SquareSolver lu_;
};

}  // namespace carom::simultaneous
