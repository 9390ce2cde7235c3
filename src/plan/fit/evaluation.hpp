// Inside fits: the parameters as one vector, and the residuals with their derivatives.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "carom/plan/fit.hpp"

namespace carom::fit {

using Eigen::VectorXd;

inline constexpr FitParameter all_parameters[] = {FitParameter::friction, FitParameter::restitution,
                                                  FitParameter::stiffness_ratio_root,
                                                  FitParameter::restitution_exponent};

/// Which entry of the vector is which parameter of which material. The stiffness ratio root, which has a scale but no
/// origin, enters by its logarithm.
class Parameters {
public:
  explicit Parameters(const FitProblem& problem);
  std::size_t count() const { return entries_.size(); }
  std::size_t materials() const { return materials_; }
  const FittedNumber& entry(std::size_t i) const { return entries_[i]; }
  /// Entry of a parameter of a material; count() if it is fixed.
  std::size_t index(FitParameter parameter, std::size_t material) const {
    return index_[material * 4 + static_cast<std::size_t>(parameter)];
  }

  static double inward(FitParameter parameter, double value);   ///< number -> entry
  static double outward(FitParameter parameter, double entry);  ///< entry -> number
  static double slope(FitParameter parameter, double value);    ///< d number / d entry
  double low(std::size_t i) const;
  double high(std::size_t i) const;

  VectorXd start(const FitValues& values) const;
  FitValues values(const VectorXd& x, std::size_t material) const;

private:
  const FitProblem& problem_;
  std::size_t materials_ = 1;
  std::vector<FittedNumber> entries_;
  std::vector<std::size_t> index_;
};

/// Residuals of some observations at some parameters.
struct Evaluation {
  double loss = 0.0;
  VectorXd gradient;          ///< of the loss, by entries
  Eigen::MatrixXd curvature;  ///< 2 J^T J, weighted
  std::vector<FitResidual> residuals;
  std::vector<Eigen::Matrix<double, 3, 4>> slopes;  ///< of the residuals, by numbers, in the order of FitParameter
};

/// The loss of one residual, and how much its square counts for.
double loss_of(const FitProblem& problem, double squared);
double share_of(const FitProblem& problem, double squared);

/// Some of the observations, and what each counts for.
struct Part {
  std::vector<std::size_t> which;
  std::vector<double> weights;
};
/// All of them, with their own weights.
Part everything(const FitProblem& problem);

Evaluation evaluate(const FitProblem& problem, const Parameters& parameters, const VectorXd& x, const Part& part,
                    bool derivatives);

/// A local minimum.
struct Minimum {
  VectorXd x;
  double loss = 0.0;
  bool converged = false;
};
/// A rough descent leaves the stiffest springs alone (eta0 below this): their impacts cost hundreds of times as much to
/// predict, and are all but rigid already.
inline constexpr double stiffest_rough = 0.02;
/// The same of restitution with springs: 1/e^2 is how stiff the normal one becomes.
inline constexpr double deadest_rough = 1e-3;
/// @param thorough  where the descent stalls (at a kink) it looks around before it calls the place a minimum
Minimum descend(const FitProblem& problem, const Parameters& parameters, VectorXd x, const Part& part, int iterations,
                bool thorough);

/// The best minimum over all parameters.
Minimum search(const FitProblem& problem, const Parameters& parameters);

}  // namespace carom::fit
