#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/core/error.hpp"
#include "carom/core/linear_algebra.hpp"
#include "carom/core/text.hpp"
#include "carom/plan/fit_force.hpp"

namespace carom {

namespace {

using Eigen::VectorXd;
using Parameters = std::array<double, friction_parameters>;  // in the order of FrictionParameter

constexpr auto at(FrictionParameter p) { return static_cast<std::size_t>(p); }

BristleFriction friction_of(const Parameters& x, BristleFriction out) {
  out.mu_s = std::max(x[at(FrictionParameter::mu_s)], x[at(FrictionParameter::mu_c)]);
  out.mu_c = x[at(FrictionParameter::mu_c)];
  out.sigma0 = x[at(FrictionParameter::sigma0)];
  out.sigma1 = x[at(FrictionParameter::sigma1)];
  out.sigma2 = x[at(FrictionParameter::sigma2)];
  out.v_s = x[at(FrictionParameter::v_s)];
  out.tau_dw = x[at(FrictionParameter::tau_dw)];
  return out;
}

Parameters parameters_of(const BristleFriction& f) {
  return {f.mu_s, f.mu_c, f.sigma0, f.sigma1, f.sigma2, f.v_s, f.tau_dw};
}

/// How finely the time between samples is cut: speeds below some Stribeck speeds are passed in steps of a fraction of
/// one. Fixed while a fit takes its differences, so that they see the parameters and not the steps.
struct Steps {
  static constexpr double fraction = 0.1, slow = 4.0;
  static constexpr int least = 4, most = 400;
  std::vector<int> between;

  Steps(std::span<const FrictionSample> samples, double v_s) {
    for (std::size_t i = 0; i + 1 < samples.size(); ++i) {
      const double a = samples[i].velocity, b = samples[i + 1].velocity;
      const double nearest = a * b <= 0.0 ? 0.0 : std::min(std::abs(a), std::abs(b));
      const double steps = nearest < slow * v_s ? std::abs(b - a) / (fraction * v_s) : 0.0;
      between.push_back(std::clamp(static_cast<int>(std::min(steps, 1e6)), least, most));
    }
  }
};

/// (1 - exp(-x))/x
double relaxation(double x) { return x > 1e-8 ? -std::expm1(-x) / x : 1.0 - 0.5 * x; }

/// The model along the trace. With velocity and load given, bend and dwell obey linear equations: each step takes their
/// coefficients from its middle and follows them exactly, however stiff they are.
void follow(std::span<const FrictionSample> samples, const Steps& steps, const BristleFriction& f,
            const BristleState& start, std::vector<double>& forces) {
  BristleState state = start;
  state.z.y() = 0.0;
  forces.resize(samples.size());
  const double settling = f.sigma0 / f.sigma1;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const FrictionSample& s = samples[i];
    forces[i] = bristle_force(f, state, {s.velocity, 0.0}, s.load).force.x();
    if (i + 1 == samples.size()) break;
    const FrictionSample& next = samples[i + 1];
    const int n = steps.between[i];
    const double h = (next.time - s.time) / n;
    for (int k = 0; k < n; ++k) {
      const double share = (k + 0.5) / n, v = s.velocity + share * (next.velocity - s.velocity),
                   load = s.load + share * (next.load - s.load);
      const BristleForce rates = bristle_force(f, state, {v, 0.0}, load);
      // z' is linear in z: its rate of decay by another z.
      BristleState other = state;
      const double step = f.sigma1 * f.v_s / f.sigma0;
      other.z.x() += step;
      const double decay = (rates.z_rate.x() - bristle_force(f, other, {v, 0.0}, load).z_rate.x()) / step;
      state.z.x() += h * relaxation(std::max(0.0, decay) * h) * rates.z_rate.x();
      if (f.model == FrictionModel::dwell) {
        const double faster = rates.dwell_rate >= 0.0 ? 1.0 / f.tau_dw : settling;
        state.dwell = std::clamp(state.dwell + h * relaxation(faster * h) * rates.dwell_rate, 0.0, 1.0);
      }
    }
  }
}

/// Positive ones by their logarithm; mu and sigma2 may be zero, and go by shares of a scale.
class FrictionSearch {
public:
  explicit FrictionSearch(const FrictionFitProblem& problem) : problem_(problem), samples_(problem.samples) {
    double fastest = 0.0, strongest = 0.0;
    for (const FrictionSample& s : samples_) {
      fastest = std::max(fastest, std::abs(s.velocity));
      strongest = std::max(strongest, std::abs(s.friction));
      largest_mu_ = std::max(largest_mu_, s.load > 0.0 ? std::abs(s.friction) / s.load : 0.0);
      squares_ += s.friction * s.friction;
    }
    fastest_ = fastest;
    strongest_ = strongest;
    for (const auto& [parameter, word] : names_of<FrictionParameter>) {
      const bool none = parameter == FrictionParameter::tau_dw && problem.values.model == FrictionModel::lugre;
      if (!problem.fixed.has(parameter) && !none) free_.push_back(parameter);
    }
  }

