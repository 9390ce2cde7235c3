// Which friction and stiffness ratio explain measured bounces? Alumina spheres of 5 mm on glass at 3.9 m/s (Kharaz,
// Gorham and Salman 2001): the velocity of the contact point before and after, six angles.
#include <cstdio>

#include "carom/carom.hpp"

int main() {
  carom::FitObservation bounce;  // W: 7/2 and 1 over the mass [1/kg]
  bounce.space.inverse_inertia = Eigen::Vector3d(13369.015220, 13369.015220, 3819.718634).asDiagonal();
  const double measured[6][4] = {{0.643417, -3.846559, -0.092974, 3.769628}, {1.334646, -3.664522, -0.547872, 3.591231},
                                 {1.957482, -3.373168, -0.180088, 3.305705}, {2.474502, -3.014438, 0.491189, 2.954150},
                                 {2.974142, -2.522792, 1.391899, 2.472336},  {3.378180, -1.948821, 2.207640, 1.909844}};
  carom::FitProblem problem;
  problem.model = carom::FitModel::compliant;
  for (const auto& each : measured) {
    bounce.space.velocity = {each[0], 0.0, each[1]};
    bounce.velocity_after = {each[2], 0.0, each[3]};
    problem.observations.push_back(bounce);
  }
  problem.free.set(carom::FitParameter::friction);
  problem.free.set(carom::FitParameter::restitution);
  problem.free.set(carom::FitParameter::stiffness_ratio_root);
  const carom::FitResult fit = carom::fit_impacts(problem);
  for (const carom::FittedNumber& number : fit.free)
    std::printf("%-4s %.4f +- %.4f\n", carom::name(number.parameter), number.value,
                number.standard_error.value_or(0.0));
  std::printf("residual %.4f m/s\n", fit.residual);
  return fit.converged ? 0 : 1;
}
