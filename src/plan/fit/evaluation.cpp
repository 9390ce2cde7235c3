#include "evaluation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/core/parallel.hpp"
#include "carom/impact/one_step.hpp"
#include "carom/impact/planar.hpp"
#include "carom/impact/spatial.hpp"

namespace carom::fit {

namespace {

using Eigen::Vector3d;
using Slopes = Eigen::Matrix<double, 3, 4>;

PlanarProblem planar_problem(const FitProblem& problem, const FitObservation& seen, const Material& material) {
  PlanarProblem p;
  const Eigen::Matrix3d& w = seen.space.inverse_inertia;
  p.space.inverse_inertia << w(0, 0), w(0, 2), w(2, 0), w(2, 2);
  p.space.velocity = {seen.space.velocity[0], seen.space.velocity[2]};
  p.material = material;
  p.law = problem.law;
  return p;
}

/// The impulse and what its parameters do to it: columns mu, e, eta0.
void predict(const FitProblem& problem, const FitObservation& seen, const Material& material, double eta0,
             bool derivatives, Vector3d& impulse, Verdict& verdict, Slopes& slopes) {
  slopes.setZero();
  switch (problem.model) {
    case FitModel::planar: {
      const PlanarProblem p = planar_problem(problem, seen, material);
      PlanarDerivatives d;
      if (derivatives)
        d = planar_derivatives(p);
      else
        d.outcome = planar_outcome(p);
      impulse = {d.outcome.impulse[0], 0.0, d.outcome.impulse[1]};
      verdict = d.outcome.verdict;
      slopes.col(0) << d.by_friction[0], 0.0, d.by_friction[1];
      slopes.col(1) << d.by_restitution[0], 0.0, d.by_restitution[1];
      return;
    }
    case FitModel::spatial: {
      const SpatialDerivatives d = spatial_derivatives({seen.space, material, problem.law});
      impulse = d.outcome.impulse;
      verdict = d.outcome.verdict;
      slopes.col(0) = d.by_friction;
      slopes.col(1) = d.by_restitution;
      return;
    }
    case FitModel::compliant: {
      const CompliantProblem p{seen.space, material, eta0, problem.reading};
      CompliantDerivatives d;
      if (derivatives)
        d = compliant_surface_derivatives(
            p, problem.free.has(FitParameter::restitution) || problem.free.has(FitParameter::restitution_exponent));
      else
        d.outcome = compliant_outcome(p);
      impulse = d.outcome.impulse;
      verdict = d.outcome.verdict;
      slopes.col(0) = d.by_friction;
      slopes.col(1) = d.by_restitution;
      slopes.col(2) = d.by_stiffness_ratio_root;
      return;
    }
    case FitModel::one_step: {
      const OneStepDerivatives d = one_step_derivatives({seen.space, material, problem.law});
      impulse = d.outcome.impulse;
      verdict = d.outcome.verdict;
      slopes.col(0) = d.by_friction;
      slopes.col(1) = d.by_restitution;
      return;
    }
  }
}

}  // namespace

Parameters::Parameters(const FitProblem& problem) : problem_(problem) {
  for (const FitObservation& seen : problem.observations) materials_ = std::max(materials_, seen.material + 1);
  index_.assign(materials_ * 4, 0);
  for (std::size_t m = 0; m < materials_; ++m)
    for (const FitParameter parameter : all_parameters) {
      std::size_t& at = index_[m * 4 + static_cast<std::size_t>(parameter)];
      if (!problem.free.has(parameter)) {
        at = static_cast<std::size_t>(-1);
      } else if (m > 0 && !problem.per_material.has(parameter)) {
        at = index(parameter, 0);
      } else {
        at = entries_.size();
        FittedNumber& entry = entries_.emplace_back();
        entry.parameter = parameter;
        entry.material = m;
      }
    }
  for (std::size_t& at : index_) at = std::min(at, entries_.size());
}

double Parameters::inward(FitParameter parameter, double value) {
  return parameter == FitParameter::stiffness_ratio_root ? std::log(value) : value;
}
double Parameters::outward(FitParameter parameter, double entry) {
  const FitBounds bounds = fit_bounds(parameter);
  return std::clamp(parameter == FitParameter::stiffness_ratio_root ? std::exp(entry) : entry, bounds.low, bounds.high);
}
double Parameters::slope(FitParameter parameter, double value) {
  return parameter == FitParameter::stiffness_ratio_root ? value : 1.0;
}
double Parameters::low(std::size_t i) const {
  return inward(entries_[i].parameter, fit_bounds(entries_[i].parameter).low);
}
double Parameters::high(std::size_t i) const {
  return inward(entries_[i].parameter, fit_bounds(entries_[i].parameter).high);
}

VectorXd Parameters::start(const FitValues& values) const {
  VectorXd x(static_cast<Eigen::Index>(count()));
  for (std::size_t i = 0; i < count(); ++i) {
    const FitParameter parameter = entries_[i].parameter;
    x[static_cast<Eigen::Index>(i)] = std::clamp(inward(parameter, values[parameter]), low(i), high(i));
  }
  return x;
}

FitValues Parameters::values(const VectorXd& x, std::size_t material) const {
  FitValues out = problem_.values;
  for (const FitParameter parameter : all_parameters) {
    const std::size_t i = index(parameter, material);
    if (i < count()) out[parameter] = outward(parameter, x[static_cast<Eigen::Index>(i)]);
  }
  return out;
}

double loss_of(const FitProblem& problem, double squared) {
  const double s = problem.loss_scale;
  if (problem.loss == FitLoss::squares || squared <= s * s) return squared;
  return 2.0 * s * std::sqrt(squared) - s * s;
}

double share_of(const FitProblem& problem, double squared) {
  const double s = problem.loss_scale;
  return problem.loss == FitLoss::squares || squared <= s * s ? 1.0 : s / std::sqrt(squared);
}

Part everything(const FitProblem& problem) {
  Part out;
  for (std::size_t i = 0; i < problem.observations.size(); ++i) {
    out.which.push_back(i);
    out.weights.push_back(problem.observations[i].weight);
  }
  return out;
}

namespace {

/// The restitution of an approach speed, and its slopes by e and by the exponent.
struct RestitutionAt {
  double value = 0.0, by_e = 1.0, by_exponent = 0.0;
};

RestitutionAt restitution_at(const FitProblem& problem, const FitValues& v, double approach) {
  RestitutionAt out{v.restitution};
  if (!(approach > 0.0) || (v.restitution_exponent == 0.0 && !problem.free.has(FitParameter::restitution_exponent)))
    return out;
  const double logarithm = std::log(approach / problem.restitution_speed);
  out.by_e = std::exp(-v.restitution_exponent * logarithm);
  out.value = v.restitution * out.by_e;
  out.by_exponent = -out.value * logarithm;
  if (out.value > 1.0) return {1.0, 0.0, 0.0};
  return out;
}

Vector3d residual_of(const FitObservation& seen, const Vector3d& impulse) {
  Vector3d r = seen.space.velocity + seen.space.inverse_inertia * impulse - seen.velocity_after;
  if (seen.planar) r[1] = 0.0;
  return r;
}

}  // namespace

Evaluation evaluate(const FitProblem& problem, const Parameters& parameters, const VectorXd& x, const Part& part,
                    bool derivatives) {
  Evaluation out;
  const std::size_t count = part.which.size();
  out.residuals.resize(count);
  if (derivatives) out.slopes.resize(count);
  std::vector<FitValues> values(parameters.materials());
  for (std::size_t m = 0; m < values.size(); ++m) values[m] = parameters.values(x, m);
  const auto seen_at = [&](std::size_t k) -> const FitObservation& { return problem.observations[part.which[k]]; };
  const auto surface = [&](const FitObservation& seen, const RestitutionAt& e) {
    return Material{values[seen.material].friction, e.value};
  };
  // Without derivatives several impacts in space share the processor's vector unit.
  const auto batch = [&](std::size_t first, std::size_t last) {
    std::vector<SpatialProblem> problems(last - first);
    std::vector<SpatialOutcome> outcomes(last - first);
    for (std::size_t k = first; k < last; ++k) {
      const FitObservation& seen = seen_at(k);
      const RestitutionAt e = restitution_at(problem, values[seen.material], -seen.space.velocity[2]);
      problems[k - first] = {seen.space, surface(seen, e), problem.law};
    }
    spatial_outcomes(problems, outcomes);
    for (std::size_t k = first; k < last; ++k)
      out.residuals[k] = {residual_of(seen_at(k), outcomes[k - first].impulse), outcomes[k - first].verdict};
  };
  const auto one_by_one = [&](std::size_t first, std::size_t last) {
    for (std::size_t k = first; k < last; ++k) {
      const FitObservation& seen = seen_at(k);
      const FitValues& v = values[seen.material];
      const RestitutionAt e = restitution_at(problem, v, -seen.space.velocity[2]);
      Vector3d impulse = Vector3d::Zero();
      Slopes slopes;
      predict(problem, seen, surface(seen, e), v.stiffness_ratio_root, derivatives, impulse, out.residuals[k].verdict,
              slopes);
      out.residuals[k].residual = residual_of(seen, impulse);
      if (!derivatives) continue;
      slopes.col(3) = slopes.col(1) * e.by_exponent;
      slopes.col(1) *= e.by_e;
      slopes = (seen.space.inverse_inertia * slopes).eval();
      if (seen.planar) slopes.row(1).setZero();
      for (double& s : slopes.reshaped())
        if (!std::isfinite(s)) s = 0.0;
      out.slopes[k] = slopes;
    }
  };
  constexpr std::size_t grain = 16;
  parallel_for(count, grain, problem.threads, [&](std::size_t first, std::size_t last) {
    if (problem.model == FitModel::spatial && !derivatives)
      batch(first, last);
    else
      one_by_one(first, last);
  });
  const auto n = static_cast<Eigen::Index>(parameters.count());
  if (derivatives) {
    out.gradient = VectorXd::Zero(n);
    out.curvature = Eigen::MatrixXd::Zero(n, n);
  }
  for (std::size_t k = 0; k < count; ++k) {
    const FitObservation& seen = seen_at(k);
    const Vector3d& r = out.residuals[k].residual;
    const double squared = r.squaredNorm();
    out.loss += part.weights[k] * loss_of(problem, squared);
    if (!derivatives) continue;
    const double weight = 2.0 * part.weights[k] * share_of(problem, squared);
    Eigen::Matrix<double, 3, 4> columns;
    Eigen::Index at[4];
    int used = 0;
    for (const FitParameter parameter : all_parameters) {
      const std::size_t i = parameters.index(parameter, seen.material);
      if (i == parameters.count()) continue;
      columns.col(used) = out.slopes[k].col(static_cast<int>(parameter)) *
                          Parameters::slope(parameter, values[seen.material][parameter]);
      at[used++] = static_cast<Eigen::Index>(i);
    }
    for (int a = 0; a < used; ++a) {
      out.gradient[at[a]] += weight * columns.col(a).dot(r);
      for (int b = 0; b < used; ++b) out.curvature(at[a], at[b]) += weight * columns.col(a).dot(columns.col(b));
    }
  }
  // Numbers out of range: worse than any other.
  if (!std::isfinite(out.loss)) out.loss = std::numeric_limits<double>::infinity();
  return out;
}

}  // namespace carom::fit
