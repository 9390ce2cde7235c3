#include "carom/core/linear_algebra.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/SVD>
#include <algorithm>
#include <limits>

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

Index SingularValues::rank(double threshold) const {
  if (values.size() == 0) return 0;
  const double least = std::max(values[0] * threshold, std::numeric_limits<double>::min());
  return (values.array() >= least).count();
}

VectorXd SingularValues::solve(const VectorXd& b, double threshold) const {
  const Index count = rank(threshold);
  const VectorXd along = (u.leftCols(count).transpose() * b).cwiseQuotient(values.head(count));
  return v.leftCols(count) * along;
}

SingularValues singular_value_decomposition(const MatrixXd& matrix) {
  if (!matrix.allFinite())  // Eigen would leave u and v without a size
    return {VectorXd::Constant(std::min(matrix.rows(), matrix.cols()), std::numeric_limits<double>::quiet_NaN()),
            MatrixXd::Identity(matrix.rows(), matrix.rows()), MatrixXd::Identity(matrix.cols(), matrix.cols())};
  const Eigen::JacobiSVD<MatrixXd, Eigen::FullPivHouseholderQRPreconditioner> svd(
      matrix, Eigen::ComputeFullU | Eigen::ComputeFullV);
  return {svd.singularValues(), svd.matrixU(), svd.matrixV()};
}

VectorXd singular_values(const MatrixXd& matrix) { return Eigen::JacobiSVD<MatrixXd>(matrix).singularValues(); }

SymmetricEigen symmetric_eigen(const MatrixXd& matrix) {
  const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(matrix);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

VectorXd symmetric_eigenvalues(const MatrixXd& matrix) {
  return Eigen::SelfAdjointEigenSolver<MatrixXd>(matrix, Eigen::EigenvaluesOnly).eigenvalues();
}

MatrixXd kernel(const MatrixXd& matrix, double threshold) {
  Eigen::FullPivLU<MatrixXd> lu(matrix);
  lu.setThreshold(threshold);
  return lu.kernel();
}

}  // namespace carom
