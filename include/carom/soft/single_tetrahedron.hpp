// What does one tetrahedron on a table teach about recovering rest shapes?
// Three vertices are fixed on a horizontal table, the fourth stands above them: everything has a closed form. The map
// of the fixed point is a line in the height w of the free vertex, and the largest density is that at which its slope
// is 1. Theory: docs/theory/soft.md. Source: Wang 2017, section 6.3.2, with the stiffness of its appendix A.
#pragma once

#pragma GCC visibility push(default)

namespace carom {

struct SingleTetrahedron {
  double young = 0.0, poisson = 0.0, density = 0.0;  ///< [Pa], in (-1, 0.5), [kg/m^3]
  double gravity = 0.0;                              ///< downwards [m/s^2], > 0
  double height = 0.0;                               ///< of the observed free vertex over the table [m], > 0
  double stiffness_scale = 1.0;                      ///< 0.5: the stiffness of the chapter
};

/// Which iteration is counted.
enum class TetrahedronMap {
  consistent,    ///< w <- c (w - z), eq. 6.28
  frozen_volume  ///< t <- c (1 + t)^3 with w = -t z: what the printed digits of section 6.3.2 come from
};

struct TetrahedronTheory {
  double slope = 0.0;          ///< c of w -> c (w - z); with damping r the slope is 1 - r + r c
  double displacement = 0.0;   ///< w*, where the line meets w = w: -c z / (1 - c) [m]; NaN if c >= 1
  double density_bound = 0.0;  ///< eq. 6.39: from here on c >= 1 and there is no rest shape [kg/m^3]
};

/// @throws InvalidInput naming young, poisson, density, gravity, height or stiffness_scale
TetrahedronTheory tetrahedron_theory(const SingleTetrahedron& problem);

/// The damped map w -> (1 - r) w + r beta(w) (eq. 6.37).
/// @throws InvalidInput as tetrahedron_theory, or naming damping, in (0, 1]
double tetrahedron_step(const SingleTetrahedron& problem, double damping, double w,
                        TetrahedronMap map = TetrahedronMap::consistent);

/// How often beta is computed, from w = 0, until |beta(w) - w| is below the tolerance [m] (Table 6.3 with 1e-6); -1 if
/// that takes more than 10000.
/// @throws InvalidInput as tetrahedron_step, or naming tolerance
int tetrahedron_iterations(const SingleTetrahedron& problem, double damping, double tolerance = 1e-6,
                           TetrahedronMap map = TetrahedronMap::consistent);

}  // namespace carom

#pragma GCC visibility pop
