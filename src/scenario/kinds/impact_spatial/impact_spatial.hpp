// The 3-D impact scenario's problem and result, shared by the file that runs it and the one that draws it.
#pragma once

#include <optional>
#include <vector>

#include "carom/impact/collide.hpp"
#include "carom/impact/spatial.hpp"
#include "carom/impact/spatial_methods.hpp"
#include "carom/report/document.hpp"

#include "parts/impact.hpp"
#include "parts/spatial.hpp"
#include "pictures/motion.hpp"

namespace carom::scenario {

/// How an impact is computed: exactly, or also by one of the text's methods, for comparison.
enum class SpatialMethod { exact, ni, fs, vs };

}  // namespace carom::scenario

template <>
inline constexpr auto carom::names_of<carom::scenario::SpatialMethod> =
    std::to_array<carom::Named<carom::scenario::SpatialMethod>>({
        {carom::scenario::SpatialMethod::exact, "exact"},
        {carom::scenario::SpatialMethod::ni, "NI"},
        {carom::scenario::SpatialMethod::fs, "FS"},
        {carom::scenario::SpatialMethod::vs, "VS"},
    });

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
  std::optional<int> bundle;              ///< draw this many more hodographs, from unit sliding velocities all around
  std::optional<double> straight_within;  ///< also what the impact is if slip is straight within this sine
  SpatialMethod method = SpatialMethod::exact;
  std::optional<StepSettings> stepping;
  std::optional<Frames> frames;
};

/// One path of a bundle.
struct BundlePath {
  double angle = 0.0;     ///< of the sliding velocity it starts with, which has unit length [rad]
  bool on_a_ray = false;  ///< it starts along an invariant direction
  bool straight = false;  ///< with `straight_within`: slip comes to count as straight
  SpatialImpact impact;

  enum class End { sticks, resumes, slips, no_impact };
  /// Slip comes to rest and the contact sticks, or slips on; or it never comes to rest; or nothing happens.
  End end() const;
};

/// A method of the text, and how far it is from the exact impulse.
struct MethodRun {
  StepMethod method;
  SteppedImpact impact;
  double error = 0.0;    ///< [N s]
  double seconds = 0.0;  ///< that it took
  struct Try {
    int steps;
    double error;
  };
  std::vector<Try> tries;  ///< with longer and shorter steps
};

struct MethodRuns {
  std::vector<MethodRun> all;        ///< of every method
  std::vector<SpatialSample> steps;  ///< of the chosen one, to be drawn
  std::size_t chosen = 0;
  double exact_seconds = 0.0;
};

struct SpatialRun {
  SpatialProblem problem;               ///< with the scenario's own law
  std::vector<RestitutionLaw> laws;     ///< the scenario's own first
  std::vector<SpatialImpact> impacts;   ///< one per law
  std::vector<NamedBody> bodies_after;  ///< under the scenario's own law; empty without bodies
  Eigen::VectorXd system_velocity_after;
  std::vector<BundlePath> bundle;  ///< evenly spaced starts, then the invariant directions
  std::optional<SpatialWithin> within;
  std::optional<MethodRuns> methods;
};

/// The bundle that a scenario asks for.
std::vector<BundlePath> run_bundle(const SpatialProblem& problem, int count, std::optional<double> straight_within);

/// The text's methods on an impact.
MethodRuns run_methods(const SpatialProblem& problem, StepMethod chosen, const StepSettings& settings);

report::Table bundle_table(const SpatialRun& run);
report::Table methods_table(const SpatialRun& run);

/// Points on each smooth piece of a path that is drawn.
inline constexpr int hodograph_samples = 160;

/// The path of the sliding velocity, with the invariant directions.
report::Plot hodograph(const SpatialRun& run);

/// Hodographs from unit sliding velocities all around and along the invariant directions.
report::Plot hodograph_bundle(const SpatialRun& run);

/// The hodograph above an axis of the normal impulse, with the same events marked on both.
report::Plot strip_chart(const SpatialRun& run);

/// Error of the text's methods against the number of their steps.
report::Plot method_errors(const SpatialRun& run);

/// The bodies in space as they touch, with contact axes and impulse; nothing if neither has a shape.
std::optional<report::Plot> bodies_still(const std::vector<NamedBody>& bodies, const Contact& contact,
                                         const SpatialRun& run);

/// The hodograph with the steps of the method on it.
report::Plot method_steps(const SpatialRun& run);

/// Draws the invariant directions as rays from zero slip.
void draw_invariant_directions(report::Plot& plot, const SpatialProblem& problem);

/// The impulse curve in space with its projections, the plane of maximum compression and the line of sticking.
report::Plot impulse_curve(const SpatialRun& run);

}  // namespace carom::scenario
