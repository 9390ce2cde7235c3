// Equilibria of a body on obstacles, one after the other as gravity and obstacles change: semismooth Newton on forces
// of the vertices that touch and the rigid motion of the body; steps are cut where a vertex touches first.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <vector>

#include "carom/soft/grasp.hpp"

#include "compliance.hpp"
#include "touch_law.hpp"

namespace carom::soft {

/// What drives the body: share of its weight, and where the fingers are.
struct Drive {
  double gravity = 0.0;
  std::array<Eigen::Vector3d, 2> fingers{};
};

struct Touch {
  int node = 0;  ///< of Compliance
  Obstacle obstacle = Obstacle::table;
  TouchState state = TouchState::stick;
  Eigen::Vector3d force = Eigen::Vector3d::Zero();   ///< [N]
  Eigen::Vector3d anchor = Eigen::Vector3d::Zero();  ///< relative to the centre of the obstacle [m]
  double slipped = 0.0;                              ///< in the last step [m]
  std::optional<Eigen::Vector3d> began = {};         ///< its first anchor [m]
};

struct GraspState {
  Drive drive;
  std::vector<Touch> touches;
  Vector6 rigid = Vector6::Zero();
  /// Forces that stay as they are, on nodes [N].
  std::vector<std::pair<int, Eigen::Vector3d>> loads;
};

struct SolverEvent {
  GraspEventType type;
  int node;
  Obstacle obstacle;
  double share;  ///< of the way of advance()
};

class ContactSolver {
public:
  ContactSolver(Compliance& body, const SqueezeProblem& problem);

  ObstacleShape shape(Obstacle obstacle, const Drive& drive) const;
  /// Where all nodes are [m].
  Eigen::Matrix3Xd positions(const GraspState& state);
  Eigen::Vector3d position(const GraspState& state, int node);

  /// Equilibrium for state.drive from the guess in `state`; anchors stay. False if Newton does not end.
  bool solve(GraspState& state, std::optional<TouchState> first_branch = {});
  /// From the states as the guess has them, or, when that goes round in circles, from all stuck.
  bool solve_from_either_side(GraspState& state);

  /// From much friction, where all stick, down to that of the problem, little by little: slower, but where Newton's
  /// method goes round in circles among many vertices that slip for the first time it finds its way.
  bool solve_lowering_friction(GraspState& state);

  /// Moves on to `to`, locating touches on the way. False if there is no equilibrium further on: `state` is then the
  /// last one, `reached` the share of the way. Events are appended.
  bool advance(GraspState& state, const Drive& to, std::vector<SolverEvent>& events, double& reached,
               std::optional<TouchState> first_branch = {});

  /// Takes the places of touching nodes as new anchors.
  void anchor(GraspState& state);

  /// Force of a finger or the table on the body [N].
  static Eigen::Vector3d force_of(const GraspState& state, Obstacle obstacle);
  static int count_of(const GraspState& state, Obstacle obstacle);

  Compliance& body() { return body_; }
  double touch_tolerance() const { return touch_tolerance_; }  ///< how exactly touches are located [m]
  /// Called with the state before and after each part of a way.
  std::function<void(const GraspState& before, const GraspState& after)> on_part;
  bool fingers_present = false;  ///< else there is only the table
  /// Whether advance() takes solve_lowering_friction() before it gives up. The lift test and the squeeze do not: there
  /// the end of the way is an answer.
  bool lowers_friction = false;
  int newton_steps = 0;  ///< so far

private:
  /// Nodes that touch nothing yet and are nearest to an obstacle.
  struct Nearest {
    double gap;
    std::vector<std::pair<int, Obstacle>> touching;  ///< within the tolerance
  };
  Nearest nearest(const GraspState& state);

  Compliance& body_;
  double table_, table_friction_, finger_friction_;
  double friction_scale_ = 1.0;  ///< both are multiplied by it
  std::array<double, 2> radius_;
  double touch_tolerance_;
};

}  // namespace carom::soft
