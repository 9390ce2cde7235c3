// The falling rod, called from another project with the installed headers and libraries.
#include <carom/carom.hpp>
#include <cmath>
#include <cstdio>

int main() {
  carom::PlanarProblem problem;
  problem.space.inverse_inertia << 2.5, -1.5, -1.5, 2.5;
  problem.space.velocity = {0.6, -1.0};
  problem.material = {.friction = 0.7, .restitution = 0.5};
  problem.law = carom::RestitutionLaw::poisson;
  const carom::PlanarImpact impact = carom::planar_impact(problem);
  std::printf("%s, impulse (%g, %g)\n", carom::name(impact.mode), impact.impulse[0], impact.impulse[1]);
  const carom::Body ball = carom::body_of(carom::Sphere{0.1}, 2.0);  // the rooms between: core, motion
  const carom::Body later = carom::free_flight(ball, {0.0, 0.0, -10.0}, 1.0);
  bool failed = false;
  carom::scenario::solve_row("{}", failed);
  return std::abs(impact.impulse[1] - 0.6) < 1e-14 && later.position.z() == -5.0 && failed ? 0 : 1;
}
