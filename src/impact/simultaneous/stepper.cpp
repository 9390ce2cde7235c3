#include "stepper.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace carom::simultaneous {

namespace {

/// A force k t^p stops a slip of unit speed when mu w k t^(p+1) / (p+1) = 1.
template <int D>
double shortest_of(const System<D>& system, const Evaluation<D>& see) {
  double shortest = shortest_step;
  if constexpr (D == 3)
    for (std::size_t c = 0; c < system.size(); ++c) {
      const Spring& s = system.spring(c);
      const double braking = s.mu * s.k * see.own[c].template head<2>().maxCoeff();
      if (braking > 0.0)
        shortest = std::min(shortest, shortest_stopping_share * std::pow((s.p + 1.0) / braking, 1.0 / (s.p + 1.0)));
    }
  return shortest;
}

}  // namespace

template <int D>
Stepper<D>::Stepper(const System<D>& system, const Thresholds& limits, FlowState<D>& now, Rates<D>& rates, Work& work)
    : system_(system),
      limits_(limits),
      now_(now),
      rates_(rates),
      work_(work),
      step_work_(step_overhead + system.effort()),
      shortest_(shortest_of(system, rates.see)),
      method_(now.length()),
      search_(now.m) {
  for (Eigen::VectorXd* v : {&y1, &rate1, &weight_, &known_.y, &known_.rate}) v->setZero(now.length());
  for (Eigen::VectorXd& v : short_) v.setZero(now.length());
}

/// The rounding of u = u0 + W P, of a contact whose own inverse inertia is one: between bodies of very unlike mass, W P
/// is a small difference of large numbers.
template <int D>
double Stepper<D>::velocity_rounding() const {
  double largest = 1.0;
  for (std::size_t c = 0; c < now_.m; ++c)
    largest =
        std::max(largest, rates_.see.mobility[c] * now_.y.template segment<D>(now_.at_p(c)).cwiseAbs().maxCoeff());
  return rounding * largest;
}

/// No error is asked to be below the rounding of what it is an error of: no step would be short enough.
template <int D>
void Stepper<D>::set_weights() {
  const double tol = local_tolerance * limits_.tolerance, unsure = velocity_rounding();
  const Eigen::VectorXd& y = now_.y;
  const auto at = [&](Eigen::Index i) { return rounding * std::abs(y[i]); };
  for (std::size_t c = 0; c < now_.m; ++c) {
    const Spring& s = system_.spring(c);
    const auto& own = rates_.see.own[c];
    const double u_rounding = unsure * rates_.see.mobility[c];
    for (int i = 0; i < D; ++i) {
      const Eigen::Index k = now_.at_p(c) + i;
      weight_[k] = own[i] / (tol + own[i] * at(k));
    }
    const double unit = std::pow(s.k, 1.0 / (s.p + 1.0));
    const double d_rounding = h_ * (now_.modes[c].normal == NormalMode::unloading ? u_rounding / s.e2 : u_rounding);
    weight_[now_.at_d(c)] = unit / (tol + unit * (at(now_.at_d(c)) + d_rounding));
    if constexpr (D == 3) {
      const bool angle = s.eta2 > 0.0 && now_.modes[c].tangent == TangentMode::slip;
      // An error of the direction counts as much as the force it turns.
      const double bound = s.mu * s.force(now_.compression(c));
      weight_.segment<2>(now_.at_f(c))
          .setConstant(angle ? (bound + tol) / tol : 1.0 / (tol + rounding * y.segment<2>(now_.at_f(c)).norm()));
      weight_[now_.at_work(c)] = 1.0 / (tol + at(now_.at_work(c)) + h_ * bound * u_rounding);
    }
  }
}

/// The longest step worth trying, and whether it ends short of an opening. At the opening of a Hertz contact the force
/// has no smooth end: steps towards it must shrink with the time left, until what is left of the impulse is so little
/// that a step may run over the end.
template <int D>
std::pair<double, bool> Stepper<D>::longest_step() const {
  double longest = std::numeric_limits<double>::infinity();
  bool towards = false;
  for (std::size_t c = 0; c < now_.m; ++c) {
    const double d = now_.compression(c), opening = -now_.rate[now_.at_d(c)];
    const Spring& s = system_.spring(c);
    if (!s.hertz() || now_.modes[c].normal != NormalMode::unloading || !(d > 0.0) || !(opening > 0.0)) continue;
    const double left = d / opening, impulse = s.force(d) * left / (s.p + 1.0);
    const bool short_of = run_over_error * impulse * weight_[now_.at_p(c) + n] > 1.0;
    const double length = (short_of ? opening_share_ : run_over) * left;
    if (length < longest) {
      longest = length;
      towards = short_of;
    }
  }
  return {std::max(longest, shortest_), towards};
}