  FrictionFit run() {
    Trial best;
    for (const Parameters& start : starts()) {
      const Trial found = descend(start);
      if (!(found.loss >= best.loss)) best = found;
    }
    return report(best);
  }

  double fastest() const { return fastest_; }
  double strongest() const { return strongest_; }
  const std::vector<FrictionParameter>& free() const { return free_; }

private:
  struct Trial {
    Parameters x{};
    double loss = std::numeric_limits<double>::infinity();
    bool converged = false;
  };

  bool logarithmic(FrictionParameter p) const {
    return p == FrictionParameter::sigma0 || p == FrictionParameter::sigma1 || p == FrictionParameter::v_s ||
           p == FrictionParameter::tau_dw;
  }
  double scale(FrictionParameter p) const {
    return p == FrictionParameter::sigma2 ? strongest_ / fastest_ : std::max(largest_mu_, 1e-3);
  }
  double least(FrictionParameter p, const Parameters& x) const {
    return p == FrictionParameter::mu_s ? x[at(FrictionParameter::mu_c)] : 0.0;
  }
  /// Moved by a step in its own measure, and held to its bound.
  void move(Parameters& x, FrictionParameter p, double by) const {
    constexpr double most = 3.0;  // e-foldings in one step
    if (logarithmic(p))
      x[at(p)] *= std::exp(std::clamp(by, -most, most));
    else
      x[at(p)] = std::max(x[at(p)] + by * scale(p), least(p, x));
  }

  VectorXd residuals(const Parameters& x, const Steps& steps) const {
    std::vector<double> forces;
    follow(samples_, steps, friction_of(x, problem_.values), problem_.start, forces);
    VectorXd out(static_cast<Eigen::Index>(forces.size()));
    for (std::size_t i = 0; i < forces.size(); ++i)
      out[static_cast<Eigen::Index>(i)] = forces[i] - samples_[i].friction;
    return out;
  }

  Eigen::MatrixXd slopes(const Parameters& x, const Steps& steps) const {
    constexpr double h = 1e-4;  // the kinks of the law are smeared over so much; forces are exact to far less
    Eigen::MatrixXd out(static_cast<Eigen::Index>(samples_.size()), static_cast<Eigen::Index>(free_.size()));
    for (std::size_t k = 0; k < free_.size(); ++k) {
      Parameters ahead = x, behind = x;
      move(ahead, free_[k], h);
      move(behind, free_[k], -h);
      // mu_s is never less than mu_c: where they are equal both rise together.
      const double width =
          logarithmic(free_[k]) ? 2.0 * h : (ahead[at(free_[k])] - behind[at(free_[k])]) / scale(free_[k]);
      out.col(static_cast<Eigen::Index>(k)) = (residuals(ahead, steps) - residuals(behind, steps)) / width;
    }
    return out;
  }

  double loss(const Parameters& x) const {
    const double out = residuals(x, Steps(samples_, x[at(FrictionParameter::v_s)])).squaredNorm();
    return std::isfinite(out) ? out : std::numeric_limits<double>::infinity();
  }

