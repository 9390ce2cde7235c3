// Damped Gauss-Newton with bounds. Eigen's Levenberg-Marquardt has none, and restitution and friction often end on
// theirs; a parameter on its bound is left out of a step that would take it further. The models are smooth but for
// kinks where the order of events changes, so a descent that stalls with a slope left looks around by itself.
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
/// A look around must find this part of the loss: less is a thousandth of a standard error, along a kink that would be
/// followed in ever smaller steps.
constexpr double least_find = 1e-8;
/// How often a descent looks around.
constexpr int most_looks = 8;
/// Steps of the look around, in entries.
constexpr double looks[] = {1e-2, 1e-4, 1e-6};

}  // namespace

Minimum descend(const FitProblem& problem, const Parameters& parameters, VectorXd x, std::span<const std::size_t> which,
                int iterations, bool thorough) {
  const auto n = static_cast<Eigen::Index>(parameters.count());
  double scale = 0.0;
  for (const std::size_t k : which)
    scale += problem.observations[k].weight * problem.observations[k].space.velocity.squaredNorm();
  const double rounding = 1e-28 * scale;
  Evaluation here = evaluate(problem, parameters, x, which, true);
  const double gain = which.size() > many ? least_gain_of_many : least_gain;
  double damping = 1e-3;
  bool converged = false;
  int rounds = thorough ? most_looks : 0;
  for (int iteration = 0; iteration < iterations; ++iteration) {
    // What may move: not what its bound stops, nor what does nothing.
    std::vector<Eigen::Index> moving;
    for (Eigen::Index i = 0; i < n; ++i) {
      const double low = parameters.low(static_cast<std::size_t>(i)),
                   high = parameters.high(static_cast<std::size_t>(i));
      const bool stopped = (x[i] <= low && here.gradient[i] > 0.0) || (x[i] >= high && here.gradient[i] < 0.0);
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
    while (damping < 1e9) {
      Eigen::MatrixXd damped = curvature;
      damped.diagonal() *= 1.0 + damping;
      const VectorXd step = -PivotedCholesky(damped).solve(gradient);
      const double promised = -gradient.dot(step) - 0.5 * step.dot(curvature * step);
      if (!(promised > gain * here.loss + rounding)) {
        converged = damping <= 1.0;
        break;
      }
      VectorXd next = x;
      for (Eigen::Index a = 0; a < m; ++a) {
        const auto i = static_cast<std::size_t>(moving[static_cast<std::size_t>(a)]);
        const auto at = static_cast<Eigen::Index>(i);
        next[at] = std::clamp(x[at] + std::clamp(step[a], -2.0, 2.0), parameters.low(i), parameters.high(i));
      }
      if ((next - x).cwiseAbs().maxCoeff() <= least_move) {
        converged = damping <= 1.0;
        break;
      }
      const double loss = evaluate(problem, parameters, next, which, false).loss;
      if (loss < here.loss) {
        x = next;
        here = evaluate(problem, parameters, x, which, true);
        damping = std::max(0.2 * damping, 1e-9);
        stepped = true;
        break;
      }
      damping *= 8.0;
    }
    if (stepped) continue;
    if (converged || rounds-- <= 0) break;
    // A kink, or nothing to be gained: look to both sides of every entry.
    bool better = false;
    for (const double look : looks) {
      for (Eigen::Index i = 0; i < n; ++i)
        for (const double side : {look, -look}) {
          VectorXd next = x;
          const auto k = static_cast<std::size_t>(i);
          next[i] = std::clamp(x[i] + side, parameters.low(k), parameters.high(k));
          if (next[i] == x[i]) continue;
          const double loss = evaluate(problem, parameters, next, which, false).loss;
          if (!(loss < here.loss * (1.0 - least_find) - rounding)) continue;
          x = next;
          here.loss = loss;
          better = true;
        }
      if (better) break;
    }
    converged = !better;
    if (!better) break;
    here = evaluate(problem, parameters, x, which, true);
    damping = 1e-3;
  }
  return {x, here.loss, converged};
}

}  // namespace carom::fit
