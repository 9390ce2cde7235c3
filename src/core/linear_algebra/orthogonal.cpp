#include "carom/core/linear_algebra.hpp"

namespace carom {

using Eigen::Index, Eigen::MatrixXd, Eigen::VectorXd;

OrthogonalFactor::OrthogonalFactor(const MatrixXd& matrix) : factor_(matrix) {}
VectorXd OrthogonalFactor::q_times(const VectorXd& x) const { return factor_.householderQ() * x; }
VectorXd OrthogonalFactor::q_transpose_times(const VectorXd& x) const { return factor_.householderQ().transpose() * x; }
MatrixXd OrthogonalFactor::thin_q() const {
  return factor_.householderQ() * MatrixXd::Identity(factor_.rows(), factor_.cols());
}
VectorXd OrthogonalFactor::r_solve(const VectorXd& b) const {
  return factor_.matrixQR().topRows(factor_.cols()).triangularView<Eigen::Upper>().solve(b);
}
VectorXd OrthogonalFactor::r_transpose_solve(const VectorXd& b) const {
  return factor_.matrixQR().topRows(factor_.cols()).triangularView<Eigen::Upper>().transpose().solve(b);
}

PivotedQr::PivotedQr(const MatrixXd& matrix) : factor_(matrix) {}
PivotedQr::PivotedQr(const MatrixXd& matrix, double threshold) : factor_(matrix) { factor_.setThreshold(threshold); }
Index PivotedQr::rank() const { return factor_.rank(); }
VectorXd PivotedQr::solve(const VectorXd& b) const { return factor_.solve(b); }

LeastNormSolver::LeastNormSolver(const MatrixXd& matrix) : factor_(matrix) {}
LeastNormSolver::LeastNormSolver(const MatrixXd& matrix, double threshold) {
  factor_.setThreshold(threshold);  // it decides the rank while computing
  factor_.compute(matrix);
}
Index LeastNormSolver::rank() const { return factor_.rank(); }
VectorXd LeastNormSolver::solve(const VectorXd& b) const { return factor_.solve(b); }
MatrixXd LeastNormSolver::pseudo_inverse() const { return factor_.pseudoInverse(); }

}  // namespace carom
