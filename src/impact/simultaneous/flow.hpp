// Simultaneous impact followed in time: smooth pieces by a high-order explicit method, events located between them.
#pragma once

#include <Eigen/Core>
#include <array>
#include <utility>
#include <vector>

#include "dop853.hpp"
#include "rigid_friction.hpp"
#include "system.hpp"

namespace carom::simultaneous {

/// A run. State vector: impulses (D per contact), compressions, and with friction (D = 3) two friction variables per
/// contact (force while springs stick; angle, unused, while they slip) and the work lost to friction.
template <int D>
class Flow {
public:
  Flow(const System<D>& system, double tolerance, Work& work, Log& log);
  Outcome run();

private:
  using Vector = typename System<D>::Vector;
  using Vectors = typename System<D>::Vectors;
  static constexpr int n = D - 1;
  static constexpr std::size_t slots = 4;  // event functions per contact: normal velocity, opening, two of friction

  /// Event functions: an event when one falls below zero. `rate` is not finite where it is not known.
  struct Events {
    std::vector<double> value, rate;
    std::vector<char> active;
  };

  Eigen::Index at_d(std::size_t c) const { return static_cast<Eigen::Index>(D * m_ + c); }
  Eigen::Index at_f(std::size_t c) const { return static_cast<Eigen::Index>((D + 1) * m_ + 2 * c); }
  Eigen::Index at_work(std::size_t c) const { return static_cast<Eigen::Index>((D + 3) * m_ + c); }
  bool is_rigid(std::size_t c) const { return system_.spring(c).mu > 0.0 && system_.spring(c).eta2 == 0.0; }
  bool any_closed() const;
  std::pair<double, double> motion_and_energy() const;
  bool spent() const;
  bool jammed();
  bool stands_still();
  double velocity_rounding() const;
  double creep_room(std::size_t c) const;
  bool friction_matters(std::size_t c, const Eigen::VectorXd& y) const;
  void release();

  void rate_of(const Eigen::VectorXd& y, double* rate) const;
  void respond(const Vectors& force, const std::vector<std::size_t>& contacts, Vectors& answer) const;
  Eigen::Vector2d friction_rate(std::size_t c, const Eigen::VectorXd& y, double force, double d_rate,
                                double* rate) const;
  Eigen::Vector2d slip_direction(std::size_t c, const Eigen::Vector2d& u) const;
  void rigid_forces() const;
  void lag_slaved_directions(const Eigen::VectorXd& y) const;
  void find_lag_errors(const Eigen::VectorXd& y, const Eigen::VectorXd& rate) const;
  bool may_slave(std::size_t c, double allowed) const;
  bool release_lagging();
  void evaluate(const Eigen::VectorXd& y, const Eigen::VectorXd& rate, Events& events) const;
  void evaluate_friction(std::size_t c, const Eigen::VectorXd& y, const Eigen::VectorXd& rate, Events& events) const;

  void advance();
  std::pair<double, bool> longest_step() const;
  std::pair<double, double> try_step();
  bool locate(double& h);
  void step_to(double t, double reach);
  void keep(double t);
  void short_step(const Eigen::VectorXd& y, const Eigen::VectorXd& rate, double t);
  double arrival(std::size_t k, double rate) const;
  void fire();
  void fire_friction(std::size_t c);
  void settle();
  void start_friction(std::size_t c, Vector& force, const Vector& motion, bool fresh);
  void level_friction(LeadingForces<D>& lead, double order);
  void decide_stopped();
  void update_slaving();
  void rebuild_closed();
  void rebuild_rigid();
  void rebuild_rigid_friction();
  void set_weights();
  void sample(double h) const;
  void fill(std::vector<SimultaneousSample::Contact>& contacts) const;
  Eigen::Vector3d impulse(std::size_t c) const;
  void record(EventType type, std::size_t c) { log_.events.push_back({type, c, time_, impulse(c)}); }
  void set_tangent(std::size_t c, TangentMode mode);
  void refresh();

