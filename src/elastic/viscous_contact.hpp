// What happens while the viscous rod first touches the ground?
// Units of this file: t1 = 2L/c = 1, so c = 1, L = 1/2; velocities stay physical. rho = r t1, gamma = g t1.
#pragma once

#include <vector>

namespace carom::elastic {

struct ViscousRod {
  double rho = 0.0, gamma = 0.0, mu = 0.0;
};

/// Mean velocity p = P/L and height h of the centre of mass.
struct CentreOfMass {
  double p = 0.0, h = 0.0;
};

/// End of the first contact.
struct Liftoff {
  bool bounces = false;
  double t = 0.0;
  CentreOfMass centre;
  bool tangent = false;  ///< an earlier dip of the contact force almost ended the contact
};

// e^-z I0(z), e^-z I1(z) for z >= 0.
double i0e(double z);
double i1e(double z);

/// (1 - e^{-2 rho t}) / (2 rho), t for rho = 0.
double drag_time(double rho, double t);

/// Free flight in closed form: p' + 2 rho p = -gamma, h' = p.
CentreOfMass free_flight(const ViscousRod& rod, const CentreOfMass& from, double t);

/// Contact force K0 per unit speed, as the sum over reflections (Wang 2017, eq. 5.28 with its last sign corrected).
double contact_kernel(double rho, double t);

/// e^{rho t} v_x(0, t) while the bottom is held, at times >= 0 in any order; just after a jump (Wang 2017, eq. 5.29).
std::vector<double> viscous_stress_function(const ViscousRod& rod, const std::vector<double>& times);

/// Contact force F = -c v_x(0, t) of the first contact on 0 <= t < 1.
double early_force(const ViscousRod& rod, double t);
/// Centre of mass on 0 <= t <= 1.
CentreOfMass early_centre(const ViscousRod& rod, double t);

/// m*: the rod bounces iff mu/gamma > m*. Infinite from rho = pi on.
double viscous_threshold(double rho);

Liftoff viscous_liftoff(const ViscousRod& rod);

/// Total energy per length at time t of the first contact (bottom held), rho < pi.
double viscous_contact_energy(const ViscousRod& rod, double t);

}  // namespace carom::elastic
