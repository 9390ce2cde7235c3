// The 3-D impact scenario's problem and result, shared by the file that runs it and the one that draws it.
#pragma once

#include <optional>
#include <vector>

#include "carom/impact/collide.hpp"
#include "carom/impact/spatial.hpp"
#include "carom/report/document.hpp"

#include "parts/impact.hpp"
#include "parts/spatial.hpp"
#include "pictures/motion.hpp"

namespace carom::scenario {

struct SpatialScenario {
  // One of these three says what collides.
  std::optional<std::vector<NamedBody>> bodies;
  std::optional<ContactSpace> space;
  std::optional<MechanicalSystem> system;

  std::optional<Contact> contact;
  Surfaces material;
  RestitutionLaw law = RestitutionLaw::energetic;
  std::vector<RestitutionLaw> compare;
  std::optional<int> bundle;  ///< draw this many more hodographs, from unit sliding velocities all around
  std::optional<Frames> frames;
};

struct SpatialRun {
  SpatialProblem problem;               ///< with the scenario's own law
  std::vector<RestitutionLaw> laws;     ///< the scenario's own first
  std::vector<SpatialImpact> impacts;   ///< one per law
  std::vector<NamedBody> bodies_after;  ///< under the scenario's own law; empty without bodies
  Eigen::VectorXd system_velocity_after;
  std::optional<int> bundle;
};

/// The path of the sliding velocity, with the invariant directions.
report::Plot hodograph(const SpatialRun& run);

/// Hodographs from unit sliding velocities all around.
report::Plot hodograph_bundle(const SpatialRun& run, int count);

/// The impulse curve in space with its projections, the plane of maximum compression and the line of sticking.
report::Plot impulse_curve(const SpatialRun& run);

}  // namespace carom::scenario
