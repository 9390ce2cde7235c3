#include "carom/core/switched_system.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "carom/core/error.hpp"
#include "carom/core/integrator.hpp"

namespace carom {

namespace {

using Eigen::Index, Eigen::VectorXd;

/// Guards are looked at so often inside a step, first on a cubic through its ends: two crossings of one guard closer
/// together than that may go unnoticed.
constexpr int looks = 5;
/// Rounds of crossings at one instant after which time goes on whatever the guards say.
constexpr int max_rounds = 8;

class Run {
public:
  Run(SwitchedSystem& system, const SwitchedSettings& settings, Index n)
      : system_(system),
        settings_(settings),
        n_(n),
        method_(n),
        guards_(static_cast<std::size_t>(system.guards())),
        armed_(guards_),
        turned_back_(guards_),
        at_start_(guards_),
        values_(guards_),
        weight_(n),
        rate0_(n),
        rate1_(n),
        y1_(n),
        look_(n) {}

  SwitchedStop follow(double t, VectorXd y, double t_end, std::span<const double> times,
                      const std::function<void(std::size_t, double, const VectorXd&)>& sample) {
    const auto rhs = [this](const VectorXd& state, double* out) { system_.rate(state, out); };
    SwitchedStop stop;
    std::size_t next = 0;
    const auto samples_before = [&](double from, double until, double h, bool inclusive) {
      while (next < times.size() && (times[next] < until || (inclusive && times[next] <= until))) {
        method_.state((times[next] - from) / h, look_);
        if (sample) sample(next, times[next], look_);
        ++next;
      }
    };
    const auto samples_now = [&] {
      while (next < times.size() && times[next] <= t) {
        if (sample) sample(next, times[next], y);
        ++next;
      }
    };
    samples_now();
    if (!settle(-1, t, y, stop)) return finished(stop, t, std::move(y));
    system_.rate(y, rate0_.data());
    double h = first_step(y, t_end - t);
    while (t < t_end) {
      const double left = t_end - t;
      h = std::min(h, system_.longest_step(y, rate0_.data()));
      if (settings_.longest_step > 0.0) h = std::min(h, settings_.longest_step);
      const bool last = !(h < left);
      if (last) h = left;
      if (stop.steps >= settings_.max_steps || stop.events >= settings_.max_events || !(t + h > t)) {
        stop.limited = true;
        break;
      }
      set_weights(y);
      ++stop.steps;
      const double error = method_.step(rhs, y, rate0_, h, y1_, weight_) / std::sqrt(static_cast<double>(n_));
      const double grow = Dop853::factor(error);
      if (!std::isfinite(error) || error > 1.0) {
        h *= std::isfinite(error) ? std::min(grow, 0.9) : 0.2;
        continue;
      }
      const double t1 = last ? t_end : t + h;
      system_.rate(y1_, rate1_.data());
      bool interpolated = false;
      const auto make_dense = [&] {
        if (!interpolated) method_.interpolate(rhs, y, y1_, rate1_, h);
        interpolated = true;
      };
      double where = 1.0;
      int which = -1;
      system_.guard_values(y, at_start_.data());
      if (suspicious(y, h)) {
        make_dense();
        find_crossing(where, which);
      }
      if (which >= 0) {
        const double used = where * h;
        if (t + used > t) {
          if (next < times.size() && times[next] < t + used) samples_before(t, t + used, h, false);
          // The state by a step of its own: the polynomial inside the long one has an order less.
          method_.step(rhs, y, rate0_, used, y1_, weight_);
          ++stop.steps;
          y = y1_;
          t = std::min(t + used, t_end);
          std::fill(turned_back_.begin(), turned_back_.end(), 0);
        }
        if (!settle(which, t, y, stop)) return finished(stop, t, std::move(y));
        system_.rate(y, rate0_.data());
        h = std::max(h * std::min(grow, 1.0) * 0.5, used);
        samples_now();
        continue;
      }
      if (next < times.size() && times[next] <= t1) {
        make_dense();
        samples_before(t, t1, h, true);
      }
      arm();
      std::fill(turned_back_.begin(), turned_back_.end(), 0);
      t = t1;
      y.swap(y1_);
      rate0_.swap(rate1_);
      h *= grow;
    }
    return finished(stop, t, std::move(y));
  }

private:
  static SwitchedStop finished(SwitchedStop& stop, double t, VectorXd y) {
    stop.t = t;
    stop.y = std::move(y);
    return stop;
  }
  void set_weights(const VectorXd& y) {
    for (Index i = 0; i < n_; ++i)
      weight_[i] = 1.0 / (settings_.tolerance * std::max(settings_.scale[i], std::abs(y[i])));
  }
  double first_step(const VectorXd& y, double left) {
    set_weights(y);
    const double speed = weight_.cwiseProduct(rate0_).norm() * settings_.tolerance;
    return speed > 0.0 ? std::min(1e-3 / speed, left) : left;
  }

