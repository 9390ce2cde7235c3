// Rigid friction of contacts that do not slide, island by island: contacts answer each other at once, but only through
// bodies they share, so that what is not connected has matrices of its own.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "rigid_friction.hpp"
#include "system.hpp"

namespace carom::simultaneous {

/// W between the tangents of some contacts, two rows each.
Eigen::MatrixXd tangential_blocks(const System<3>& system, const std::vector<std::size_t>& contacts);

/// Places in the list `contacts` of those that are connected by bodies, in order; one island if there are few.
std::vector<std::vector<std::size_t>> islands_of(const System<3>& system, const std::vector<std::size_t>& contacts);

/// least_slip_forces of some contacts; `visits` receives how often a disc was visited.
Eigen::VectorXd least_slip_forces(const System<3>& system, const std::vector<std::size_t>& contacts,
                                  const Eigen::VectorXd& b, const Eigen::VectorXd& radius, double& visits);

/// RigidFriction of all islands.
class RigidIslands {
public:
  /// @param contacts  `sticking` of them stick; the creeping ones follow   @return  the work it takes (see Work)
  double set(const System<3>& system, const std::vector<std::size_t>& contacts, std::size_t sticking);
  void clear() { islands_.clear(); }

  bool empty() const { return islands_.empty(); }
  bool hyperstatic() const;
  /// As RigidFriction::solve, for all of them. Returns the work it took.
  double solve(const Eigen::VectorXd& b, const Eigen::VectorXd& bound, Eigen::VectorXd& angle,
               Eigen::VectorXd& f) const;

private:
  struct Island {
    std::vector<Eigen::Index> places;  // of its contacts among all
    RigidFriction friction;
    mutable Eigen::VectorXd b, bound, angle, f;  // workspace of solve
  };
  static double turning_work(const Island& island);

  Eigen::Index sticking_ = 0;
  std::vector<Island> islands_;
};

}  // namespace carom::simultaneous