  /// From a grid over what is hard to guess (v_s, sigma0, sigma1, tau_dw), with mu and sigma2 from the forces.
  std::vector<Parameters> starts() const {
    constexpr std::size_t improved = 3;
    const double duration = samples_.back().time - samples_.front().time;
    double sliding = 0.0;
    int fast = 0;
    for (const FrictionSample& s : samples_)
      if (std::abs(s.velocity) > 0.5 * fastest_ && s.load > 0.0) sliding += std::abs(s.friction) / s.load, ++fast;
    sliding = fast > 0 ? sliding / fast : largest_mu_;
    double steepest = 0.0;  // force by distance within stick
    for (std::size_t i = 0; i + 1 < samples_.size(); ++i) {
      const double way =
          0.5 * std::abs(samples_[i].velocity + samples_[i + 1].velocity) * (samples_[i + 1].time - samples_[i].time);
      const double rise = std::abs(samples_[i + 1].friction - samples_[i].friction);
      if (way > 0.0) steepest = std::max(steepest, rise / way);
    }
    std::vector<std::pair<double, Parameters>> tried;
    const auto chosen = [&](FrictionParameter p, double value) {
      return problem_.fixed.has(p) ? parameters_of(problem_.values)[at(p)] : value;
    };
    for (const double v_s : {0.3, 0.1, 0.03, 0.01, 0.003})
      for (const double stiffness : {1.0, 0.1, 0.01})
        for (const double damping : {1e-1, 1e-2, 1e-3})
          for (const double tau : {0.3, 0.03}) {
            Parameters x;
            const double sigma0 = chosen(FrictionParameter::sigma0, std::max(stiffness * steepest, 1e-6));
            x[at(FrictionParameter::mu_c)] = chosen(FrictionParameter::mu_c, 0.9 * sliding);
            x[at(FrictionParameter::mu_s)] =
                std::max(chosen(FrictionParameter::mu_s, largest_mu_), x[at(FrictionParameter::mu_c)]);
            x[at(FrictionParameter::sigma0)] = sigma0;
            x[at(FrictionParameter::sigma1)] = chosen(FrictionParameter::sigma1, damping * sigma0 * 0.1 * duration);
            x[at(FrictionParameter::sigma2)] = chosen(FrictionParameter::sigma2, 0.0);
            x[at(FrictionParameter::v_s)] = chosen(FrictionParameter::v_s, v_s * fastest_);
            x[at(FrictionParameter::tau_dw)] = chosen(FrictionParameter::tau_dw, tau * duration);
            tried.emplace_back(loss(x), x);
          }
    std::stable_sort(tried.begin(), tried.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<Parameters> out;
    for (const auto& [value, x] : tried) {
      if (out.size() == improved) break;
      if (std::none_of(out.begin(), out.end(), [&x = x](const Parameters& other) { return other == x; }))
        out.push_back(x);
    }
    return out;
  }

  /// Damped least squares (Levenberg-Marquardt) with the bounds kept by moves that stop at them.
  Trial descend(Parameters x) const {
    constexpr int most = 120;
    constexpr double enough = 1e-10;
    double damping = 1e-3;
    Trial out{x, loss(x), false};
    for (int i = 0; i < most; ++i) {
      const Steps steps(samples_, x[at(FrictionParameter::v_s)]);
      const VectorXd r = residuals(x, steps);
      const Eigen::MatrixXd j = slopes(x, steps);
      const Eigen::MatrixXd normal = j.transpose() * j;
      const VectorXd gradient = j.transpose() * r;
      bool better = false;
      for (int attempt = 0; attempt < 12 && !better; ++attempt, damping *= 4.0) {
        Eigen::MatrixXd damped = normal;
        for (Eigen::Index k = 0; k < damped.rows(); ++k)
          damped(k, k) += damping * std::max(normal(k, k), 1e-12 * normal.trace()) + 1e-300;
        const VectorXd step = PivotedCholesky(damped).solve(VectorXd(-gradient));
        Parameters next = x;
        for (std::size_t k = 0; k < free_.size(); ++k)  // mu_c before mu_s, which it bounds
          if (free_[k] != FrictionParameter::mu_s) move(next, free_[k], step[static_cast<Eigen::Index>(k)]);
        for (std::size_t k = 0; k < free_.size(); ++k)
          if (free_[k] == FrictionParameter::mu_s) move(next, free_[k], step[static_cast<Eigen::Index>(k)]);
        const double there = loss(next);
        if (!(there < out.loss)) continue;
        const double gain = out.loss - there;
        out = {next, there, out.converged};
        x = next;
        better = true;
        damping = std::max(1e-12, damping / 40.0);
        if (gain <= enough * there || there <= 1e-24 * squares_) {
          out.converged = true;
          return out;
        }
      }
      if (!better) {
        out.converged = true;  // no step of any length is better
        return out;
      }
    }
    return out;
  }

  FrictionFit report(const Trial& best) const {
    FrictionFit out;
    out.converged = best.converged;
    out.friction = friction_of(best.x, problem_.values);
    const Steps steps(samples_, best.x[at(FrictionParameter::v_s)]);
    follow(samples_, steps, out.friction, problem_.start, out.predicted);
    const VectorXd r = residuals(best.x, steps);
    const double loss_here = r.squaredNorm();
    const auto n = static_cast<double>(samples_.size());
    out.residual = std::sqrt(loss_here / n);
    const Eigen::MatrixXd j = slopes(best.x, steps);
    // Moving a number by a twentieth must be seen in the forces; so must every mixture of numbers.
    constexpr double share = 0.05, unseen = 1e-6, dependent = 1e-7;
    std::vector<Eigen::Index> told;
    for (std::size_t k = 0; k < free_.size(); ++k) {
      const FrictionParameter p = free_[k];
      FittedFriction one{p, best.x[at(p)], {}, false, false};
      const double step = logarithmic(p) ? share : std::max(share * one.value / scale(p), 1e-3);
      one.at_bound = !logarithmic(p) && one.value - least(p, best.x) <= 1e-6 * scale(p);
      one.unidentifiable = j.col(static_cast<Eigen::Index>(k)).norm() * step < unseen * std::sqrt(squares_);
      if (!one.at_bound && !one.unidentifiable) told.push_back(static_cast<Eigen::Index>(k));
      out.free.push_back(one);
    }
    Eigen::MatrixXd some(j.rows(), static_cast<Eigen::Index>(told.size()));
    for (std::size_t k = 0; k < told.size(); ++k) some.col(static_cast<Eigen::Index>(k)) = j.col(told[k]);
    while (some.cols() > 0) {  // mixtures that the trace does not tell, one after the other
      Eigen::MatrixXd unit = some;
      for (Eigen::Index k = 0; k < unit.cols(); ++k) unit.col(k).normalize();
      const SymmetricEigen axes = symmetric_eigen(unit.transpose() * unit);
      if (axes.values[0] >= dependent * dependent) break;
      Eigen::MatrixXd rest(j.rows(), 0);
      std::vector<Eigen::Index> kept;
      for (Eigen::Index k = 0; k < some.cols(); ++k) {
        if (std::abs(axes.vectors(k, 0)) > 0.1) {
          out.free[static_cast<std::size_t>(told[static_cast<std::size_t>(k)])].unidentifiable = true;
          continue;
        }
        rest.conservativeResize(j.rows(), rest.cols() + 1);
        rest.col(rest.cols() - 1) = some.col(k);
        kept.push_back(told[static_cast<std::size_t>(k)]);
      }
      some = rest;
      told = kept;
    }
    out.no_redundancy = samples_.size() <= free_.size();
    if (out.no_redundancy || told.empty()) return out;
    const Eigen::MatrixXd covariance =
        loss_here / (n - static_cast<double>(told.size())) * inverse(some.transpose() * some);
    for (std::size_t k = 0; k < told.size(); ++k) {
      FittedFriction& one = out.free[static_cast<std::size_t>(told[k])];
      const auto i = static_cast<Eigen::Index>(k);
      one.standard_error =
          (logarithmic(one.parameter) ? one.value : scale(one.parameter)) * std::sqrt(covariance(i, i));
    }
    return out;
  }

  const FrictionFitProblem& problem_;
  std::span<const FrictionSample> samples_;
  std::vector<FrictionParameter> free_;
  double fastest_ = 0.0, strongest_ = 0.0, largest_mu_ = 0.0, squares_ = 0.0;
};

void require_valid_samples(std::span<const FrictionSample> samples) {
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const FrictionSample& s = samples[i];
    const std::string which = "samples[" + std::to_string(i) + "]";
    require_finite(which.c_str(), s.time + s.velocity + s.load + s.friction);
    if (!(s.load >= 0.0)) throw InvalidInput(which, "its load must be >= 0, got " + number_text(s.load));
    if (i > 0 && !(s.time > samples[i - 1].time))
      throw InvalidInput(which, "its time must be later than the one before, got " + number_text(s.time));
  }
}

}  // namespace

std::vector<double> friction_trace(std::span<const FrictionSample> samples, const BristleFriction& friction,
                                   const BristleState& start) {
  require_valid(friction);
  require_valid_samples(samples);
  std::vector<double> out;
  follow(samples, Steps(samples, friction.v_s), friction, start, out);
  return out;
}

FrictionFit fit_friction(const FrictionFitProblem& problem) {
  if (problem.samples.size() < 3)
    throw InvalidInput("samples", "must be three or more, got " + std::to_string(problem.samples.size()));
  require_valid_samples(problem.samples);
  FrictionSearch search(problem);
  if (search.free().empty()) throw InvalidInput("fixed", "must leave something to fit");
  for (const FrictionParameter p :
       {FrictionParameter::sigma0, FrictionParameter::sigma1, FrictionParameter::v_s, FrictionParameter::tau_dw})
    if (problem.fixed.has(p) && !(parameters_of(problem.values)[at(p)] > 0.0))
      throw InvalidInput("values", std::string(name(p)) + " must be > 0");
  if (!(search.fastest() > 0.0 && search.strongest() > 0.0))
    throw InvalidInput("samples", "must have a velocity and a force that are not zero");
  return search.run();
}

}  // namespace carom
