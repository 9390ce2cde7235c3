#include "linear_solve.hpp"

#include "prepared.hpp"

namespace carom::soft {

namespace {
/// One step brings the residual to rounding; a second one shows that.
constexpr int most_refinements = 3;
}  // namespace

LinearBody::LinearBody(const Assembly& assembly, const Unknowns& unknowns, const Lame& material)
    : assembly_(assembly), unknowns_(unknowns), material_(material), couplings_(assembly.couplings(unknowns, true)) {
  if (unknowns.free() > 0) factor_.emplace(couplings_.pattern);
}

bool LinearBody::set_shape(const Field& at) {
  at_ = at;
  if (!factor_) return true;
  fill_stiffness(assembly_, elements_of(assembly_, at), material_, couplings_, unknowns_, values_);
  return factor_->compute(values_);
}

Eigen::VectorXd LinearBody::solve_free(const Eigen::VectorXd& load) const {
  Eigen::MatrixXd x = load;
  if (factor_) factor_->solve(x);
  return x;
}

Eigen::MatrixXd LinearBody::solve_each(Eigen::MatrixXd loads) const {
  if (factor_) factor_->solve(loads);
  return loads;
}

Field LinearBody::solve(const Field& load) const {
  Field displacement = unknowns_.held();
  const auto residual = [&](const Field& of) {
    return unknowns_.gather(load - stiffness_times(assembly_, at_, material_, of));
  };
  Eigen::VectorXd left = residual(displacement);
  for (int i = 0; i <= most_refinements && !left.isZero(0.0); ++i) {
    const Field better = displacement + unknowns_.spread(solve_free(left));
    const Eigen::VectorXd still_left = residual(better);
    if (i > 0 && !(still_left.stableNorm() < 0.5 * left.stableNorm())) {
      if (still_left.stableNorm() < left.stableNorm()) displacement = better;
      break;
    }
    displacement = better;
    left = still_left;
  }
  return displacement;
}

}  // namespace carom::soft
