// The inverse inertia of all contacts as W = A^T A, A = M^(-1/2) J^T, cut into blocks of six rows: what each contact
// moves. The blocks of free bodies are the bodies; those of any other system are the rows of its factor by sixes. A
// contact keeps the blocks it moves: products cost one pass over the contacts, however large the system.
#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "carom/core/contact_graph.hpp"

namespace carom::simultaneous {

class Factor {
public:
  using Half = ContactGraph::Half;
  struct Part {
    std::size_t block = 0;
    Half half = Half::Zero();
  };

  explicit Factor(const ContactGraph& graph);
  /// Any number of rows, three columns (t1, t2, n) per contact.
  explicit Factor(const Eigen::MatrixXd& factor);

  std::size_t block_count() const { return block_count_; }
  std::size_t contact_count() const { return first_.size() - 1; }
  std::span<const Part> parts(std::size_t contact) const {
    return {parts_.data() + first_[contact], first_[contact + 1] - first_[contact]};
  }
  /// Inverse inertia of a contact along its normal.
  double normal_admittance(std::size_t contact) const;
  /// The rounding of the velocities W P of the contacts: half a unit in the last place of every term.
  double velocity_rounding(const std::vector<Eigen::Vector3d>& impulses) const;

private:
  std::size_t block_count_ = 0;
  std::vector<Part> parts_;
  std::vector<std::size_t> first_ = {0};  // part of each contact, and one past the last
};

/// The largest change of velocity at any contact by one unit of friction at contact c, in units of what stops the
/// normal velocity of the contact that is hardest to stop; a bound, since |W_cb|^2 <= W_cc W_bb.
double friction_reach(const Factor& factor);

/// The friction that the solvers count with: up to largest_simultaneous_friction, none where it changes nothing.
double effective_friction(double mu, double reach);

}  // namespace carom::simultaneous
