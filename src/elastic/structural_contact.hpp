// What happens while the rod with structural damping first touches the ground?
// Units t1 = 2L/c = 1 (c = 1, L = 1/2); kappa = r/(2Lc) is a quarter of delta = 2r/(cL). Modes a = (2k+1) pi obey
// y'' + 2 kappa a^2 y' + a^2 y = -gamma (Wang 2017, eq. C.25, without the common factor beta_k).
#pragma once

#include "viscous_contact.hpp"

namespace carom::elastic {

struct StructuralRod {
  double kappa = 0.0, gamma = 0.0, mu = 0.0;
  bool strain_only = false;  ///< let go when v_x alone turns positive (Wang 2017, eq. C.3)
};

/// Contact force F = mu k0 + gamma k1, the strain -v_x in the same form, centre of mass and energy per length at time t
/// > 0.
struct StructuralState {
  double k0 = 0.0, k1 = 0.0;            ///< of the true contact force
  double strain0 = 0.0, strain1 = 0.0;  ///< of -v_x(0)
  CentreOfMass centre;
  double energy = 0.0;
  double loss = 0.0;  ///< what damping takes per time and length
};
StructuralState structural_state(const StructuralRod& rod, double t);

/// The field at x in [0, 1/2] during the first contact; the rate of strain v_xt for x > 0.
struct FieldPoint {
  double displacement = 0.0, velocity = 0.0, strain_rate = 0.0;
};
FieldPoint structural_field(const StructuralRod& rod, double x, double t);

/// m* and where it is attained; infinite if no speed suffices.
struct StructuralSearch {
  double threshold = 0.0;  ///< m*; only meaningful if asked for
  Liftoff liftoff;
};
/// First lift-off; with `with_threshold` also m*.
StructuralSearch structural_search(const StructuralRod& rod, bool with_threshold);

}  // namespace carom::elastic
