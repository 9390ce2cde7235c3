// How is a rod brought to units in which nothing overflows?
// t1 = 2L/c = 1, so c = 1 and L = 1/2; velocities are divided by a power of two.
#pragma once

#include "carom/elastic/rod.hpp"

#include "structural_contact.hpp"
#include "viscous_contact.hpp"

namespace carom::elastic {

/// @throws InvalidInput naming wave_speed, length, gravity, damping or impact_speed
void check_rod(const RodProblem& problem);

/// The rod in units t1 = 1 (c = 1, L = 1/2) and velocities of order one.
struct Scaled {
  /// @throws InvalidInput as rod_impact, also where such units leave the range of a double
  explicit Scaled(const RodProblem& problem);
  /// From energy per length in units of velocity: the small number first, the squares of the large ones last.
  double energy(double per_length) const { return per_length * unit * length * unit; }

  double t1, length, speed;
  double unit;              ///< of velocity [m/s]
  bool structural = false;  ///< damped, that is
  bool clamped = false;     ///< lighter damping than can be followed: rod_lightest_structural instead
  bool weightless = false;  ///< gravity is lost against the impact speed
  bool speedless = false;   ///< the impact speed is lost against gravity
  ViscousRod viscous;
  ViscousRod bouncing;  ///< the same for all that follows the first contact
  StructuralRod damped;
};

}  // namespace carom::elastic
