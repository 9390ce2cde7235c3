// A sweep: a ball thrown at the floor at every angle, a hundred thousand impacts in one call on all cores. Prints a
// table of the tangential speed that is left.
#include <cstdio>
#include <numbers>
#include <vector>

#include "carom/carom.hpp"

int main() {
  constexpr int count = 100'000;
  carom::SpatialProblem throw_down;
  throw_down.space.inverse_inertia = Eigen::Vector3d(3.5, 3.5, 1.0).asDiagonal();  // a solid ball of 1 kg
  throw_down.material = {.friction = 0.2, .restitution = 0.7};
  std::vector<carom::SpatialProblem> problems(count, throw_down);
  for (int i = 0; i < count; ++i) {
    const double angle = 0.5 * std::numbers::pi * i / count;  // from the normal
    problems[static_cast<std::size_t>(i)].space.velocity = {std::sin(angle), 0.0, -std::cos(angle)};
  }
  std::vector<carom::SpatialOutcome> outcomes(count);
  carom::spatial_outcomes(problems, outcomes, carom::available_threads());

  std::printf("degrees  slip before  slip after\n");
  for (int i = 0; i < count; i += count / 9)
    std::printf("%7.1f  %11.6f  %10.6f\n", 90.0 * i / count, problems[static_cast<std::size_t>(i)].space.velocity.x(),
                outcomes[static_cast<std::size_t>(i)].velocity_after.x());
  return 0;
}
