#include "stiff.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "carom/core/linear_algebra.hpp"

namespace carom {

namespace {

using Eigen::Index, Eigen::MatrixXd, Eigen::VectorXd;

constexpr int rows = 6;
/// Differences for the Jacobian, of a component or its scale: the square root of rounding.
constexpr double difference = 1.5e-8;
/// How exactly the end is found, of the step in which it lies.
constexpr int end_halvings = 40;
/// After a step that failed the next ones stay below it, and come near it again only slowly: where the clipped force
/// ends what a step can do, the error leaps from next to nothing to a thousand.
constexpr double below_failure = 0.75, creeping_up = 1.03;

class Method {
public:
  using Rate = std::function<void(const VectorXd&, double*)>;
  Method(const Rate& rate, const VectorXd& scale) : rate_(rate), scale_(scale), n_(scale.size()), solver_(n_) {
    f_.resize(n_), jacobian_.resize(n_, n_), step_.resize(n_);
    for (VectorXd& row : table_) row.resize(n_);
  }

  void look_around(const VectorXd& y) {
    VectorXd f(n_), beside = y;
    rate_(y, f.data());
    for (Index i = 0; i < n_; ++i) {
      const double by = difference * std::max(std::abs(y[i]), scale_[i]);
      beside[i] = y[i] + by;
      rate_(beside, f_.data());
      jacobian_.col(i) = (f_ - f) / (beside[i] - y[i]);
      beside[i] = y[i];
    }
  }
  /// @return  an estimate of the error, in the unit of the weights
  double step(const VectorXd& y, double h, VectorXd& result, double tolerance) {
    VectorXd before(n_);
    for (int j = 0; j < rows; ++j) {
      const double part = h / (j + 1);
      solver_.compute(MatrixXd::Identity(n_, n_) - part * jacobian_);
      VectorXd now = y;
      for (int i = 0; i <= j; ++i) {
        rate_(now, f_.data());
        solver_.solve(part * f_, step_);
        now += step_;
      }
      // Aitken and Neville: table_[k] holds the last row.
      for (int k = 0; k <= j; ++k) {
        const VectorXd old = table_[k];
        table_[k] = now;
        if (k == j) break;
        before = now;
        now += (now - old) / (static_cast<double>(j + 1) / (j - k) - 1.0);
      }
    }
    result = table_[rows - 1];
    double sum = 0.0;
    for (Index i = 0; i < n_; ++i) {
      const double off =
          (result[i] - before[i]) / (tolerance * std::max({std::abs(y[i]), std::abs(result[i]), scale_[i]}));
      sum += off * off;
    }
    return std::sqrt(sum / static_cast<double>(n_));
  }

private:
  const Rate& rate_;
  const VectorXd& scale_;
  Index n_;
  SquareSolver solver_;
  MatrixXd jacobian_;
  VectorXd f_, step_;
  std::array<VectorXd, rows> table_;
};

}  // namespace

StiffStop follow_stiffly(const std::function<void(const VectorXd&, double*)>& rate,
                         const std::function<double(const VectorXd&)>& margin, double t, VectorXd y, double t_end,
                         const StiffSettings& settings) {
  Method method(rate, settings.scale);
  StiffStop stop;
  VectorXd next(y.size()), first(y.size());
  rate(y, first.data());
  const double speed = first.cwiseQuotient(settings.scale).norm();
  double h = speed > 0.0 ? std::min(1e-3 / speed, t_end - t) : t_end - t;
  double ceiling = t_end - t;
  while (t < t_end) {
    h = std::min({h, ceiling, t_end - t});
    if (stop.steps >= settings.max_steps || !(t + h > t)) {
      stop.limited = true;
      break;
    }
    method.look_around(y);
    double error = 0.0;
    while (true) {
      ++stop.steps;
      error = method.step(y, h, next, settings.tolerance);
      if (error <= 1.0 || stop.steps >= settings.max_steps || !(t + h > t)) break;
      ceiling = below_failure * h;
      h *= std::isfinite(error) ? std::clamp(0.8 * std::pow(error, -1.0 / rows), 0.05, 0.8) : 0.05;
    }
    if (!(error <= 1.0)) continue;  // the bound is seen above
    if (!(margin(next) > 0.0)) {
      // The end lies in this step: how long it is, by halving.
      double low = 0.0, high = h;
      for (int i = 0; i < end_halvings; ++i) {
        const double middle = 0.5 * (low + high);
        method.step(y, middle, next, settings.tolerance);
        (margin(next) > 0.0 ? low : high) = middle;
      }
      method.step(y, high, next, settings.tolerance);
      t += high;
      y = next;
      stop.ended = true;
      break;
    }
    t = h < t_end - t ? t + h : t_end;
    y = next;
    ceiling *= creeping_up;
    h *= std::clamp(0.8 * std::pow(std::max(error, 1e-8), -1.0 / rows), 0.2, 4.0);
  }
  stop.t = t;
  stop.y = std::move(y);
  return stop;
}

}  // namespace carom
