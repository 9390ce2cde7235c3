// Which point minimises a linear cost over second-order cones?
// Small dense programmes by a primal-dual interior-point method with Nesterov and Todd's scaling and Mehrotra's
// corrector (Vandenberghe, "The CVXOPT linear and quadratic cone program solvers", 2010). A linear programme is the
// case in which every cone is a half-line.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

namespace carom::multipoint {

/// Least cost . y with every part of h - G y in its cone: (t, w) with |w| <= t; of size one: t >= 0. Data of order one.
struct ConicProgram {
  Eigen::VectorXd cost;
  Eigen::MatrixXd g;
  Eigen::VectorXd h;
  std::vector<Eigen::Index> cones;  ///< sizes, in the order of the rows of G

  /// Adds the cone of rows h - G y.
  void add(const Eigen::MatrixXd& rows, const Eigen::VectorXd& constants);
};

/// Interior points converge in 10 to 30 steps or not at all.
inline constexpr int max_interior_steps = 100;

/// The minimiser to about 1e-10 of the data's scale; nothing if the method does not come that near.
std::optional<Eigen::VectorXd> minimise(const ConicProgram& program);

}  // namespace carom::multipoint
