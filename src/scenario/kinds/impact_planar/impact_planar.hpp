// The planar impact scenario's problem and result, shared by the file that runs it and the one that draws it.
#pragma once

#include <optional>
#include <vector>

#include "carom/impact/collide.hpp"
#include "carom/impact/planar.hpp"
#include "carom/report/document.hpp"

#include "parts/impact.hpp"
#include "parts/planar.hpp"

namespace carom::scenario {

struct PlanarScenario {
  // One of these three says what collides.
  std::optional<std::vector<NamedPlanarBody>> bodies;
  std::optional<PlanarContactSpace> space;
  std::optional<MechanicalSystem> system;

  std::optional<PlanarContact> contact;
  Surfaces material;
  RestitutionLaw law = RestitutionLaw::energetic;
  std::vector<RestitutionLaw> compare;
  double free_acceleration = -1.0;
};

struct PlanarRun {
  PlanarProblem problem;                      ///< with the scenario's own law
  std::vector<RestitutionLaw> laws;           ///< the scenario's own first
  std::vector<PlanarImpact> impacts;          ///< one per law
  std::vector<NamedPlanarBody> bodies_after;  ///< under the scenario's own law; empty without bodies
  Eigen::VectorXd system_velocity_after;      ///< likewise, of a mechanical system
};

/// The two bodies at the moment of impact and how they move before and after it.
report::Plot bodies_picture(const PlanarScenario& scenario, const PlanarRun& run);

/// Routh's impact-process diagram of the run.
report::Plot routh_diagram(const PlanarRun& run);

}  // namespace carom::scenario
