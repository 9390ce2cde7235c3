#include "evaluation.hpp"

#include <algorithm>
#include <cmath>

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
      const SpatialProblem p{seen.space, material, problem.law};
      SpatialDerivatives d;
      if (derivatives)
        d = spatial_derivatives(p);
      else
        d.outcome = spatial_outcome(p);
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
        d = compliant_surface_derivatives(p);
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

Evaluation evaluate(const FitProblem& problem, const Parameters& parameters, const VectorXd& x,
                    std::span<const std::size_t> which, bool derivatives) {
  Evaluation out;
  out.residuals.resize(which.size());
  if (derivatives) out.slopes.resize(which.size());
  std::vector<FitValues> values(parameters.materials());
  for (std::size_t m = 0; m < values.size(); ++m) values[m] = parameters.values(x, m);
  constexpr std::size_t grain = 16;
  parallel_for(which.size(), grain, problem.threads, [&](std::size_t first, std::size_t last) {
    for (std::size_t k = first; k < last; ++k) {
      const FitObservation& seen = problem.observations[which[k]];
      const FitValues& v = values[seen.material];
      Material material{v.friction, v.restitution};
      double by_e = 1.0, by_q = 0.0;
      const double approach = -seen.space.velocity[2];
      if ((v.restitution_exponent > 0.0 || problem.free.has(FitParameter::restitution_exponent)) && approach > 0.0) {
        const double logarithm = std::log(approach / problem.restitution_speed);
        by_e = std::exp(-v.restitution_exponent * logarithm);
        material.restitution = v.restitution * by_e;
        by_q = -material.restitution * logarithm;
        if (material.restitution > 1.0) material.restitution = 1.0, by_e = by_q = 0.0;
      }
      Vector3d impulse = Vector3d::Zero();
      Slopes slopes;
      predict(problem, seen, material, v.stiffness_ratio_root, derivatives, impulse, out.residuals[k].verdict, slopes);
      Vector3d r = seen.space.velocity + seen.space.inverse_inertia * impulse - seen.velocity_after;
      if (seen.planar) r[1] = 0.0;
      out.residuals[k].residual = r;
      if (!derivatives) continue;
      slopes.col(3) = slopes.col(1) * by_q;
      slopes.col(1) *= by_e;
      slopes = (seen.space.inverse_inertia * slopes).eval();
      if (seen.planar) slopes.row(1).setZero();
      for (double& s : slopes.reshaped())
        if (!std::isfinite(s)) s = 0.0;
      out.slopes[k] = slopes;
    }
  });
  const auto n = static_cast<Eigen::Index>(parameters.count());
  if (derivatives) {
    out.gradient = VectorXd::Zero(n);
    out.curvature = Eigen::MatrixXd::Zero(n, n);
  }
  for (std::size_t k = 0; k < which.size(); ++k) {
    const FitObservation& seen = problem.observations[which[k]];
    const Vector3d& r = out.residuals[k].residual;
    const double squared = r.squaredNorm();
    out.loss += seen.weight * loss_of(problem, squared);
    if (!derivatives) continue;
    const double weight = 2.0 * seen.weight * share_of(problem, squared);
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
  return out;
}

}  // namespace carom::fit
