// K D = G of one shape after another: the pattern is ordered once, every shape is factorised anew.
#pragma once

#include <optional>
#include <vector>

#include "assembly.hpp"

namespace carom::soft {

class LinearBody {
public:
  /// What it is given must outlive it.
  LinearBody(const Assembly& assembly, const Unknowns& unknowns, const Lame& material);

  /// Factorises K of this shape; false if it is singular.
  bool set_shape(const Field& at);
  /// The displacement under these loads with the held components where they are held, refined until its residual no
  /// longer falls.
  Field solve(const Field& load) const;
  /// K^-1 of free components.
  Eigen::VectorXd solve_free(const Eigen::VectorXd& load) const;
  /// The same of several loads at once, as columns: the factor is read once.
  Eigen::MatrixXd solve_each(Eigen::MatrixXd loads) const;

private:
  const Assembly& assembly_;
  const Unknowns& unknowns_;
  Lame material_;
  Couplings couplings_;
  std::optional<SparseFactor> factor_;
  std::vector<double> values_;
  Field at_;
};

}  // namespace carom::soft
