// Friction of simultaneous impact in time: rigid Coulomb (A) and tangential springs (B). Its modes, its forces and the
// rates of its variables, its event functions and what happens when they fire. Directions of B that follow the
// velocity too fast to be integrated are slaved to it (slaving.cpp).
#pragma once

#include <Eigen/Core>
#include <vector>

#include "event_search.hpp"
#include "flow_state.hpp"
#include "rigid_islands.hpp"
#include "system.hpp"

namespace carom::simultaneous {

/// Rigid slip when the present step began: its direction and speed.
struct SlipStart {
  Eigen::Vector2d axis = Eigen::Vector2d::Zero();
  double speed = 0.0;
};

class Friction {
public:
  using Vector = System<3>::Vector;
  using Vectors = System<3>::Vectors;

  Friction(const System<3>& system, const Thresholds& limits, FlowState<3>& now, Evaluation<3>& see, Work& work,
           Log& log);

  /// Which contacts are solved for together, after a change of modes.
  void rebuild();

  SlipStart slip_start(std::size_t c) const { return {slip_axis_[c], slip_speed_[c]}; }
  void set_slip_start(std::size_t c, const SlipStart& slip) {
    slip_axis_[c] = slip.axis;
    slip_speed_[c] = slip.speed;
  }

  /// Friction force of a pressing contact with u in the evaluation, and the derivative of its variables; none yet for
  /// rigid contacts that do not slide.
  Eigen::Vector2d force(std::size_t c, const Eigen::VectorXd& y, double normal, double d_rate, double* rate) const;
  /// Completes the forces of the evaluation: rigid contacts that do not slide, and lags of slaved directions.
  void complete_forces(const Eigen::VectorXd& y);

  /// Event functions of a pressing contact; before the first, the size of the forces is noted.
  void note_push();
  void evaluate(std::size_t c, const Eigen::VectorXd& y, const Eigen::VectorXd& rate, Events& events) const;
  double arrival(std::size_t k, double rate) const;

  // An event: begin, fire every pressing contact, then, if some have stopped, evaluate the rates without the forces of
  // those at rest and decide.
  void begin_event(const Events& at);
  void fire(std::size_t c, const Events& at);
  bool any_stopped();
  void decide_stopped();
  void set_tangent(std::size_t c, TangentMode mode);

  // Contacts that start to press (see settle_normals).
  void begin_settle() { std::fill(just_closed_.begin(), just_closed_.end(), char{0}); }
  void start(std::size_t c, Vector& force, const Vector& motion, bool fresh);
  void start_level(LeadingForces<3>& lead, double order);
  void record_start(std::size_t c);

  /// True if a step has ended, at y and rate, where slaving was not allowed: once the rates are those of its beginning
  /// again, release_lagging gives the contacts concerned a direction of their own.
  bool lags(const Eigen::VectorXd& y, const Eigen::VectorXd& rate);
  void release_lagging();

  /// Between steps: axes of rigid slip, angles of creep, and whether the springs' direction is followed or slaved.
  /// Says what is to be evaluated anew.
  enum class Renew : std::uint8_t { events, rates, all };
  Renew update();

private:
  bool is_rigid(std::size_t c) const { return system_.spring(c).mu > 0.0 && system_.spring(c).eta2 == 0.0; }
  bool late(std::size_t c) const;
  bool matters(std::size_t c, const Eigen::VectorXd& y) const;
  Eigen::Vector2d slip_direction(std::size_t c, const Eigen::Vector2d& u) const;
  void rigid_forces();
  double creep_room(std::size_t c) const;
  void lag_slaved_directions(const Eigen::VectorXd& y);
  void find_lag_errors(const Eigen::VectorXd& y, const Eigen::VectorXd& rate);
  bool may_slave(std::size_t c, double allowed) const;
  void record(EventType type, std::size_t c) { log_.events.push_back({type, c, now_.time, now_.impulse(c)}); }

  const System<3>& system_;
  const Thresholds& limits_;
  FlowState<3>& now_;
  Evaluation<3>& see_;
  Work& work_;
  Log& log_;
  bool let_go_ = false;  // a rigid contact loses its stick in the present event
  std::vector<double> slip_speed_;
  std::vector<Eigen::Vector2d> slip_axis_;  // rigid slip: its direction when the step began
  std::vector<char> just_closed_;           // since the last settle
  std::vector<std::size_t> stopped_;        // contacts whose slip ended in the present event
  std::vector<std::size_t> still_;          // those and all others that do not slide
  Vectors level_force_, level_answer_;      // of start_level
  std::vector<std::size_t> rigid_;          // contacts of rigid_friction_: sticking, then creeping
  RigidIslands rigid_friction_;
  Eigen::VectorXd angle_start_;  // of the creeping contacts, when the step began
  Eigen::VectorXd angle_, rigid_f_, rigid_b_, rigid_bound_;
  bool any_slaved_ = false;
  Vectors f_rate_, a_rate_;        // of find_lag_errors
  std::vector<double> lag_error_;  // error of the slaved friction forces, were all contacts slaved
};

/// Its place where there is none.
struct NoFriction {
  template <class... Parts>
  explicit NoFriction(const Parts&...) {}
};

}  // namespace carom::simultaneous
