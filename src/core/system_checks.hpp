// What contact_space and mechanical_system both ask of a system.
#pragma once

#include <Eigen/Core>

#include "carom/core/linear_algebra.hpp"

namespace carom {

/// Is the symmetric matrix positive definite beyond the rounding of its entries, each a sum of `terms` products? Judged
/// by the smallest eigenvalue once the diagonal is scaled to ones, so that the units of the coordinates do not
/// matter. (The pivots of a factorisation will not do: an ill-conditioned leading block swells their rounding.)
bool is_definite(const Eigen::MatrixXd& matrix, Eigen::Index terms);

/// Mass matrix, Jacobian (of so many rows) and velocity checked; the Cholesky factor of the mass matrix.
Cholesky checked_system(const Eigen::MatrixXd& mass_matrix, const Eigen::MatrixXd& jacobian,
                        const Eigen::VectorXd& velocity, Eigen::Index rows);

}  // namespace carom
