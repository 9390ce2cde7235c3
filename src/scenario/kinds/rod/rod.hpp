// The rod scenario's problem and result, shared by the files that run it and those that draw it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "carom/elastic/held_rod.hpp"
#include "carom/elastic/rod.hpp"
#include "carom/report/document.hpp"

#include "kind.hpp"

namespace carom::scenario {

/// A rod beside the first one: another damping, perhaps of the other kind.
struct OtherRod {
  double damping = 0.0;
  std::optional<DampingKind> damping_kind;
};

struct RodScenario {
  std::optional<std::string> material;
  std::optional<double> wave_speed, impact_speed;
  double length = 1.0, gravity = 9.81, damping = 0.0;
  DampingKind damping_kind = DampingKind::viscous;
  ContactCondition contact = ContactCondition::stress;
  int bounces = 1;
  std::vector<OtherRod> compare;
  std::vector<int> terms;                                   ///< of partial sums to set beside
  std::vector<std::vector<double>> initial_velocity, load;  ///< [[x, value], ..]
};

/// The first contact of a rod with a velocity or a load of its own along it.
struct HeldRun {
  RodProfile velocity, load;
  HeldRod rod;
  double until = 0.0;  ///< so long was looked for a lift-off
  HeldRod::Whole before, after;
};

struct RodRun {
  RodProblem problem;
  RodResult result;
  std::vector<RodProblem> compared;  ///< the same rod with other dampings
  std::vector<RodResult> compared_results;
  std::vector<int> terms;
  std::optional<HeldRun> held;
};

/// A round trip, or up to lift-off if that is earlier: what partial sums of the held rod can be compared over.
double compared_until(const RodRun& run);

/// The flags of a result, and where the linear wave equation says little: as text, and the latter as notes.
std::string flags_of(const RodRun& run);
void note_limits(report::Document& document, const RodProblem& problem);

/// Stress at the bottom, motion, energies, fields, what damping takes, partial sums.
std::vector<report::Plot> rod_pictures(const RodRun& run);
/// What the first terms of the series give, and all of them.
report::Table terms_table(const RodRun& run);

/// The first contact of a rod that does not come as one piece.
RodRun run_held(const RodScenario& scenario, const RodProblem& problem);
Facts held_facts(const RodRun& run);
report::Document describe_held(const RodRun& run);

}  // namespace carom::scenario
