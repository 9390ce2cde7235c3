// The rod scenario's problem and result, shared by the file that runs it and the one that draws it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "carom/elastic/rod.hpp"
#include "carom/report/document.hpp"

namespace carom::scenario {

struct RodScenario {
  std::optional<std::string> material;
  std::optional<double> wave_speed;
  double length = 1.0, gravity = 9.81, damping = 0.0, impact_speed = 1.0;
  DampingKind damping_kind = DampingKind::viscous;
  ContactCondition contact = ContactCondition::stress;
  int bounces = 1;
  std::vector<double> compare;  ///< other dampings whose stress is drawn too
};

struct RodRun {
  RodProblem problem;
  RodResult result;
  std::vector<RodProblem> compared;  ///< the same rod with other dampings
  std::vector<RodResult> compared_results;
};

/// Stress at the bottom, motion, displacement field, what damping takes.
std::vector<report::Plot> rod_pictures(const RodRun& run);

}  // namespace carom::scenario
