#include "carom/impact/planar.hpp"

#include "spatial/dual_of.hpp"

namespace carom {

PlanarDerivatives planar_derivatives(const PlanarProblem& problem) {
  using Dual = spatial::DualOf<4>;  // by v_t, v_n, mu, e
  PlanarDerivatives out;
  out.outcome = planar_outcome(problem);
  const PlanarMode mode = out.outcome.mode;
  if (mode == PlanarMode::none) return out;
  const auto seed = [](double value, std::size_t which) {
    Dual x(value);
    x.d[which] = 1.0;
    return x;
  };
  // Symbols and table as in docs/theory/planar.md; W = [[B1, -B3], [-B3, B2]].
  const Eigen::Matrix2d& w = problem.space.inverse_inertia;
  const double b1 = w(0, 0), b2 = w(1, 1), b3 = -0.5 * (w(0, 1) + w(1, 0));
  const Dual s0 = seed(problem.space.velocity[0], 0), c0 = seed(problem.space.velocity[1], 1);
  const Dual mu = seed(problem.material.friction, 2), e = seed(problem.material.restitution, 3);
  const double direction = s0.v != 0.0 ? s0.v : -b3;
  const double s = static_cast<double>((direction > 0.0) - (direction < 0.0));
  const Dual k1 = Dual(b2) + mu * (s * b3), h1 = mu * b1 + Dual(s * b3);
  const bool sticks = mode == PlanarMode::c_sticking || mode == PlanarMode::r_sticking;
  const bool in_compression = mode == PlanarMode::c_sticking || mode == PlanarMode::c_reversed;
  Dual normal, tangential;
  if (mode == PlanarMode::sliding) {
    normal = (Dual(1.0) + e) * (-c0 / k1);
    tangential = mu * normal * -s;
  } else {
    const Dual ps = s0.v != 0.0 ? s0 * s / h1 : Dual(0.0), cs = c0 + k1 * ps;
    const Dual k2 = sticks ? Dual(b2 - b3 / b1 * b3) : Dual(b2) - mu * (s * b3);
    const Dual pc = in_compression ? ps - cs / k2 : -c0 / k1;
    if (problem.law == RestitutionLaw::poisson) {
      normal = (Dual(1.0) + e) * pc;
    } else if (problem.law == RestitutionLaw::newton) {
      normal = in_compression ? pc - e * c0 / k2 : ps + (-e * c0 - cs) / k2;
    } else if (in_compression) {
      normal = pc + e / k2 * root(cs * cs - k2 * ps * (c0 + cs));
    } else {
      const Dual rho = (e * e * c0 * c0 - cs * cs) / k1;
      normal = ps + rho / (cs + root(cs * cs + k2 * rho));
    }
    tangential = sticks ? (normal * b3 - s0) / Dual(b1) : mu * (normal - ps * 2.0) * s;
  }
  const Dual impulse[2] = {tangential, normal};
  for (int i = 0; i < 2; ++i) {
    for (std::size_t j = 0; j < 2; ++j) out.by_velocity(i, static_cast<Eigen::Index>(j)) = impulse[i].d[j];
    out.by_friction[i] = impulse[i].d[2];
    out.by_restitution[i] = impulse[i].d[3];
  }
  return out;
}

}  // namespace carom
