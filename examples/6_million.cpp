// A million impacts with uncertain friction and restitution, then how the mean impulse answers to both: exact
// derivatives instead of a second million. (The random numbers are those of a small generator, the same everywhere.)
#include <cstdint>
#include <cstdio>
#include <vector>

#include "carom/carom.hpp"

int main() {
  constexpr std::size_t count = 1'000'000, some = 10'000;
  std::uint64_t state = 1;
  const auto uniform = [&state] {  // in [0, 1)
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<double>(state >> 11) * 0x1p-53;
  };
  std::vector<carom::SpatialProblem> problems(count);
  for (carom::SpatialProblem& problem : problems) {
    problem.space.inverse_inertia << 3.0, 0.2, 0.5, 0.2, 2.0, -0.4, 0.5, -0.4, 1.5;
    problem.space.velocity = {1.0, 0.5, -2.0};
    problem.material.friction = 0.3 + 0.2 * uniform();
    problem.material.restitution = 0.5 + 0.2 * uniform();
  }
  std::vector<carom::SpatialOutcome> outcomes(count);
  carom::spatial_outcomes(problems, outcomes, carom::available_threads());
  Eigen::Vector3d mean = Eigen::Vector3d::Zero();
  for (const carom::SpatialOutcome& outcome : outcomes) mean += outcome.impulse / static_cast<double>(count);

  std::vector<carom::SpatialDerivatives> slopes(some);
  carom::spatial_derivatives({problems.data(), some}, slopes, carom::available_threads());
  Eigen::Vector3d by_friction = Eigen::Vector3d::Zero(), by_restitution = Eigen::Vector3d::Zero();
  for (const carom::SpatialDerivatives& each : slopes) {
    by_friction += each.by_friction / static_cast<double>(some);
    by_restitution += each.by_restitution / static_cast<double>(some);
  }
  const auto print = [](const char* what, const Eigen::Vector3d& v) {
    std::printf("%s %.6f %.6f %.6f N s\n", what, v.x(), v.y(), v.z());
  };
  print("mean impulse          ", mean);
  print("its rise by friction  ", by_friction);
  print("      by restitution  ", by_restitution);
  return 0;
}
