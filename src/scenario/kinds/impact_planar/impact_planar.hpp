// The planar impact scenario's problem and result, shared by the file that runs it and the one that draws it.
#pragma once

#include <optional>
#include <vector>

#include "carom/impact/collide.hpp"
#include "carom/impact/contact_force.hpp"
#include "carom/impact/other_methods.hpp"
#include "carom/impact/planar.hpp"
#include "carom/impact/planar_modes.hpp"
#include "carom/report/document.hpp"

#include "parts/impact.hpp"
#include "parts/planar.hpp"

namespace carom::scenario {

/// A method of others, to be set beside.
enum class OtherMethod { assumed_mode, lowered_friction, one_step };

}  // namespace carom::scenario

template <>
inline constexpr auto carom::names_of<carom::scenario::OtherMethod> =
    std::to_array<carom::Named<carom::scenario::OtherMethod>>({
        {carom::scenario::OtherMethod::assumed_mode, "assumed_mode"},
        {carom::scenario::OtherMethod::lowered_friction, "lowered_friction"},
        {carom::scenario::OtherMethod::one_step, "one_step"},
    });

namespace carom::scenario {

struct AskedMethod {
  OtherMethod method = OtherMethod::assumed_mode;
  RestitutionLaw law = RestitutionLaw::newton;  ///< newton or poisson
  PlanarMode mode = PlanarMode::sliding;        ///< of assumed_mode
};

/// An impact to mark in the map of modes.
struct MarkedImpact {
  std::string name;
  double friction = 0.0;
  Eigen::Vector2d velocity = Eigen::Vector2d::Zero();  ///< (t, n) [m/s]
};

struct ModeMapAsked {
  double friction_to = 2.0, slip_to = 2.0;
  std::vector<MarkedImpact> marks;
};

struct PlanarScenario {
  // One of these three says what collides.
  std::optional<std::vector<NamedPlanarBody>> bodies;
  std::optional<PlanarContactSpace> space;
  std::optional<MechanicalSystem> system;

  std::optional<PlanarContact> contact;
  Surfaces material;
  RestitutionLaw law = RestitutionLaw::energetic;
  std::vector<RestitutionLaw> compare;
  std::optional<double> free_acceleration;
  std::optional<double> gravity;  ///< along -y [m/s^2]; gives the free acceleration
  std::vector<double> frictions;  ///< to draw beside the scenario's own
  std::vector<AskedMethod> others;
  std::optional<ModeMapAsked> mode_map;
  bool panels = false;  ///< draw the diagrams of all signs of coupling and slip
};

/// What an impact of another method comes to.
struct OtherAnswer {
  AskedMethod asked;
  std::string name;       ///< "sliding assumed, newton"
  double friction = 0.0;  ///< it has used
  AssumedImpact impact;
};

/// The contact between impacts, under gravity.
struct PlanarTouch {
  TouchingContact contact;
  FiniteForces forces;     ///< only if the bodies do not approach
  bool touches = false;     ///< they do not
  bool corner = false;      ///< of one movable body, sliding: then a chart over its pose makes sense
  PlanarBody body;          ///< the movable one
  Eigen::Vector2d arm;      ///< from the contact to its centre, in contact axes of a surface below it [m]
  Eigen::Vector2d gravity;  ///< in the same axes [m/s^2]
};

struct PlanarRun {
  PlanarProblem problem;                      ///< with the scenario's own law
  std::vector<RestitutionLaw> laws;           ///< the scenario's own first
  std::vector<PlanarImpact> impacts;          ///< one per law
  std::vector<NamedPlanarBody> bodies_after;  ///< under the scenario's own law; empty without bodies
  Eigen::VectorXd system_velocity_after;      ///< likewise, of a mechanical system
  PlanarThresholds thresholds;
  std::vector<PlanarImpact> beside;  ///< one per friction of the scenario's `frictions`, under its own law
  std::vector<OtherAnswer> others;
  std::optional<PlanarTouch> touch;  ///< with gravity
};

/// The two bodies at the moment of impact and how they move before and after it.
report::Plot bodies_picture(const PlanarScenario& scenario, const PlanarRun& run);

/// Routh's impact-process diagram of the run, with an impact or without.
report::Plot routh_diagram(const PlanarScenario& scenario, const PlanarRun& run);

/// Nine small diagrams: all signs of the coupling B3 and the slip, the rest as in the run.
report::Plot panels_picture(const PlanarRun& run);

/// Which mode over friction and slip, and where Newton's law creates energy.
report::Plot mode_map_picture(const PlanarScenario& scenario, const PlanarRun& run);

/// The answers of the methods of others: made, as a table, and as a picture of what they do to the energy.
std::vector<OtherAnswer> other_answers(const PlanarScenario& scenario, const PlanarProblem& problem);
report::Table others_table(const PlanarRun& run);
report::Plot others_picture(const PlanarRun& run);

/// Finite contact forces under gravity: found, as a table, and as a chart over the pose of the body and friction.
std::optional<PlanarTouch> touch_of(const PlanarScenario& scenario, const PlanarProblem& problem);
report::Table forces_table(const PlanarTouch& touch);
report::Plot forces_chart(const PlanarRun& run);

}  // namespace carom::scenario
