// Steps of simultaneous impact: from the present state to the next event, or as far as the tolerance allows.
#pragma once

#include <Eigen/Core>
#include <array>
#include <limits>
#include <utility>

#include "carom/core/integrator.hpp"

#include "event_search.hpp"
#include "flow_state.hpp"
#include "rates.hpp"
#include "system.hpp"

namespace carom::simultaneous {

template <int D>
class Stepper {
public:
  Stepper(const System<D>& system, const Thresholds& limits, FlowState<D>& now, Rates<D>& rates, Work& work);

  /// What a step has led to. `length` is none if it is lost.
  struct Step {
    double length = 0.0;
    bool event = false;
  };
  /// The next step, to y1 and rate1, where the event functions are `end`.
  /// @param start  event functions at the present state
  Step take(Events& start, Events& end);

  /// The next step goes no further than this.
  void set_end(double length) { end_ = length; }

  /// No step is short enough for the rates to be finite.
  bool lost() const { return lost_; }
  std::size_t steps() const { return steps_; }

  Eigen::VectorXd y1, rate1;

private:
  static constexpr int n = D - 1;
  double velocity_rounding() const;
  void set_weights();
  std::pair<double, bool> longest_step() const;
  std::pair<double, double> within_tolerance(Events& start, Events& end);
  double full_step(double h);
  bool locate(const Events& start, Events& end, double& h);
  void step_to(double t, double reach, Events& end);
  void short_step(const Eigen::VectorXd& y, const Eigen::VectorXd& rate, double t);
  void keep(double t);

  const System<D>& system_;
  const Thresholds& limits_;
  FlowState<D>& now_;
  Rates<D>& rates_;
  Work& work_;
  double step_work_;
  double shortest_;  // step
  double h_ = 0.02;
  double end_ = std::numeric_limits<double>::infinity();
  double opening_share_ = 0.5;  // steps towards the opening of a Hertz contact over the time left
  double piece_error_ = 0.0;    // of the last full step from the present state, as a share of what is allowed
  std::size_t steps_ = 0;
  bool lost_ = false;
  Dop853 method_;
  Eigen::VectorXd weight_;
  struct {
    double t = 0.0;
    Eigen::VectorXd y, rate;
  } known_;                               // a state on the present step, after time t
  std::array<Eigen::VectorXd, 4> short_;  // of short_step: a state and rates
  EventSearch search_;
};

}  // namespace carom::simultaneous
