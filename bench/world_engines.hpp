// Scenes of world_bench.cpp in engines that step through time: what they make of the same bodies, planes and arms.
#pragma once

#include <cstddef>
#include <vector>

#include "carom/motion/world.hpp"

namespace carom::bench {

struct EngineRun {
  std::vector<Body> after;  ///< at the problem's end_time
  std::size_t impacts = 0;  ///< pairs that began to touch; what lies on a cloth does not count
  double seconds = 0.0;     ///< of stepping, without setting up
};

/// Spheres, planes, cloth and pendulums of a problem whose one material holds for all pairs.
/// @param step  of time [s]
EngineRun run_bullet(const WorldProblem& problem, double step);
EngineRun run_mujoco(const WorldProblem& problem, double step);

/// The plane that carries the balls of a cloth, if there is one.
inline const WorldCloth* cloth_of(const WorldProblem& problem) {
  for (const WorldSupport& support : problem.supports)
    if (const auto* cloth = std::get_if<WorldCloth>(&support)) return cloth;
  return nullptr;
}

inline double radius_of(const WorldBody& body) { return std::get<Sphere>(body.shape).radius; }

}  // namespace carom::bench
