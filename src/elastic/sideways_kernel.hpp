// How do the ends of a viscous rod talk to each other?
// Read the wave equation sideways, from the bottom up: what happens at (x, t) follows from the bottom's velocity and
// force over [t - x, t + x] alone, through Bessel functions J0, J1 of small argument. At the free top this closes into
// an equation with one unit of memory. Units as in viscous_contact.hpp.
#pragma once

#include <cmath>

namespace carom::elastic {

/// An interior dip of the contact force below this fraction of the impact's scale is reported as near tangency.
inline constexpr double rod_dip_fraction = 1e-6;

/// J0(z) and J1(z)/z from q = z^2/4.
struct BesselPair {
  double j0, j1_over_z;
};
inline BesselPair bessel_pair(double q) {
  // Power series; q <= 1 in a rod with rho <= 4, where 13 terms are below rounding.
  double j0 = 0.0, j1 = 0.0;
  for (int n = 13; n >= 1; --n) {
    j0 = 1.0 - q / (static_cast<double>(n) * n) * (n == 13 ? 1.0 : j0);
    j1 = 1.0 - q / (static_cast<double>(n) * (n + 1)) * (n == 13 ? 1.0 : j1);
  }
  return {j0, 0.5 * j1};
}

/// The undamped-scale kernel of the top reflection.
class ReferenceKernel {
public:
  explicit ReferenceKernel(double rho) : rho2_(rho * rho) {}
  /// (rho^2/2) J1(z)/z at lag t - s in [0, 1], z = rho sqrt(lag (1 - lag)).
  double strain(double lag) const { return 0.5 * rho2_ * bessel_pair(0.25 * rho2_ * lag * (1.0 - lag)).j1_over_z; }

private:
  double rho2_;
};

}  // namespace carom::elastic
