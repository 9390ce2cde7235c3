// The rod scenario's problem and result, shared by the file that runs it and the one that draws it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "carom/elastic/rod.hpp"
#include "carom/report/document.hpp"

namespace carom::scenario {

/// Impact speeds to go through, for one curve per damping.
struct RodSweep {
  double from = 0.0, to = 1.0;
  int steps = 100;
  std::vector<double> dampings;  ///< empty: the scenario's own
};

/// A grid of impact speeds and dampings.
struct RodMap {
  double speed_from = 0.0, speed_to = 1.0, damping_from = 0.0, damping_to = 1.0;
  int size = 80;
};

struct RodScenario {
  std::optional<std::string> material;
  std::optional<double> wave_speed;
  double length = 1.0, gravity = 9.81, damping = 0.0, impact_speed = 1.0;
  DampingKind damping_kind = DampingKind::viscous;
  ContactCondition contact = ContactCondition::stress;
  int bounces = 1;
  std::vector<double> compare;  ///< other dampings whose stress is drawn too
  std::optional<RodSweep> sweep;
  std::optional<RodMap> map;
};

struct RodRun {
  RodProblem problem;
  RodResult result;
  std::vector<RodProblem> compared;  ///< the same rod with other dampings
  std::vector<RodResult> compared_results;
  std::optional<RodSweep> sweep;
  std::vector<std::vector<RodResult>> swept;  ///< [damping][speed]
  std::optional<RodMap> map;
  std::vector<double> map_e_energy;  ///< row by row from the lowest damping; NaN without a bounce
};

double swept_speed(const RodSweep& sweep, int step);

/// Stress at the bottom, motion, displacement field; energies over speed; restitution map: as far as asked for.
std::vector<report::Plot> rod_pictures(const RodRun& run);

}  // namespace carom::scenario