  const System<D>& system_;
  Work& work_;
  Log& log_;
  std::size_t m_;
  double tolerance_, zero_slip_, stopping_speed_, slip_threshold_, jam_speed_;
  double time_ = 0.0, h_ = 0.02;
  double opening_share_ = 0.5;                // steps towards the opening of a Hertz contact over the time left
  double piece_error_ = 0.0;                  // of the last step from y_, as a share of what is allowed
  std::size_t steps_ = 0, window_steps_ = 0;  // the latter, and the time: where stands_still looked last
  double window_time_ = 0.0;
  double unchanged_since_ = 0.0;     // no contact closes, opens, slips or sticks since
  std::size_t told_ = 0;             // events looked at for that
  double slow_since_ = 0.0, swing_;  // pressing contacts have all but rested since; slowest_swing
  bool let_go_ = false;              // a rigid contact loses its stick in the present event
  bool lost_ = false;                // no step is short enough for the rates to be finite
  Vectors own_;                      // diagonal of W
  std::vector<double> mobility_;     // root of its largest entry
  Dop853 method_;
  std::vector<ContactState> state_;
  Eigen::VectorXd y_, rate_, y1_, rate1_, weight_;
  Events start_, end_, low_, high_;  // the latter: ends of the bracket of an event
  struct {
    double t = 0.0;
    Eigen::VectorXd y, rate;
  } known_;                               // a state on the present step, after time t
  std::array<Eigen::VectorXd, 4> short_;  // of short_step: a state and rates
  std::vector<double> slip_speed_;
  std::vector<Eigen::Vector2d> slip_axis_;  // rigid slip: its direction when the step began
  std::vector<char> just_closed_;           // since the last settle
  std::vector<std::size_t> stopped_;        // contacts whose slip ended in the present event
  SettleSpace<D> space_;
  std::vector<ContactState> next_;  // of settle, like the following
  std::vector<double> compression_;
  Vectors u_before_, f_before_, level_force_, level_answer_;
  std::vector<std::size_t> closed_, open_;  // contacts that press when a step begins, and the others
  typename System<D>::Motions resting_;     // motions of the bodies by the impulses of the others, which stay
  mutable typename System<D>::Motions motion_, pushed_;  // of the last evaluation: by all impulses; by forces
  std::vector<std::size_t> rigid_;                       // contacts of rigid_friction_: sticking, then creeping
  bool any_slaved_ = false;
  RigidFriction rigid_friction_;
  mutable Vectors u_, a_, f_;              // of the last evaluation
  mutable double push_ = 0.0;              // of the last evaluation: the largest force times the root of its mobility
  mutable Vectors f_rate_, a_rate_;        // of find_lag_errors
  mutable std::vector<double> lag_error_;  // error of the slaved friction forces, were all contacts slaved
  Eigen::VectorXd angle_start_;            // of the creeping contacts, when the step began
  mutable Eigen::VectorXd angle_, rigid_f_, rigid_b_, rigid_bound_;
};

// Friction exists in three dimensions only: simultaneous_flow_friction.cpp.
template <>
Eigen::Vector2d Flow<3>::friction_rate(std::size_t, const Eigen::VectorXd&, double, double, double*) const;
template <>
Eigen::Vector2d Flow<3>::slip_direction(std::size_t, const Eigen::Vector2d&) const;
template <>
void Flow<3>::rigid_forces() const;
template <>
void Flow<3>::lag_slaved_directions(const Eigen::VectorXd&) const;
template <>
void Flow<3>::find_lag_errors(const Eigen::VectorXd&, const Eigen::VectorXd&) const;
template <>
bool Flow<3>::may_slave(std::size_t, double) const;
template <>
bool Flow<3>::release_lagging();
template <>
bool Flow<1>::release_lagging();
template <>
double Flow<3>::creep_room(std::size_t) const;
template <>
void Flow<3>::evaluate_friction(std::size_t, const Eigen::VectorXd&, const Eigen::VectorXd&, Events&) const;
template <>
void Flow<3>::set_tangent(std::size_t, TangentMode);
template <>
void Flow<3>::fire_friction(std::size_t);
template <>
void Flow<3>::decide_stopped();
template <>
void Flow<3>::start_friction(std::size_t, Vector&, const Vector&, bool);
template <>
void Flow<3>::level_friction(LeadingForces<3>&, double);
template <>
void Flow<3>::rebuild_rigid_friction();
template <>
void Flow<3>::update_slaving();

}  // namespace carom::simultaneous
