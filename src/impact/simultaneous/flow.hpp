// Simultaneous impact followed in time: smooth pieces by a high-order explicit method, events located between them. All
// of its contacts at once, or, for a part of many, up to a given time (parts.hpp).
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "cubic.hpp"
#include "event_search.hpp"
#include "flow_state.hpp"
#include "rates.hpp"
#include "standstill.hpp"
#include "stepper.hpp"
#include "system.hpp"

namespace carom::simultaneous {

/// All that one contact carries from one time to another.
template <int D>
struct FlowContact {
  typename System<D>::Vector impulse = System<D>::Vector::Zero();
  double compression = 0.0;
  Eigen::Vector2d friction = Eigen::Vector2d::Zero();  // its variables, as in FlowState
  double work = 0.0;                                   // lost to friction
  SlipStart slip;
  ContactState mode;
};

/// A contact in the course of one step, for samples.
struct FlowPiece {
  Cubic compression{};
  Eigen::Vector2d friction_before = Eigen::Vector2d::Zero(), friction_after = Eigen::Vector2d::Zero();
  NormalMode normal = NormalMode::open;
  TangentMode tangent = TangentMode::none;

  /// After the share x of the step: compressions by the cubic through its ends, forces by the springs.
  SimultaneousSample::Contact at(double x, const Spring& spring) const;
};

template <int D>
class Flow {
public:
  using Vector = typename System<D>::Vector;

  Flow(const System<D>& system, const Thresholds& limits, Work& work, Log& log);

  /// The modes of all contacts when the impact begins.
  void start();
  /// From the start to the end.
  Outcome run();

  FlowContact<D> contact(std::size_t c) const;
  void set_contact(std::size_t c, const FlowContact<D>& contact);
  /// From the contacts as they were set, at time `from`, up to time `to`. False where it gets no further.
  bool run_between(double from, double to);

  const Vector& velocity(std::size_t c) const { return rates_.see.u[c]; }
  /// Of one contact, as last evaluated.
  Activity activity(std::size_t c) const;
  std::size_t steps() const { return stepper_.steps(); }
  /// Numbers have left their range.
  bool lost() const { return stepper_.lost(); }
  /// Times of the steps of the last run_between and all contacts in their course, one step after the other; kept where
  /// samples are asked for.
  struct Steps {
    std::vector<double> ends;
    std::vector<FlowPiece> pieces;
  };
  const Steps& taken() const { return taken_; }
  void keep_steps() { keep_steps_ = true; }

private:
  static constexpr int n = D - 1;
  using SampledContacts = std::vector<SimultaneousSample::Contact>;

  void advance();
  void fire();
  void settle();
  void release();
  void update_friction();
  void set_normal(std::size_t c, NormalMode mode, double d) {
    change_normal_mode(now_.modes[c], system_.spring(c), mode, d, c, now_.time, now_.impulse(c), log_);
  }
  FlowPiece piece(std::size_t c, double h) const;
  void sample(double h);
  void fill(SampledContacts& contacts) const;

  const System<D>& system_;
  Work& work_;
  Log& log_;
  const Thresholds& limits_;
  FlowState<D> now_;
  Rates<D> rates_;
  Stepper<D> stepper_;
  Events start_, end_;    // event functions now, and at the end of the step
  SettleSpace<D> space_;  // of settle, like the following
  std::vector<ContactState> next_;
  std::vector<double> compression_;
  typename System<D>::Vectors u_before_, f_before_;
  bool keep_steps_ = false;
  Steps taken_;
};

extern template class Flow<1>;
extern template class Flow<3>;

}  // namespace carom::simultaneous
