// Damped Gauss-Newton with bounds. Eigen's Levenberg-Marquardt has none, and restitution and friction often end on
// theirs; a parameter on its bound is left out of a step that would take it further. The models are smooth but for
// kinks where the order of events changes: the loss then has creases, on which slopes mislead. A descent that stalls
// goes on with a simplex (Nelder and Mead 1965), which needs none.
#include <algorithm>
#include <cmath>

#include "carom/core/linear_algebra.hpp"

#include "evaluation.hpp"

namespace carom::fit {

namespace {

/// A step that promises less than this part of the loss is not worth taking.
constexpr double least_gain = 1e-13;
/// The same of many observations: there it is a thousandth of a standard error or less, and each step has its price.
constexpr double least_gain_of_many = 1e-9;
constexpr std::size_t many = 500;
/// Nor one that moves every entry by less than this.
constexpr double least_move = 1e-12;
/// Steps that each gain less than this part of the loss, and how many of them in a row are a stall: along a kink they
/// would go on in ever smaller ones.
constexpr double small_gain = 1e-7;
constexpr int most_small_gains = 4;
/// A look around must find this part of the loss to be gone on from.
constexpr double least_find = 1e-9;
/// How often a descent looks around.
constexpr int most_looks = 5;
/// Edges of the first simplex of each look, in entries.
constexpr double looks[] = {1e-2, 1e-3, 1e-4};
/// Evaluations of a simplex, for each entry, and what all of them may cost, in predictions of a rigid impact: many
/// observations have creases so shallow that nothing is gained from them.
constexpr int evaluations_per_entry = 60;
constexpr double most_cost = 20'000.0;
/// More entries than this (many materials) are looked at one by one.
constexpr Eigen::Index most_simplex_entries = 4;

struct Descent {
  const FitProblem& problem;
  const Parameters& parameters;
  const Part& part;
  bool thorough = false;
  double rounding = 0.0;

  double low(Eigen::Index i) const {
    const auto k = static_cast<std::size_t>(i);
    const FitParameter parameter = parameters.entry(k).parameter;
    if (thorough || problem.model != FitModel::compliant) return parameters.low(k);
    if (parameter == FitParameter::stiffness_ratio_root) return Parameters::inward(parameter, stiffest_rough);
    return parameter == FitParameter::restitution ? deadest_rough : parameters.low(k);
  }
  double high(Eigen::Index i) const { return parameters.high(static_cast<std::size_t>(i)); }

  double loss_at(const VectorXd& x) const { return evaluate(problem, parameters, x, part, false).loss; }
  VectorXd bounded(VectorXd x) const {
    for (Eigen::Index i = 0; i < x.size(); ++i) x[i] = std::clamp(x[i], low(i), high(i));
    return x;
  }
  bool finds(double loss, double than) const { return loss < than * (1.0 - least_find) - rounding; }

  /// From x with simplices of decreasing size. @return whether it found something better
  bool look_around(VectorXd& x, double& loss) const {
    const bool by_simplex = x.size() <= most_simplex_entries;
    for (const double edge : looks)
      if (by_simplex ? simplex(x, loss, edge) : look_along_axes(x, loss, edge)) return true;
    return false;
  }

private:
  /// Of one observation; stiff tangential springs swing often.
  double prediction_cost(const VectorXd& x) const {
    constexpr double compliant = 7.0, stiff = 0.05;
    if (problem.model != FitModel::compliant) return 1.0;
    return compliant * (1.0 + stiff / parameters.values(x, 0).stiffness_ratio_root);
  }

  bool look_along_axes(VectorXd& x, double& loss, double step) const {
    bool better = false;
    for (Eigen::Index i = 0; i < x.size(); ++i)
      for (const double side : {step, -step}) {
        VectorXd next = x;
        next[i] += side;
        next = bounded(next);
        if (next[i] == x[i]) continue;
        const double there = loss_at(next);
        if (!finds(there, loss)) continue;
        x = next;
        loss = there;
        better = true;
      }
    return better;
  }

