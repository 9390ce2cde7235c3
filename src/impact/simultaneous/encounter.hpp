// A simultaneous impact of bodies or of any mechanical system, seen from the contacts alone.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "carom/impact/simultaneous.hpp"

#include "factor.hpp"
#include "path.hpp"

namespace carom::simultaneous {

/// Velocities are those given times 2^-shift (velocity_shift).
struct Encounter {
  Factor factor;
  std::vector<Eigen::Matrix3d> frames;    ///< contact axes -> the axes in which outcomes and events are told
  std::vector<Eigen::Vector3d> velocity;  ///< contact axes
  int shift = 0;
  std::string list;  ///< what the caller names the springs, for errors: `contacts`, `springs`
  std::vector<ContactSpring> springs;
  std::vector<std::size_t> order;  ///< one that depends on the scene and not on the list: sums then round alike
  double tolerance = 1e-10;
  SimultaneousMethod method = SimultaneousMethod::events;
  double steps_per_time_unit = 64.0;
};

/// @throws InvalidInput naming `tolerance`, `steps_per_time_unit` or `list[k]...`
void require_valid(const std::vector<ContactSpring>& springs, const std::string& list, double tolerance,
                   SimultaneousMethod method, double steps_per_time_unit);

/// The power of two that brings velocities, of which the largest is given, into range; 0 if they are.
int velocity_shift(double fastest);

/// Impulses [N s] times 2^-shift, contact axes; none if nothing approaches or there is no answer (flag overflow). Fills
/// in what is told of the impact but for what the bodies have to do with: energies before and after, velocities after.
/// @param samples  where the samples go, `points` of them at most; none for a null pointer
std::vector<Eigen::Vector3d> strike(const Encounter& encounter, SimultaneousOutcome& impact,
                                    std::vector<SimultaneousSample>* samples = nullptr, std::size_t points = 0);

/// The rest of what is told, once the velocities of the contacts after (contact axes, times 2^-shift) and the energies
/// are known.
void finish(const Encounter& encounter, const std::vector<Eigen::Vector3d>& velocity_after,
            SimultaneousOutcome& impact);

}  // namespace carom::simultaneous
