#include "carom/plan/fit.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "carom/core/error.hpp"
#include "carom/core/linear_algebra.hpp"

#include "evaluation.hpp"

namespace carom {

using namespace fit;

namespace {

/// Of the fits of a cross-validation.
constexpr int fold_iterations = 100;

std::string place(std::size_t i, const char* field) {
  return "observations[" + std::to_string(i) + "]" + (*field != '\0' ? "." : "") + field;
}

void check(const FitProblem& problem) {
  if (problem.observations.empty()) throw InvalidInput("observations", "must not be empty");
  if (problem.free.none()) throw InvalidInput("free", "must name at least one parameter");
  if (problem.free.has(FitParameter::stiffness_ratio_root) && problem.model != FitModel::compliant)
    throw InvalidInput("free", "eta0 goes with the model compliant only");
  if (problem.model == FitModel::one_step && problem.law == RestitutionLaw::energetic)
    throw InvalidInput("law", "must be newton or poisson for the one-step law");
  require_valid(Material{problem.values.friction, problem.values.restitution});
  require_positive("stiffness_ratio_root", problem.values.stiffness_ratio_root);
  require_at_least("restitution_exponent", problem.values.restitution_exponent, 0.0);
  require_positive("restitution_speed", problem.restitution_speed);
  require_positive("loss_scale", problem.loss_scale);
  require_at_least("threads", problem.threads, 1);
  double most = 0.0;
  for (std::size_t i = 0; i < problem.observations.size(); ++i) {
    const FitObservation& seen = problem.observations[i];
    try {
      validated(seen.space);
    } catch (const InvalidInput& error) {
      throw InvalidInput(place(i, error.field().c_str()), error.message());
    }
    if (!seen.velocity_after.allFinite()) throw InvalidInput(place(i, "velocity_after"), "must be finite");
    require_at_least(place(i, "weight"), seen.weight, 0.0);
    if (seen.material > problem.observations.size())
      throw InvalidInput(place(i, "material"), "must be less than the number of observations");
    if (problem.model == FitModel::planar && !seen.planar)
      throw InvalidInput(place(i, ""), "must be in the plane for the model planar (planar_observation)");
    most = std::max(most, seen.weight);
  }
  if (most == 0.0) throw InvalidInput("observations", "must have one with a weight above 0");
}

/// Which parameters the data do not tell, which are stopped by a bound, and how sure the others are.
void judge(const FitProblem& problem, const Parameters& parameters, const VectorXd& x, const Evaluation& here,
           const Part& all, FitResult& result) {
  double scale = 0.0;
  for (const FitObservation& seen : problem.observations) scale += seen.weight * seen.space.velocity.squaredNorm();
  for (std::size_t i = 0; i < parameters.count(); ++i) {
    FittedNumber& number = result.free[i];
    const FitBounds bounds = fit_bounds(number.parameter);
    const auto at = static_cast<Eigen::Index>(i);
    const double h = std::max(flat_share * std::abs(number.value), flat_step);
    for (const double side : {h, -h}) {
      const double moved = number.value + side;
      if (moved < bounds.low || moved > bounds.high) continue;
      VectorXd beside = x;
      beside[at] = Parameters::inward(number.parameter, moved);
      const double loss = evaluate(problem, parameters, beside, all, false).loss;
      if (std::abs(loss - here.loss) < flat_change * scale) number.unidentifiable = true;
    }
    // Stopped: the loss would fall beyond the bound, by more than rounding.
    const double slope = here.gradient[at], steepness = std::sqrt(here.curvature(at, at) * here.loss);
    if ((number.value - bounds.low <= bound_distance && slope > bound_distance * steepness) ||
        (bounds.high - number.value <= bound_distance && -slope > bound_distance * steepness))
      number.at_bound = true;
  }
  const auto told = [&] {
    std::vector<std::size_t> out;
    for (std::size_t i = 0; i < parameters.count(); ++i)
      if (!result.free[i].unidentifiable && !result.free[i].at_bound) out.push_back(i);
    return out;
  };
  const auto jacobian_of = [&](const std::vector<std::size_t>& which) {
    Eigen::MatrixXd j =
        Eigen::MatrixXd::Zero(3 * static_cast<Eigen::Index>(all.which.size()), static_cast<Eigen::Index>(which.size()));
    for (std::size_t k = 0; k < all.which.size(); ++k)
      for (std::size_t c = 0; c < which.size(); ++c) {
        const FitObservation& seen = problem.observations[k];
        const FitParameter parameter = result.free[which[c]].parameter;
        if (parameters.index(parameter, seen.material) != which[c]) continue;
        j.block<3, 1>(3 * static_cast<Eigen::Index>(k), static_cast<Eigen::Index>(c)) =
            std::sqrt(seen.weight) * here.slopes[k].col(static_cast<int>(parameter));
      }
    return j;
  };
  std::vector<std::size_t> which = told();
  if (!which.empty()) {
    Eigen::MatrixXd j = jacobian_of(which);
    for (Eigen::Index c = 0; c < j.cols(); ++c)
      if (const double size = j.col(c).norm(); size > 0.0) j.col(c) /= size;
    const Eigen::MatrixXd r =
        Eigen::HouseholderQR<Eigen::MatrixXd>(j).matrixQR().topRows(j.cols()).triangularView<Eigen::Upper>();
    const SingularValues svd = singular_value_decomposition(r);
    for (Eigen::Index s = 0; s < svd.values.size(); ++s)
      if (svd.values[s] < dependent_columns)
        for (std::size_t c = 0; c < which.size(); ++c)
          if (std::abs(svd.v(static_cast<Eigen::Index>(c), s)) > 0.1) result.free[which[c]].unidentifiable = true;
    which = told();
  }
  result.no_redundancy = result.components <= which.size();
  if (result.no_redundancy || which.empty()) return;
  const Eigen::MatrixXd j = jacobian_of(which);
  const double variance = result.loss / static_cast<double>(result.components - which.size());
  const Eigen::MatrixXd covariance = variance * inverse(j.transpose() * j);
  for (std::size_t c = 0; c < which.size(); ++c)
    result.free[which[c]].standard_error =
        std::sqrt(std::max(covariance(static_cast<Eigen::Index>(c), static_cast<Eigen::Index>(c)), 0.0));
}

std::size_t components_of(const FitObservation& seen) { return seen.weight > 0.0 ? (seen.planar ? 2U : 3U) : 0U; }

/// The problem with its spaces validated.
FitProblem checked(const FitProblem& given) {
  check(given);
  FitProblem problem = given;
  for (FitObservation& seen : problem.observations) seen.space = validated(seen.space);
  return problem;
}

void check_folds(const FitProblem& problem, int folds) {
  if (folds < 2 || static_cast<std::size_t>(folds) > problem.observations.size())
    throw InvalidInput("folds", "must be from 2 to the number of observations, got " + std::to_string(folds));
}

FitResult result_at(const Minimum& minimum, const FitProblem& problem, const Parameters& parameters) {
  const Part all = everything(problem);
  const Evaluation here = evaluate(problem, parameters, minimum.x, all, true);
  FitResult result;
  result.converged = minimum.converged;
  result.loss = here.loss;
  for (const FitObservation& seen : problem.observations) result.components += components_of(seen);
  result.residual = std::sqrt(here.loss / static_cast<double>(result.components));
  result.per_observation = here.residuals;
  for (std::size_t m = 0; m < parameters.materials(); ++m) result.materials.push_back(parameters.values(minimum.x, m));
  for (std::size_t i = 0; i < parameters.count(); ++i) {
    FittedNumber number = parameters.entry(i);
    number.value = Parameters::outward(number.parameter, minimum.x[static_cast<Eigen::Index>(i)]);
    result.free.push_back(number);
  }
  judge(problem, parameters, minimum.x, here, all, result);
  return result;
}

/// The fits of a cross-validation, each from where the fit of all observations ended.
CrossValidation folded(const FitProblem& problem, const FitResult& whole, int folds) {
  CrossValidation out;
  double loss = 0.0;
  std::size_t components = 0;
  const std::size_t n = problem.observations.size();
  const auto step = static_cast<std::size_t>(folds);
  for (std::size_t fold = 0; fold < step; ++fold) {
    FitProblem kept = problem;
    kept.observations.clear();
    for (std::size_t i = 0; i < n; ++i)
      if (i % step != fold) kept.observations.push_back(problem.observations[i]);
    check(kept);  // there must be weight left
    const Parameters parameters(kept);
    VectorXd start(static_cast<Eigen::Index>(parameters.count()));  // materials that are left out come last
    for (std::size_t i = 0; i < parameters.count(); ++i)
      start[static_cast<Eigen::Index>(i)] = Parameters::inward(whole.free[i].parameter, whole.free[i].value);
    const Part all = everything(kept);
    out.fits.push_back(result_at(descend(kept, parameters, start, all, fold_iterations, true), kept, parameters));
    const FitResult& fitted = out.fits.back();
    for (std::size_t i = fold; i < n; i += step) {
      const FitObservation& seen = problem.observations[i];
      FitProblem one = problem;
      one.observations = {seen};
      one.observations[0].material = 0;
      if (seen.material < fitted.materials.size()) one.values = fitted.materials[seen.material];
      const Parameters single(one);
      loss += evaluate(one, single, single.start(one.values), everything(one), false).loss;
      components += components_of(seen);
    }
  }
  out.residual = std::sqrt(loss / static_cast<double>(std::max<std::size_t>(components, 1)));
  return out;
}

}  // namespace

double& FitValues::operator[](FitParameter parameter) {
  switch (parameter) {
    case FitParameter::friction:
      return friction;
    case FitParameter::restitution:
      return restitution;
    case FitParameter::stiffness_ratio_root:
      return stiffness_ratio_root;
    default:
      return restitution_exponent;
  }
}

FitBounds fit_bounds(FitParameter parameter) {
  switch (parameter) {
    case FitParameter::friction:
      return {0.0, 10.0};
    case FitParameter::restitution:
      return {0.0, 1.0};
    case FitParameter::stiffness_ratio_root:
      return {1e-3, 1e3};
    default:
      return {0.0, 4.0};
  }
}

FitObservation planar_observation(const PlanarContactSpace& space, const Eigen::Vector2d& velocity_after,
                                  double weight) {
  FitObservation seen;
  const Eigen::Matrix2d& w = space.inverse_inertia;
  seen.space.inverse_inertia << w(0, 0), 0.0, w(0, 1), 0.0, w(0, 0), 0.0, w(1, 0), 0.0, w(1, 1);
  seen.space.velocity = {space.velocity[0], 0.0, space.velocity[1]};
  seen.velocity_after = {velocity_after[0], 0.0, velocity_after[1]};
  seen.weight = weight;
  seen.planar = true;
  return seen;
}

FitObservation observed_collision(const Body& a, const Body& b, const Contact& contact, const Body& a_after,
                                  const Body& b_after, double weight) {
  FitObservation seen;
  seen.space = contact_space(a, b, contact);
  Body one = a, other = b;
  one.velocity = a_after.velocity;
  one.angular_velocity = a_after.angular_velocity;
  other.velocity = b_after.velocity;
  other.angular_velocity = b_after.angular_velocity;
  seen.velocity_after =
      contact_frame(contact).transpose() * (velocity_at(one, contact.point) - velocity_at(other, contact.point));
  seen.weight = weight;
  return seen;
}

FitResult fit_impacts(const FitProblem& given) {
  const FitProblem problem = checked(given);
  const Parameters parameters(problem);
  return result_at(search(problem, parameters), problem, parameters);
}

CrossValidation cross_validate(const FitProblem& problem, int folds) {
  check_folds(problem, folds);
  return folded(checked(problem), fit_impacts(problem), folds);
}

std::vector<FitComparison> compare_models(const FitProblem& problem, int folds) {
  check_folds(problem, folds);
  bool planar = true;
  for (const FitObservation& seen : problem.observations) planar = planar && seen.planar;
  std::vector<FitComparison> out;
  const auto add = [&](FitModel model, RestitutionLaw law) {
    FitProblem other = problem;
    other.model = model;
    other.law = law;
    // Rigid fits say nothing of the springs: beside them their ratio is to be found too.
    other.free.set(FitParameter::stiffness_ratio_root,
                   model == FitModel::compliant &&
                       (problem.model != model || problem.free.has(FitParameter::stiffness_ratio_root)));
    if (other.free.none()) return;
    FitResult fit = fit_impacts(other);
    const double held_out = folded(checked(other), fit, folds).residual;
    out.push_back({model, law, std::move(fit), held_out});
  };
  for (const auto& [law, called] : names_of<RestitutionLaw>) add(planar ? FitModel::planar : FitModel::spatial, law);
  add(FitModel::compliant, RestitutionLaw::energetic);
  add(FitModel::one_step, RestitutionLaw::newton);
  add(FitModel::one_step, RestitutionLaw::poisson);
  std::stable_sort(out.begin(), out.end(),
                   [](const FitComparison& a, const FitComparison& b) { return a.held_out < b.held_out; });
  return out;
}

}  // namespace carom
