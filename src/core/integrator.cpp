#include "carom/core/integrator.hpp"

#include <algorithm>
#include <boost/math/tools/toms748_solve.hpp>

#include "carom/core/error.hpp"

namespace carom {

namespace {

using Eigen::Index, Eigen::VectorXd;

void require_valid(double t_begin, const VectorXd& y, double t_end, const IntegratorSettings& settings) {
  require_finite("t_begin", t_begin);
  require_finite("t_end", t_end);
  if (!(t_end > t_begin))
    throw InvalidInput("t_end", "must be after t_begin, " + number_text(t_begin) + ", got " + number_text(t_end));
  if (y.size() == 0 || !y.allFinite()) throw InvalidInput("y", "must be finite and not empty");
  require_positive("relative_tolerance", settings.relative_tolerance);
  require_positive("absolute_tolerance", settings.absolute_tolerance);
  if (!(settings.longest_step > 0.0))
    throw InvalidInput("longest_step", "must be positive, got " + number_text(settings.longest_step));
  if (settings.looks_per_step < 1)
    throw InvalidInput("looks_per_step", "must be at least 1, got " + std::to_string(settings.looks_per_step));
}

/// The equations with time as the last component of the state, as Dop853 wants them.
class Run {
public:
  Run(const RateFunction& rate, const std::vector<EventFunction>& events, const IntegratorSettings& settings, Index n)
      : rate_(rate), events_(events), settings_(settings), n_(n), method_(n + 1), rate_of_y_(n), inner_(n) {}

  IntegratorStop follow(
      double t_begin, const VectorXd& y, double t_end,
      const std::function<void(double, double, const std::function<void(double, VectorXd&)>&)>& between) {
    const auto rhs = [this](const VectorXd& z, double* out) { rate_at(z, out); };
    VectorXd z(n_ + 1), z1(n_ + 1), rate0(n_ + 1), rate1(n_ + 1), weight(n_ + 1);
    z << y, t_begin;
    rate_at(z, rate0.data());
    std::vector<char> armed(events_.size());  // above zero when last seen
    for (std::size_t e = 0; e < events_.size(); ++e) armed[e] = events_[e](t_begin, y) > 0.0;
    IntegratorStop stop;
    double h = std::min(first_step(z, rate0), t_end - t_begin);
    while (z[n_] < t_end) {
      const double t = z[n_], left = t_end - t;
      h = std::min({h, settings_.longest_step, left});
      const bool last = h == left;
      if (stop.steps == settings_.max_steps || !(t + h > t)) {
        stop.step_limit = true;
        break;
      }
      ++stop.steps;
      set_weights(z, weight);
      const double error = method_.step(rhs, z, rate0, h, z1, weight) / std::sqrt(static_cast<double>(n_));
      if (!std::isfinite(error) || error > 1.0) {
        h *= std::isfinite(error) ? std::min(Dop853::factor(error), 0.9) : 0.2;
        continue;
      }
      z1[n_] = last ? t_end : t + h;  // the clock is exact
      rate_at(z1, rate1.data());
      if (!events_.empty() || between) method_.interpolate(rhs, z, z1, rate1, h);
      const auto event = first_event(t, h, armed);
      const double used = event ? event->first * h : h;
      if (between) between(t, t + used, [&](double at, VectorXd& out) { inner((at - t) / h, out); });
      if (event) {
        stop.t = t + used;
        inner(event->first, stop.y);
        stop.event = event->second;
        return stop;
      }
      h *= Dop853::factor(error);
      z.swap(z1);
      rate0.swap(rate1);
    }
    stop.t = z[n_];
    stop.y = z.head(n_);
    return stop;
  }

private:
  void rate_at(const VectorXd& z, double* out) {
    inner_ = z.head(n_);
    rate_(z[n_], inner_, rate_of_y_);
    Eigen::Map<VectorXd> all(out, n_ + 1);
    all.head(n_) = rate_of_y_;
    all[n_] = 1.0;
  }
  /// The state after the share s of the step just taken.
  void inner(double s, VectorXd& y) {
    method_.state(s, dense_);
    y = dense_.head(n_);
  }
  void set_weights(const VectorXd& z, VectorXd& weight) const {
    weight.head(n_) =
        (settings_.absolute_tolerance + settings_.relative_tolerance * z.head(n_).array().abs()).inverse().matrix();
    weight[n_] = 0.0;  // time has no error
  }
  /// As Hairer, Norsett and Wanner, section II.4: from the sizes of the state and of its rate.
  double first_step(const VectorXd& z, const VectorXd& rate) const {
    VectorXd weight(n_ + 1);
    set_weights(z, weight);
    const double size = weight.cwiseProduct(z).norm(), speed = weight.cwiseProduct(rate).norm();
    return speed > 0.0 && size > 0.0 ? 0.01 * size / speed : 1e-6;
  }
  /// The first event in the step from t, as its share of h and its number.
  std::optional<std::pair<double, std::size_t>> first_event(double t, double h, std::vector<char>& armed) {
    std::optional<std::pair<double, std::size_t>> first;
    VectorXd y(n_);
    const auto value = [&](std::size_t e, double s) {
      inner(s, y);
      return events_[e](t + s * h, y);
    };
    for (std::size_t e = 0; e < events_.size(); ++e) {
      double before = 0.0;
      for (int look = 1; look <= settings_.looks_per_step; ++look) {
        const double s = static_cast<double>(look) / settings_.looks_per_step, now = value(e, s);
        if (armed[e] && !(now > 0.0)) {
          const double at = crossing([&](double x) { return value(e, x); }, before, s);
          if (!first || at < first->first) first = {at, e};
          break;
        }
        armed[e] = now > 0.0;
        before = s;
      }
    }
    return first;
  }
  template <class Function>
  static double crossing(const Function& f, double low, double high) {
    const double at_low = f(low), at_high = f(high);
    if (!(at_low > 0.0) || at_high == 0.0) return at_low > 0.0 ? high : low;
    std::uintmax_t most = 100;
    return boost::math::tools::toms748_solve(f, low, high, at_low, at_high, boost::math::tools::eps_tolerance<double>(),
                                             most)
        .second;
  }

  const RateFunction& rate_;
  const std::vector<EventFunction>& events_;
  const IntegratorSettings& settings_;
  Index n_;
  Dop853 method_;
  VectorXd rate_of_y_, inner_, dense_;
};

}  // namespace

IntegratorStop integrate(
    const RateFunction& rate, double t_begin, const VectorXd& y, double t_end, const std::vector<EventFunction>& events,
    const IntegratorSettings& settings,
    const std::function<void(double, double, const std::function<void(double, VectorXd&)>&)>& between) {
  require_valid(t_begin, y, t_end, settings);
  return Run(rate, events, settings, y.size()).follow(t_begin, y, t_end, between);
}

}  // namespace carom
