// The scenario of an impact with tangential compliance: its problem and result, shared by the file that runs it and the
// one that draws it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "carom/impact/collide.hpp"
#include "carom/impact/compliant_steps.hpp"
#include "carom/report/document.hpp"

#include "parts/compliant.hpp"
#include "parts/impact.hpp"
#include "parts/spatial.hpp"
#include "pictures/motion.hpp"

namespace carom::scenario {

/// How an impact is computed: exactly, or also by the steps behind the printed numbers, for comparison.
enum class CompliantMethod { exact, paper_code, algorithm_1 };

}  // namespace carom::scenario

template <>
inline constexpr auto carom::names_of<carom::scenario::CompliantMethod> =
    std::to_array<carom::Named<carom::scenario::CompliantMethod>>({
        {carom::scenario::CompliantMethod::exact, "exact"},
        {carom::scenario::CompliantMethod::paper_code, "paper_code"},
        {carom::scenario::CompliantMethod::algorithm_1, "algorithm_1"},
    });

namespace carom::scenario {

struct CompliantScenario {
  // One of these three says what collides.
  std::optional<std::vector<NamedBody>> bodies;
  std::optional<ContactSpace> space;
  std::optional<MechanicalSystem> system;

  std::optional<Contact> contact;
  CompliantSurface surface;
  Reading reading = Reading::model;
  Unloading unloading = Unloading::stiffer;
  CompliantMethod method = CompliantMethod::exact;
  std::optional<CompliantSteps> stepping;
  std::optional<double> incidence;  ///< turns A's velocity to this angle from the normal [rad]
  std::optional<Frames> frames;
};

struct CompliantRun {
  CompliantProblem problem;
  CompliantImpact impact;
  SpatialImpact rigid;                            ///< the same without compliance
  std::optional<CompliantOutcome> published;      ///< the same as published, where that has a meaning
  std::optional<SteppedCompliantImpact> stepped;  ///< the same by steps, if asked for
  std::vector<NamedBody> bodies_before;
  std::vector<NamedBody> bodies_after, rigid_bodies_after;  ///< empty without bodies
  std::vector<NamedBody> published_bodies_after, stepped_bodies_after;
  Eigen::VectorXd system_velocity_after;
};

/// Impulse curve; velocity, spring rates, lengths and energies over the normal impulse; the motion: as far as asked
/// for.
std::vector<report::Plot> compliant_pictures(const CompliantScenario& scenario, const CompliantRun& run);

}  // namespace carom::scenario
