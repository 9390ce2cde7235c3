// The right-hand side of simultaneous impact: rates of the state, and the event functions that end a smooth piece.
#pragma once

#include <Eigen/Core>
#include <type_traits>

#include "event_search.hpp"
#include "flow_state.hpp"
#include "friction.hpp"
#include "system.hpp"

namespace carom::simultaneous {

template <int D>
class Rates {
public:
  Rates(const System<D>& system, const Thresholds& limits, FlowState<D>& now, Work& work, Log& log)
      : see(system), friction(system, limits, now, see, work, log), system_(system), now_(now) {}

  /// Derivative of a state y in the present modes. Every piece is continued smoothly past its end, so that a step may
  /// overshoot an event before it is located.
  void at(const Eigen::VectorXd& y, double* rate);
  /// Accelerations and event functions at the state y of the last `at`.
  void evaluate(const Eigen::VectorXd& y, const Eigen::VectorXd& rate, Events& events);
  /// Derivatives and event functions at the present state, after its modes have changed.
  void refresh(Events& start);
  /// How near zero event function k counts as having arrived.
  double arrival(std::size_t k, double rate) const;

  Evaluation<D> see;
  std::conditional_t<D == 3, Friction, NoFriction> friction;

private:
  static constexpr int n = D - 1;
  const System<D>& system_;
  FlowState<D>& now_;
};

}  // namespace carom::simultaneous