  bool simplex(VectorXd& x, double& loss, double edge) const {
    struct Corner {
      VectorXd x;
      double loss;
    };
    const Eigen::Index n = x.size();
    const double evaluation = prediction_cost(x) * static_cast<double>(std::max<std::size_t>(part.which.size(), 1));
    int left = static_cast<int>(std::min(evaluations_per_entry * static_cast<double>(n), most_cost / evaluation));
    const auto corner = [&](const VectorXd& at) {
      --left;
      const VectorXd inside = bounded(at);
      return Corner{inside, loss_at(inside)};
    };
    std::vector<Corner> corners{{x, loss}};
    for (Eigen::Index i = 0; i < n; ++i) {
      VectorXd beside = x;
      beside[i] += x[i] + edge <= high(i) ? edge : -edge;
      corners.push_back(corner(beside));
    }
    const auto in_order = [&] {
      std::stable_sort(corners.begin(), corners.end(),
                       [](const Corner& a, const Corner& b) { return a.loss < b.loss; });
    };
    in_order();
    const auto last = corners.size() - 1;
    while (left > 0 && corners[last].loss - corners[0].loss > 1e-2 * least_find * corners[0].loss + rounding) {
      VectorXd middle = VectorXd::Zero(n);
      for (std::size_t i = 0; i < last; ++i) middle += corners[i].x / static_cast<double>(last);
      const auto beyond = [&](double share) { return corner(middle + share * (middle - corners[last].x)); };
      const Corner reflected = beyond(1.0);
      if (reflected.loss < corners[0].loss) {
        const Corner expanded = beyond(2.0);
        corners[last] = expanded.loss < reflected.loss ? expanded : reflected;
      } else if (reflected.loss < corners[last - 1].loss || last == 1) {
        const Corner inner = last == 1 ? beyond(reflected.loss < corners[last].loss ? 0.5 : -0.5) : reflected;
        corners[last] = inner.loss < reflected.loss || reflected.loss >= corners[last].loss ? inner : reflected;
      } else {
        const bool outside = reflected.loss < corners[last].loss;
        const Corner contracted = beyond(outside ? 0.5 : -0.5);
        if (contracted.loss < std::min(reflected.loss, corners[last].loss)) {
          corners[last] = contracted;
        } else {
          for (std::size_t i = 1; i <= last; ++i) corners[i] = corner(0.5 * (corners[i].x + corners[0].x));
        }
      }
      in_order();
    }
    if (!finds(corners[0].loss, loss)) return false;
    x = corners[0].x;
    loss = corners[0].loss;
    return true;
  }
};

}  // namespace

Minimum descend(const FitProblem& problem, const Parameters& parameters, VectorXd x, const Part& part, int iterations,
                bool thorough) {
  const auto n = static_cast<Eigen::Index>(parameters.count());
  double scale = 0.0;
  for (std::size_t k = 0; k < part.which.size(); ++k)
    scale += part.weights[k] * problem.observations[part.which[k]].space.velocity.squaredNorm();
  const Descent descent{problem, parameters, part, thorough, 1e-28 * scale};
  const double rounding = descent.rounding;
  x = descent.bounded(x);
  Evaluation here = evaluate(problem, parameters, x, part, true);
  const double gain = part.which.size() > many ? least_gain_of_many : least_gain;
  double damping = 1e-3;
  bool converged = false;
  int rounds = thorough ? most_looks : 0, small_gains = 0;
  for (int iteration = 0; iteration < iterations; ++iteration) {
    // What may move: not what its bound stops, nor what does nothing.
    std::vector<Eigen::Index> moving;
    for (Eigen::Index i = 0; i < n; ++i) {
      const bool stopped =
          (x[i] <= descent.low(i) && here.gradient[i] > 0.0) || (x[i] >= descent.high(i) && here.gradient[i] < 0.0);
      if (!stopped && here.curvature(i, i) > 0.0) moving.push_back(i);
    }
    if (moving.empty() || here.loss <= rounding) {
      converged = true;
      break;
    }
    const auto m = static_cast<Eigen::Index>(moving.size());
    Eigen::MatrixXd curvature(m, m);
    VectorXd gradient(m);
    for (Eigen::Index a = 0; a < m; ++a) {
      gradient[a] = here.gradient[moving[static_cast<std::size_t>(a)]];
      for (Eigen::Index b = 0; b < m; ++b)
        curvature(a, b) = here.curvature(moving[static_cast<std::size_t>(a)], moving[static_cast<std::size_t>(b)]);
    }
    bool stepped = false;
    while (damping < 1e9 && small_gains < most_small_gains) {
      Eigen::MatrixXd damped = curvature;
      damped.diagonal() *= 1.0 + damping;
      const VectorXd step = -PivotedCholesky(damped).solve(gradient);
      if (!step.allFinite()) break;
      const double promised = -gradient.dot(step) - 0.5 * step.dot(curvature * step);
      if (!(promised > gain * here.loss + rounding)) {
        converged = damping <= 1.0;
        break;
      }
      VectorXd next = x;
      for (Eigen::Index a = 0; a < m; ++a) next[moving[static_cast<std::size_t>(a)]] += std::clamp(step[a], -2.0, 2.0);
      next = descent.bounded(next);
      if ((next - x).cwiseAbs().maxCoeff() <= least_move) {
        converged = damping <= 1.0;
        break;
      }
      const double loss = descent.loss_at(next);
      if (loss < here.loss) {
        small_gains = loss < here.loss * (1.0 - small_gain) ? 0 : small_gains + 1;
        x = next;
        here = evaluate(problem, parameters, x, part, true);
        damping = std::max(0.2 * damping, 1e-9);
        stepped = true;
        break;
      }
      damping *= 8.0;
    }
    if (stepped) continue;
    if (converged || rounds-- <= 0) break;
    converged = !descent.look_around(x, here.loss);
    if (converged) break;
    here = evaluate(problem, parameters, x, part, true);
    damping = 1e-3;
    small_gains = 0;
  }
  return {x, here.loss, converged};
}

}  // namespace carom::fit
