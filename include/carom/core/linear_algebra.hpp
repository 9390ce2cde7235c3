// How are small dense systems solved, whatever their rank?
// Eigen's decompositions of a MatrixXd take seconds to compile each. Here they are compiled once, as plain classes and
// functions; matrices of fixed size stay with Eigen where they are used.
#pragma once

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <Eigen/LU>
#include <Eigen/QR>

#pragma GCC visibility push(default)

namespace carom {

/// A = L L^T of a symmetric positive definite matrix. Definiteness is the caller's to check.
class Cholesky {
public:
  explicit Cholesky(const Eigen::MatrixXd& matrix);
  Eigen::VectorXd solve(const Eigen::VectorXd& b) const;
  Eigen::MatrixXd lower_solve(const Eigen::MatrixXd& b) const;            ///< L^-1 B
  Eigen::MatrixXd lower_transpose_solve(const Eigen::MatrixXd& b) const;  ///< L^-T B

private:
  Eigen::LLT<Eigen::MatrixXd> factor_;
};

/// A = P^T L D L^T P of a symmetric matrix that may be nearly singular.
class PivotedCholesky {
public:
  explicit PivotedCholesky(const Eigen::MatrixXd& matrix);
  Eigen::VectorXd solve(const Eigen::VectorXd& b) const;
  Eigen::MatrixXd solve(const Eigen::MatrixXd& b) const;

private:
  Eigen::LDLT<Eigen::MatrixXd> factor_;
};

/// Square systems solved again and again without a word to the heap: room for n x n from the start.
class SquareSolver {
public:
  explicit SquareSolver(Eigen::Index n = 0);
  void compute(const Eigen::MatrixXd& matrix);
  void solve(const Eigen::VectorXd& b, Eigen::VectorXd& x) const;
  Eigen::MatrixXd solve(const Eigen::MatrixXd& b) const;

private:
  Eigen::PartialPivLU<Eigen::MatrixXd> factor_;
};

/// A = Q R, for as many rows as columns or more.
class OrthogonalFactor {
public:
  explicit OrthogonalFactor(const Eigen::MatrixXd& matrix);
  Eigen::VectorXd q_times(const Eigen::VectorXd& x) const;
  Eigen::VectorXd q_transpose_times(const Eigen::VectorXd& x) const;
  Eigen::MatrixXd thin_q() const;                                     ///< an orthonormal basis of the columns of A
  Eigen::VectorXd r_solve(const Eigen::VectorXd& b) const;            ///< R^-1 b
  Eigen::VectorXd r_transpose_solve(const Eigen::VectorXd& b) const;  ///< R^-T b

private:
  Eigen::HouseholderQR<Eigen::MatrixXd> factor_;
};

/// Least squares by columns in order of size. Pivots below `threshold` of the largest count as zero; without one, those
/// below rounding.
class PivotedQr {
public:
  explicit PivotedQr(const Eigen::MatrixXd& matrix);
  PivotedQr(const Eigen::MatrixXd& matrix, double threshold);
  Eigen::Index rank() const;
  Eigen::VectorXd solve(const Eigen::VectorXd& b) const;

private:
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> factor_;
};

/// Least squares of least norm, for any shape and rank (complete orthogonal decomposition); threshold as PivotedQr.
class LeastNormSolver {
public:
  explicit LeastNormSolver(const Eigen::MatrixXd& matrix);
  LeastNormSolver(const Eigen::MatrixXd& matrix, double threshold);
  Eigen::Index rank() const;
  Eigen::VectorXd solve(const Eigen::VectorXd& b) const;
  Eigen::MatrixXd pseudo_inverse() const;

private:
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> factor_;
};

/// A = U S V^T with full U and V; singular values from the largest down. Of a matrix that is not finite they are NaN
/// and its rank is 0.
struct SingularValues {
  Eigen::VectorXd values;
  Eigen::MatrixXd u, v;

  Eigen::Index rank(double threshold) const;  ///< values above `threshold` of the largest
  /// Least squares of least norm, by the values that count.
  Eigen::VectorXd solve(const Eigen::VectorXd& b, double threshold) const;
};
SingularValues singular_value_decomposition(const Eigen::MatrixXd& matrix);
Eigen::VectorXd singular_values(const Eigen::MatrixXd& matrix);

/// A = V diag(values) V^T of a symmetric matrix; values from the smallest up.
struct SymmetricEigen {
  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;
};
SymmetricEigen symmetric_eigen(const Eigen::MatrixXd& matrix);
Eigen::VectorXd symmetric_eigenvalues(const Eigen::MatrixXd& matrix);

/// Of a square matrix that has one.
Eigen::MatrixXd inverse(const Eigen::MatrixXd& matrix);

/// A basis of the x with A x = 0, by pivots below `threshold` of the largest; at least one column, zero if there is
/// none.
Eigen::MatrixXd kernel(const Eigen::MatrixXd& matrix, double threshold);

}  // namespace carom

#pragma GCC visibility pop
