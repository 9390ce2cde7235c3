#include "carom/core/linear_algebra.hpp"

namespace carom {

using Eigen::Index, Eigen::MatrixXd, Eigen::VectorXd;

Cholesky::Cholesky(const MatrixXd& matrix) : factor_(matrix) {}
VectorXd Cholesky::solve(const VectorXd& b) const { return factor_.solve(b); }
MatrixXd Cholesky::lower_solve(const MatrixXd& b) const { return factor_.matrixL().solve(b); }
MatrixXd Cholesky::lower_transpose_solve(const MatrixXd& b) const { return factor_.matrixL().transpose().solve(b); }

PivotedCholesky::PivotedCholesky(const MatrixXd& matrix) : factor_(matrix) {}
VectorXd PivotedCholesky::solve(const VectorXd& b) const { return factor_.solve(b); }
MatrixXd PivotedCholesky::solve(const MatrixXd& b) const { return factor_.solve(b); }

SquareSolver::SquareSolver(Index n) : factor_(n) {}
void SquareSolver::compute(const MatrixXd& matrix) { factor_.compute(matrix); }
void SquareSolver::solve(const VectorXd& b, VectorXd& x) const { x = factor_.solve(b); }
MatrixXd SquareSolver::solve(const MatrixXd& b) const { return factor_.solve(b); }

MatrixXd inverse(const MatrixXd& matrix) { return matrix.inverse(); }

MatrixXd kernel(const MatrixXd& matrix, double threshold) {
  Eigen::FullPivLU<MatrixXd> lu(matrix);
  lu.setThreshold(threshold);
  return lu.kernel();
}

}  // namespace carom
