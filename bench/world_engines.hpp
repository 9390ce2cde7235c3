// The same scene in engines that step through time: what they make of the same bodies, planes and arms. One file an
// engine (world_bullet.cpp, ...) builds the scene in it; what is measured on the way is measured here, alike for all.
#pragma once

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <ctime>
#include <map>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "carom/core/body.hpp"
#include "carom/motion/world.hpp"

namespace carom::bench {

/// Two that touch: numbers of bodies, those of planes come after them.
using Touching = std::pair<std::size_t, std::size_t>;

/// How often things came to touch. A pair that touches again within `apart` has not come anew: what rattles or lies is
/// one touch, whether it is told as a contact that lasts or as many small bounces.
class TouchCount {
public:
  static constexpr double apart = 0.01;  ///< [s]

  void see(Touching pair, double time) {
    if (pair.second < pair.first) std::swap(pair.first, pair.second);
    const auto [at, fresh] = last_.try_emplace(pair, time);
    if (fresh || time - at->second > apart) ++count_;
    at->second = time;
  }
  std::size_t count() const { return count_; }

private:
  std::map<Touching, double> last_;
  std::size_t count_ = 0;
};

struct EngineRun {
  std::vector<Body> after;  ///< at the problem's end_time
  std::size_t touches = 0;  ///< as TouchCount says; what lies on a cloth does not count
  double risen = 0.0;       ///< the most by which the energy was above that of the start [J]: nothing can raise it
  double seconds = 0.0;     ///< of stepping, without setting up: processor time
};

inline double energy_of(const WorldProblem& problem, const std::vector<Body>& bodies) {
  double sum = 0.0;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (!problem.bodies[i].body.immovable)
      sum += kinetic_energy(bodies[i]) - bodies[i].mass * problem.gravity.dot(bodies[i].position);
  return sum;
}

/// Processor time of this program [s].
inline double processor_time() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Once to look, once for the time.
/// @param make  a new scene, which has step(), touching() -> pairs that press on each other now, and bodies()
template <class Make>
EngineRun follow(const Make& make, const WorldProblem& problem, double step) {
  EngineRun run;
  TouchCount touches;
  const auto steps = static_cast<long>(std::lround(problem.end_time / step));
  const bool heavy = problem.bodies.size() > 200;  // looking at all of them after every step would take the longest
  {
    const auto timed = make();
    const double start = processor_time();
    for (long i = 0; i < steps; ++i) timed->step(step);
    run.seconds = processor_time() - start;
  }
  const auto looked_at = make();
  auto& scene = *looked_at;
  const double energy = energy_of(problem, scene.bodies());
  for (long i = 0; i < steps; ++i) {
    scene.step(step);
    for (const Touching& pair : scene.touching()) touches.see(pair, step * static_cast<double>(i + 1));
    if (heavy) continue;
    run.risen = std::max(run.risen, energy_of(problem, scene.bodies()) - energy);
  }
  run.touches = touches.count();
  run.after = scene.bodies();
  return run;
}

/// Spheres, boxes and unions of boxes, planes, cloth and pendulums of a problem whose one material holds for all pairs.
/// @param step  of time [s]
EngineRun run_bullet(const WorldProblem& problem, double step);
EngineRun run_mujoco(const WorldProblem& problem, double step);
EngineRun run_ode(const WorldProblem& problem, double step);
EngineRun run_dart(const WorldProblem& problem, double step);

/// The plane that carries the balls of a cloth, if there is one.
inline const WorldCloth* cloth_of(const WorldProblem& problem) {
  for (const WorldSupport& support : problem.supports)
    if (const auto* cloth = std::get_if<WorldCloth>(&support)) return cloth;
  return nullptr;
}

inline const WorldPendulum* arm_of(const WorldProblem& problem, std::size_t body) {
  for (const WorldSupport& support : problem.supports)
    if (const auto* arm = std::get_if<WorldPendulum>(&support); arm != nullptr && arm->body == body) return arm;
  return nullptr;
}

inline double radius_of(const WorldBody& body) { return std::get<Sphere>(body.shape).radius; }
inline double restitution_of(const WorldProblem& problem) {
  return std::get<double>(problem.materials.at(0).restitution);
}

/// The solids that a body is made of.
inline std::vector<WorldPart> parts_of(const WorldBody& body) {
  std::vector<WorldPart> parts = body.parts;
  if (parts.empty()) parts.push_back({body.shape});
  for (const WorldPart& part : parts)
    if (!std::holds_alternative<Sphere>(part.shape) && !std::holds_alternative<Box>(part.shape))
      throw std::runtime_error("the engines get balls and boxes only");
  return parts;
}

/// Balls on arms do not turn in our scenes; in the engines they turn with the arm, with so much of their inertia: it
/// slows the swing of the cradle by 3e-5. Less would leave their equations without digits.
inline constexpr double inertia_share_on_arms = 1e-2;

}  // namespace carom::bench
