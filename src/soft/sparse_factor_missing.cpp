#include "carom/core/error.hpp"

#include "sparse_factor.hpp"

// What stands in for sparse_factor.cpp where there is no MUMPS.

namespace carom::soft {

bool has_sparse_factor() { return false; }
void require_sparse_factor() {
  throw InvalidInput("model", "needs a build with MUMPS (libmumps-seq-dev, option CAROM_MUMPS)");
}

struct SparseFactor::Impl {
  Eigen::MatrixXd none;
};

SparseFactor::SparseFactor(const SparsePattern&, std::vector<int>) { require_sparse_factor(); }
SparseFactor::~SparseFactor() = default;
SparseFactor::SparseFactor(SparseFactor&&) noexcept = default;
SparseFactor& SparseFactor::operator=(SparseFactor&&) noexcept = default;
bool SparseFactor::compute(const std::vector<double>&) { return false; }
void SparseFactor::solve(Eigen::Ref<Eigen::MatrixXd>) const {}
const Eigen::MatrixXd& SparseFactor::complement() const { return impl_->none; }

}  // namespace carom::soft