/// A step by h from the present state to y1. Returns its error, as a share of what is allowed.
template <int D>
double Stepper<D>::full_step(double h) {
  const auto rhs = [this](const Eigen::VectorXd& at, double* out) { rates_.at(at, out); };
  const double error = method_.step(rhs, now_.y, now_.rate, h, y1, weight_);
  ++steps_;
  work_.spend(step_work_);
  return error;
}

/// A step within the tolerance from the present state, without regard to events. Returns its length and its error.
template <int D>
std::pair<double, double> Stepper<D>::within_tolerance(Events& start, Events& end) {
  double h = 0.0, error = 0.0;
  for (;;) {
    set_weights();
    for (;;) {
      const auto [longest, towards] = longest_step();
      h = std::min({h_, longest, end_});
      error = full_step(h);
      const double factor = std::isfinite(error) ? Dop853::factor(error) : 0.2;
      const bool shortened = towards && h == longest && h < h_;
      if (shortened) opening_share_ = std::min(opening_share_ * factor, largest_opening_share);
      lost_ = !std::isfinite(error);
      if (error <= 1.0 || h <= shortest_ || (!work_.left() && !lost_)) break;
      if (!shortened) h_ = std::max(h * factor, shortest_);  // also where the end was nearer
    }
    rates_.at(y1, rate1.data());
    rates_.evaluate(y1, rate1, end);
    if constexpr (D == 3) {
      if (rates_.friction.lags(y1, rate1)) {  // again, with directions of their own
        rates_.at(now_.y, now_.rate.data());
        rates_.friction.release_lagging();
        rates_.at(now_.y, now_.rate.data());
        rates_.evaluate(now_.y, now_.rate, start);
        continue;
      }
    }
    break;
  }
  piece_error_ = error;
  return {h, error};
}

template <int D>
typename Stepper<D>::Step Stepper<D>::take(Events& start, Events& end) {
  for (;;) {
    const auto [h, error] = within_tolerance(start, end);
    if (lost_) return {};
    double used = h;
    const bool event = locate(start, end, used);
    // After an event the step goes on as before; one that was not allowed its full length says nothing against it.
    if (!event) h_ = std::max(h < h_ ? h_ : 0.0, h * Dop853::factor(error));
    // A force like d^1.5 has no smooth end: the piece up to the event may be worse than the step that ran over it.
    if (!event || piece_error_ <= 1.0 || used <= shortest_ || !work_.left()) return {used, event};
    h_ = std::max(used * Dop853::factor(piece_error_), shortest_);
  }
}

/// Shortens the step [0, h] to its first event, if there is one. The events of the end of the step are in `end`.
template <int D>
bool Stepper<D>::locate(const Events& start, Events& end, double& h) {
  if (!search_.possible(start, end, h)) return false;
  keep(h);
  const double reach = short_share * h;
  return search_.first(
      start, end, h, shortest_, [&](double t) { step_to(t, reach, end); },
      [this](std::size_t k, double rate) { return rates_.arrival(k, rate); });
}

/// y1, rate1 and `end` after time t of the present step; by a short step where a known state is within reach.
template <int D>
void Stepper<D>::step_to(double t, double reach, Events& end) {
  const bool near = std::abs(t - known_.t) <= reach, early = t <= reach;
  if (near)
    short_step(known_.y, known_.rate, t - known_.t);
  else if (early)
    short_step(now_.y, now_.rate, t);
  else
    piece_error_ = full_step(t);
  rates_.at(y1, rate1.data());
  rates_.evaluate(y1, rate1, end);
  if (!near && !early) keep(t);
}

/// A step by t, positive or negative, from a state with that rate to y1: the classical method of order 4.
template <int D>
void Stepper<D>::short_step(const Eigen::VectorXd& y, const Eigen::VectorXd& rate, double t) {
  work_.spend(short_step_work * step_work_);
  auto& [at, second, third, fourth] = short_;
  at = y + 0.5 * t * rate;
  rates_.at(at, second.data());
  at = y + 0.5 * t * second;
  rates_.at(at, third.data());
  at = y + t * third;
  rates_.at(at, fourth.data());
  y1 = y + t / 6.0 * (rate + 2.0 * (second + third) + fourth);
}

/// Makes the state in y1, after time t of the present step, the one to go on from.
template <int D>
void Stepper<D>::keep(double t) {
  known_.t = t;
  known_.y = y1;
  known_.rate = rate1;
}

template class Stepper<1>;
template class Stepper<3>;

}  // namespace carom::simultaneous
