// A sparse matrix taken apart once and solved with many times, by MUMPS. Its Fortran keeps global state: every call
// goes through one mutex, and the order of elimination is ours, since those it offers draw random numbers (SCOTCH) or
// give up on small graphs (PORD).
#pragma once

#include <Eigen/Core>
#include <memory>
#include <vector>

namespace carom::soft {

/// Whether this library was built with MUMPS.
bool has_sparse_factor();

/// @throws InvalidInput naming `model` when it was not
void require_sparse_factor();

/// Where the entries of a square matrix are; entries named twice are added.
struct SparsePattern {
  bool symmetric = true;           ///< positive definite, entries of the lower triangle only
  int size = 0;                    ///< rows
  std::vector<int> rows, columns;  ///< from 1, as MUMPS has them
  std::vector<int> turn;           ///< of each unknown in the order of elimination, from 1
};

class SparseFactor {
public:
  /// The pattern stays where it is and must outlive the factor.
  /// @param kept  unknowns (from 0) that are not eliminated: their Schur complement is (`complement`); only of a
  ///              symmetric pattern
  /// @throws InvalidInput as require_sparse_factor, std::bad_alloc
  explicit SparseFactor(const SparsePattern& pattern, std::vector<int> kept = {});
  ~SparseFactor();
  SparseFactor(SparseFactor&&) noexcept;
  SparseFactor& operator=(SparseFactor&&) noexcept;

  /// Takes apart the matrix with these entries; false if it is singular.
  bool compute(const std::vector<double>& values);

  /// A^-1 B in place, column by column. With `kept`: of what is not kept, whose other entries become zero.
  void solve(Eigen::Ref<Eigen::MatrixXd> b) const;

  /// A_kk - A_ki A_ii^-1 A_ik of the unknowns that are kept, in their order.
  const Eigen::MatrixXd& complement() const;

private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace carom::soft
