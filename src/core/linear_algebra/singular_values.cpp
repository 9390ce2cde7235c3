#include <Eigen/SVD>
#include <algorithm>
#include <limits>

#include "carom/core/linear_algebra.hpp"

namespace carom {

using Eigen::Index, Eigen::MatrixXd, Eigen::VectorXd;

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

}  // namespace carom
