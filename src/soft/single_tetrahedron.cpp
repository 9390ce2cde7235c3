#include "carom/soft/single_tetrahedron.hpp"

#include <cmath>
#include <limits>

#include "carom/core/error.hpp"

#include "prepared.hpp"

namespace carom {

namespace {

constexpr int most_iterations = 10'000;

double beta(const SingleTetrahedron& problem, double slope, double w, TetrahedronMap map) {
  if (map == TetrahedronMap::consistent) return slope * (w - problem.height);
  const double t = -w / problem.height;
  return -problem.height * slope * (1.0 + t) * (1.0 + t) * (1.0 + t);
}

void require_damping(double damping) {
  require_between("damping", damping, 0.0, 1.0);
  require_positive("damping", damping);
}

}  // namespace

TetrahedronTheory tetrahedron_theory(const SingleTetrahedron& problem) {
  require_positive("young", problem.young);
  soft::require_poisson(problem.poisson);
  require_positive("density", problem.density);
  require_positive("gravity", problem.gravity);
  require_positive("height", problem.height);
  require_positive("stiffness_scale", problem.stiffness_scale);
  // K_33 = (lambda + 2 mu) V / z^2, the load on the free vertex rho g V / 4 (eq. 6.20, with the factor 2).
  const soft::Lame material = soft::lame(problem.young * problem.stiffness_scale, problem.poisson);
  TetrahedronTheory theory;
  theory.density_bound = 4.0 * (material.lambda + 2.0 * material.mu) / (problem.gravity * problem.height);
  theory.slope = problem.density / theory.density_bound;
  theory.displacement = theory.slope < 1.0 ? -theory.slope * problem.height / (1.0 - theory.slope)
                                           : std::numeric_limits<double>::quiet_NaN();
  return theory;
}

double tetrahedron_step(const SingleTetrahedron& problem, double damping, double w, TetrahedronMap map) {
  require_damping(damping);
  return (1.0 - damping) * w + damping * beta(problem, tetrahedron_theory(problem).slope, w, map);
}

int tetrahedron_iterations(const SingleTetrahedron& problem, double damping, double tolerance, TetrahedronMap map) {
  require_damping(damping);
  require_positive("tolerance", tolerance);
  const double slope = tetrahedron_theory(problem).slope;
  double w = 0.0;
  for (int count = 1; count <= most_iterations; ++count) {
    const double next = beta(problem, slope, w, map);
    if (std::abs(next - w) < tolerance) return count;
    w = (1.0 - damping) * w + damping * next;
  }
  return -1;
}

}  // namespace carom
