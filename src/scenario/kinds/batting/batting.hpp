// The batting scenario's problem and result, shared by the file that runs it and the one that draws it.
#pragma once

#include <optional>
#include <vector>

#include "carom/plan/batting.hpp"
#include "carom/plan/batting_certainty.hpp"
#include "carom/plan/batting_moves.hpp"
#include "carom/plan/batting_triangle.hpp"
#include "carom/report/document.hpp"

#include "parts/impact.hpp"
#include "parts/spatial.hpp"

namespace carom::scenario {

/// What is struck, where only W is known.
struct StruckObject {
  double mass = 1.0;
  Eigen::Vector3d position = Eigen::Vector3d::Zero(), velocity = Eigen::Vector3d::Zero();
};

/// Targets anywhere in a box.
struct RandomTargets {
  int count = 10, seed = 1;
  Eigen::Vector3d low = Eigen::Vector3d::Zero(), high = Eigen::Vector3d::Zero();
};

struct GivenSpread : BattingSpread {
  double share = 0.95;  ///< of the hits that the ellipse holds
};

struct GivenMoves : BatMoves {
  BatSearchFor what = BatSearchFor::best;
};

struct BattingScenario {
  std::optional<std::vector<NamedBody>> bodies;
  std::optional<Contact> contact;
  std::optional<Eigen::Matrix3d> inverse_inertia, frame;
  std::optional<StruckObject> object;
  Surfaces material;
  RestitutionLaw law = RestitutionLaw::energetic;
  std::optional<double> eta0;
  double gravity = 9.8;
  std::optional<Eigen::Vector3d> target;
  std::vector<Eigen::Vector3d> targets;
  std::optional<RandomTargets> random_targets;
  BattingMethod method = BattingMethod::automatic;
  BattingObjective objective = BattingObjective::least_impulse;
  ClosedFormReading reading = ClosedFormReading::model;
  std::optional<BatLimits> limits;
  std::optional<GivenSpread> spread;
  std::optional<GivenMoves> moves;
  std::optional<TriangleSettings> triangle;
};

/// What came of one target.
struct BattingTarget {
  BattingProblem problem;
  double approach = 0.0;  ///< normal speed that a law of restitution was taken at [m/s]
  BattingPlan plan;
  std::vector<ClosedFormPlan> closed_forms;  ///< by the reading of the scenario
  std::vector<double> closed_form_misses;    ///< of them, by the forward model
  std::optional<TriangleRun> triangle;
  std::optional<BatSearch> search;
  std::optional<BattingCertainty> certainty;  ///< of the plan
};

struct BattingRun {
  std::vector<BattingTarget> targets;
  std::vector<Eigen::Vector2d> hits;  ///< random ones at the first target, in the plane of its certainty
  double inside = 0.0;                ///< share of them inside the ellipse
};

/// The scene of a scenario with bodies, aimed at a target.
/// @param approach  as in BattingTarget
BattingScene scene_of(const BattingScenario& scenario, const Eigen::Vector3d& target, double approach);

/// Radius of the object's rounding at the contact, over which the contact point rolls as the bat is tilted [m].
double object_radius(const BattingScenario& scenario);

/// Corners of the bat's face, in the tangents of the contact and from there [m]; none if its shape is not known, fewer
/// than three if it has no flat face there.
std::vector<Eigen::Vector2d> face_of(const BattingScenario& scenario);
/// The moves of a scenario, with the shapes of its bodies (which must outlive them).
BatMoves moves_of(const BattingScenario& scenario);

/// Flights to the targets, seen from the side and from above.
std::vector<report::Plot> flight_pictures(const BattingScenario& scenario, const BattingRun& run);
/// The friction cone cut across, with the solution curve and the impulses of straight slip.
report::Plot cone_picture(const BattingTarget& target);
/// What each time of flight takes.
report::Plot times_picture(const BattingTarget& target);
/// Rounds of the bounding triangle, in the plane of the target.
report::Plot triangle_picture(const BattingTarget& target);
/// The impulses of straight slip over all tilts of the bat.
report::Plot swept_picture(const BattingScenario& scenario, const BattingTarget& target);
/// The ellipse of hits, and random ones.
report::Plot hits_picture(const BattingScenario& scenario, const BattingRun& run);

}  // namespace carom::scenario