  /// After crossing guard `which` (-1: none, only to look), and whatever else crosses with it. False ends the run.
  bool settle(int which, double t, VectorXd& y, SwitchedStop& stop) {
    for (int round = 0; round < max_rounds; ++round) {
      if (which >= 0) {
        ++stop.events;
        if (!system_.crossed(which, t, y)) {
          stop.ended = true;
          return false;
        }
      }
      system_.guard_values(y, values_.data());
      const int before = which;
      which = -1;
      for (std::size_t g = 0; g < guards_; ++g) {
        armed_[g] = values_[g] > 0.0;
        if (values_[g] < 0.0 && static_cast<int>(g) != before && which < 0) which = static_cast<int>(g);
      }
      if (which < 0) return true;
    }
    return true;
  }
  void arm() {
    system_.guard_values(y1_, values_.data());
    for (std::size_t g = 0; g < guards_; ++g) armed_[g] = values_[g] > 0.0;
  }

  /// Whether some guard may have crossed zero in the step, by the cubic through its ends.
  bool suspicious(const VectorXd& y, double h) {
    const std::vector<char> armed = armed_;
    for (int look = 1; look <= looks; ++look) {
      const double s = static_cast<double>(look) / looks, r = 1.0 - s;
      if (look == looks) {
        system_.guard_values(y1_, values_.data());
      } else {
        const double h00 = r * r * (1.0 + 2.0 * s), h01 = s * s * (3.0 - 2.0 * s), h10 = h * s * r * r,
                     h11 = -h * s * s * r;
        for (Index i = 0; i < n_; ++i) look_[i] = h00 * y[i] + h01 * y1_[i] + h10 * rate0_[i] + h11 * rate1_[i];
        system_.guard_values(look_, values_.data());
      }
      for (std::size_t g = 0; g < guards_; ++g)
        if (values_[g] < 0.0 && (armed_[g] || look == looks)) return armed_ = armed, true;
      for (std::size_t g = 0; g < guards_; ++g)
        if (values_[g] > 0.0) armed_[g] = 1;
    }
    armed_ = armed;
    return false;
  }

  /// The first crossing in the step, as its share of h. A guard that has not risen since it was crossed and ends below
  /// zero, or is there before another one crosses, has turned back: it crosses at the beginning, once.
  void find_crossing(double& where, int& which) {
    std::vector<double> before = at_start_;
    std::vector<char> armed = armed_;
    double last = 0.0;
    for (int look = 1; look <= looks && which < 0; ++look) {
      const double s = static_cast<double>(look) / looks;
      method_.state(s, look_);
      system_.guard_values(look_, values_.data());
      const std::vector<double> now = values_;
      for (std::size_t g = 0; g < guards_; ++g) {
        if (now[g] < 0.0 && armed[g]) {
          const double at = root(g, last, s, before[g], now[g]);
          if (which < 0 || at < where) where = at, which = static_cast<int>(g);
        }
        if (now[g] > 0.0) armed[g] = 1;
      }
      before = now;
      last = s;
    }
    if (which >= 0) {  // only what has turned back before it
      method_.state(where, look_);
      system_.guard_values(look_, values_.data());
      before = values_;
    }
    for (std::size_t g = 0; g < guards_; ++g)
      if (before[g] < 0.0 && !armed[g] && !turned_back_[g] && static_cast<int>(g) != which) {
        turned_back_[g] = 1;
        where = 0.0;
        which = static_cast<int>(g);
        return;
      }
  }

  /// Where guard g falls through zero between the shares low and high of the step: Illinois, with halving where that
  /// is slow.
  double root(std::size_t g, double low, double high, double at_low, double at_high) {
    if (!(at_low > 0.0)) return low;
    int side = 0;
    for (int k = 0; k < 200 && high - low > 1e-15 * high; ++k) {
      double s = k % 8 == 7 ? 0.5 * (low + high) : low + (high - low) * at_low / (at_low - at_high);
      if (!(s > low && s < high)) s = 0.5 * (low + high);
      if (!(s > low && s < high)) break;
      method_.state(s, look_);
      system_.guard_values(look_, values_.data());
      const double f = values_[g];
      if (f > 0.0) {
        low = s, at_low = f;
        if (side == 1) at_high *= 0.5;
        side = 1;
      } else {
        high = s, at_high = f;
        if (side == -1) at_low *= 0.5;
        side = -1;
        if (f == 0.0) break;
      }
    }
    return high;
  }

  SwitchedSystem& system_;
  const SwitchedSettings& settings_;
  Index n_;
  Dop853 method_;
  std::size_t guards_;
  std::vector<char> armed_;
  std::vector<char> turned_back_;  // at this instant: each guard once
  std::vector<double> at_start_, values_;
  VectorXd weight_, rate0_, rate1_, y1_, look_;
};

}  // namespace

SwitchedStop follow(SwitchedSystem& system, double t_begin, const VectorXd& y, double t_end,
                    const SwitchedSettings& settings, std::span<const double> sample_times,
                    const std::function<void(std::size_t, double, const VectorXd&)>& sample) {
  require_finite("t_begin", t_begin);
  require_at_least("t_end", t_end, t_begin);
  if (y.size() == 0 || !y.allFinite()) throw InvalidInput("y", "must be finite and not empty");
  if (settings.scale.size() != y.size() || !(settings.scale.minCoeff() > 0.0) || !settings.scale.allFinite())
    throw InvalidInput("scale", "must be a positive number for each component of y");
  require_positive("tolerance", settings.tolerance);
  return Run(system, settings, y.size()).follow(t_begin, y, t_end, sample_times, sample);
}

}  // namespace carom
