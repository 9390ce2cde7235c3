// A robot's tip strikes a wall: all an impact asks of the robot is how the tip answers an impulse, W = J M^-1 J^T, and
// how fast it is. Mass matrix and Jacobian come from your own dynamics.
#include <cstdio>

#include "carom/carom.hpp"

int main() {
  carom::MechanicalSystem arm;  // three joints, tip in space
  arm.mass_matrix.resize(3, 3);
  arm.mass_matrix << 2.0, 0.4, 0.1, 0.4, 1.2, 0.2, 0.1, 0.2, 0.5;  // [kg m^2]
  arm.jacobian.resize(3, 3);
  arm.jacobian << 0.3, -0.6, -0.2, 0.5, 0.1, 0.3, 0.2, 0.4, -0.5;  // rows (t1, t2, n) [m]
  arm.velocity = Eigen::Vector3d(-0.5, -1.5, 1.0);                 // [rad/s]

  carom::SpatialProblem problem;
  problem.space = carom::contact_space(arm.mass_matrix, arm.jacobian, arm.velocity);
  problem.material = {.friction = 0.4, .restitution = 0.6};
  const carom::SpatialImpact impact = carom::spatial_impact(problem);

  const Eigen::Vector3d rates = arm.velocity + arm.mass_matrix.ldlt().solve(arm.jacobian.transpose() * impact.impulse);
  const Eigen::Vector3d &p = impact.impulse, &v = impact.velocity_after;
  std::printf("%s after %zu events\n", carom::name(impact.verdict), impact.events.size());
  std::printf("impulse on the tip %.5f %.5f %.5f N s\n", p.x(), p.y(), p.z());
  std::printf("tip velocity after %.5f %.5f %.5f m/s\n", v.x(), v.y(), v.z());
  std::printf("joint rates after %.5f %.5f %.5f rad/s\n", rates.x(), rates.y(), rates.z());
  return (arm.jacobian * rates - v).norm() < 1e-12 ? 0 : 1;
}
